"""Stage measure: what the features of one theme share with the work and with the lots, counted once.

Two themes that ask the same features of a layer are answered from one measurement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import shapely

from spatial.case import ParcelShare
from spatial.dust import all_without_dust
from spatial.index import IndexedLayer
from spatial.index.items import Part
from spatial.measure import MetFrame, MetLayer
from spatial.measure.features import Hit, Hits, Owner, hits_of, is_firm
from spatial.measure.union import is_sliver, union_area_m2
from spatial.model import Area, Kind, Relation, Theme
from spatial.site import LotGround, Site
from spatial.units import FOOT_M, sqft_from_sqm

WHOLE_SQFT = 0.01
"""Work that leaves a layer by less than this lies within it."""


@dataclass(frozen=True, slots=True)
class Areas:
    """Union areas in the work, in all lots (None without lots), and lot by lot; None for layers without areas."""

    work_sqft: float | None = None
    lots_sqft: float | None = None
    by_parcel: tuple[ParcelShare, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """What is shared: ``firm`` by feature, ``touched`` where it is no more than a touch.

    ``relation`` None when nothing firm is shared. ``sliver_sqft``: ground that counts as a touch.
    """

    firm: Hits
    touched: Hits
    areas: Areas
    relation: Relation | None
    length_ft: float | None
    count: int | None
    sliver_sqft: float


def shared_with(site: Site, theme: Theme, layer: IndexedLayer, met: MetLayer) -> Shared:
    """Return what the features a theme asks for share with the site, over all editions of the layer."""
    asked = theme.theme if theme.where else ""
    known = met.told.get(asked)
    if not isinstance(known, Shared):
        known = _measured(site, theme, layer, met)
        met.told[asked] = known
    return known


def _measured(site: Site, theme: Theme, layer: IndexedLayer, whole: MetLayer) -> Shared:
    met = whole.frames
    hits = hits_of(theme, met, [frame.pieces.work for frame in met])
    firm = _firm(site, met, hits)
    touched = {owner: hit for owner, hit in hits.items() if owner not in firm}
    areas = _areas(site, theme, whole, hits) if "polygon" in layer.kinds else Areas()
    return Shared(
        firm,
        touched,
        areas,
        _relation(site, met, firm, areas) if firm else None,
        _length_ft(met, firm) if "line" in layer.kinds else None,
        sum(1 for _ in _of_kind("point", met, firm)) if "point" in layer.kinds else None,
        sum(sqft_from_sqm(hit.size) for found in touched.values() for hit in found if hit.area),
    )


def _firm(site: Site, met: Sequence[MetFrame], hits: Hits) -> dict[Owner, list[Hit]]:
    """Return the features that share more with the work than a touch.

    Many features that each share a sliver may share real ground together: then none of them is passed over.
    """
    firm = {owner: found for owner, found in hits.items() if is_firm(site.work, met, found)}
    if firm or len(hits) < 2:
        return firm
    areal = [hit for found in hits.values() for hit in found if hit.size and hit.area]
    together = not is_sliver([h.part for h in areal], [h.size for h in areal])
    return {h.owner: list(hits[h.owner]) for h in areal} if together else {}


def _areas(site: Site, theme: Theme, met: MetLayer, hits: Hits) -> Areas:
    # a union of parts may be wider by the last digits
    work_sqft = min(_area_sqft(hits, site.work.geometry), site.work.area_sqft)
    shares, cutting = [], None if site.contained or not site.lots else _Cutting.of(site, hits)
    for n, lot in enumerate(site.lots):
        worked = work_sqft if cutting is None else _area_sqft(cutting.to(lot), lot.work)
        shares.append(ParcelShare(lot.loc_id, worked, _on_lot_sqft(theme, met, lot, n)))
    return Areas(work_sqft, sum(s.parcel_sqft for s in shares) if shares else None, tuple(shares))


def _on_lot_sqft(theme: Theme, met: MetLayer, lot: LotGround, n: int) -> float:
    if met.known is not None:
        return met.known[n].area_sqft(theme)
    on_lot = hits_of(theme, met.frames, [frame.pieces.lots[n] for frame in met.frames])
    return _area_sqft(on_lot, lot.ground.geometry)


def _area_sqft(hits: Hits, ground: Area) -> float:
    """Return the union area of what is shared: all where a feature holds the ground, the sum where it is one."""
    areal = [found for found in hits.values() if found[0].area]
    for found in areal:
        if found[0].part is ground:
            return sqft_from_sqm(found[0].size)
    sizes = [sum([hit.size for hit in found]) for found in areal]
    if len(areal) < 2:
        return sqft_from_sqm(sizes[0]) if sizes else 0.0
    return sqft_from_sqm(union_area_m2([[hit.part for hit in found] for found in areal], sizes))


@dataclass(frozen=True, slots=True, eq=False)
class _Cutting:
    """What is shared with the work, to be cut to one lot after another.

    ``holding`` are pieces that hold all the work; ``crossing`` the others, with their shapes in ``part``.
    """

    holding: tuple[tuple[Owner, bool], ...]
    crossing: tuple[Hit, ...]
    part: Part

    @classmethod
    def of(cls, site: Site, hits: Hits) -> Self:
        every = [hit for found in hits.values() for hit in found]
        crossing = tuple(hit for hit in every if hit.part is not site.work.geometry)
        holding = tuple((hit.owner, hit.area) for hit in every if hit.part is site.work.geometry)
        whole, _ = all_without_dust(np.array([hit.part for hit in crossing], dtype=object))
        return cls(holding, crossing, Part(whole, np.arange(len(whole))))

    def to(self, lot: LotGround) -> Hits:
        """Return what is shared on one lot; of a piece that holds all the work, the work on the lot."""
        cut = {owner: [Hit(owner, lot.work, lot.work.area, area)] for owner, area in self.holding}
        if not self.crossing:
            return cut
        met = np.sort(self.part.tree.query(lot.ground.geometry, predicate="intersects"))
        parts = shapely.intersection(self.part.geometry[met], lot.ground.geometry)
        for n, part, size in zip(met.tolist(), parts, shapely.area(parts).tolist(), strict=True):
            if size:
                hit = self.crossing[n]
                cut.setdefault(hit.owner, []).append(Hit(hit.owner, part, size, hit.area))
        return cut


def _length_ft(met: Sequence[MetFrame], firm: Hits) -> float:
    return sum(hit.size for found in _of_kind("line", met, firm) for hit in found) / FOOT_M


def _of_kind(kind: Kind, met: Sequence[MetFrame], firm: Hits) -> Iterator[list[Hit]]:
    return (found for owner, found in firm.items() if met[owner.edition].indexed.frame.kind == kind)


def _relation(site: Site, met: Sequence[MetFrame], firm: Hits, areas: Areas) -> Relation:
    if (areas.work_sqft or 0.0) >= site.work.area_sqft - WHOLE_SQFT:
        return "within"
    return "contains" if _all_inside(site, met, firm) else "overlaps"


def _all_inside(site: Site, met: Sequence[MetFrame], firm: Hits) -> bool:
    """Say whether every feature met lies wholly inside the work."""
    west, south, east, north = site.work.bounds
    for edition, row in firm:
        feature = met[edition].indexed.frame.geometry[row]
        left, low, right, high = feature.bounds
        if left < west or low < south or right > east or high > north:
            return False
        if not shapely.covers(site.work.geometry, feature):
            return False
    return True

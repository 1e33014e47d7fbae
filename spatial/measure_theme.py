"""Stage measure: what was met, put together for one theme of one layer: union areas, features, nearest, relation.

Still no judgement: whether any of it counts is for the findings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from spatial.dust import all_without_dust
from spatial.index import IndexedLayer
from spatial.items import Part
from spatial.measure import MetFrame
from spatial.measure_features import (
    Hit,
    Hits,
    Numbered,
    Owner,
    hit_features,
    hits_of,
    is_firm,
    near_features,
    share_features,
)
from spatial.measure_union import is_sliver, union_area_m2
from spatial.measure_zones import zone_areas
from spatial.model import FeatureHit, Kind, ParcelShare, Relation, Theme, ZoneArea
from spatial.site import LotGround, Site
from spatial.units import FOOT_M, m_from_ft, sqft_from_sqm

DISTANCE_TOLERANCE_FT = 0.005
"""100.00 ft is within 100 ft and 100.01 ft is not."""

NEAREST_FT = 5_280.0
"""How far the nearest feature is named when nothing is within reach."""

WHOLE_SQFT = 0.01
"""Work that leaves a layer by less than this lies within it."""


@dataclass(frozen=True, slots=True, eq=False)
class ThemeMeasure:
    """One theme of one layer against the site. Areas None for layers without areas; ``nearest_ft`` None: none seen.

    ``sliver_sqft``: shared ground so small or narrow that it counts as a touch. ``searched_ft``: how far around the
    work every feature is listed. ``edition``: place, among the layer's editions, of the one that decides.
    """

    relation: Relation
    searched_ft: float
    edition: int = 0
    disturbance_sqft: float | None = None
    parcel_sqft: float | None = None
    by_parcel: tuple[ParcelShare, ...] = ()
    length_ft: float | None = None
    count: int | None = None
    nearest_ft: float | None = None
    features: tuple[FeatureHit, ...] = ()
    zones: tuple[ZoneArea, ...] = ()
    sliver_sqft: float = 0.0


def measure_theme(
    site: Site, theme: Theme, layer: IndexedLayer, met: Sequence[MetFrame], *, work_accuracy_ft: float
) -> ThemeMeasure:
    """Return one theme of one layer against the site, over all editions of the layer.

    Parameters
    ----------
    met
        What was met of each edition, in the layer's order.
    work_accuracy_ft
        How far the limit of work may be wrong; features are listed that much beyond the theme's reach.
    """
    band_ft = max(layer.accuracy_ft, work_accuracy_ft)
    hits = hits_of(theme, met, [frame.pieces.work for frame in met])
    firm = _firm(site, met, hits)
    touched = {owner: hit for owner, hit in hits.items() if owner not in firm}
    reach_ft = theme.coverage_ft
    features = _features(site, theme, met, hits=(firm, touched), reaches_ft=(reach_ft, band_ft))
    nearest, edition = _nearest(site, theme, met, features)
    areas = _areas(site, theme, met, hits) if "polygon" in layer.kinds else _NO_AREAS
    relation = _relation(site, met, firm, areas) if firm else _apart(theme, touched, nearest)
    return ThemeMeasure(
        relation=relation,
        searched_ft=reach_ft,
        edition=edition,
        disturbance_sqft=areas.work_sqft,
        parcel_sqft=areas.lots_sqft,
        by_parcel=areas.by_parcel,
        length_ft=_length_ft(met, firm) if "line" in layer.kinds else None,
        count=sum(1 for _ in _of_kind("point", met, firm)) if "point" in layer.kinds else None,
        nearest_ft=nearest,
        features=tuple(feature for _, feature in features),
        zones=zone_areas(site, theme, met, (areas.work_sqft or 0.0, areas.lots_sqft or 0.0)),
        sliver_sqft=sum(sqft_from_sqm(hit.size) for found in touched.values() for hit in found if hit.area),
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


def _features(
    site: Site, theme: Theme, met: Sequence[MetFrame], *, hits: tuple[Hits, Hits], reaches_ft: tuple[float, float]
) -> list[Numbered]:
    """Return every feature met, or within reach and the band beyond it, with the place of its edition."""
    (firm, touched), (reach_ft, band_ft) = hits, reaches_ft
    if theme.share:
        return list(share_features(site, theme, met, firm, band_ft=band_ft))
    found = list(hit_features(site, theme, met, firm, band_ft=band_ft))
    found.extend(near_features(theme, met, touched, firm, within_ft=reach_ft + band_ft))
    return found


@dataclass(frozen=True, slots=True)
class _Areas:
    work_sqft: float | None = None
    lots_sqft: float | None = None
    by_parcel: tuple[ParcelShare, ...] = ()


_NO_AREAS = _Areas()


def _areas(site: Site, theme: Theme, met: Sequence[MetFrame], hits: Hits) -> _Areas:
    """Return union areas in the work, in all lots (None without lots), and lot by lot."""
    work_sqft = min(_area_sqft(hits), site.work.area_sqft)  # a union of parts may be wider by the last digits
    shares = []
    for n, lot in enumerate(site.lots):
        on_lot = hits_of(theme, met, [frame.pieces.lots[n] for frame in met])
        worked = work_sqft if site.contained else _area_sqft(_cut_to(lot, hits))
        shares.append(ParcelShare(lot.loc_id, worked, _area_sqft(on_lot)))
    return _Areas(work_sqft, sum(s.parcel_sqft for s in shares) if shares else None, tuple(shares))


def _area_sqft(hits: Hits) -> float:
    """Return the union area of what is shared; the sum where it is of one feature."""
    areal = [found for found in hits.values() if found[0].area]
    sizes = [sum([hit.size for hit in found]) for found in areal]
    if len(areal) < 2:
        return sqft_from_sqm(sizes[0]) if sizes else 0.0
    return sqft_from_sqm(union_area_m2([[hit.part for hit in found] for found in areal], sizes))


def _cut_to(lot: LotGround, hits: Hits) -> Hits:
    cut: dict[Owner, list[Hit]] = {}
    for owner, found in hits.items():
        whole, _ = all_without_dust(np.array([hit.part for hit in found], dtype=object))
        parts = shapely.intersection(whole, lot.ground.geometry)
        cut[owner] = [Hit(owner, part, float(part.area), hit.area) for part, hit in zip(parts, found, strict=True)]
    return cut


def _length_ft(met: Sequence[MetFrame], firm: Hits) -> float:
    return sum(hit.size for found in _of_kind("line", met, firm) for hit in found) / FOOT_M


def _of_kind(kind: Kind, met: Sequence[MetFrame], firm: Hits) -> Iterator[list[Hit]]:
    return (found for owner, found in firm.items() if met[owner.edition].indexed.frame.kind == kind)


def _nearest(
    site: Site, theme: Theme, met: Sequence[MetFrame], features: Sequence[Numbered]
) -> tuple[float | None, int]:
    """Return the distance of the nearest feature and its edition; beyond the theme's reach a mile is searched."""
    if features:
        edition, feature = min(features, key=lambda each: each[1].nearest_ft)
        return feature.nearest_ft, edition
    if theme.share:
        return None, 0
    far = [(_beyond_ft(site, theme, frame), edition) for edition, frame in enumerate(met)]
    return min(((d, edition) for d, edition in far if d is not None), default=(None, 0))


def _beyond_ft(site: Site, theme: Theme, frame: MetFrame) -> float | None:
    """Return the distance of the nearest piece within a mile; two themes that ask the same ask once."""
    part = frame.indexed.pieces_of(theme)
    return frame.once((id(part),), lambda: _nearest_ft(site, part))


def _nearest_ft(site: Site, part: Part) -> float | None:
    mile_m = m_from_ft(NEAREST_FT)
    if not part.meets(site.work.grown(mile_m)):
        return None
    _, distance = part.tree.query_nearest(
        site.work.geometry, max_distance=mile_m, return_distance=True, all_matches=False
    )
    return float(distance[0]) / FOOT_M if len(distance) else None


def _relation(site: Site, met: Sequence[MetFrame], firm: Hits, areas: _Areas) -> Relation:
    if (areas.work_sqft or 0.0) >= site.work.area_sqft - WHOLE_SQFT:
        return "within"
    return "contains" if _all_inside(site, met, firm) else "overlaps"


def _apart(theme: Theme, touched: Hits, nearest_ft: float | None) -> Relation:
    if touched:
        return "touches"
    near = nearest_ft is not None and nearest_ft <= theme.within_ft + DISTANCE_TOLERANCE_FT
    return "near" if near else "none"


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

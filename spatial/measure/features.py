"""Stage measure: the features of one theme that the work meets or comes near, each with its own figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from spatial.case import FeatureHit
from spatial.index.items import Part
from spatial.measure import Met, MetFrame
from spatial.measure.depth import clearance_ft, depth_ft
from spatial.measure.union import is_sliver
from spatial.model import LayerFrame, Theme
from spatial.site import Ground, Site
from spatial.units import FOOT_M, m_from_ft, sqft_from_sqm


class Owner(NamedTuple):
    """A feature: the place of its edition among the layer's, and its row there."""

    edition: int
    row: int


class Hit(NamedTuple):
    """What one piece shares with an area; ``size`` is m² where ``area``, else m."""

    owner: Owner
    part: BaseGeometry
    size: float
    area: bool


Hits = Mapping[Owner, list[Hit]]
Numbered = tuple[int, FeatureHit]
"""A feature's figures, after the place of its edition."""

BEYOND = 1.01
"""Edges are looked for a little beyond the accuracy, so that one exactly there is seen."""


def hits_of(theme: Theme, met: Sequence[MetFrame], found: Sequence[Met]) -> dict[Owner, list[Hit]]:
    """Return what is shared, by feature, of the features a theme asks for; ``found`` has one entry an edition."""
    hits: dict[Owner, list[Hit]] = {}
    for edition, (frame, shared) in enumerate(zip(met, found, strict=True)):
        if not shared.rows:
            continue
        chosen, area = frame.indexed.chosen(theme), frame.indexed.frame.kind == "polygon"
        for row, part, size in zip(shared.rows, shared.inside, shared.sizes, strict=True):
            if chosen is None or chosen[row]:
                owner = Owner(edition, row)
                hits.setdefault(owner, []).append(Hit(owner, part, size, area))
    return hits


def is_firm(work: Ground, met: Sequence[MetFrame], hits: Sequence[Hit]) -> bool:
    """Say whether a feature shares more with the work than a touch or the noise of digitising.

    A line that runs along the limit of work, or a point on it, only touches. Ground that is most of the work, or
    most of the feature, is never noise, however small.
    """
    if not hits[0].area:
        return not all(shapely.touches(work.geometry, hit.part) for hit in hits)
    if hits[0].part is work.geometry or not is_sliver([h.part for h in hits], [h.size for h in hits]):
        return True
    feature_m2 = float(met[hits[0].owner.edition].indexed.frame.geometry[hits[0].owner.row].area)
    return sum(h.size for h in hits) >= min(work.area_m2, feature_m2) / 2.0 > 0.0


def hit_features(
    site: Site, theme: Theme, met: Sequence[MetFrame], firm: Hits, *, band_ft: float
) -> Iterator[Numbered]:
    """Yield every feature that shares something firm with the work; depths are told up to a band."""
    for owner, hits in firm.items():
        indexed = met[owner.edition].indexed
        kind = indexed.frame.kind
        size = sum(hit.size for hit in hits)
        edges = indexed.edges_of(theme) if kind == "polygon" else None
        yield (
            owner.edition,
            _feature(
                indexed.frame,
                theme,
                owner.row,
                overlap_sqft=sqft_from_sqm(size) if kind == "polygon" else 0.0,
                length_ft=size / FOOT_M if kind == "line" else 0.0,
                depth_ft=_depth_ft(site, met[owner.edition], hits, edges=edges, band_ft=band_ft),
            ),
        )


def _depth_ft(site: Site, met: MetFrame, hits: Sequence[Hit], *, edges: Part | None, band_ft: float) -> float:
    """Return how deep a feature and the work reach into each other; two themes that ask the same ask once."""
    key = (id(edges), hits[0].owner.row)
    known = met.told.get(key)
    if known is None:
        clear = met.once((id(edges),), lambda: clearance_ft(site.work, edges)) if edges is not None else None
        known = depth_ft(site.work, [h.part for h in hits], edges, clear_ft=clear or 0.0, enough_ft=band_ft)
        met.told[key] = known
    return known


def share_features(
    site: Site, theme: Theme, met: Sequence[MetFrame], firm: Hits, *, band_ft: float
) -> Iterator[Numbered]:
    """Yield the features that split the work. One that no edge comes near is as deep as the band, at least."""
    if len(firm) > 1:
        yield from hit_features(site, theme, met, firm, band_ft=band_ft)
        return
    for owner, hits in firm.items():
        indexed = met[owner.edition].indexed
        clear = clearance_ft(site.work, indexed.edges_of(theme), band_ft * BEYOND)
        area = sqft_from_sqm(sum(hit.size for hit in hits))
        deep = band_ft * BEYOND if clear is None else clear
        yield owner.edition, _feature(indexed.frame, theme, owner.row, overlap_sqft=area, depth_ft=deep)


def near_features(
    theme: Theme, met: Sequence[MetFrame], touched: Hits, firm: Hits, *, within_ft: float
) -> Iterator[Numbered]:
    """Yield the features that share nothing firm with the work, each at its nearest piece's distance."""
    nearest = dict.fromkeys(touched, 0.0)
    within_m = m_from_ft(within_ft)
    for edition, frame in enumerate(met):
        chosen = frame.indexed.chosen(theme)
        for row, distance_m in frame.pieces.near:
            owner = Owner(edition, row)
            if distance_m <= within_m and (chosen is None or chosen[row]) and owner not in firm:
                nearest[owner] = min(distance_m, nearest.get(owner, distance_m))
    for owner, distance_m in nearest.items():
        frame_of = met[owner.edition].indexed.frame
        yield owner.edition, _feature(frame_of, theme, owner.row, nearest_ft=distance_m / FOOT_M)


def _feature(
    frame: LayerFrame,
    theme: Theme,
    row: int,
    *,
    overlap_sqft: float = 0.0,
    length_ft: float = 0.0,
    nearest_ft: float = 0.0,
    depth_ft: float = 0.0,
) -> FeatureHit:
    known = frame.attributes
    return FeatureHit(
        id=str(frame.ids[row]),
        label=str(frame.labels[row]),
        attributes={name: known[name][row] for name in theme.report if name in known},
        overlap_sqft=overlap_sqft,
        length_ft=length_ft,
        nearest_ft=nearest_ft,
        accuracy_ft=_accuracy_ft(frame, row),
        depth_ft=depth_ft,
    )


def _accuracy_ft(frame: LayerFrame, row: int) -> float:
    """Return the feature's own accuracy where it has one, else the layer's."""
    own = float(frame.accuracy_ft[row])
    return own if own > 0 else frame.ref.accuracy_ft

"""Stage measure: what was met, put together for one theme of one layer: union areas, features, nearest, relation.

Still no judgement: whether any of it counts is for the findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spatial.case import FeatureHit, ParcelShare, ZoneArea
from spatial.index import IndexedLayer
from spatial.index.items import Part
from spatial.measure import MetFrame, MetLayer
from spatial.measure.features import Hits, Numbered, hit_features, near_features, share_features
from spatial.measure.shared import Shared, shared_with
from spatial.measure.zones import zone_areas
from spatial.model import Relation, Theme
from spatial.site import Site
from spatial.units import DISTANCE_TOLERANCE_FT, FOOT_M, m_from_ft

NEAREST_FT, LOOK_M = 5_280.0, 300.0
"""How far the nearest feature is named when nothing is within reach, and how far it is looked for at first."""


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
    site: Site, theme: Theme, layer: IndexedLayer, met: MetLayer, *, work_accuracy_ft: float
) -> ThemeMeasure:
    """Return one theme of one layer against the site, over all editions of the layer.

    Parameters
    ----------
    met
        What was met of the layer.
    work_accuracy_ft
        How far the limit of work may be wrong; features are listed that much beyond the theme's reach.
    """
    band_ft = max(layer.accuracy_ft, work_accuracy_ft)
    shared, reach_ft = shared_with(site, theme, layer, met), theme.coverage_ft
    features = _features(site, theme, met.frames, shared=shared, reaches_ft=(reach_ft, band_ft))
    nearest, edition = _nearest(site, theme, met, features)
    areas = shared.areas
    return ThemeMeasure(
        relation=shared.relation or _apart(theme, shared.touched, nearest),
        searched_ft=reach_ft,
        edition=edition,
        disturbance_sqft=areas.work_sqft,
        parcel_sqft=areas.lots_sqft,
        by_parcel=areas.by_parcel,
        length_ft=shared.length_ft,
        count=shared.count,
        nearest_ft=nearest,
        features=tuple([feature for _, feature in features]),
        zones=zone_areas(site, theme, met, (areas.work_sqft or 0.0, areas.lots_sqft or 0.0)),
        sliver_sqft=shared.sliver_sqft,
    )


def _features(
    site: Site, theme: Theme, met: Sequence[MetFrame], *, shared: Shared, reaches_ft: tuple[float, float]
) -> list[Numbered]:
    """Return every feature met, or within reach and the band beyond it, with the place of its edition."""
    firm, (reach_ft, band_ft) = shared.firm, reaches_ft
    if theme.share:
        return list(share_features(site, theme, met, firm, band_ft=band_ft))
    found = list(hit_features(site, theme, met, firm, band_ft=band_ft))
    found.extend(near_features(theme, met, shared.touched, firm, within_ft=reach_ft + band_ft))
    return found


def _nearest(site: Site, theme: Theme, met: MetLayer, features: Sequence[Numbered]) -> tuple[float | None, int]:
    """Return the distance of the nearest feature and its edition; beyond the theme's reach a mile is searched."""
    if features:
        edition, feature = min(features, key=lambda each: each[1].nearest_ft)
        return feature.nearest_ft, edition
    if theme.share:
        return None, 0
    far = [(_beyond_ft(site, theme, met, frame), edition) for edition, frame in enumerate(met.frames)]
    return min(((d, edition) for d, edition in far if d is not None), default=(None, 0))


def _beyond_ft(site: Site, theme: Theme, met: MetLayer, frame: MetFrame) -> float | None:
    """Return the distance of the nearest piece within a mile; two themes that ask the same ask once.

    Every piece as near as the layer was searched is among those met, so that the nearest of them is the nearest.
    """
    chosen = frame.indexed.chosen(theme)
    met_m = min([d for row, d in frame.pieces.near if chosen is None or chosen[row]], default=None)
    if met_m is not None and met_m <= met.searched_m:
        return met_m / FOOT_M
    part = frame.indexed.pieces_of(theme)
    return frame.once((id(part),), lambda: _nearest_ft(site, part))


def _nearest_ft(site: Site, part: Part) -> float | None:
    mile_m = m_from_ft(NEAREST_FT)
    if not part.meets(site.work.grown(mile_m)):
        return None
    nearest_m = part.nearest_m(site.work, mile_m, look_m=LOOK_M)
    return None if nearest_m is None else nearest_m / FOOT_M


def _apart(theme: Theme, touched: Hits, nearest_ft: float | None) -> Relation:
    if touched:
        return "touches"
    near = nearest_ft is not None and nearest_ft <= theme.within_ft + DISTANCE_TOLERANCE_FT
    return "near" if near else "none"

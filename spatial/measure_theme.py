"""Stage measure: what was met, put together for one theme of one layer: union areas, features, nearest, relation.

Still no judgement: whether any of it counts is for the findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from spatial.index import IndexedLayer
from spatial.measure import MetFrame
from spatial.measure_features import Flags, Hits, hit_features, near_features, solid, without_slivers
from spatial.measure_union import is_sliver, union_area_m2
from spatial.measure_zones import zone_areas
from spatial.model import FeatureHit, ParcelShare, Relation, Theme, ZoneArea
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
    listed_ft = theme.coverage_ft + max(layer.accuracy_ft, work_accuracy_ft)
    hits = Hits.of(theme, met, [frame.pieces.work for frame in met])
    firm, sliver_sqft = _firm(site, met, hits)
    touched, firm_hits = hits.only(~firm), hits.only(firm)
    found = list(hit_features(site, theme, met, firm_hits))
    if not theme.share:
        found.extend(near_features(theme, met, touched, firm_hits, within_ft=listed_ft))
    nearest, edition = _nearest(site, theme, met, found)
    areal = any(frame.indexed.frame.kind == "polygon" for frame in met)
    disturbance = _area_sqft(hits) if areal else None
    lots = [Hits.of(theme, met, [frame.pieces.lots[n] for frame in met]) for n in range(len(site.lots))]
    by_parcel = (
        tuple(_share(site, lot, hits, on_lot) for lot, on_lot in zip(site.lots, lots, strict=True)) if areal else ()
    )
    parcel = sum(share.parcel_sqft for share in by_parcel) if areal and site.lots else None
    return ThemeMeasure(
        relation=_relation(site, theme, met, firm_hits, touched=bool(len(touched)), nearest_ft=nearest),
        searched_ft=theme.coverage_ft,
        edition=edition,
        disturbance_sqft=disturbance,
        parcel_sqft=parcel,
        by_parcel=by_parcel,
        length_ft=_length_ft(met, firm_hits),
        count=_count(met, firm_hits),
        nearest_ft=nearest,
        features=tuple(feature for _, feature in found),
        zones=zone_areas(site, theme, met, (disturbance or 0.0, parcel or 0.0)),
        sliver_sqft=sliver_sqft,
    )


def _firm(site: Site, met: Sequence[MetFrame], hits: Hits) -> tuple[Flags, float]:
    """Return which hits are more than a touch, and the area of those that are only slivers."""
    firm = solid(site.work, hits)
    if not firm.any():
        return firm, 0.0
    wide = without_slivers(site.work, met, hits)
    # many features that each share a sliver may share real ground together: then none is passed over
    if not (firm & wide).any() and not _sliver_together(site, hits):
        return firm, 0.0
    return firm & wide, sqft_from_sqm(float(hits.size[firm & ~wide & hits.area].sum()))


def _sliver_together(site: Site, hits: Hits) -> bool:
    return is_sliver(hits.parts[hits.area], hits.size[hits.area], site.work.area_m2)


def _area_sqft(hits: Hits) -> float:
    area = hits.area
    return sqft_from_sqm(union_area_m2(hits.parts[area], hits.size[area], hits.owner[area]))


def _share(site: Site, lot: LotGround, work: Hits, on_lot: Hits) -> ParcelShare:
    """Return how much of the layer lies on a lot and how much of it is under work there."""
    parcel_sqft = _area_sqft(on_lot)
    if site.contained:
        return ParcelShare(lot.loc_id, _area_sqft(work), parcel_sqft)
    parts = shapely.intersection(work.parts[work.area], lot.ground.geometry)
    area_m2 = union_area_m2(parts, shapely.area(parts), work.owner[work.area])
    return ParcelShare(lot.loc_id, sqft_from_sqm(area_m2), parcel_sqft)


def _length_ft(met: Sequence[MetFrame], firm: Hits) -> float | None:
    lines = np.array([frame.indexed.frame.kind == "line" for frame in met])
    return float(firm.size[lines[firm.edition]].sum()) / FOOT_M if lines.any() else None


def _count(met: Sequence[MetFrame], firm: Hits) -> int | None:
    points = np.array([frame.indexed.frame.kind == "point" for frame in met])
    return len(np.unique(firm.owner[points[firm.edition]])) if points.any() else None


def _nearest(
    site: Site, theme: Theme, met: Sequence[MetFrame], found: Sequence[tuple[int, FeatureHit]]
) -> tuple[float | None, int]:
    """Return the distance of the nearest feature and its edition; beyond the theme's reach a mile is searched."""
    if found:
        edition, feature = min(found, key=lambda each: each[1].nearest_ft)
        return feature.nearest_ft, edition
    if theme.share:
        return None, 0
    far = [(_beyond_ft(site, theme, frame), edition) for edition, frame in enumerate(met)]
    return min(((d, edition) for d, edition in far if d is not None), default=(None, 0))


def _beyond_ft(site: Site, theme: Theme, frame: MetFrame) -> float | None:
    part = frame.indexed.pieces_of(theme)
    if not part.meets(site.work.grown(m_from_ft(NEAREST_FT))):
        return None
    _, distance = part.tree.query_nearest(
        site.work.geometry, max_distance=m_from_ft(NEAREST_FT), return_distance=True, all_matches=False
    )
    return float(distance[0]) / FOOT_M if len(distance) else None


def _relation(
    site: Site, theme: Theme, met: Sequence[MetFrame], firm: Hits, *, touched: bool, nearest_ft: float | None
) -> Relation:
    if len(firm):
        if firm.area.any() and _area_sqft(firm) >= site.work.area_sqft - WHOLE_SQFT:
            return "within"
        return "contains" if _all_inside(site, met, firm) else "overlaps"
    if touched:
        return "touches"
    near = nearest_ft is not None and nearest_ft <= theme.within_ft + DISTANCE_TOLERANCE_FT
    return "near" if near else "none"


def _all_inside(site: Site, met: Sequence[MetFrame], firm: Hits) -> bool:
    """Say whether every feature met lies wholly inside the work."""
    features = [
        met[int(edition)].indexed.frame.geometry[row] for edition, row in zip(firm.edition, firm.row, strict=True)
    ]
    west, south, east, north = site.work.bounds
    bounds = shapely.bounds(features)
    if (bounds[:, :2] < (west, south)).any() or (bounds[:, 2:] > (east, north)).any():
        return False
    return bool(shapely.covers(site.work.geometry, features).all())

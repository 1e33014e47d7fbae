"""Normalise: mend each feature, tell doubles and overlaps, and unite what is disturbed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely
from shapely import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from spatial.crs_fit import accuracy_m
from spatial.dust import united
from spatial.errors import GeometryRefused
from spatial.model import Area, Note, Reading, SiteFeature, Submission
from spatial.normalise.kinds import Kinds, Sorted
from spatial.normalise.mending import mend
from spatial.read.limits import ReadLimits
from spatial.read.raw import Purpose
from spatial.units import SQFT_PER_ACRE, ft_from_m, sqft_from_sqm

LEAST_SQFT = 0.01
"""A polygon smaller than this is a drawing mistake, not ground."""
_OVERLAP_SQFT = 0.1


def assemble(placed: Kinds, reading: Reading, limits: ReadLimits, purpose: Purpose) -> Submission:
    """Return the submission of placed features.

    Raises
    ------
    GeometryRefused
        ``degenerate_geometry`` when no polygon encloses any area, ``too_large`` for a site beyond the limit,
        ``too_complex``.
    """
    features, notes = _mended(placed.features, limits)
    work = [f for f in features if f.role == "disturbance"]
    if purpose == "site" and not work:
        raise _degenerate(placed.features)
    area = _united([f.geometry for f in work])
    _check_size(area, limits)
    _check_outline(area, limits)
    return Submission(
        features=tuple(features),
        area=area,
        notes=(*reading.notes, *placed.notes, *notes, *_doubles(work), *_overlaps(work, area)),
        tree_points=sum(_uncounted_trees(f) for f in features),
        accuracy_ft=ft_from_m(accuracy_m(reading.crs)),
    )


def _mended(placed: Sequence[Sorted], limits: ReadLimits) -> tuple[list[SiteFeature], list[Note]]:
    features: list[SiteFeature] = []
    notes: list[Note] = []
    for item in placed:
        name = item.source.id
        geometry: BaseGeometry | None = item.geometry
        if item.geometry.geom_type in ("Polygon", "MultiPolygon"):
            mended = mend(item.geometry, name, limits)
            notes += mended.notes
            geometry = mended.geometry
        if geometry is None or _too_small(geometry):
            notes.append(
                Note("degenerate_feature_skipped", f"Feature {name} encloses no area and was skipped.", name)
            )
            continue
        features.append(SiteFeature(name, geometry, item.source.attributes, item.activity, item.role))
    return features, notes


def _too_small(geometry: BaseGeometry) -> bool:
    polygonal = geometry.geom_type in ("Polygon", "MultiPolygon")
    return polygonal and sqft_from_sqm(geometry.area) < LEAST_SQFT


def _degenerate(placed: Sequence[Sorted]) -> GeometryRefused:
    feature = next(f.source.id for f in placed if f.role == "disturbance")
    return GeometryRefused(
        f"Feature {feature} encloses no area: its corners fall together, as when coordinates were rounded; "
        "export it with all decimals.",
        code="degenerate_geometry",
        feature=feature,
    )


def _united(areas: Sequence[BaseGeometry]) -> Area:
    if not areas:
        return Polygon()
    whole = areas[0] if len(areas) == 1 else united(list(areas))
    if isinstance(whole, Polygon | MultiPolygon):
        return whole
    return MultiPolygon([p for p in shapely.get_parts(whole) if isinstance(p, Polygon)])


def _check_size(area: Area, limits: ReadLimits) -> None:
    acres = sqft_from_sqm(area.area) / SQFT_PER_ACRE
    if acres > limits.site_acres:
        raise GeometryRefused(
            f"The site covers {acres:,.0f} acres; at most {limits.site_acres:,.0f} are taken as one site. "
            "If it is a layer of many lots, send only the site.",
            code="too_large",
        )


def _check_outline(area: Area, limits: ReadLimits) -> None:
    """Refuse ground that is mostly boundary, as a comb of thousands of teeth is."""
    corners = int(shapely.get_num_coordinates(area))
    if corners <= limits.outline_vertices or area.length <= limits.outline * math.sqrt(area.area):
        return
    raise GeometryRefused(
        f"The site has {corners:,} corners and a boundary of {ft_from_m(area.length):,.0f} ft around "
        f"{sqft_from_sqm(area.area):,.0f} sq ft, which is no limit of work; draw it plainly and send it again.",
        code="too_complex",
    )


def _uncounted_trees(feature: SiteFeature) -> int:
    """Return how many trees to be removed a feature gives as points, without the area they shade."""
    if feature.activity != "tree_removal" or feature.geometry.geom_type not in ("Point", "MultiPoint"):
        return 0
    return int(shapely.get_num_geometries(feature.geometry))


def _doubles(work: Sequence[SiteFeature]) -> list[Note]:
    first: dict[bytes, str] = {}
    notes = []
    for feature in work:
        key = shapely.to_wkb(shapely.normalize(feature.geometry))
        if key in first:
            text = f"Feature {feature.id} is drawn exactly as feature {first[key]}; its ground counts once."
            notes.append(Note("duplicate_features", text, feature.id))
        first.setdefault(key, feature.id)
    return notes


def _overlaps(work: Sequence[SiteFeature], area: Area) -> list[Note]:
    overlap_sqft = sqft_from_sqm(sum(f.geometry.area for f in work) - area.area)
    if overlap_sqft <= _OVERLAP_SQFT:
        return []
    text = (
        f"Features overlap: they add up to {overlap_sqft:,.2f} sq ft more than the ground they cover, "
        f"{sqft_from_sqm(area.area):,.2f} sq ft, which is what is measured."
    )
    return [Note("overlapping_features", text)]

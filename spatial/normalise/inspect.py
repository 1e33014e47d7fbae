"""Normalise: the account of a reading that is shown to who sent it."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from spatial.crs_names import title_of
from spatial.inspection import FeatureSeen, Inspection
from spatial.model import Reading, SiteFeature, Submission
from spatial.units import sqft_from_sqm

_SHOWN = 1_000


def inspect(reading: Reading, submission: Submission) -> Inspection:
    """Return what was understood of an upload.

    Features are those that count; what was skipped or changed stands in the notes.
    """
    area = submission.area
    centre = area.centroid
    return Inspection(
        format=reading.format,
        driver=reading.driver,
        crs=reading.crs_name,
        crs_title=title_of(reading.crs_name) if reading.crs_name != "custom" else reading.crs.name,
        crs_source=reading.crs_source,
        layer=reading.layer,
        layers=reading.layers,
        n_features=len(submission.features),
        area_sqft=sqft_from_sqm(area.area),
        centroid_26986=None if area.is_empty else (centre.x, centre.y),
        bounds_26986=None if area.is_empty else area.bounds,
        geometry_types=tuple(sorted({f.geometry.geom_type for f in submission.features})),
        columns=reading.columns,
        features=tuple(_seen(feature) for feature in submission.features[:_SHOWN]),
        notes=submission.notes,
        accuracy_ft=submission.accuracy_ft,
    )


def _seen(feature: SiteFeature) -> FeatureSeen:
    geometry = feature.geometry
    return FeatureSeen(
        id=feature.id,
        area_sqft=sqft_from_sqm(geometry.area),
        parts=int(shapely.get_num_geometries(geometry)),
        holes=_holes(geometry),
        has_z=bool(shapely.has_z(geometry)),
        values=feature.attributes,
        geometry_type=geometry.geom_type,
        activity=feature.activity,
        role=feature.role,
    )


def _holes(geometry: BaseGeometry) -> int:
    return int(shapely.get_num_interior_rings(shapely.get_parts(geometry)).sum())

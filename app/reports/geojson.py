"""Report: shapes for a map, as GeoJSON of RFC 7946 (EPSG:4326, longitude first, outer rings anticlockwise).

Shapes are only put into degrees here and rounded to a centimetre; nothing is measured from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import mapping
from shapely.geometry.base import BaseGeometry

from app.reports.drawing import Shape
from app.reports.unsaid import members, of_the_work
from app.schemas.screening import FindingTold, Screening
from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject, transformer
from spatial.model import Geometries

DECIMALS = 7
"""Of a degree: about a centimetre on the ground."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """One thing to draw: its geometry in EPSG:26986 and what is said of it."""

    id: str
    geometry: BaseGeometry
    properties: Mapping[str, object]


def in_degrees(geometry: BaseGeometry, *, exact: bool = False) -> Json | None:
    """Return a geometry in EPSG:26986 as a GeoJSON geometry; None for an empty one.

    ``exact`` leaves every digit, so that what is sent back has the area it had.

    >>> in_degrees(shapely.Point(200000, 750000))
    {'type': 'Point', 'coordinates': (-71.5, 41.0)}
    """
    if geometry.is_empty:
        return None
    moved = reproject(geometry, WORKING_CRS, DISPLAY_CRS)
    shown = moved if exact else shapely.transform(moved, lambda degrees: np.round(degrees, DECIMALS))
    drawn: Json = mapping(shapely.orient_polygons(shown))
    return drawn


def feature_collection(features: Iterable[Feature], **members: object) -> Json:
    """Return a FeatureCollection; ``members`` stand beside its features (RFC 7946, section 6.1)."""
    return {"type": "FeatureCollection", **members, "features": [_feature(one) for one in features]}


def _feature(one: Feature) -> Json:
    shape = in_degrees(one.geometry)
    return {"type": "Feature", "id": one.id, "geometry": shape, "properties": dict(one.properties)}


def screening_geojson(screening: Screening, shapes: Iterable[Shape]) -> str:
    """Return a screening as GeoJSON text: the lots, the work, and the mapped features that are affected.

    Parameters
    ----------
    screening
        The answer.
    shapes
        The shapes kept with it.

    Returns
    -------
    str
        A FeatureCollection. ``properties.what`` tells a lot (``parcel``) from work (``disturbance``) and from
        what it meets (``hit``); ``screening`` and ``on`` stand beside the features, and so do the counts and names
        of what is triggered, not decided and not checked: the work carries them as plain properties too.
    """
    features = [Feature(f"{shape.what}/{shape.id}", shape.geometry, _said(shape, screening)) for shape in shapes]
    town = screening.town.name if screening.town else None
    told = feature_collection(
        features, screening=screening.id, on=screening.on.isoformat(), town=town, **members(screening)
    )
    return json.dumps(told, ensure_ascii=False, allow_nan=False)


def _said(shape: Shape, screening: Screening) -> Mapping[str, object]:
    more: Mapping[str, object] = {}
    if shape.what == "parcel":
        more = next((p.model_dump(mode="json") for p in screening.parcels if p.loc_id == shape.id), {})
    if shape.what == "disturbance":
        more = of_the_work(screening)
    if shape.what == "hit":
        more = _hit(shape, screening.findings)
    return {**shape.properties, **more, "what": shape.what}


def _hit(shape: Shape, findings: Iterable[FindingTold]) -> Mapping[str, object]:
    """Return what the findings say of one mapped feature; it may serve several themes."""
    layer, _, feature_id = shape.id.partition("/")
    met = [(f, h) for f in findings if f.layer.id == layer for h in f.features if h.id == feature_id]
    if not met:
        return {}
    finding, hit = met[0]
    told = hit.model_dump(mode="json", exclude={"attributes", "id"})
    return {**told, "layer": layer, "edition": finding.layer.edition, "themes": [f.theme for f, _ in met]}


def many_in_degrees(geometries: Geometries) -> list[str]:
    """Return many geometries in EPSG:26986 as GeoJSON texts at once; ``null`` for an empty one."""
    if not len(geometries):
        return []
    move = transformer(WORKING_CRS, DISPLAY_CRS)

    def moved(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.round(np.column_stack(move.transform(xy[:, 0], xy[:, 1])), DECIMALS)

    drawn = shapely.orient_polygons(shapely.transform(geometries, moved))
    return [
        "null" if empty else text
        for empty, text in zip(shapely.is_empty(drawn), shapely.to_geojson(drawn), strict=True)
    ]

"""Reading: Esri JSON, the answers of ArcGIS servers: feature sets, features and geometries. No GDAL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import shapely
from pyproj import CRS
from pyproj.exceptions import CRSError
from shapely.geometry.base import BaseGeometry

from spatial.crs_names import stated
from spatial.errors import CrsRefused, FormatRefused, GeometryRefused
from spatial.read.arcs import linearised
from spatial.read.geojson import refuse_incomplete
from spatial.read.json_text import JsonObject, scalars
from spatial.read.positions import Coordinates, bad, positions
from spatial.read.quantised import Steps, placed, steps_of
from spatial.read.raw import Gathering, Raw, Wanted
from spatial.read.ring_nesting import nest
from spatial.read.rings import ring_of

_WKID = re.compile(r"[1-9][0-9]{0,9}")
"""A system's number; some portals send it as text."""

_GEOMETRY_KEYS = ("rings", "curveRings", "paths", "curvePaths", "points", "x")
MEMBERS = (*_GEOMETRY_KEYS, "geometryType", "spatialReference", "attributes")


def is_esri(document: JsonObject) -> bool:
    """Return whether a JSON object speaks Esri's words rather than GeoJSON's."""
    return "type" not in document and (any(key in document for key in MEMBERS) or "features" in document)


def read(documents: Sequence[JsonObject], wanted: Wanted) -> Raw:
    """Return what an Esri JSON document holds.

    Raises
    ------
    FormatRefused
        ``incomplete_source`` when the server cut its answer; ``bad_json`` for what is no feature, or for a grid of
        steps that is not said whole.
    CrsRefused
        ``crs_unknown`` for an unknown wkid or for features in different systems.
    GeometryRefused
        ``bad_coordinates``, ``unsupported_geometry``, ``too_complex``.
    """
    if len(documents) != 1:
        raise FormatRefused("The file holds several Esri JSON documents; send one feature set.", code="bad_json")
    document = documents[0]
    refuse_incomplete(document)
    gathering = Gathering(wanted.limits)
    id_field = document.get("objectIdFieldName")
    features = _features(document)
    steps = _steps(document, features, gathering)
    for feature in features:
        _gather(feature, id_field, gathering, wanted, steps=steps)
    return Raw(
        format="esrijson",
        driver="ESRIJSON",
        layer=wanted.name,
        layers=(wanted.name,),
        columns=gathering.columns,
        features=gathering.features,
        crs=_crs(document, features),
        stated_in="its spatialReference",
        no_crs="The Esri JSON has no spatialReference",
        notes=gathering.notes,
    )


def _features(document: JsonObject) -> list[JsonObject]:
    if "features" in document:
        features = document["features"]
        if not isinstance(features, list) or not all(isinstance(f, dict) for f in features):
            raise FormatRefused("The Esri JSON feature set has no list of features.", code="bad_json")
        return features
    if "geometry" in document or "attributes" in document:
        return [document]
    if any(key in document for key in _GEOMETRY_KEYS):
        return [{"geometry": document}]
    raise FormatRefused(
        "The JSON is neither GeoJSON nor an Esri feature set; export the site again.", code="bad_json"
    )


def _steps(document: JsonObject, features: Sequence[JsonObject], gathering: Gathering) -> Steps | None:
    """Return the grid the positions are counted on, and say so; only a feature set may state one."""
    inside = [g for f in features if isinstance(g := f.get("geometry"), dict) and "transform" in g]
    if inside or ("transform" in document and "features" not in document):
        raise FormatRefused(
            "The Esri JSON states a grid of steps ('transform') elsewhere than beside its features; export it "
            "without quantization.",
            code="bad_json",
        )
    steps = steps_of(document)
    if steps is not None:
        gathering.note(
            "coordinates_quantised",
            f"The server had rounded the coordinates to steps of {steps.step[0]:g} by {abs(steps.step[1]):g} in "
            "units of their system; they were put back, and lines may be off by as much or be simplified.",
        )
    return steps


def _gather(
    feature: JsonObject, id_field: object, gathering: Gathering, wanted: Wanted, *, steps: Steps | None
) -> None:
    name = gathering.next_number()
    attributes = scalars(feature.get("attributes"), wanted.limits)
    raw = feature.get("geometry")
    if steps is not None and isinstance(raw, dict):
        raw = placed(raw, steps, name)
    geometry = None if raw is None else _geometry(raw, name, gathering)
    if isinstance(raw, dict) and (raw.get("hasZ") is True or raw.get("hasM") is True):
        gathering.height_dropped(name)
    gathering.add(geometry, attributes, attributes.get(id_field) if isinstance(id_field, str) else None)


def _geometry(raw: object, feature: str, gathering: Gathering) -> BaseGeometry | None:
    if not isinstance(raw, dict):
        raise bad(feature, raw)
    if "rings" in raw or "curveRings" in raw:
        return _polygon(raw, feature, gathering)
    if "paths" in raw or "curvePaths" in raw:
        return _lines(raw, feature, gathering)
    if "points" in raw:
        return shapely.MultiPoint(positions(raw["points"], feature))
    if "x" in raw:
        return _point(raw, feature)
    if not set(raw) - {"spatialReference", "hasZ", "hasM"}:
        return None
    raise GeometryRefused(
        f"Feature {feature} has an Esri geometry that is neither polygon, line nor point.",
        code="unsupported_geometry",
        feature=feature,
    )


def _point(raw: JsonObject, feature: str) -> BaseGeometry:
    if raw["x"] in (None, "NaN"):
        return shapely.Point()
    return shapely.Point(positions([[raw["x"], raw.get("y")]], feature)[0])


def _polygon(raw: JsonObject, feature: str, gathering: Gathering) -> BaseGeometry:
    paths = _paths(raw, "rings", feature, gathering)
    rings = [shapely.LinearRing(ring_of(path, feature, gathering)) for path in paths]
    return nest(rings, most=gathering.most_rings)


def _lines(raw: JsonObject, feature: str, gathering: Gathering) -> BaseGeometry:
    paths = _paths(raw, "paths", feature, gathering)
    return shapely.MultiLineString([path for path in paths if len(path) > 1])


def _paths(
    raw: JsonObject, kind: Literal["rings", "paths"], feature: str, gathering: Gathering
) -> list[Coordinates]:
    """Return the position lists of a geometry; curves are made of short chords, and that is said."""
    curved = "curveRings" if kind == "rings" else "curvePaths"
    values = raw.get(curved, raw.get(kind))
    if not isinstance(values, list):
        raise bad(feature, values)
    if curved not in raw:
        return [positions(value, feature) for value in values]
    gathering.note(
        "curve_linearised", f"True curves of feature {feature} were replaced by chords of one degree.", feature
    )
    return [linearised(value, feature) for value in values]


# --------------------------------------------------------------------------------------------------- crs


def _crs(document: JsonObject, features: Sequence[JsonObject]) -> CRS | None:
    """Return the one system the set and its geometries state; None when none does."""
    references = [document.get("spatialReference")]
    references += [g.get("spatialReference") for f in features if isinstance(g := f.get("geometry"), dict)]
    stated_ones = [r for r in references if isinstance(r, dict) and r]
    unique = {_key(r): r for r in stated_ones}
    found = [_reference(r) for r in unique.values()]
    if any(other != found[0] for other in found[1:]):
        raise CrsRefused("The features of the Esri JSON state different coordinate systems; send one system.")
    return found[0] if found else None


def _key(reference: JsonObject) -> tuple[str, ...]:
    return tuple(str(reference.get(k)) for k in ("wkid", "latestWkid", "wkt", "wkt2"))


def _reference(reference: JsonObject) -> CRS | None:
    for key in ("latestWkid", "wkid"):
        wkid = str(reference.get(key))
        if _WKID.fullmatch(wkid):
            return stated(wkid)
    return _from_wkt(reference.get("wkt2") or reference.get("wkt"))


def _from_wkt(wkt: Any) -> CRS | None:
    if not isinstance(wkt, str) or not wkt.strip():
        return None
    try:
        return CRS.from_wkt(wkt)
    except CRSError as error:
        raise CrsRefused(
            "The spatialReference of the Esri JSON holds a text that is no coordinate system."
        ) from error

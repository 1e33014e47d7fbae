"""Reading: GeoJSON (RFC 7946), the older ``crs`` member, and sequences of features. No GDAL."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import shapely
from pyproj import CRS
from shapely.geometry.base import BaseGeometry

from spatial.crs_names import stated
from spatial.errors import CrsRefused, FormatRefused, GeometryRefused
from spatial.read.json_text import JsonObject, scalars
from spatial.read.positions import bad, has_height, positions
from spatial.read.raw import Gathering, Raw, Wanted
from spatial.read.rings import ring_of

GEOMETRIES = (
    "Point",
    "MultiPoint",
    "LineString",
    "MultiLineString",
    "Polygon",
    "MultiPolygon",
    "GeometryCollection",
)
TYPES = (*GEOMETRIES, "Feature", "FeatureCollection")
_URN = re.compile(
    r"^(?:urn:(?:x-)?ogc:def:crs:|https?://www\.opengis\.net/def/crs/)(EPSG|OGC|ESRI)[:/][^:/]*[:/](\w+)$"
)
_OGC = {"CRS84": "EPSG:4326", "CRS83": "EPSG:4269", "CRS27": "EPSG:4267"}
_DEPTH = 8


def read(documents: Sequence[JsonObject], wanted: Wanted) -> Raw:
    """Return what a GeoJSON document, or a sequence of features, holds.

    Raises
    ------
    FormatRefused
        ``bad_json`` for a part that is not GeoJSON; ``incomplete_source`` when a server says it cut the answer.
    CrsRefused
        ``crs_unknown`` for a ``crs`` member that is a link or names nothing known.
    GeometryRefused
        ``bad_coordinates``, ``unsupported_geometry``, ``too_complex``.
    """
    gathering = Gathering(wanted.limits)
    for document in documents:
        refuse_incomplete(document)
        for feature in _features(document):
            _gather(feature, gathering, wanted)
    crs, unknown = _crs(documents)
    return Raw(
        format="geojson",
        driver="GeoJSON",
        layer=wanted.name,
        layers=(wanted.name,),
        columns=gathering.columns,
        features=gathering.features,
        crs=crs,
        stated_in="its crs member",
        crs_of_format=None if unknown else CRS("EPSG:4326"),
        no_crs="The GeoJSON says with a null crs member that its coordinate system is unknown",
        notes=gathering.notes,
    )


def refuse_incomplete(document: JsonObject) -> None:
    """Raise ``incomplete_source`` when the server that wrote the answer says there was more."""
    properties = document.get("properties")
    inside = properties.get("exceededTransferLimit") if isinstance(properties, dict) else None
    said = [str(v).casefold() for v in (document.get("exceededTransferLimit"), inside)]
    why = "The file says exceededTransferLimit" if "true" in said else _more_elsewhere(document)
    if why:
        raise FormatRefused(
            f"{why}: the server that wrote it cut it short, so features are missing; fetch all its pages and send "
            "the whole.",
            code="incomplete_source",
        )


def _more_elsewhere(document: JsonObject) -> str:
    """Return in words that a collection says it is one page of more; empty when it does not."""
    held, links = document.get("features"), document.get("links")
    if not isinstance(held, list):
        return ""
    matched = [n for key in ("numberMatched", "totalFeatures") if isinstance(n := document.get(key), int)]
    if any(n > len(held) for n in matched):
        return f"The file holds {len(held):,} features and says that {max(matched):,} match"
    pages = [link.get("rel") for link in links if isinstance(link, dict)] if isinstance(links, list) else []
    return "The file names a next page" if "next" in pages else ""


def _features(document: JsonObject) -> list[JsonObject]:
    kind = document.get("type")
    if kind == "FeatureCollection":
        features = document.get("features")
        if not isinstance(features, list) or not all(isinstance(f, dict) for f in features):
            raise FormatRefused("The GeoJSON FeatureCollection has no list of features.", code="bad_json")
        return features
    if kind == "Feature":
        return [document]
    return [{"type": "Feature", "properties": None, "geometry": document}]


def _gather(feature: JsonObject, gathering: Gathering, wanted: Wanted) -> None:
    name = gathering.next_number()
    if feature.get("type") != "Feature":
        raise FormatRefused(
            f"Item {name} of the GeoJSON features is a {str(feature.get('type'))[:30]!r}, not a Feature.",
            code="bad_json",
        )
    raw = feature.get("geometry")
    geometry = None if raw is None else _geometry(raw, name, gathering, 0)
    gathering.add(geometry, scalars(feature.get("properties"), wanted.limits), feature.get("id"))


def _geometry(raw: object, feature: str, gathering: Gathering, depth: int) -> BaseGeometry:
    kind = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or kind not in GEOMETRIES or depth > _DEPTH:
        raise GeometryRefused(
            f"Feature {feature} has a geometry of type {str(kind)[:30]!r}, which is not GeoJSON that is read.",
            code="unsupported_geometry",
            feature=feature,
        )
    if kind == "GeometryCollection":
        members = raw.get("geometries")
        if not isinstance(members, list):
            raise bad(feature, members)
        return shapely.GeometryCollection([_geometry(m, feature, gathering, depth + 1) for m in members])
    values = raw.get("coordinates")
    if has_height(values):
        gathering.height_dropped(feature)
    return _BUILDERS[kind](values, feature, gathering)


def _point(values: Any, feature: str, gathering: Gathering) -> BaseGeometry:  # noqa: ARG001
    if isinstance(values, list) and not values:
        return shapely.Point()
    return shapely.Point(positions([values], feature)[0])


def _line(values: Any, feature: str, gathering: Gathering) -> BaseGeometry:  # noqa: ARG001
    line = positions(values, feature)
    if len(line) == 1:
        raise bad(feature, values)
    return shapely.LineString(line)


def _polygon(values: Any, feature: str, gathering: Gathering) -> BaseGeometry:
    if not isinstance(values, list):
        raise bad(feature, values)
    rings = [ring_of(positions(value, feature), feature, gathering) for value in values]
    return shapely.Polygon(rings[0], rings[1:]) if rings else shapely.Polygon()


def _multi(build: Callable[[Any, str, Gathering], BaseGeometry], join: Any) -> Any:
    def built(values: Any, feature: str, gathering: Gathering) -> BaseGeometry:
        if not isinstance(values, list):
            raise bad(feature, values)
        joined: BaseGeometry = join([build(value, feature, gathering) for value in values])
        return joined

    return built


_BUILDERS: dict[str, Callable[[Any, str, Gathering], BaseGeometry]] = {
    "Point": _point,
    "LineString": _line,
    "Polygon": _polygon,
    "MultiPoint": _multi(_point, shapely.MultiPoint),
    "MultiLineString": _multi(_line, shapely.MultiLineString),
    "MultiPolygon": _multi(_polygon, shapely.MultiPolygon),
}


def _crs(documents: Sequence[JsonObject]) -> tuple[CRS | None, bool]:
    """Return the system the document states, and whether it says that the system is unknown."""
    said = [_stated(document) for document in documents]
    if not any(said):
        return None, False
    first = next(systems for systems in said if systems)[0]
    if any(system != first for systems in said for system in systems or [_SILENT]):
        raise CrsRefused("The features of the GeoJSON state different coordinate systems; send one system.")
    return (None, True) if first is None else (_named(first), False)


_SILENT = object()
"""What a part states that states no system, beside others that do."""


def _stated(document: JsonObject) -> list[object]:
    """Return the systems a document states: itself, or, as databases write it, its features or their geometries."""
    own: list[object] = [document[key] for key in ("crs", "coordRefSys") if key in document]
    features = document.get("features")
    parts = features if isinstance(features, list) else [document]
    each = [_stated_by(part) for part in parts if isinstance(part, dict)]
    nested = [system for system in each if system is not _SILENT]
    return [*own, *nested] if own or not nested else each


def _stated_by(feature: JsonObject) -> object:
    geometry = feature.get("geometry")
    parts = (feature, geometry) if isinstance(geometry, dict) else (feature,)
    return next((part["crs"] for part in parts if "crs" in part), _SILENT)


def _named(member: object) -> CRS:
    properties = member.get("properties") if isinstance(member, dict) else None
    name = properties.get("name") if isinstance(properties, dict) else member
    if isinstance(member, dict) and member.get("type") == "EPSG" and isinstance(properties, dict):
        name = f"EPSG:{properties.get('code')}"
    if not isinstance(name, str):
        raise CrsRefused(
            "The GeoJSON's crs member names no coordinate system (a link is never followed); name it as EPSG:n."
        )
    return stated(_plain(name))


def _plain(name: str) -> str:
    match = _URN.match(name.strip())
    if match is None:
        return name
    return _OGC.get(match.group(2), f"{match.group(1)}:{match.group(2)}")

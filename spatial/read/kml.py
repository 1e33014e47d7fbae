"""Reading: KML, every folder of it; links are never followed. No GDAL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import shapely
from pyproj import CRS
from shapely.geometry.base import BaseGeometry

from spatial.errors import FormatRefused, GeometryRefused
from spatial.model import Scalar
from spatial.read.detect import ACCEPTED
from spatial.read.positions import Coordinates
from spatial.read.raw import Gathering, Raw, Wanted, layer_unknown
from spatial.read.rings import ring_of
from spatial.read.xml_tree import Element, parse

_GEOMETRIES = ("Point", "LineString", "LinearRing", "Polygon", "MultiGeometry")
_UNREAD = ("Model", "Track", "MultiTrack")
_OVERLAYS = ("GroundOverlay", "ScreenOverlay", "PhotoOverlay")
_BOXES = ("Document", "Folder", "kml")
_SPACED_COMMA = re.compile(r"\s*,\s*")
Placed = tuple[str, Element]


def read(path: Path, wanted: Wanted) -> Raw:
    """Return every placemark of a KML document, or those of the folder named by ``wanted.layer``.

    Raises
    ------
    FormatRefused
        ``bad_xml``, ``unsafe_xml``; ``unsupported_format`` when the XML is no KML.
    GeometryRefused
        ``bad_coordinates``, ``too_complex``; ``layer_unknown`` for a folder that is not there.
    """
    root = parse(path, wanted.limits)
    if root.tag not in ("kml", *_BOXES, "Placemark"):
        raise FormatRefused(f"The file is XML of the kind <{root.tag[:40]}>, which is not read. Send {ACCEPTED}.")
    gathering = Gathering(wanted.limits)
    placed = list(_placemarks(root, wanted.name))
    folders = tuple(dict.fromkeys(folder for folder, _ in placed)) or (wanted.name,)
    for _, placemark in _chosen(placed, folders, wanted):
        _gather(placemark, gathering, wanted)
    _note_the_rest(root, folders, gathering, wanted)
    return Raw(
        format="kml",
        driver="KML",
        layer=wanted.layer or ", ".join(folders),
        layers=folders,
        columns=gathering.columns,
        features=gathering.features,
        crs_of_format=CRS("EPSG:4326"),
        notes=gathering.notes,
    )


def _placemarks(box: Element, folder: str) -> Iterator[Placed]:
    """Yield placemarks with the name of the folder they lie in, in document order."""
    if box.tag == "Placemark":
        yield folder, box
        return
    for child in box:
        if child.tag == "Placemark":
            yield folder, child
        elif child.tag in _BOXES:
            yield from _placemarks(child, _text(child, "name") or folder)


def _chosen(placed: list[Placed], folders: tuple[str, ...], wanted: Wanted) -> list[Placed]:
    if wanted.layer is None:
        return placed
    if wanted.layer not in folders:
        raise layer_unknown(wanted.layer, folders)
    return [item for item in placed if item[0] == wanted.layer]


def _note_the_rest(root: Element, folders: tuple[str, ...], gathering: Gathering, wanted: Wanted) -> None:
    if len(folders) > 1 and wanted.layer is None:
        gathering.note(
            "several_folders_read",
            f"The KML has {len(folders)} folders and all were read as one site: {', '.join(folders)[:400]}. "
            "Name one with layer=… if only it is the site.",
        )
    links = len(list(root.iter("NetworkLink")))
    if links:
        gathering.note(
            "network_link_ignored", f"{links} network link(s) were not followed; what they point to was not read."
        )
    overlays = sum(len(list(root.iter(tag))) for tag in _OVERLAYS)
    if overlays:
        gathering.note(
            "overlay_ignored", f"{overlays} image overlay(s) were ignored; they are pictures, not ground."
        )


def _gather(placemark: Element, gathering: Gathering, wanted: Wanted) -> None:
    name = gathering.next_number()
    attributes = _attributes(placemark, wanted)
    geometries = [child for child in placemark if child.tag in _GEOMETRIES]
    for child in placemark:
        if child.tag in _UNREAD:
            gathering.note("non_polygon_skipped", f"Feature {name} holds a {child.tag}, which is not read.", name)
    shapes = [_geometry(child, name, gathering) for child in geometries]
    geometry = shapes[0] if len(shapes) == 1 else shapely.GeometryCollection(shapes) if shapes else None
    gathering.add(geometry, attributes, placemark.get("id"))


def _text(element: Element, tag: str) -> str:
    return " ".join((element.findtext(tag) or "").split())


def _attributes(placemark: Element, wanted: Wanted) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {tag: text for tag in ("name", "description") if (text := _text(placemark, tag))}
    for item in placemark.iter("Data"):
        found[item.get("name", "")[:100]] = _text(item, "value")
    for item in placemark.iter("SimpleData"):
        found[item.get("name", "")[:100]] = " ".join((item.text or "").split())
    for key, value in found.items():
        if isinstance(value, str) and len(value) > wanted.limits.text_chars:
            raise FormatRefused(
                f"The attribute {key[:40]!r} holds {len(value):,} characters; "
                f"at most {wanted.limits.text_chars:,} are read.",
                code="too_complex",
            )
    return found


def _geometry(element: Element, feature: str, gathering: Gathering) -> BaseGeometry:
    if element.tag == "MultiGeometry":
        members = [_geometry(child, feature, gathering) for child in element if child.tag in _GEOMETRIES]
        return shapely.GeometryCollection(members)
    if element.tag == "Polygon":
        return _polygon(element, feature, gathering)
    positions = _coordinates(element, feature, gathering)
    if element.tag == "Point":
        return shapely.Point(positions[0]) if len(positions) else shapely.Point()
    return shapely.LineString(positions) if len(positions) > 1 else shapely.LineString()


def _polygon(element: Element, feature: str, gathering: Gathering) -> BaseGeometry:
    outer = element.findall("outerBoundaryIs/LinearRing")
    if len(outer) != 1:
        raise GeometryRefused(
            f"Feature {feature} has a polygon with {len(outer)} outer rings; it needs exactly one.",
            code="invalid_geometry",
            feature=feature,
        )
    inner = element.findall("innerBoundaryIs/LinearRing")
    rings = [ring_of(_coordinates(ring, feature, gathering), feature, gathering) for ring in (*outer, *inner)]
    return shapely.Polygon(rings[0], rings[1:])


def _coordinates(element: Element, feature: str, gathering: Gathering) -> Coordinates:
    """Return (n, 2) longitudes and latitudes of the one ``<coordinates>`` text."""
    tuples = [t.split(",") for t in _SPACED_COMMA.sub(",", element.findtext("coordinates") or "").split()]
    if any(len(t) > 2 and t[2] not in ("", "0") for t in tuples):
        gathering.height_dropped(feature)
    try:
        array = np.array([[float(t[0]), float(t[1])] for t in tuples], dtype=np.float64).reshape(-1, 2)
    except (ValueError, IndexError) as error:
        raise _bad_coordinates(feature) from error
    if not np.isfinite(array).all() or any(len(t) > 3 for t in tuples):
        raise _bad_coordinates(feature)
    return array


def _bad_coordinates(feature: str) -> GeometryRefused:
    return GeometryRefused(
        f"Feature {feature} has coordinates that are no longitude,latitude of finite numbers; correct them.",
        code="bad_coordinates",
        feature=feature,
    )

"""Reading: DXF drawings. They carry no coordinate system and say their unit loosely; both are told."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from spatial.model import Note
from spatial.read import ogr
from spatial.read.dxf_check import check
from spatial.read.raw import Gathering, Raw, Wanted, layer_unknown, several_layers
from spatial.units import FOOT_M, INTERNATIONAL_FOOT_M

UNITS: dict[int, tuple[str, float]] = {
    1: ("inches", 0.0254),
    2: ("feet", INTERNATIONAL_FOOT_M),
    3: ("miles", 1609.344),
    4: ("millimetres", 0.001),
    5: ("centimetres", 0.01),
    6: ("metres", 1.0),
    7: ("kilometres", 1000.0),
    10: ("yards", 0.9144),
    14: ("decimetres", 0.1),
    21: ("US survey feet", FOOT_M),
}
"""Values of ``$INSUNITS`` and their metres; 0 and anything else is no unit."""
_IN_UNITS = re.compile(r"\$INSUNITS\s*\r?\n\s*70\s*\r?\n\s*(\d+)")
_BINARY = b"AutoCAD Binary DXF"
_BINARY_UNITS = b"$INSUNITS\x00"
_HEADER_BYTES = 1024 * 1024


def read(path: Path, wanted: Wanted) -> Raw:
    """Return the closed outlines of a drawing's model space, of one drawing layer.

    Raises
    ------
    FormatRefused
        ``corrupt_file``.
    GeometryRefused
        ``several_layers`` when outlines stand on several drawing layers, ``layer_unknown``, ``too_complex``.
    """
    content = path.read_bytes()
    said = check("" if content.startswith(_BINARY) else content.decode("latin-1").replace("\r\n", "\n"))
    rows = ogr.read_rows(path, "DXF", wanted, layer="entities", CLOSED_LINE_AS_POLYGON="YES")
    drawn = [(_as_outline(g), a) for g, a in rows if a.get("PaperSpace") not in (1, True)]
    layer, layers = _chosen(drawn, wanted)
    unit = unit_of(content)
    gathering = Gathering(wanted.limits)
    for geometry, attributes in drawn:
        if attributes.get("Layer") == layer:
            gathering.add(geometry, attributes)
    return Raw(
        format="dxf",
        driver="DXF",
        layer=layer,
        layers=layers,
        columns=rows.columns,
        features=gathering.features,
        no_crs="A DXF drawing carries no coordinate system",
        unit_m=unit[1] if unit else None,
        notes=(_unit_note(unit), *said.notes, *_left_aside(rows, drawn, layer), *gathering.notes),
    )


def _as_outline(geometry: BaseGeometry | None) -> BaseGeometry | None:
    """Return the ground inside a line that ends where it begins: circles, ellipses, lines drawn round by hand."""
    if isinstance(geometry, LineString) and geometry.is_closed and len(geometry.coords) > 3:
        return Polygon(shapely.get_coordinates(geometry))
    return geometry


def _is_outline(geometry: BaseGeometry | None) -> bool:
    if geometry is None:
        return False
    return any(part.geom_type == "Polygon" for part in shapely.get_parts(shapely.get_parts(geometry)))


def _chosen(drawn: list[ogr.Row], wanted: Wanted) -> tuple[str, tuple[str, ...]]:
    """Return the drawing layer to read and all of them; the only one with outlines, or the one asked for."""
    layers = tuple(dict.fromkeys(str(a.get("Layer")) for _, a in drawn))
    if wanted.layer is not None:
        if wanted.layer not in layers:
            raise layer_unknown(wanted.layer, layers)
        return wanted.layer, layers
    wants_points = wanted.purpose == "trees"
    meant = [str(a.get("Layer")) for g, a in drawn if _is_outline(g) or (wants_points and g is not None)]
    outlined = tuple(dict.fromkeys(meant))
    if len(outlined) > 1:
        raise several_layers(outlined, "drawing layers with closed outlines")
    return (outlined or layers or ("0",))[0], layers


def _left_aside(rows: ogr.Rows, drawn: list[ogr.Row], layer: str) -> tuple[Note, ...]:
    notes = []
    paper = len(rows) - len(drawn)
    if paper:
        notes.append(Note("paper_space_ignored", f"{paper} item(s) of the paper sheets were ignored."))
    others = Counter(str(a.get("Layer")) for _, a in drawn if a.get("Layer") != layer)
    if others:
        listed = ", ".join(f"{name} ({count})" for name, count in others.most_common(20))
        notes.append(
            Note("layers_ignored", f"Drawing layers other than {layer!r} were left aside: {listed[:400]}.")
        )
    return tuple(notes)


def _unit_note(unit: tuple[str, float] | None) -> Note:
    said = unit[0] if unit else "not said"
    return Note("drawing_unit", f"The drawing's unit is {said}; the declared coordinate system decides.")


def unit_of(content: bytes) -> tuple[str, float] | None:
    r"""Return the unit a drawing says with its length in metres; None when it says none.

    >>> unit_of(b"  9\n$INSUNITS\n 70\n     6\n")
    ('metres', 1.0)
    """
    if content.startswith(_BINARY):
        at = content.find(_BINARY_UNITS, 0, _HEADER_BYTES) + len(_BINARY_UNITS)
        number = int.from_bytes(content[at + 2 : at + 4], "little") if at > len(_BINARY_UNITS) else 0
        return UNITS.get(number)
    match = _IN_UNITS.search(content[:_HEADER_BYTES].decode("latin-1"))
    return UNITS.get(int(match.group(1)[:6])) if match else None

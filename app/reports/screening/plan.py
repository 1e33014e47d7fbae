"""The map of a screening as SVG: the work, its lots, and the mapped features it meets, numbered as in the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from app.reports.drawing import Shape, What
from app.reports.plot import Sheet, drawn, north_arrow, scale_bar, svg, text
from spatial.units import m_from_ft

WIDTH, HEIGHT, MARGIN = 1000.0, 580.0, 10.0
NEAREST_FT, FARTHEST_FT = 120.0, 600.0
"""Ground shown around the work: at least, so that what lies near is seen, and at most, so that the work is."""

SMALLEST = 14.0
"""A number wider than what it names is left out; in units of the drawing."""

OWN: Mapping[What, str] = {
    "parcel": "fill:none;stroke:#222222;stroke-width:1.8",
    "disturbance": "fill:#a3251b;fill-opacity:0.28;stroke:#a3251b;stroke-width:2",
    "delineation": "fill:none;stroke:#1e6b3a;stroke-width:2.2;stroke-dasharray:7 4",
    "mitigation": "fill:#1e6b3a;fill-opacity:0.15;stroke:#1e6b3a;stroke-width:1.6;stroke-dasharray:3 3",
    "tree": "fill:#2f6f1f;stroke:#2f6f1f;stroke-width:1",
}
NAMES: Mapping[What, str] = {
    "disturbance": "the work",
    "parcel": "lots under the work",
    "delineation": "flagged in the field",
    "mitigation": "mitigation",
    "tree": "trees",
}
LAYERS: Mapping[str, str] = {
    "wetlands": "#2f8f6b",
    "streams": "#1f5fa8",
    "water_bodies": "#4d8fd1",
    "floodplain": "#8db9dc",
    "priority_habitat": "#c79a2b",
    "estimated_habitat": "#dcbf74",
    "certified_vernal_pools": "#0b7285",
    "potential_vernal_pools": "#63a7b5",
    "impaired_waters": "#7a4fb0",
}
OTHER = "#8a8f94"
UNSHOWN = frozenset({"huc10", "huc12"})
"""Watersheds cover the whole sheet; their shares are told in words."""


@dataclass(frozen=True, slots=True)
class Key:
    """A row of the legend: a colour, and whether it stands for an area or an outline."""

    colour: str
    outline: bool
    text: str


def plan_svg(shapes: Sequence[Shape], numbers: Mapping[str, int]) -> tuple[str, float]:
    """Return the map, and how many feet of ground its width shows.

    Parameters
    ----------
    shapes
        Those kept with the answer, EPSG:26986.
    numbers
        The number of each mapped feature in the table, by the id of its shape (``layer/feature``).
    """
    sheet = Sheet(_window(shapes), width=WIDTH, height=HEIGHT, margin=MARGIN)
    hits = _hits(shapes)
    parts = [part for shape in hits for part in drawn(shape.geometry, _style(shape), sheet)]
    parts += [
        part for what in OWN for s in shapes if s.what == what for part in drawn(s.geometry, OWN[what], sheet)
    ]
    labels = [label for shape in hits for label in _label(shape, numbers, sheet)]
    return svg(sheet, "".join((*parts, *labels, *scale_bar(sheet), north_arrow(sheet)))), sheet.feet_wide


def legend(shapes: Sequence[Shape], titles: Mapping[str, str]) -> tuple[Key, ...]:
    """Return what the colours stand for; ``titles`` are those of the layers by id."""
    own = {"disturbance": "#a3251b", "parcel": "#222222", "delineation": "#1e6b3a"}
    used = [what for what in NAMES if any(s.what == what for s in shapes)]
    keys = [Key(own.get(what, "#2f6f1f"), what != "disturbance", NAMES[what]) for what in used]
    layers = dict.fromkeys(_layer(shape) for shape in _hits(shapes))
    return (*keys, *(Key(LAYERS.get(one, OTHER), outline=False, text=titles.get(one, one)) for one in layers))


def _window(shapes: Sequence[Shape]) -> BaseGeometry:
    """Return the ground to show: the work, and of its lots as much as lies near."""
    work = [s.geometry for s in shapes if s.what not in {"parcel", "hit"}]
    lots = [s.geometry for s in shapes if s.what == "parcel"]
    ground = shapely.union_all(work or lots)
    near = shapely.box(*shapely.buffer(shapely.box(*ground.bounds), m_from_ft(FARTHEST_FT)).bounds)
    seen: list[BaseGeometry] = [shapely.buffer(shapely.box(*ground.bounds), m_from_ft(NEAREST_FT))]
    seen += [shapely.intersection(near, lot) for lot in lots]
    return _shaped(shapely.union_all(seen))


def _shaped(ground: BaseGeometry) -> BaseGeometry:
    """Return the box around some ground, widened to the shape of the sheet."""
    west, south, east, north = ground.bounds
    wide, high = (east - west) * 1.04, (north - south) * 1.04
    shape = (WIDTH - 2 * MARGIN) / (HEIGHT - 2 * MARGIN)
    half_wide, half_high = max(wide, high * shape) / 2.0, max(high, wide / shape) / 2.0
    x, y = (west + east) / 2.0, (south + north) / 2.0
    return shapely.box(x - half_wide, y - half_high, x + half_wide, y + half_high)


def _hits(shapes: Sequence[Shape]) -> list[Shape]:
    """Return the mapped features, large ones first so that small ones stay in sight."""
    hits = [shape for shape in shapes if shape.what == "hit" and _layer(shape) not in UNSHOWN]
    return sorted(hits, key=lambda shape: -shape.geometry.area)


def _layer(shape: Shape) -> str:
    return shape.id.partition("/")[0]


def _style(shape: Shape) -> str:
    colour = LAYERS.get(_layer(shape), OTHER)
    return f"fill:{colour};fill-opacity:0.35;stroke:{colour};stroke-width:1.8"


def _label(shape: Shape, numbers: Mapping[str, int], sheet: Sheet) -> Iterator[str]:
    place = sheet.place(shape.geometry)
    if place is None or shape.id not in numbers:
        return
    west, south, east, north = shapely.intersection(shape.geometry, sheet.window).bounds
    if shape.geometry.area and max(east - west, north - south) * sheet.scale < SMALLEST:
        return
    yield text(place[0], place[1] + 5.0, str(numbers[shape.id]), 19)

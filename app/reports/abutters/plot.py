"""The map of a list as SVG: land, ring, and the parcels numbered as in the table. Drawn, never measured from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from app.reports.abutters.shapes import Role, Shape, Shapes
from app.schemas.abutters import AbutterList
from spatial.units import FOOT_M

WIDTH, HEIGHT, MARGIN = 1000.0, 760.0, 20.0
STYLE: Mapping[Role, str] = {
    "excluded": "fill:#f4f4f4;stroke:#b8b8b8;stroke-width:1",
    "near_miss": "fill:#ffffff;stroke:#8a6d00;stroke-width:1.5;stroke-dasharray:5 4",
    "abutter": "fill:#dbe9f6;stroke:#33566f;stroke-width:1.4",
    "subject": "fill:#f5c98f;stroke:#8a4b00;stroke-width:2.6",
    "work": "fill:none;stroke:#8a4b00;stroke-width:1.6;stroke-dasharray:3 3",
    "ring": "fill:none;stroke:#a11d1d;stroke-width:2;stroke-dasharray:9 5",
}
ORDER: tuple[Role, ...] = ("excluded", "near_miss", "abutter", "subject", "work", "ring")
STEPS_FT = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)


class _Sheet:
    """Where ground falls on the drawing."""

    def __init__(self, window: BaseGeometry) -> None:
        self.west, self.south, self.east, self.north = window.bounds
        wide, high = self.east - self.west, self.north - self.south
        self.scale = min((WIDTH - 2 * MARGIN) / wide, (HEIGHT - 2 * MARGIN) / high)
        self.left = (WIDTH - wide * self.scale) / 2.0
        self.top = (HEIGHT - high * self.scale) / 2.0

    def points(self, xy: NDArray[np.float64]) -> str:
        """Return coordinates as SVG points to a tenth."""
        x = self.left + (xy[:, 0] - self.west) * self.scale
        y = self.top + (self.north - xy[:, 1]) * self.scale
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))


def map_svg(told: AbutterList, shapes: Shapes) -> str:
    """Return the map; parcels that reach far beyond the ring are cut at the edge of the drawing."""
    ring = shapes.of("ring")[0].geometry
    west, south, east, north = ring.bounds
    pad = 0.06 * max(east - west, north - south)
    window = shapely.box(west - pad, south - pad, east + pad, north + pad)
    sheet = _Sheet(window)
    number = {a.loc_id: n for n, a in enumerate(told.abutters, 1)}
    parts = [part for role in ORDER for s in shapes.of(role) for part in _drawn(s, window, sheet)]
    labels = [label for s in shapes.of("abutter") for label in _label(s, number, window, sheet)]
    body = "".join((*parts, *labels, *_scale_bar(sheet), _north()))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}">'
    return f'{head}<rect width="100%" height="100%" fill="#fff" stroke="#999"/>{body}</svg>'


def _drawn(shape: Shape, window: BaseGeometry, sheet: _Sheet) -> Iterator[str]:
    cut = shapely.intersection(shape.geometry, window)
    for part in shapely.get_parts(cut):
        if shapely.get_dimensions(part) == 2:
            rings = (shapely.get_coordinates(r) for r in (part.exterior, *part.interiors))
            path = " ".join(f"M {sheet.points(xy)} Z" for xy in rings)
            yield f'<path d="{path}" fill-rule="evenodd" style="{STYLE[shape.role]}"/>'


def _label(shape: Shape, number: Mapping[str, int], window: BaseGeometry, sheet: _Sheet) -> Iterator[str]:
    cut = shapely.intersection(shape.geometry, window)
    if shape.loc_id in number and not cut.is_empty:
        at = sheet.points(shapely.get_coordinates(shapely.point_on_surface(cut))).split(",")
        yield _text(float(at[0]), float(at[1]) + 5.0, str(number[shape.loc_id or ""]), 15)


def _text(x: float, y: float, text: str, size: int) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="Libertinus Serif" font-size="{size}" text-anchor="middle" '
        f'stroke="#fff" stroke-width="3" paint-order="stroke" fill="#111">{escape(text)}</text>'
    )


def _scale_bar(sheet: _Sheet) -> Iterator[str]:
    """Draw a bar of a round number of feet, at most a quarter of the width."""
    unit_per_ft = sheet.scale * FOOT_M
    length_ft = max((s for s in STEPS_FT if s * unit_per_ft <= WIDTH / 4.0), default=STEPS_FT[0])
    x, y, length = 40.0, HEIGHT - 34.0, length_ft * unit_per_ft
    box = f'x="{x - 12:.1f}" y="{y - 26:.1f}" width="{length + 24:.1f}" height="42"'
    yield f'<rect {box} fill="#fff" opacity="0.85"/>'
    bar = f"M {x:.1f},{y - 5:.1f} V {y + 5:.1f} M {x:.1f},{y:.1f} h {length:.1f} m 0,-5 v 10"
    yield f'<path d="{bar}" stroke="#111" stroke-width="2" fill="none"/>'
    yield _text(x + length / 2.0, y - 10.0, f"{length_ft} ft", 14)


def _north() -> str:
    x, y = WIDTH - 44.0, 70.0
    arrow = f'<path d="M {x:.0f},{y - 42:.0f} l 10,34 l -10,-8 l -10,8 Z" fill="#111"/>'
    return arrow + _text(x, y + 12.0, "N", 16)

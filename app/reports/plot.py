"""A map on paper as SVG: ground laid on a sheet, with a scale bar and a north arrow. Drawn, never measured from."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from spatial.units import FOOT_M

STEPS_FT = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
DOT = 5.0


class Sheet:
    """Where ground falls on the drawing.

    Parameters
    ----------
    window
        The ground to show, EPSG:26986; what lies outside is cut.
    width, height, margin
        Of the drawing, in its own units.
    """

    def __init__(self, window: BaseGeometry, *, width: float, height: float, margin: float = 0.0) -> None:
        self.window = window
        self.width, self.height = width, height
        self.west, self.south, self.east, self.north = window.bounds
        wide, high = self.east - self.west, self.north - self.south
        self.scale = min((width - 2 * margin) / wide, (height - 2 * margin) / high)
        self.left = (width - wide * self.scale) / 2.0
        self.top = (height - high * self.scale) / 2.0

    @property
    def feet_wide(self) -> float:
        """Return how many feet of ground the whole width of the drawing shows."""
        return self.width / self.scale / FOOT_M

    def points(self, xy: NDArray[np.float64]) -> str:
        """Return coordinates as SVG points to a tenth."""
        x = self.left + (xy[:, 0] - self.west) * self.scale
        y = self.top + (self.north - xy[:, 1]) * self.scale
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))

    def place(self, geometry: BaseGeometry) -> tuple[float, float] | None:
        """Return where a label of a shape may stand; None when nothing of it is on the sheet."""
        cut = shapely.intersection(geometry, self.window)
        if cut.is_empty:
            return None
        x, y = self.points(shapely.get_coordinates(shapely.point_on_surface(cut))).split(",")
        return float(x), float(y)


def drawn(geometry: BaseGeometry, style: str, sheet: Sheet) -> Iterator[str]:
    """Yield a shape as SVG: areas with holes, lines as lines, points as dots; cut at the edge of the sheet."""
    cut = shapely.intersection(geometry, sheet.window)
    for part in shapely.get_parts(cut):
        if part.is_empty:
            continue
        kind = shapely.get_dimensions(part)
        if kind == 2:
            rings = (shapely.get_coordinates(r) for r in (part.exterior, *part.interiors))
            path = " ".join(f"M {sheet.points(xy)} Z" for xy in rings)
            yield f'<path d="{path}" fill-rule="evenodd" style="{style}"/>'
        elif kind == 1:
            yield f'<path d="M {sheet.points(shapely.get_coordinates(part))}" style="{style};fill:none"/>'
        else:
            x, y = sheet.points(shapely.get_coordinates(part)).split(",")
            yield f'<circle cx="{x}" cy="{y}" r="{DOT}" style="{style};fill-opacity:1"/>'


def text(x: float, y: float, written: str, size: int) -> str:
    """Return a text centred on a place, with a light edge so that it reads on any ground."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="Libertinus Serif" font-size="{size}" text-anchor="middle" '
        f'stroke="#fff" stroke-width="3" paint-order="stroke" fill="#111">{escape(written)}</text>'
    )


def scale_bar(sheet: Sheet) -> Iterator[str]:
    """Draw a bar of a round number of feet, at most a quarter of the width."""
    unit_per_ft = sheet.scale * FOOT_M
    length_ft = max((s for s in STEPS_FT if s * unit_per_ft <= sheet.width / 4.0), default=STEPS_FT[0])
    x, y, length = 40.0, sheet.height - 34.0, length_ft * unit_per_ft
    box = f'x="{x - 12:.1f}" y="{y - 26:.1f}" width="{length + 24:.1f}" height="42"'
    yield f'<rect {box} fill="#fff" opacity="0.85"/>'
    bar = f"M {x:.1f},{y - 5:.1f} V {y + 5:.1f} M {x:.1f},{y:.1f} h {length:.1f} m 0,-5 v 10"
    yield f'<path d="{bar}" stroke="#111" stroke-width="2" fill="none"/>'
    yield text(x + length / 2.0, y - 10.0, f"{length_ft:,} ft", 17)


def north_arrow(sheet: Sheet) -> str:
    """Return an arrow to grid north, which is up."""
    x, y = sheet.width - 44.0, 70.0
    arrow = f'<path d="M {x:.0f},{y - 42:.0f} l 10,34 l -10,-8 l -10,8 Z" fill="#111"/>'
    return arrow + text(x, y + 12.0, "N", 16)


def svg(sheet: Sheet, body: str) -> str:
    """Return the whole drawing with its frame."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width:.0f} {sheet.height:.0f}">'
    return f'{head}<rect width="100%" height="100%" fill="#fff" stroke="#999"/>{body}</svg>'

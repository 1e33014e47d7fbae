"""The map of a list as SVG: land, ring, and the parcels numbered as in the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import shapely

from app.reports.abutters.shapes import Role, Shape, Shapes
from app.reports.plot import Sheet, drawn, north_arrow, scale_bar, svg, text
from app.schemas.abutters import AbutterList

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


def map_svg(told: AbutterList, shapes: Shapes) -> str:
    """Return the map; parcels that reach far beyond the ring are cut at the edge of the drawing."""
    west, south, east, north = shapes.of("ring")[0].geometry.bounds
    pad = 0.06 * max(east - west, north - south)
    window = shapely.box(west - pad, south - pad, east + pad, north + pad)
    sheet = Sheet(window, width=WIDTH, height=HEIGHT, margin=MARGIN)
    number = {a.loc_id: n for n, a in enumerate(told.abutters, 1)}
    parts = [part for role in ORDER for s in shapes.of(role) for part in drawn(s.geometry, STYLE[s.role], sheet)]
    labels = [label for s in shapes.of("abutter") for label in _label(s, number, sheet)]
    return svg(sheet, "".join((*parts, *labels, *scale_bar(sheet), north_arrow(sheet))))


def _label(shape: Shape, number: Mapping[str, int], sheet: Sheet) -> Iterator[str]:
    place = sheet.place(shape.geometry)
    if shape.loc_id in number and place is not None:
        yield text(place[0], place[1] + 5.0, str(number[shape.loc_id or ""]), 15)

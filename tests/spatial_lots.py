"""Hand-made lots for tests: drawn in feet, among neighbours, with yards that can be worked out on paper."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import shapely
from fabrics import fabric, feet
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from spatial.fabric import ParcelFabric
from spatial.model import Area
from spatial.setbacks.lot_lines import classify
from spatial.setbacks.lot_model import LotLine
from spatial.setbacks.street_faces import faces


@dataclass(frozen=True)
class Lot:
    """A lot and what lies around it, in feet; ``types`` names the neighbours that are no land."""

    shape: BaseGeometry
    around: dict[str, BaseGeometry]
    types: dict[str, str] = field(default_factory=dict)

    @property
    def area(self) -> Area:
        return feet(self.shape)

    def fabric(self, **options: object) -> ParcelFabric:
        return fabric({"LOT": self.area} | {k: feet(v) for k, v in self.around.items()}, self.types, **options)

    def lines(self, **options: object) -> tuple[LotLine, ...]:
        return classify(self.area, faces(self.area, self.fabric()), **options)


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return shapely.box(x0, y0, x1, y1)


def fan(radius: float, half_deg: float, steps: int = 10) -> list[tuple[float, float]]:
    """Points on a circle around the origin, from lower left to lower right."""
    angles = [math.radians(-half_deg + 2 * half_deg * i / steps) for i in range(steps + 1)]
    return [(radius * math.sin(a), -radius * math.cos(a)) for a in angles]


WEST, EAST = box(-100, -0.0, 0, 150), box(100, 0, 200, 150)
NORTH, ACROSS = box(-100, 150, 200, 300), box(-100, -200, 200, -50)
PIE = Polygon(
    [*fan(50, 25), *reversed([(200 * p[0] / 50, 200 * p[1] / 50) for p in (fan(50, 25)[0], fan(50, 25)[-1])])]
)
BULB = shapely.Point(0, 0).buffer(50, quad_segs=32)

LOTS = {
    "square": Lot(box(0, 0, 100, 150), {"w": WEST, "e": EAST, "n": NORTH, "s": ACROSS}),
    "row": Lot(
        box(0, 0, 100, 150),
        {"w": WEST, "e": EAST, "n": NORTH, "way": box(-100, -50, 200, 0)},
        {"way": "ROW"},
    ),
    "private": Lot(
        box(0, 0, 100, 150),
        {"w": WEST, "e": EAST, "n": NORTH, "way": box(-100, -50, 200, 0)},
        {"way": "PRIV_ROW"},
    ),
    "corner": Lot(
        box(0, 0, 100, 150),
        {
            "w": WEST,
            "n": box(-100, 150, 100, 300),
            "s": box(-100, -200, 100, -50),
            "e": box(150, 0, 300, 300),
            "se": box(150, -200, 300, -50),
        },
    ),
    "through": Lot(box(0, 0, 100, 150), {"w": WEST, "e": EAST, "n": box(-100, 200, 200, 300), "s": ACROSS}),
    "flag": Lot(
        Polygon([(0, 0), (20, 0), (20, 100), (150, 100), (150, 250), (0, 250)]),
        {
            "w": box(-100, 0, 0, 250),
            "f": box(20, 0, 150, 100),
            "e": box(150, 0, 250, 250),
            "n": box(-100, 250, 250, 350),
            "s": box(-100, -200, 250, -50),
        },
    ),
    "pie": Lot(PIE, {"ring": shapely.Point(0, 0).buffer(300).difference(BULB).difference(PIE)}),
    "landlocked": Lot(box(0, 0, 100, 150), {"w": WEST, "e": EAST, "n": NORTH, "s": box(-100, -150, 200, 0)}),
    "rail": Lot(
        box(0, 0, 100, 150),
        {"w": WEST, "e": EAST, "n": box(-100, 150, 200, 250), "s": ACROSS, "x": box(200, 150, 210, 160)},
        {"n": "RAIL_ROW"},
    ),
    "pond": Lot(box(0, 0, 100, 150), {"w": WEST, "e": EAST, "n": NORTH, "s": ACROSS}, {"n": "WATER"}),
    "wide_gap": Lot(box(0, 0, 100, 150), {"w": WEST, "e": EAST, "n": NORTH, "s": box(-100, -400, 200, -230)}),
}

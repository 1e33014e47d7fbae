"""The drawing board: the invented towns are drawn in feet from a south-west corner, then put on the map.

Everything in ``layers.demo`` is drawn in plan feet (US survey, x east, y north, not rotated), so that a test
can work out an area or a distance in the head. ``placed`` moves a drawing to EPSG:26986.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from spatial.model import Scalar
from spatial.units import FOOT_M

ORIGIN_M = (134_000.0, 903_000.0)
"""Where plan (0, 0) lies in EPSG:26986: over the Quabbin Reservoir."""

EDGE_FT = 2_000.0
"""How far the demo's layers reach beyond the two towns: wider than any rule looks."""


@dataclass(frozen=True, slots=True)
class InventedTown:
    """One of the pair: its TOWN_ID (900 and up are free), its name and its ground in plan feet."""

    id: int
    slug: str
    name: str
    bylaws: tuple[str, ...]
    west_ft: float
    east_ft: float
    zip: str

    @property
    def ground(self) -> Polygon:
        """The town's area in plan feet."""
        return box(self.west_ft, 0.0, self.east_ft, HEIGHT_FT)

    @property
    def plain_name(self) -> str:
        """The name without its warning, for addresses: ``"DOVERBROOK"``."""
        return self.slug.upper()


HEIGHT_FT = 5_000.0
DOVERBROOK = InventedTown(
    901, "doverbrook", "Doverbrook (invented)", ("dover-159", "dover-181"), 0.0, 6_000.0, "00001"
)
LYNNMERE = InventedTown(902, "lynnmere", "Lynnmere (invented)", ("lynnfield-320",), 6_000.0, 12_000.0, "00002")
TOWNS = (DOVERBROOK, LYNNMERE)
COVERED = box(-EDGE_FT, -EDGE_FT, LYNNMERE.east_ft + EDGE_FT, HEIGHT_FT + EDGE_FT)
"""The ground the demo's layers answer for, in plan feet."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One layer as drawn: field names, a row and a shape a feature, shapes in plan feet.

    ``file`` is the name of the source file to write; its ending chooses the format.
    """

    layer_id: str
    file: str
    geometry_type: str
    fields: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    shapes: tuple[BaseGeometry, ...]


def placed(shape: BaseGeometry) -> BaseGeometry:
    """Return a drawing in plan feet moved to EPSG:26986 metres.

    >>> placed(shapely.Point(0.0, 3937.0)).wkt
    'POINT (134000 904200)'
    """

    def moved(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(xy * FOOT_M + np.asarray(ORIGIN_M), dtype=np.float64)

    return shapely.transform(shape, moved)


def band(stations_ft: Sequence[float], south_ft: Sequence[float], north_ft: Sequence[float]) -> Polygon:
    """Return the ground between two lines that run west to east over the same stations.

    >>> band((0, 10), (0, 0), (5, 5)).area
    50.0
    """
    south = list(zip(stations_ft, south_ft, strict=True))
    north = list(zip(stations_ft, north_ft, strict=True))
    return Polygon([*south, *reversed(north)])


def ellipse(centre: tuple[float, float], radii: tuple[float, float], *, sides: int = 48) -> Polygon:
    """Return a many-sided ellipse in plan feet, for ponds and bogs."""
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    return Polygon(np.column_stack([centre[0] + radii[0] * np.cos(turn), centre[1] + radii[1] * np.sin(turn)]))

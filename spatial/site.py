"""The place a question is about: the work and the lots under it, ready to be measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import shapely
from shapely.geometry.base import BaseGeometry

from spatial.model import Area
from spatial.units import sqft_from_sqm

Bounds = tuple[float, float, float, float]


class Ground:
    """An area that is asked many times: prepared, its size and bounds known. EPSG:26986."""

    def __init__(self, geometry: Area) -> None:
        shapely.prepare(geometry)
        self.geometry = geometry
        self.bounds: Bounds = geometry.bounds
        self.area_m2: float = geometry.area

    @property
    def area_sqft(self) -> float:
        """Square feet, unrounded."""
        return sqft_from_sqm(self.area_m2)

    @cached_property
    def boundary(self) -> BaseGeometry:
        """All its rings, holes too."""
        return self.geometry.boundary

    def grown(self, by_m: float) -> Bounds:
        """Return the bounds grown on all sides."""
        west, south, east, north = self.bounds
        return west - by_m, south - by_m, east + by_m, north + by_m


@dataclass(frozen=True, slots=True, eq=False)
class LotGround:
    """A lot under the work and the work on it.

    ``edition`` and ``row``: where the lot stands among the stack's parcel editions; None when it is of none.
    """

    loc_id: str
    ground: Ground
    work: Area
    edition: int | None = None
    row: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """The work as a whole and lot by lot; ``contained`` when the one lot holds all of it."""

    work: Ground
    lots: tuple[LotGround, ...] = ()

    @property
    def bounds(self) -> Bounds:
        """Bounds of the work and of the lots together."""
        boxes = (self.work.bounds, *(lot.ground.bounds for lot in self.lots))
        west, south = min(b[0] for b in boxes), min(b[1] for b in boxes)
        return west, south, max(b[2] for b in boxes), max(b[3] for b in boxes)

    @property
    def lots_sqft(self) -> float:
        """Area of the lots under the work together; 0 when there is none."""
        return sum(lot.ground.area_sqft for lot in self.lots)

    @property
    def contained(self) -> bool:
        """Say whether the work lies wholly on the only lot, so that the work on the lot is the work."""
        return len(self.lots) == 1 and self.lots[0].work is self.work.geometry

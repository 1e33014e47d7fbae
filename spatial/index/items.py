"""Stage index: the pieces and rings of all layers end to end, under one tree, so that a site asks once.

Arrays only: a question touches a handful of rows of them. Made anew when an edition is swapped, out of the parts
that are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree

from spatial.model import Geometries
from spatial.site import Bounds, Ground

Rows = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
NOWHERE: Bounds = (np.nan, np.nan, np.nan, np.nan)

FIRST_LOOK_M, LOOK_FARTHER = 100.0, 3.0
"""How far around a site the nearest is looked for at first, and how many times as far then."""


class Part:
    """Geometries that are asked together: pieces of features, or rings of a theme. Trees are made when needed."""

    def __init__(self, geometry: Geometries, parent: Rows) -> None:
        self.geometry = geometry
        self.parent = parent

    def __len__(self) -> int:
        return len(self.geometry)

    @cached_property
    def tree(self) -> STRtree:
        """The tree over all of them."""
        return STRtree(self.geometry)

    @cached_property
    def area_m2(self) -> Floats:
        """The area of each, so that what lies wholly inside a site need not be cut out."""
        return shapely.area(self.geometry)

    @cached_property
    def bounds(self) -> Floats:
        """West, south, east, north of each, one row a geometry."""
        return shapely.bounds(self.geometry)

    @cached_property
    def extent(self) -> Bounds:
        """West, south, east, north of all; NaN, which meets nothing, when there is nothing."""
        if not len(self):
            return NOWHERE
        west, south, east, north = shapely.total_bounds(self.geometry).tolist()
        return west, south, east, north

    def meets(self, box: Bounds) -> bool:
        """Say whether anything could lie in a box; False for a part without rows."""
        west, south, east, north = self.extent
        return west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north

    def nearest_m(self, ground: Ground, within_m: float, *, look_m: float = FIRST_LOOK_M) -> float | None:
        """Return how far the nearest lies from an area, in metres; None when none lies within a distance.

        A box around the area, ``look_m`` wider at first, grows until one in it is surely the nearest. Only those
        are measured whose own box is nearer than the first measured: the tree's own search measures ten times as
        many.
        """
        by_m = min(look_m, within_m)
        while True:
            found = self.tree.query(shapely.box(*ground.grown(by_m)))
            nearest = self._nearest_of(found, ground) if len(found) else np.inf
            if nearest <= by_m or by_m >= within_m or len(found) == len(self):
                return nearest if nearest <= within_m and len(found) else None
            by_m = min(by_m * LOOK_FARTHER, within_m)

    def _nearest_of(self, found: Rows, ground: Ground) -> float:
        apart = _boxes_apart(self.bounds[found], ground.bounds)
        first = float(shapely.distance(ground.geometry, self.geometry[found[apart.argmin()]]))
        nearer = found[apart < first]
        return min(first, float(shapely.distance(ground.geometry, self.geometry[nearer]).min(initial=first)))

    def only(self, chosen: Flags | None) -> Part:
        """Return the part of the chosen features; itself when all are."""
        if chosen is None:
            return self
        keep = chosen[self.parent]
        return Part(self.geometry[keep], self.parent[keep])


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A part, how far around the work it is looked for (m), and whether distances to it are wanted."""

    part: Part
    reach_m: float
    distances: bool


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """All asked parts laid end to end; item i is of part ``part[i]`` and there of feature or ring ``row[i]``."""

    geometry: Geometries
    row: Rows
    part: Rows
    bounds: Floats
    area_m2: Floats
    reach_m: Floats
    distances: Flags
    parts: int
    farthest_m: float
    tree: STRtree

    @classmethod
    def of(cls, asked: Sequence[Asked]) -> Self:
        """Return the parts end to end, in their order."""
        counts = [len(each.part) for each in asked]
        nothing = np.empty(0, dtype=object)
        geometry = np.concatenate([nothing, *(each.part.geometry for each in asked)])
        return cls(
            geometry=geometry,
            row=np.concatenate([np.empty(0, dtype=np.int64), *(each.part.parent for each in asked)]),
            part=np.repeat(np.arange(len(asked)), counts),
            bounds=np.concatenate([np.empty((0, 4)), *(each.part.bounds for each in asked)]),
            area_m2=np.concatenate([np.empty(0), *(each.part.area_m2 for each in asked)]),
            reach_m=np.repeat([each.reach_m for each in asked], counts) if asked else np.empty(0),
            distances=np.repeat(np.array([each.distances for each in asked], dtype=bool), counts),
            parts=len(asked),
            farthest_m=max((each.reach_m for each in asked), default=0.0),
            tree=STRtree(geometry),
        )

    def near(self, boxes: Sequence[Bounds], more_m: float) -> Rows:
        """Return, in order, the items whose box meets any of some boxes grown by the farthest reach and more."""
        by = self.farthest_m + more_m
        west, south = min(b[0] for b in boxes) - by, min(b[1] for b in boxes) - by
        east, north = max(b[2] for b in boxes) + by, max(b[3] for b in boxes) + by
        found: Rows = self.tree.query(shapely.box(west, south, east, north))
        found.sort()
        return found

    def ends(self, items: Rows) -> list[int]:
        """Return where each part begins and ends among some items that are in order."""
        ends: list[int] = np.searchsorted(self.part[items], np.arange(self.parts + 1)).tolist()
        return ends


def _boxes_apart(bounds: Floats, box: Bounds) -> Floats:
    """Return how far boxes, one a row, lie from a box; 0 where they meet."""
    west, south, east, north = box
    sideways = np.maximum(bounds[:, 0] - east, west - bounds[:, 2])
    upwards = np.maximum(bounds[:, 1] - north, south - bounds[:, 3])
    apart: Floats = np.hypot(np.maximum(sideways, 0.0), np.maximum(upwards, 0.0))
    return apart


def meeting(bounds: Floats, box: Bounds, by_m: Floats | float = 0.0) -> Flags:
    """Return which boxes, one a row, meet a box that is grown by a distance each."""
    west, south, east, north = box
    return (
        (bounds[:, 0] <= east + by_m)
        & (bounds[:, 2] >= west - by_m)
        & (bounds[:, 1] <= north + by_m)
        & (bounds[:, 3] >= south - by_m)
    )

"""Measure: a line walked by distance. Places along it and parts of it, cheap however many vertices it has. Pure."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString

Floats = NDArray[np.float64]


class Course:
    """A line or closed ring with the distance of each vertex from its start.

    Parameters
    ----------
    line
        At least two vertices, EPSG:26986; closed when it ends where it begins.
    """

    def __init__(self, line: LineString) -> None:
        self.line = line
        self.vertices: Floats = shapely.get_coordinates(line)
        steps = np.hypot(*np.diff(self.vertices, axis=0).T)
        self.at: Floats = np.concatenate([[0.0], np.cumsum(steps)])

    @property
    def length(self) -> float:
        """Return the length in metres."""
        return float(self.at[-1])

    def points(self, at: Floats) -> Floats:
        """Return the points at some distances, shape (n, 2); a ring is walked on past its start."""
        place = at % self.length
        x, y = self.vertices.T
        return np.column_stack([np.interp(place, self.at, x), np.interp(place, self.at, y)])

    def locate(self, points: Floats) -> Floats:
        """Return the distances of the places nearest to some points, shape (n,)."""
        return np.atleast_1d(shapely.line_locate_point(self.line, shapely.points(points)))

    def part(self, start: float, end: float) -> LineString:
        """Return the part between two distances; of a ring over its start when the end is not behind the start."""
        if end <= start:
            tail, head = self._slice(start, self.length), self._slice(0.0, end)
            return LineString(np.vstack([tail, head[1:]]) if len(tail) > 1 else head)
        return LineString(self._slice(start, end))

    def _slice(self, start: float, end: float) -> Floats:
        """Return the vertices from one distance to another, both ends too; one vertex when they are equal."""
        inner = self.vertices[(self.at > start) & (self.at < end)]
        ends = [self._vertex(start), self._vertex(end)] if end > start else [self._vertex(start)]
        return np.vstack([ends[0], inner, *ends[1:]])

    def _vertex(self, at: float) -> Floats:
        """Return the vertex at a distance as it is, or the point between two."""
        row = bisect_left(self.at, at)
        if row < len(self.at) and self.at[row] == at:
            return np.asarray(self.vertices[row])
        return np.asarray(self.points(np.array([at]))[0])


class Ring:
    """Distances along a ring, kept sorted, asked which of them is near another."""

    def __init__(self, length: float) -> None:
        self.length = length
        self.kept: list[float] = []

    def has_near(self, at: float, within: float) -> bool:
        """Tell whether a distance kept is at most so far from another, the ring closing on itself."""
        if not self.kept:
            return False
        row = bisect_left(self.kept, at)
        nearest = (self.kept[row - 1], self.kept[row % len(self.kept)])
        return any(min(abs(at - k), self.length - abs(at - k)) <= within for k in nearest)

    def keep(self, at: float) -> None:
        """Keep a distance."""
        self.kept.insert(bisect_left(self.kept, at), at)

"""Measure: the street lines of a lot, runs of edges along ways, and how other edges lie to them. Pure, no law."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial.setbacks.boundary import Edge

ONE_DIRECTION_DEG = 45.0
"""Street lines that face within this of each other are one front; farther apart the lot lies on several ways."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StreetLine:
    """Consecutive edges along ways that bend toward the lot or not at all: one front.

    ``rows`` are the edges' places in the part; ``normal`` points from the lot to the way, ``middle`` is the middle
    of the chord, EPSG:26986; ``straightness`` is the chord's share of the length.
    """

    rows: tuple[int, ...]
    middle: Floats
    normal: Floats
    length_m: float
    straightness: float

    def depth_m(self, point: Floats) -> float:
        """Return how far behind this line a point lies; negative in front of it."""
        return float(np.dot(self.middle - point, self.normal))

    def along_m(self, point: Floats) -> float:
        """Return where a point lies along this line, measured from its middle."""
        tangent = np.array([-self.normal[1], self.normal[0]])
        return float(np.dot(point - self.middle, tangent))


def angle_deg(a: Floats, b: Floats) -> float:
    """Return the angle between two unit vectors, 0 to 180 degrees.

    >>> angle_deg(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    90.0
    """
    return math.degrees(math.acos(min(1.0, max(-1.0, float(np.dot(a, b))))))


def street_lines(edges: Sequence[Edge], along_way: Sequence[bool]) -> list[StreetLine]:
    """Return the street lines of one ring; empty when it touches no way.

    Parameters
    ----------
    edges
        All edges of the ring, in order, the lot on their left.
    along_way
        One an edge.
    """
    return [_street(edges, rows) for rows in _runs(edges, along_way)]


def _runs(edges: Sequence[Edge], along_way: Sequence[bool]) -> list[list[int]]:
    runs: list[list[int]] = []
    for row in _from_a_start(edges, along_way):
        previous = (row - 1) % len(edges)
        joins = bool(runs) and runs[-1][-1] == previous and not _corner_between(edges[previous], edges[row])
        if joins:
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _from_a_start(edges: Sequence[Edge], along_way: Sequence[bool]) -> list[int]:
    """Return the rows along ways, beginning where a run begins."""
    count = len(edges)
    starts = [
        i
        for i in range(count)
        if along_way[i] and (not along_way[i - 1] or _corner_between(edges[i - 1], edges[i]))
    ]
    first = starts[0] if starts else 0
    return [i % count for i in range(first, first + count) if along_way[i % count]]


def _corner_between(one: Edge, following: Edge) -> bool:
    """Tell whether the lot turns a street corner between two edges: away from the way, by 45 degrees or more."""
    a, b = one.normal, following.normal
    turns_left = a[0] * b[1] - a[1] * b[0] > 0.0
    return turns_left and angle_deg(a, b) >= ONE_DIRECTION_DEG


def _street(edges: Sequence[Edge], rows: Sequence[int]) -> StreetLine:
    start, end = edges[rows[0]].ends[0], edges[rows[-1]].ends[1]
    chord = end - start
    length = float(np.hypot(*chord))
    straight = np.array([chord[1], -chord[0]]) / length if length > 0.0 else edges[rows[0]].normal
    total = sum(edges[r].line.length for r in rows)
    return StreetLine(tuple(rows), (start + end) / 2.0, straight, total, length / total if total > 0.0 else 0.0)


def directions(streets: Sequence[StreetLine]) -> list[StreetLine]:
    """Return the longest street line of each direction the lot faces, the longest first."""
    chosen: list[StreetLine] = []
    for street in sorted(streets, key=lambda s: -s.length_m):
        if all(angle_deg(street.normal, c.normal) >= ONE_DIRECTION_DEG for c in chosen):
            chosen.append(street)
    return chosen

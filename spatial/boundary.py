"""Measure: a lot's boundary as edges. Broken at corners, and where what lies beside it changes. Pure, no law.

An edge may be curved. Its direction is that of its chord; an edge that would turn through more than 60 degrees is
broken where half of the turning is done. Small wiggles of the drawing break nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.ops import substring as _substring

from spatial.lot_model import Stretch
from spatial.model import Area

WIGGLE_M = 0.6
"""Vertices that stray less than this from a straight course are drawing, not shape (2 ft)."""
WINDOW_M = 2.0
"""A corner turns within this distance to either side; a curve of a street takes longer."""
SNAP_M = 2.0
"""A way that ends this near a corner ends at the corner."""
ON_LINE_M = 0.05
CORNER_DEG = 25.0
BEND_DEG = 60.0

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """An edge with the lot on its left. ``stretch`` is the row of what lies beside it, -1 when nothing is known."""

    id: str
    line: LineString
    part: int
    hole: bool
    stretch: int

    @property
    def ends(self) -> Floats:
        """First and last point, shape (2, 2)."""
        return shapely.get_coordinates(self.line)[[0, -1]]

    @property
    def normal(self) -> Floats:
        """Unit vector out of the lot, square to the chord; zeros for a closed edge."""
        along = self.ends[1] - self.ends[0]
        length = float(np.hypot(*along))
        return np.array([along[1], -along[0]]) / length if length > 0.0 else np.zeros(2)


def edges_of(lot: Area, stretches: Sequence[Stretch]) -> tuple[Edge, ...]:
    """Return the edges of every ring, in the rings' order, numbered from "1".

    Parameters
    ----------
    lot
        EPSG:26986, valid. An empty one gives no edges.
    stretches
        Parts of its boundary with something beside them, as drawn on the boundary.
    """
    found: list[Edge] = []
    for part, polygon in enumerate(shapely.get_parts(shapely.orient_polygons(lot))):
        for ring, hole in _rings(polygon):
            for line, stretch in _ring_edges(ring, stretches):
                found.append(Edge(str(len(found) + 1), line, part, hole, stretch))
    return tuple(found)


def _rings(polygon: Polygon) -> list[tuple[LineString, bool]]:
    outer = [] if polygon.is_empty else [(LineString(polygon.exterior.coords), False)]
    return outer + [(LineString(r.coords), True) for r in polygon.interiors]


def _ring_edges(ring: LineString, stretches: Sequence[Stretch]) -> list[tuple[LineString, int]]:
    corners = _corners(ring)
    at = _break_distances(ring, corners, stretches)
    pieces = _between(ring, at)
    beside = _smooth([_stretch_beside(p, stretches) for p in pieces], pieces)
    joined = _join(ring, at, beside, set(corners))
    return [(bent, stretch) for line, stretch in joined for bent in _bends(line)]


def substring(line: LineString, start: float, end: float) -> LineString:
    """Return the part of a line between two distances along it; a line of two equal points when they are equal."""
    part = _substring(line, start, end)
    return part if isinstance(part, LineString) else LineString([part, part])


def _corners(ring: LineString) -> list[float]:
    """Return the distances along a ring of its corners, the sharpest one of each neighbourhood."""
    xy = shapely.get_coordinates(shapely.simplify(ring, WIGGLE_M, preserve_topology=True))[:-1]
    at = np.atleast_1d(shapely.line_locate_point(ring, shapely.points(xy)))
    window = min(WINDOW_M, ring.length / 16.0)
    turn = np.abs(_turns(ring, at, window))
    chosen: list[float] = []
    for row in np.argsort(-turn, kind="stable"):
        near = [c for c in chosen if _apart(c, float(at[row]), ring.length) < window]
        if turn[row] >= CORNER_DEG and not near:
            chosen.append(float(at[row]))
    return sorted(chosen)


def _turns(ring: LineString, at: Floats, window: float) -> Floats:
    """Return by how many degrees the ring turns around each place, left positive."""
    length = ring.length
    here = _points(ring, at)
    before = here - _points(ring, (at - window) % length)
    after = _points(ring, (at + window) % length) - here
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return np.asarray(np.degrees(np.arctan2(cross, np.sum(before * after, axis=1))))


def _points(line: LineString, at: Floats) -> Floats:
    return shapely.get_coordinates(shapely.line_interpolate_point(line, at)).reshape(-1, 2)


def _apart(a: float, b: float, length: float) -> float:
    return min(abs(a - b), length - abs(a - b))


def _break_distances(ring: LineString, corners: list[float], stretches: Sequence[Stretch]) -> list[float]:
    """Return where the ring is broken: at corners, and where a stretch begins or ends away from one."""
    breaks = list(corners)
    for stretch in stretches:
        for end in shapely.get_coordinates(stretch.line)[[0, -1]]:
            place = Point(end)
            at = float(ring.project(place))
            if ring.distance(place) <= ON_LINE_M and all(_apart(at, b, ring.length) > SNAP_M for b in breaks):
                breaks.append(at)
    return sorted(breaks) or [0.0]


def _between(ring: LineString, at: Sequence[float]) -> list[LineString]:
    """Return the pieces of a ring between places along it; the last one runs over the ring's start."""
    pieces = [substring(ring, a, b) for a, b in pairwise(at)]
    return [*pieces, _over_the_start(ring, at[-1], at[0])]


def _over_the_start(ring: LineString, start: float, end: float) -> LineString:
    tail = shapely.get_coordinates(substring(ring, start, ring.length))
    head = shapely.get_coordinates(substring(ring, 0.0, end)) if end > 0.0 else tail[-1:]
    return LineString(np.vstack([tail, head[1:]]) if start < ring.length else head)


def _stretch_beside(piece: LineString, stretches: Sequence[Stretch]) -> int:
    """Return the stretch that most of a piece lies on, -1 when that is none."""
    shares = [
        shapely.intersection(piece, shapely.buffer(s.line, ON_LINE_M, cap_style="flat")).length for s in stretches
    ]
    best = int(np.argmax(shares)) if shares else -1
    return best if best >= 0 and shares[best] > piece.length / 2.0 else -1


def _smooth(beside: list[int], pieces: Sequence[LineString]) -> list[int]:
    """Give a piece too short to tell what its two neighbours agree on."""
    count = len(pieces)
    return [
        beside[i - 1] if pieces[i].length < SNAP_M and beside[i - 1] == beside[(i + 1) % count] else beside[i]
        for i in range(count)
    ]


def _join(
    ring: LineString, at: Sequence[float], beside: Sequence[int], corners: set[float]
) -> list[tuple[LineString, int]]:
    """Return the edges: pieces joined over breaks that are neither a corner nor a change of what lies beside."""
    kept = [i for i in range(len(at)) if at[i] in corners or beside[i] != beside[i - 1]]
    if not kept:
        return [(ring, beside[0])]
    lines = _between(ring, [at[i] for i in kept])
    return list(zip(lines, [beside[i] for i in kept], strict=True))


def _bends(line: LineString) -> list[LineString]:
    """Return a line broken until no piece turns through more than 60 degrees between its straight courses."""
    course = shapely.get_coordinates(shapely.simplify(line, WIGGLE_M))
    heading = np.degrees(np.unwrap(np.arctan2(np.diff(course[:, 1]), np.diff(course[:, 0]))))
    if len(heading) < 2 or heading.max() - heading.min() <= BEND_DEG:
        return [line]
    half = heading[0] + (heading[-1] - heading[0]) / 2.0
    cut = min(max(int(np.argmin(np.abs(heading - half))), 1), len(course) - 2)
    at = float(line.project(Point(course[cut])))
    if not 0.0 < at < line.length:
        return [line]
    return [*_bends(substring(line, 0.0, at)), *_bends(substring(line, at, line.length))]

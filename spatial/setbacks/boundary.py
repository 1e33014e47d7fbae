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
from shapely import LineString, Polygon, STRtree

from spatial.model import Area
from spatial.setbacks.course import Course, Floats, Ring
from spatial.setbacks.lot_model import Stretch

WIGGLE_M = 0.6
"""Vertices that stray less than this from a straight course are drawing, not shape (2 ft)."""
WINDOW_M = 2.0
"""A corner turns within this distance to either side; a curve of a street takes longer."""
SNAP_M = 2.0
"""A way that ends this near a corner ends at the corner."""
ON_LINE_M = 0.05
CORNER_DEG = 25.0
BEND_DEG = 60.0


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
    course = Course(ring)
    corners = _corners(course)
    at = _break_distances(course, corners, stretches)
    pieces = _between(course, at)
    beside = _smooth(_stretches_beside(pieces, stretches), pieces)
    joined = _join(course, at, beside, set(corners))
    return [(bent, stretch) for line, stretch in joined for bent in _bends(line)]


def _corners(ring: Course) -> list[float]:
    """Return the distances along a ring of its corners, the sharpest one of each neighbourhood."""
    at = _vertices_that_matter(ring)[:-1]
    window = min(WINDOW_M, ring.length / 16.0)
    turn = np.abs(_turns(ring, at, window))
    chosen = Ring(ring.length)
    for row in np.argsort(-turn, kind="stable"):
        if turn[row] >= CORNER_DEG and not chosen.has_near(float(at[row]), window):
            chosen.keep(float(at[row]))
    return chosen.kept


def _vertices_that_matter(course: Course) -> Floats:
    """Return the distances of the vertices that are left when the wiggles of the drawing are taken out."""
    kept = shapely.get_coordinates(shapely.simplify(course.line, WIGGLE_M))
    row, places = 0, []
    for x, y in kept.tolist():
        while course.vertices[row, 0] != x or course.vertices[row, 1] != y:
            row += 1
        places.append(float(course.at[row]))
        row = min(row + 1, len(course.at) - 1)
    return np.array(places)


def _turns(ring: Course, at: Floats, window: float) -> Floats:
    """Return by how many degrees the ring turns around each place, left positive."""
    here = ring.points(at)
    before = here - ring.points(at - window)
    after = ring.points(at + window) - here
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return np.asarray(np.degrees(np.arctan2(cross, np.sum(before * after, axis=1))))


def _break_distances(ring: Course, corners: Sequence[float], stretches: Sequence[Stretch]) -> list[float]:
    """Return where the ring is broken: at corners, and where a stretch begins or ends away from one."""
    breaks = Ring(ring.length)
    breaks.kept = list(corners)
    if stretches:
        ends = np.vstack([shapely.get_coordinates(s.line)[[0, -1]] for s in stretches])
        on_ring = shapely.distance(ring.line, shapely.points(ends)) <= ON_LINE_M
        for at in ring.locate(ends[on_ring]).tolist():
            if not breaks.has_near(at, SNAP_M):
                breaks.keep(at)
    return breaks.kept or [0.0]


def _between(ring: Course, at: Sequence[float]) -> list[LineString]:
    """Return the pieces of a ring between places along it; the last one runs over the ring's start."""
    return [*(ring.part(a, b) for a, b in pairwise(at)), ring.part(at[-1], at[0])]


def _stretches_beside(pieces: Sequence[LineString], stretches: Sequence[Stretch]) -> list[int]:
    """Return for each piece the stretch that most of it lies on, -1 when that is none."""
    beside = [-1] * len(pieces)
    if not stretches:
        return beside
    strips = shapely.buffer([s.line for s in stretches], ON_LINE_M, cap_style="flat")
    most = [piece.length / 2.0 for piece in pieces]
    for row, strip in sorted(map(tuple, STRtree(strips).query(pieces, predicate="intersects").T.tolist())):
        share = shapely.intersection(pieces[row], strips[strip]).length
        if share > most[row]:
            beside[row], most[row] = strip, share
    return beside


def _smooth(beside: list[int], pieces: Sequence[LineString]) -> list[int]:
    """Give a piece too short to tell what its two neighbours agree on."""
    count = len(pieces)
    return [
        beside[i - 1] if pieces[i].length < SNAP_M and beside[i - 1] == beside[(i + 1) % count] else beside[i]
        for i in range(count)
    ]


def _join(
    ring: Course, at: Sequence[float], beside: Sequence[int], corners: set[float]
) -> list[tuple[LineString, int]]:
    """Return the edges: pieces joined over breaks that are neither a corner nor a change of what lies beside."""
    kept = [i for i in range(len(at)) if at[i] in corners or beside[i] != beside[i - 1]]
    if not kept:
        return [(ring.line, beside[0])]
    lines = _between(ring, [at[i] for i in kept])
    return list(zip(lines, [beside[i] for i in kept], strict=True))


def _bends(line: LineString) -> list[LineString]:
    """Return a line broken until no piece turns through more than 60 degrees between its straight courses."""
    done: list[LineString] = []
    waiting = [line]
    while waiting:
        part = waiting.pop()
        halves = _halves(part)
        if halves is None:
            done.append(part)
        else:
            waiting += [halves[1], halves[0]]
    return done


def _halves(line: LineString) -> tuple[LineString, LineString] | None:
    """Return a line broken where half of its turning is done; None when it turns little enough."""
    course = Course(line)
    places = _vertices_that_matter(course)
    steps = np.diff(course.vertices[np.searchsorted(course.at, places)], axis=0)
    heading = np.degrees(np.unwrap(np.arctan2(steps[:, 1], steps[:, 0])))
    if len(heading) < 2 or heading.max() - heading.min() <= BEND_DEG:
        return None
    half = heading[0] + (heading[-1] - heading[0]) / 2.0
    cut = min(max(int(np.argmin(np.abs(heading - half))), 1), len(places) - 2)
    at = float(places[cut])
    return course.part(0.0, at), course.part(at, course.length)

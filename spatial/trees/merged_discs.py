"""Measure: discs merged, exactly. Ground under several of them counts once. No law, no I/O.

Any plane unit, as in :mod:`spatial.trees.discs`.
"""

from __future__ import annotations

import math

import numpy as np
import shapely

from spatial.trees.discs import Floats

TURN = 2.0 * math.pi


def merged_area(centres: Floats, radii: Floats) -> float:
    """Return the area of ground under at least one disc, exactly: discs that overlap count once.

    Parameters
    ----------
    centres, radii
        Shapes (n, 2) and (n,); no discs give 0.

    Notes
    -----
    Green's theorem along the arcs of each circle that no other disc covers.

    Examples
    --------
    >>> float(round(merged_area(np.array([[0.0, 0.0], [0.0, 0.0]]), np.array([1.0, 2.0])) / math.pi, 12))
    4.0
    """
    if len(radii) == 0:
        return 0.0
    local = centres - centres.mean(axis=0)
    near = _overlapping(local, radii)
    return math.fsum(_arcs_area(local, radii, row, near.get(row, [])) for row in range(len(radii)))


def _overlapping(centres: Floats, radii: Floats) -> dict[int, list[int]]:
    """Return for each disc the others whose bounding boxes meet its own."""
    boxes = np.asarray(shapely.box(*(centres - radii[:, None]).T, *(centres + radii[:, None]).T))
    found: dict[int, list[int]] = {}
    for one, other in shapely.STRtree(boxes).query(boxes).T:
        if one != other:
            found.setdefault(int(one), []).append(int(other))
    return found


def _arcs_area(centres: Floats, radii: Floats, row: int, others: list[int]) -> float:
    """Return what the arcs of one circle that no other disc covers add to the area."""
    radius, (x, y) = float(radii[row]), centres[row]
    total = 0.0
    for start, end in _uncovered(_covered(centres, radii, row, others)):
        along_y = y * (math.cos(end) - math.cos(start))
        along_x = x * (math.sin(end) - math.sin(start))
        total += radius * (radius * (end - start) + along_x - along_y) / 2.0
    return total


def _covered(centres: Floats, radii: Floats, row: int, others: list[int]) -> list[tuple[float, float]]:
    """Return the angles of a circle inside other discs, within one turn; of two equal discs the first counts."""
    radius = float(radii[row])
    arcs: list[tuple[float, float]] = []
    for other in others:
        dx, dy = (centres[other] - centres[row]).tolist()
        apart, reach = math.hypot(dx, dy), float(radii[other])
        if apart + radius <= reach and (apart > 0.0 or radius < reach or other < row):
            return [(0.0, TURN)]
        if abs(radius - reach) < apart < radius + reach:
            half = math.acos((radius**2 + apart**2 - reach**2) / (2.0 * radius * apart))
            arcs += _within_turn(math.atan2(dy, dx) - half, 2.0 * half)
    return sorted(arcs)


def _within_turn(start: float, length: float) -> list[tuple[float, float]]:
    """Return an arc as one or two pairs of angles from 0 to one turn."""
    start %= TURN
    end = start + length
    return [(start, end)] if end <= TURN else [(start, TURN), (0.0, end - TURN)]


def _uncovered(arcs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return what sorted arcs leave of one turn."""
    free, reached = [], 0.0
    for start, end in arcs:
        if start > reached:
            free.append((reached, start))
        reached = max(reached, end)
    return [*free, (reached, TURN)] if reached < TURN else free

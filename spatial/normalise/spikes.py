"""Normalise: spikes thinner than any pen: out along a line and back along it, enclosing no ground.

They change no area and every distance, so they are taken off, and that is said.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon

from spatial.model import Area

THIN_M = 0.003
"""A spike narrower than this, about a hundredth of a foot, is no ground."""
_LONG_M = 0.03
_ROUNDS = 20
Coordinates = NDArray[np.float64]


def without_spikes(area: Area) -> tuple[Area, int]:
    """Return a valid polygon in EPSG:26986 without spikes, and how many were taken off.

    When taking one off would spoil the polygon, all of it is returned as it came, with 0.
    """
    parts = [area] if isinstance(area, Polygon) else list(area.geoms)
    trimmed = [_trimmed(part) for part in parts]
    count = sum(n for _, n in trimmed)
    if not count:
        return area, 0
    polygons = [polygon for polygon, _ in trimmed if not polygon.is_empty]
    result = polygons[0] if len(polygons) == 1 else MultiPolygon(polygons)
    return (result, count) if polygons and shapely.is_valid(result) else (area, 0)


def _trimmed(polygon: Polygon) -> tuple[Polygon, int]:
    """Return a part without its spikes, empty when it was nothing but one."""
    rings = [_without(shapely.get_coordinates(ring)) for ring in shapely.get_rings(polygon)]
    count = sum(n for _, n in rings)
    if not count:
        return polygon, 0
    shell, *holes = (ring for ring, _ in rings)
    if len(shell) < 4:
        return Polygon(), count
    return Polygon(shell, [hole for hole in holes if len(hole) >= 4]), count


def _without(ring: Coordinates) -> tuple[Coordinates, int]:
    """Return a closed ring without its spikes; taking one off may lay bare the next, so a few rounds are made."""
    corners, taken = ring[:-1], 0
    for _ in range(_ROUNDS):
        tips = np.flatnonzero(_is_tip(corners)) if len(corners) >= 3 else np.array([], dtype=np.int64)
        if len(tips) == 0:
            break
        lonely = tips[np.diff(np.concatenate([[-2], tips])) > 1]
        corners, taken = _dropped(corners, lonely), taken + len(lonely)
    return (np.vstack([corners, corners[:1]]), taken) if taken else (ring, 0)


def _dropped(corners: Coordinates, tips: NDArray[np.int64]) -> Coordinates:
    """Return corners without the tips, and without a corner that then stands on its neighbour."""
    left = np.delete(corners, tips, axis=0)
    step = np.hypot(*(left - np.roll(left, 1, axis=0)).T)
    return left[step > THIN_M] if (step > THIN_M).sum() >= 3 else left


def _is_tip(corners: Coordinates) -> NDArray[np.bool_]:
    """Return for each corner whether the ring folds back on itself there, closer than the width of nothing."""
    back, ahead = np.roll(corners, 1, axis=0) - corners, np.roll(corners, -1, axis=0) - corners
    length_back, length_ahead = np.hypot(*back.T), np.hypot(*ahead.T)
    longer = np.maximum(np.maximum(length_back, length_ahead), 1e-12)
    cross = np.abs(back[:, 0] * ahead[:, 1] - back[:, 1] * ahead[:, 0])
    forward = (back * ahead).sum(axis=1) > 0.0
    is_tip: NDArray[np.bool_] = (
        forward & (cross / longer < THIN_M) & (np.minimum(length_back, length_ahead) > _LONG_M)
    )
    return is_tip

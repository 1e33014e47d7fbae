"""Reading: loose rings to polygons by which ring lies inside which, whatever way round they were drawn.

Shapefiles and Esri JSON tell shells from holes by direction; programs get the direction wrong often enough that
only nesting can be believed: a ring inside an odd number of others is a hole.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LinearRing, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

Rings = NDArray[np.object_]


def nest(rings: Sequence[LinearRing]) -> Polygon | MultiPolygon:
    """Return the polygon or multipolygon of closed rings; none gives an empty polygon.

    Parameters
    ----------
    rings
        LinearRings, 2-D, in one planar system. Rings that cross each other stay parts of their own.
    """
    if not rings:
        return Polygon()
    solids = np.array([Polygon(ring) for ring in rings], dtype=object)
    parents = _parents(solids)
    depth = [len(p) for p in parents]
    shells = [i for i in range(len(solids)) if depth[i] % 2 == 0]
    holes: dict[int, list[LinearRing]] = {shell: [] for shell in shells}
    for i in range(len(solids)):
        if depth[i] % 2:
            holes[_nearest_shell(parents[i], depth)].append(rings[i])
    parts = [Polygon(rings[i], holes[i]) for i in shells]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts)


def _parents(solids: Rings) -> list[list[int]]:
    """Return for each ring the rings it lies in; of two equal rings the later lies in the earlier."""
    inside = _probes(solids)
    area = shapely.area(solids)
    found: list[list[int]] = [[] for _ in solids]
    child, parent = shapely.STRtree(solids).query(inside, predicate="intersects")
    for i, j in zip(child.tolist(), parent.tolist(), strict=True):
        larger = area[j] > area[i] or (area[j] == area[i] and j < i)
        if i != j and larger and _within(solids[i], solids[j]):
            found[i].append(j)
    return found


def _probes(solids: Rings) -> Rings:
    """Return a point inside each ring, or its first corner when it crosses itself."""
    points = shapely.point_on_surface(solids)
    corners = shapely.get_point(shapely.get_exterior_ring(solids), 0)
    return np.where(shapely.is_valid(solids), points, corners)


def _within(ring: BaseGeometry, other: BaseGeometry) -> bool:
    """Return whether nearly all of a ring lies in another; a ring that crosses itself is judged by its corners."""
    if shapely.is_valid(ring) and shapely.is_valid(other):
        return bool(shapely.covers(other, ring)) or _overlap(ring, other) > 0.999
    corners = shapely.points(shapely.get_coordinates(ring))
    return bool(shapely.intersects(shapely.buffer(other, 0), corners).mean() > 0.999)


def _overlap(ring: BaseGeometry, other: BaseGeometry) -> float:
    area = ring.area
    return float(shapely.intersection(ring, other).area / area) if area else 0.0


def _nearest_shell(parents: list[int], depth: list[int]) -> int:
    return max(parents, key=lambda parent: depth[parent])

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

from spatial.read.raw import too_many

Rings = NDArray[np.object_]
Indices = NDArray[np.int64]
_MOSTLY = 0.999


def nest(rings: Sequence[LinearRing], *, most: int = 1_000) -> Polygon | MultiPolygon:
    """Return the polygon or multipolygon of closed rings; none gives an empty polygon.

    Parameters
    ----------
    rings
        LinearRings, 2-D, in one planar system. Rings that cross each other stay parts of their own.
    most
        How many rings are taken.

    Raises
    ------
    GeometryRefused
        ``too_complex`` beyond ``most``.
    """
    if len(rings) > most:
        raise too_many("rings in one feature", most)
    if not rings:
        return Polygon()
    solids = np.array([Polygon(ring) for ring in rings], dtype=object)
    parents = _parents(solids)
    depth = [len(p) for p in parents]
    shells = [i for i in range(len(solids)) if depth[i] % 2 == 0]
    holes: dict[int, list[LinearRing]] = {shell: [] for shell in shells}
    for i in range(len(solids)):
        if depth[i] % 2:
            holes[max(parents[i], key=lambda parent: depth[parent])].append(rings[i])
    parts = [Polygon(rings[i], holes[i]) for i in shells]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts)


def _parents(solids: Rings) -> list[list[int]]:
    """Return for each ring the rings it lies in; of two equal rings the later lies in the earlier."""
    area = shapely.area(solids)
    child, parent = shapely.STRtree(solids).query(_probes(solids), predicate="intersects")
    larger = (area[parent] > area[child]) | ((area[parent] == area[child]) & (parent < child))
    child, parent = child[larger], parent[larger]
    inside = _within(solids, child, parent)
    found: list[list[int]] = [[] for _ in solids]
    for i, j in zip(child[inside].tolist(), parent[inside].tolist(), strict=True):
        found[i].append(j)
    return found


def _probes(solids: Rings) -> Rings:
    """Return a point inside each ring, or its first corner when it crosses itself."""
    points = shapely.point_on_surface(solids)
    corners = shapely.get_point(shapely.get_exterior_ring(solids), 0)
    return np.where(shapely.is_valid(solids), points, corners)


def _within(solids: Rings, child: Indices, parent: Indices) -> NDArray[np.bool_]:
    """Return for each pair whether nearly all of one ring lies in the other.

    A ring that crosses itself is judged by its corners.
    """
    valid = shapely.is_valid(solids)
    both = valid[child] & valid[parent]
    inside = np.zeros(len(child), dtype=bool)
    inside[both] = shapely.covers(solids[parent[both]], solids[child[both]])
    for k in np.flatnonzero(~inside):
        inside[k] = _mostly(solids[child[k]], solids[parent[k]], valid=bool(both[k]))
    return inside


def _mostly(ring: BaseGeometry, other: BaseGeometry, *, valid: bool) -> bool:
    if valid:
        return ring.area > 0.0 and shapely.intersection(ring, other).area / ring.area > _MOSTLY
    corners = shapely.points(shapely.get_coordinates(ring))
    return bool(shapely.intersects(shapely.buffer(other, 0), corners).mean() > _MOSTLY)

"""Stage measure: how deep the work and a layer reach into each other, so that certainty can be told.

A verdict holds while neither the map nor the limit of work can move by this much. Depth is against real
boundaries, never against a cut. What is given is a lower bound (the deepest of sampled points): it may call an
answer too close that is not, never the other way.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.index import Part, Rows
from spatial.model import Geometries
from spatial.site import Ground
from spatial.units import FOOT_M

SAMPLES = 48
"""Most vertices of the shared ground that are tried, spread evenly."""

Floats = NDArray[np.float64]


def depths_ft(work: Ground, inside: Geometries, rows: Rows, edges: Part | None) -> dict[int, float]:
    """Return, by feature row, how far the feature and the work reach into each other, in feet.

    Parameters
    ----------
    work
        The limit of work.
    inside, rows
        Shared ground (or lines, or points) and the feature each belongs to.
    edges
        Real boundaries of the layer's polygons; None for lines and points, which only the work's limit bounds.
    """
    points, owner = _samples(inside)
    if not len(points):
        return {}
    depth = np.asarray(shapely.distance(points, work.boundary))
    if edges is not None and len(edges):
        asked, found = edges.tree.query_nearest(points, return_distance=True, all_matches=False)
        to_edge = np.zeros(len(points))
        to_edge[asked[0]] = found
        depth = np.maximum(depth, to_edge)
    names, place = np.unique(rows[owner], return_inverse=True)
    deepest = np.zeros(len(names))
    np.maximum.at(deepest, place, depth)
    return dict(zip(names.tolist(), (deepest / FOOT_M).tolist(), strict=True))


def _samples(inside: Geometries) -> tuple[Geometries, Rows]:
    """Return evenly chosen vertices and one inner point of every part, with the part each belongs to."""
    xy, owner = shapely.get_coordinates(inside, return_index=True)
    step = max(1, len(xy) // SAMPLES)
    centres = shapely.point_on_surface(inside)
    drawn = ~shapely.is_empty(centres)
    points = np.concatenate([shapely.points(xy[::step]), centres[drawn]])
    return points, np.concatenate([owner[::step], np.flatnonzero(drawn)])

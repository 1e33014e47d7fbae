"""Stage measure: how deep the work and a feature reach into each other, so that certainty can be told.

A verdict holds while neither the map nor the limit of work can move by this much. Depth is against real
boundaries, never against a cut. What is given is a lower bound: it may call an answer too close that is not, never
the other way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from spatial.items import Part
from spatial.model import Geometries
from spatial.site import Ground
from spatial.units import FOOT_M

SAMPLES = 24
"""Most vertices of the shared ground that are tried, spread evenly."""

Floats = NDArray[np.float64]


def depth_ft(work: Ground, inside: Sequence[BaseGeometry], edges: Part | None, *, enough_ft: float) -> float:
    """Return how far a feature and the work reach into each other, at least, in feet.

    Parameters
    ----------
    work
        The limit of work.
    inside
        What the feature shares with it: ground, or pieces of line, or points.
    edges
        Real boundaries of the layer's polygons; None for lines and points, which only the limit of work bounds.
    enough_ft
        A depth beyond which nobody asks how deep exactly: the cheaper measures are tried first and the search ends
        at the first that is beyond.

    Returns
    -------
    float
        0 where only boundaries meet. Work that no edge crosses is as deep as the nearest edge is far.
    """
    if edges is not None and len(edges):
        clear = _edge_distance_m(edges, work.geometry) / FOOT_M
        if clear > enough_ft:
            return clear
    points = _samples(inside)
    if not len(points):
        return 0.0
    into_work = float(shapely.distance(points, work.boundary).max()) / FOOT_M
    if edges is None or not len(edges) or into_work > enough_ft:
        return into_work
    _, to_edge = edges.tree.query_nearest(points, return_distance=True, all_matches=False)
    return max(into_work, float(to_edge.max()) / FOOT_M)


def edge_clearance_ft(work: Ground, edges: Part, within_m: float) -> float | None:
    """Return how far the nearest edge lies from the work, 0 where one crosses it; None when beyond a distance."""
    if not len(edges.tree.query(shapely.box(*work.grown(within_m)))):
        return None
    return _edge_distance_m(edges, work.geometry) / FOOT_M


def _edge_distance_m(edges: Part, geometry: BaseGeometry) -> float:
    _, distance = edges.tree.query_nearest(geometry, return_distance=True, all_matches=False)
    return float(distance[0])


def _samples(inside: Sequence[BaseGeometry]) -> Geometries:
    """Return evenly chosen vertices of the shared ground and one point inside every part."""
    xy = shapely.get_coordinates(inside)
    step = max(1, len(xy) // SAMPLES)
    centres = shapely.point_on_surface(np.array(inside, dtype=object))
    return np.concatenate([shapely.points(xy[::step]), centres[~shapely.is_empty(centres)]])

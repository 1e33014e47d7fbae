"""Stage measure: how deep the work and a feature reach into each other, so that certainty can be told.

A verdict holds while neither the map nor the limit of work can move by this much. Depth is against real
boundaries, never against a cut. What is given is a lower bound: it may call an answer too close that is not, never
the other way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from spatial.index.items import Part
from spatial.model import Geometries
from spatial.site import Ground
from spatial.units import FOOT_M, m_from_ft

SAMPLES = 16
"""Most vertices of the shared ground that are tried, spread evenly."""

Floats = NDArray[np.float64]


def depth_ft(
    work: Ground, inside: Sequence[BaseGeometry], edges: Part | None, *, clear_ft: float = 0.0, enough_ft: float
) -> float:
    """Return how far a feature and the work reach into each other, at least, in feet.

    Parameters
    ----------
    work
        The limit of work.
    inside
        What the feature shares with it: ground, or pieces of line, or points.
    edges
        Real boundaries of the layer's polygons; None for lines and points, which only the limit of work bounds.
    clear_ft
        How far the nearest edge lies from the work, 0 where one crosses it (``clearance_ft``).
    enough_ft
        A depth beyond which nobody asks how deep exactly: the cheaper measures are tried first and the search ends
        at the first that is beyond.

    Returns
    -------
    float
        0 where only boundaries meet. Work that no edge crosses is as deep as the nearest edge is far.
    """
    if clear_ft > enough_ft:
        return clear_ft
    points = _samples(inside)
    if not len(points):
        return 0.0
    into_work = float(shapely.distance(points, work.boundary).max()) / FOOT_M
    if edges is None or not len(edges) or into_work > enough_ft:
        return into_work
    _, to_edge = edges.tree.query_nearest(points, return_distance=True, all_matches=False)
    return max(into_work, clear_ft, float(to_edge.max()) / FOOT_M)


def clearance_ft(work: Ground, edges: Part, within_ft: float | None = None) -> float | None:
    """Return how far the nearest edge lies from the work, 0 where one crosses it.

    None without edges, or when none lies within a distance, if one is given.
    """
    if within_ft is None and len(edges.tree.query(work.geometry, predicate="intersects")):
        return 0.0
    nearest_m = edges.nearest_m(work, math.inf if within_ft is None else m_from_ft(within_ft))
    return None if nearest_m is None else nearest_m / FOOT_M


def _samples(inside: Sequence[BaseGeometry]) -> Geometries:
    """Return evenly chosen vertices of the shared ground and one point inside every part."""
    xy = shapely.get_coordinates(inside)
    step = max(1, len(xy) // SAMPLES)
    centres = shapely.point_on_surface(np.array(inside, dtype=object))
    return np.concatenate([shapely.points(xy[::step]), centres[~shapely.is_empty(centres)]])

"""Normalise: count how often a boundary crosses itself, cheaply, before anything costly is tried on it."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from spatial.model import Geometries

_CHUNK = 100


def more_crossings_than(geometry: BaseGeometry, most: int) -> bool:
    """Return whether the segments of a geometry cross more than ``most`` times; stops as soon as they do.

    Neighbours that share an end are not counted as crossing.
    """
    segments = _segments(geometry)
    tree = shapely.STRtree(segments)
    found = 0
    for start in range(0, len(segments), _CHUNK):
        part = segments[start : start + _CHUNK]
        pairs = tree.query(part, predicate="crosses")
        found += int((pairs[0] + start < pairs[1]).sum())
        if found > most:
            return True
    return False


def _segments(geometry: BaseGeometry) -> Geometries:
    rings = shapely.get_rings(shapely.get_parts(shapely.get_parts(geometry)))
    pairs = []
    for ring in rings:
        xy = shapely.get_coordinates(ring)
        pairs.append(np.stack([xy[:-1], xy[1:]], axis=1))
    return np.asarray(shapely.linestrings(np.concatenate(pairs)), dtype=object)

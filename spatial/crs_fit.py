"""Whether numbers fit a coordinate system, and what numbers look like.

Nothing here relabels anything: a system is proposed, never assumed.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS
from pyproj.exceptions import CRSError, ProjError
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from spatial.crs import NAD27_ACCURACY_M, WORKING_CRS, is_nad27, transformer
from spatial.crs_names import PROPOSED, SYSTEMS, Coordinates, crs_of_code, is_island

MAINLAND_OUTLINE = Polygon(
    [
        (-73.55, 42.03), (-73.53, 42.08), (-73.29, 42.78), (-72.93, 42.775), (-72.28, 42.755), (-71.30, 42.72),
        (-71.27, 42.76), (-71.19, 42.82), (-71.13, 42.86), (-70.90, 42.925), (-70.75, 42.91), (-70.77, 42.75),
        (-70.55, 42.70), (-70.53, 42.62), (-70.72, 42.50), (-70.62, 42.22), (-70.58, 42.06), (-70.45, 41.93),
        (-70.33, 42.10), (-70.15, 42.13), (-69.98, 42.00), (-69.88, 41.80), (-69.88, 41.53), (-70.10, 41.50),
        (-70.45, 41.50), (-70.60, 41.505), (-70.672, 41.505), (-70.686, 41.519), (-70.690, 41.527),
        (-70.71, 41.54), (-70.90, 41.535), (-70.98, 41.45), (-71.16, 41.45), (-71.16, 41.64), (-71.22, 41.66),
        (-71.25, 41.70), (-71.25, 41.73), (-71.36, 41.75), (-71.37, 41.86), (-71.42, 41.90), (-71.42, 41.98),
        (-71.83, 41.98), (-71.84, 41.99), (-72.70, 41.99), (-72.74, 41.97), (-72.84, 41.97), (-72.84, 42.00),
        (-73.50, 42.02),
    ]
)  # fmt: skip
"""A loose outline of Massachusetts without Dukes and Nantucket, degrees NAD83, one to three miles outside it."""

ISLANDS_OUTLINE = Polygon(
    [
        (-71.02, 41.20), (-69.88, 41.20), (-69.88, 41.53), (-70.10, 41.50), (-70.45, 41.50), (-70.60, 41.505),
        (-70.672, 41.505), (-70.686, 41.519), (-70.690, 41.527), (-70.71, 41.54), (-70.90, 41.535), (-70.98, 41.45),
    ]
)  # fmt: skip
"""Dukes and Nantucket counties with the water around them, degrees NAD83."""


@lru_cache(maxsize=2)
def _outline(islands: bool) -> BaseGeometry:
    degrees = shapely.segmentize(ISLANDS_OUTLINE if islands else MAINLAND_OUTLINE, 0.02)
    move = transformer("EPSG:4269")
    outline = shapely.transform(degrees, lambda xy: np.column_stack(move.transform(xy[:, 0], xy[:, 1])))
    shapely.prepare(outline)
    return outline


def moved(coordinates: Coordinates, crs: CRS) -> Coordinates:
    """Return an (n, 2) array in EPSG:26986; rows that the system cannot place become infinite."""
    x, y = transformer(crs).transform(coordinates[:, 0], coordinates[:, 1])
    return np.column_stack([x, y])


def on_mainland(working: Coordinates) -> NDArray[np.bool_]:
    """Return for each row of an (n, 2) array in EPSG:26986 whether it lies in mainland Massachusetts."""
    return _inside(working, islands=False)


def on_islands(working: Coordinates) -> NDArray[np.bool_]:
    """Return for each row of an (n, 2) array in EPSG:26986 whether it lies in Dukes or Nantucket county."""
    return _inside(working, islands=True)


def _inside(working: Coordinates, *, islands: bool) -> NDArray[np.bool_]:
    finite = np.isfinite(working).all(axis=1)
    inside = np.zeros(len(working), dtype=bool)
    if finite.any():
        inside[finite] = shapely.contains_xy(_outline(islands), working[finite, 0], working[finite, 1])
    return inside


def fits(coordinates: Coordinates, code: str) -> bool:
    """Return whether every coordinate, read in ``code``, lies in mainland Massachusetts. No rows: False."""
    if not len(coordinates) or not np.isfinite(coordinates).all():
        return False
    working = moved(coordinates, crs_of_code(code))
    inside = on_islands(working) if is_island(code) else on_mainland(working)
    return bool(inside.all())


def looks_like(coordinates: Coordinates, hint: BaseGeometry | None = None) -> tuple[str, ...]:
    """Return the codes in which the numbers fall in mainland Massachusetts, best first.

    Parameters
    ----------
    coordinates
        (n, 2) array in an unknown system.
    hint
        A claimed parcel in EPSG:26986: systems that bring the numbers nearest to it come first.
    """
    fitting = [code for code in PROPOSED if fits(coordinates, code)]
    if hint is None or hint.is_empty:
        return tuple(fitting)
    distance = {code: distance_m(coordinates, code, hint) for code in fitting}
    return tuple(sorted(fitting, key=lambda code: (round(distance[code]), fitting.index(code))))


def distance_m(coordinates: Coordinates, code: str, hint: BaseGeometry) -> float:
    """Return how far the box around the numbers, read in a system, lies from a shape in EPSG:26986, in metres."""
    working = moved(coordinates, crs_of_code(code))
    return float(shapely.MultiPoint(working).envelope.distance(hint))


def looks_like_island(coordinates: Coordinates) -> tuple[str, ...]:
    """Return the Island zone codes in which the numbers fall in Dukes or Nantucket."""
    return tuple(s.code for s in SYSTEMS if s.island and fits(coordinates, s.code))


def swapped(coordinates: Coordinates) -> Coordinates:
    """Return the array with x and y exchanged."""
    return coordinates[:, ::-1]


def agree(one: CRS, other: CRS, coordinates: Coordinates) -> bool:
    """Return whether two systems put the same numbers on the same ground, within a centimetre."""
    a, b = moved(coordinates, one), moved(coordinates, other)
    return bool(np.isfinite(a).all() and np.isfinite(b).all() and np.abs(a - b).max(initial=0.0) < 0.01)


def is_usable(crs: CRS) -> bool:
    """Return whether a system is horizontal and has a way to ours: not a local, vertical or image one."""
    if crs.geodetic_crs is None or not (crs.is_geographic or crs.is_projected or crs.is_bound or crs.is_compound):
        return False
    try:
        x, y = transformer(crs, WORKING_CRS).transform(0.0, 0.0)
    except (ProjError, CRSError):
        return False
    return isinstance(x, float) and isinstance(y, float)


def accuracy_m(crs: CRS) -> float:
    """Return how far off the way from a system to ours may be, in metres; 0 for those of NAD83."""
    return NAD27_ACCURACY_M if is_nad27(crs) else 0.0

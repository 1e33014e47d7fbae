"""A box as callers write it, ``west,south,east,north`` in degrees, as bounds in the working system."""

from __future__ import annotations

import math

import shapely

from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject
from spatial.errors import ParameterRefused

Bounds = tuple[float, float, float, float]
REACH: Bounds = (-77.0, 38.0, -66.0, 46.0)
"""Degrees far around Massachusetts: nothing we hold lies outside, and the working system is of use inside."""
SEGMENT_DEGREES = 0.01
"""Sides of the box are bent in the working system; points this close keep what lies along them."""


def bounds_of(text: str) -> Bounds:
    """Return the bounds in EPSG:26986 metres of a box given in degrees.

    Parameters
    ----------
    text
        ``"-71.3,42.2,-71.2,42.3"``.

    Raises
    ------
    ParameterRefused
        ``bad_parameter`` when it is not four numbers, not degrees, or inside out.
    """
    west, south, east, north = _box(text)
    if west < REACH[0] or east > REACH[2] or south < REACH[1] or north > REACH[3]:
        raise ParameterRefused(f"bbox={text[:80]!r} reaches far beyond Massachusetts; ask for a smaller box.")
    return _moved((west, south, east, north))


def bounds_in_reach(text: str) -> Bounds:
    """Return the same of a box of any size, without what lies far beyond Massachusetts, where nothing is.

    For programs that ask by what their window shows, which may be the whole world.
    """
    west, south, east, north = _box(text)
    w, s, e, n = REACH
    return _moved((min(max(west, w), e), min(max(south, s), n), max(min(east, e), w), max(min(north, n), s)))


def _box(text: str) -> Bounds:
    west, south, east, north = _degrees(text)
    if not (-180.0 <= west < east <= 180.0 and -90.0 <= south < north <= 90.0):
        raise ParameterRefused(
            f"bbox={text[:80]!r} is no box in degrees; write west,south,east,north (EPSG:4326), west below east."
        )
    return west, south, east, north


def _moved(box: Bounds) -> Bounds:
    drawn = shapely.segmentize(shapely.box(*box), SEGMENT_DEGREES)
    return reproject(drawn, DISPLAY_CRS, WORKING_CRS).bounds


def _degrees(text: str) -> Bounds:
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        raise ParameterRefused(f"bbox={text[:80]!r} is not four numbers; write west,south,east,north.") from None
    if not all(math.isfinite(value) for value in (west, south, east, north)):
        raise ParameterRefused(f"bbox={text[:80]!r} holds a number that is not finite.")
    return west, south, east, north

"""A box as callers write it, ``west,south,east,north`` in degrees, as bounds in the working system."""

from __future__ import annotations

import math

import shapely

from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject
from spatial.errors import ParameterRefused

Bounds = tuple[float, float, float, float]
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
    west, south, east, north = _degrees(text)
    if not (-180.0 <= west < east <= 180.0 and -90.0 <= south < north <= 90.0):
        raise ParameterRefused(
            f"bbox={text[:80]!r} is no box in degrees; write west,south,east,north (EPSG:4326), west below east."
        )
    if west < -77.0 or east > -66.0 or south < 38.0 or north > 46.0:
        raise ParameterRefused(f"bbox={text[:80]!r} reaches far beyond Massachusetts; ask for a smaller box.")
    box = shapely.segmentize(shapely.box(west, south, east, north), SEGMENT_DEGREES)
    return reproject(box, DISPLAY_CRS, WORKING_CRS).bounds


def _degrees(text: str) -> Bounds:
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        raise ParameterRefused(f"bbox={text[:80]!r} is not four numbers; write west,south,east,north.") from None
    if not all(math.isfinite(value) for value in (west, south, east, north)):
        raise ParameterRefused(f"bbox={text[:80]!r} holds a number that is not finite.")
    return west, south, east, north

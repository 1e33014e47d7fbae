"""Coordinate systems: one working system, exact transformations, nothing relabelled.

Working system is EPSG:26986 (NAD83 / Massachusetts Mainland, metres), MassGIS's own. Planar grid area there
differs from the ellipsoid by at most 0.007 %.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS, Transformer
from pyproj.transformer import TransformerGroup
from shapely.geometry.base import BaseGeometry

WORKING_CRS = "EPSG:26986"
DISPLAY_CRS = "EPSG:4326"
MAINLAND_BOUNDS_M = (31_000.0, 773_000.0, 336_000.0, 963_500.0)
"""West, south, east, north of the mainland zone in EPSG:26986, with a margin of about 2 km."""
NAD27_ACCURACY_M = 10.0
"""Published accuracy of NAD27 to WGS 84 (4), the best for Massachusetts that needs no grid file."""

_NAD27 = "North American Datum 1927"


class Move(Protocol):
    """What moves coordinates from one system to another, x before y."""

    def transform(self, xx: Any, yy: Any) -> tuple[Any, Any]:
        """Return the moved x and y, arrays or numbers as given."""
        ...


class _FromNad27:
    """NAD27 by a stated three-parameter shift; PROJ alone would fall back to none at all, 44 m off."""

    def __init__(self, source: CRS, target: CRS) -> None:
        self._to_degrees = Transformer.from_crs(source, "EPSG:4267", always_xy=True)
        shifts = TransformerGroup("EPSG:4267", "EPSG:4326", always_xy=True, allow_ballpark=False).transformers
        self._shift = next(t for t in shifts if "NAD27 to WGS 84 (4)" in t.description)
        self._to_target = Transformer.from_crs("EPSG:4326", target, always_xy=True)

    def transform(self, xx: Any, yy: Any) -> tuple[Any, Any]:
        x, y = self._to_degrees.transform(xx, yy)
        x, y = self._shift.transform(x, y)
        moved: tuple[Any, Any] = self._to_target.transform(x, y)
        return moved


def is_nad27(crs: CRS) -> bool:
    """Return whether a system stands on the datum of 1927, which fits ours only to about 10 m."""
    geodetic = crs.geodetic_crs
    return geodetic is not None and geodetic.datum is not None and _NAD27 in geodetic.datum.name


@lru_cache(maxsize=64)
def _transformer(source_wkt: str, target_wkt: str) -> Move:
    source, target = CRS.from_wkt(source_wkt), CRS.from_wkt(target_wkt)
    if is_nad27(source) and not is_nad27(target):
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # names the grid files it lacks
            return _FromNad27(source, target)
    return Transformer.from_crs(source, target, always_xy=True)


def transformer(source: CRS | str, target: CRS | str = WORKING_CRS) -> Move:
    """Return the transformation between two systems, x before y, without network grids.

    Parameters
    ----------
    source, target
        A pyproj CRS (an .prj's own WKT is the best) or ``"EPSG:n"``.
    """
    return _transformer(CRS(source).to_wkt(), CRS(target).to_wkt())


def reproject(geometry: BaseGeometry, source: CRS | str, target: CRS | str = WORKING_CRS) -> BaseGeometry:
    """Return a geometry in ``target``; vertices are moved, none added. Empty stays empty.

    >>> reproject(shapely.Point(-71.5, 41.0), "EPSG:4269").wkt
    'POINT (200000 750000)'
    """
    move = transformer(source, target)

    def moved(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        x, y = move.transform(xy[:, 0], xy[:, 1])
        return np.column_stack([x, y])

    return shapely.transform(geometry, moved)

"""Coordinate systems: one working system, exact transformations, nothing relabelled.

Working system is EPSG:26986 (NAD83 / Massachusetts Mainland, metres), MassGIS's own. Planar grid area there
differs from the ellipsoid by at most 0.007 %.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS, Transformer
from shapely.geometry.base import BaseGeometry

WORKING_CRS = "EPSG:26986"
DISPLAY_CRS = "EPSG:4326"
MAINLAND_BOUNDS_M = (31_000.0, 773_000.0, 336_000.0, 963_500.0)
"""West, south, east, north of the mainland zone in EPSG:26986, with a margin of about 2 km."""


@lru_cache(maxsize=64)
def _transformer(source_wkt: str, target_wkt: str) -> Transformer:
    return Transformer.from_crs(CRS.from_wkt(source_wkt), CRS.from_wkt(target_wkt), always_xy=True)


def transformer(source: CRS | str, target: CRS | str = WORKING_CRS) -> Transformer:
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

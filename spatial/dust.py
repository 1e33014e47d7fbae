"""Measure: holes of no size, which uniting leaves behind and which turn later overlays inside out.

A union may keep a hole of a few billionths of a square metre, a needle as long as the seam it was left on. Where
such a needle crosses the limit of another area, GEOS (3.14) gives an empty intersection for ground that is shared.
Every union that is overlaid again, and every polygon of a layer, is therefore freed of them first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from spatial.model import Area, Geometries

LEAST_HOLE_SQM = 1e-6
"""A hole smaller than this, a hundred-thousandth of a square foot, is no ground."""

G = TypeVar("G", bound=BaseGeometry)


def without_dust(geometry: G) -> G:
    """Return an area with its holes of no size filled; anything else, and an area without them, as it is.

    >>> speck = shapely.box(4, 4, 4 + 1e-5, 4 + 1e-5)
    >>> without_dust(shapely.box(0, 0, 9, 9).difference(speck)).interiors[:]
    []
    """
    if not _has_dust(geometry):
        return geometry
    parts = [_filled(part) if isinstance(part, Polygon) else part for part in shapely.get_parts(geometry)]
    if len(parts) == 1:
        return cast("G", parts[0])
    return cast(
        "G", MultiPolygon(parts) if isinstance(geometry, MultiPolygon) else shapely.GeometryCollection(parts)
    )


def all_without_dust(geometry: Geometries) -> tuple[Geometries, int]:
    """Return geometries freed of holes of no size, and how many of them had any. Missing ones stay missing."""
    parts, owner = shapely.get_parts(geometry, return_index=True)
    holed = np.unique(owner[shapely.get_num_interior_rings(parts) > 0])
    dusty = [row for row in holed.tolist() if _has_dust(geometry[row])]
    if not dusty:
        return geometry, 0
    cleaned = geometry.copy()
    for row in dusty:
        cleaned[row] = without_dust(geometry[row])
    return cleaned, len(dusty)


def united(areas: Geometries | Sequence[BaseGeometry]) -> Area:
    """Return the union of areas, fit to be overlaid again; empty without any.

    >>> united([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)]).area
    2.0
    """
    return cast("Area", without_dust(shapely.union_all(areas)))


def _has_dust(geometry: BaseGeometry) -> bool:
    parts = shapely.get_parts(geometry)
    holes = [ring for part in parts[shapely.get_num_interior_rings(parts) > 0] for ring in part.interiors]
    return bool(holes) and bool(_is_dust(holes).any())


def _is_dust(holes: Sequence[BaseGeometry]) -> NDArray[np.bool_]:
    return np.asarray(shapely.area(shapely.polygons(np.array(holes, dtype=object))) < LEAST_HOLE_SQM)


def _filled(polygon: Polygon) -> Polygon:
    holes = list(polygon.interiors)
    if not holes:
        return polygon
    return Polygon(polygon.exterior, [hole for hole, dust in zip(holes, _is_dust(holes), strict=True) if not dust])

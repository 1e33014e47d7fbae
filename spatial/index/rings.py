"""Stage index, made beforehand: net, nested distance rings around a layer's features, cell by cell.

The union of 60,000 wetlands is never made: the window is halved until what lies near a cell is small, and each
cell is buffered by itself. Rings are for areas and drawings; whether something is *within* a distance is asked of
``distance``, never of a ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from spatial.dust import all_without_dust, united, without_dust
from spatial.index.subdivide import clipped, clipped_all, cut_small
from spatial.model import Area, Geometries, ZoneRings
from spatial.units import m_from_ft

QUAD_SEGS = 64
"""Segments in a quarter circle: fewer lose hundreds of square feet of a 100 ft zone."""

CELL_VERTICES = 6_000
"""A cell near more vertices than this is halved."""

Bounds = tuple[float, float, float, float]


def rings(geometry: Geometries, bands_ft: Sequence[float], *, window: Area) -> ZoneRings:
    """Return the net rings 0-b1, b1-b2, ... feet around the union of features, inside a window, cut small.

    Parameters
    ----------
    geometry
        Features of any kind in EPSG:26986, best already cut small; None and empty are passed over.
    bands_ft
        Outer limits in feet, any order, above zero. The resource itself is in no ring.
    window
        Ground in which rings are wanted (a layer's coverage, a site).

    Returns
    -------
    ZoneRings
        Polygons of at most 256 vertices that never overlap. No features, bands or window: no rows.

    Examples
    --------
    >>> pond = np.array([shapely.Point(0, 0).buffer(10, quad_segs=64)])
    >>> made = rings(pond, (25.0, 50.0), window=shapely.box(-100, -100, 100, 100))
    >>> sorted(set(made.to_ft.tolist()))
    [25.0, 50.0]
    """
    limits = sorted({float(band) for band in bands_ft if band > 0})
    present, _ = all_without_dust(geometry[~(shapely.is_missing(geometry) | shapely.is_empty(geometry))])
    if not limits or not len(present) or window.is_empty:
        return _gathered([])
    found: list[tuple[float, float, BaseGeometry]] = []
    for cell, near in _cells(present, window, m_from_ft(limits[-1])):
        found.extend(_rings_of_cell(near, limits, cell))
    return _gathered(found)


def _cells(features: Geometries, window: Area, reach_m: float) -> Iterator[tuple[BaseGeometry, Geometries]]:
    """Yield cells of the window with the features within reach of them, clipped to that reach."""
    tree = shapely.STRtree(features)
    vertices = shapely.get_num_coordinates(features)
    waiting: list[BaseGeometry] = [window]
    while waiting:
        cell = waiting.pop()
        if cell.is_empty or cell.area == 0.0:
            continue
        grown = _grown(cell.bounds, reach_m)
        near = tree.query(shapely.box(*grown))
        if not len(near):
            continue
        if vertices[near].sum() > CELL_VERTICES:
            near_clipped = clipped_all(features[near], grown)
            if _divisible(cell.bounds, reach_m) and shapely.get_num_coordinates(near_clipped).sum() > CELL_VERTICES:
                waiting.extend(clipped(cell, half) for half in _half_boxes(cell.bounds))
                continue
            yield cell, near_clipped
        else:
            yield cell, clipped_all(features[near], grown)


def _grown(bounds: Bounds, by_m: float) -> Bounds:
    west, south, east, north = bounds
    # a hair more than the reach, so that a cut made there is never within the last band of the cell
    more = by_m * 1.01
    return west - more, south - more, east + more, north + more


def _divisible(bounds: Bounds, reach_m: float) -> bool:
    """Say whether halving still helps: a cell much smaller than its reach meets the same features again."""
    west, south, east, north = bounds
    return max(east - west, north - south) > reach_m / 2.0


def _half_boxes(bounds: Bounds) -> tuple[Bounds, Bounds]:
    west, south, east, north = bounds
    if east - west >= north - south:
        middle = (west + east) / 2.0
        return (west, south, middle, north), (middle, south, east, north)
    middle = (south + north) / 2.0
    return (west, south, east, middle), (west, middle, east, north)


def _rings_of_cell(
    near: Geometries, limits: Sequence[float], cell: BaseGeometry
) -> Iterator[tuple[float, float, BaseGeometry]]:
    """Yield (from, to, piece) of one cell; each band is what the wider ground adds to the narrower."""
    if not len(near):
        return
    inner, from_ft = without_dust(shapely.intersection(united(near), cell)), 0.0
    for to_ft in limits:
        # each feature by itself, then their union: the same ground as the union's buffer, four times as fast
        grown = united(shapely.buffer(near, m_from_ft(to_ft), quad_segs=QUAD_SEGS))
        outer = without_dust(shapely.intersection(grown, cell))
        for piece in cut_small(shapely.difference(outer, inner)):
            yield from_ft, to_ft, piece
        inner, from_ft = outer, to_ft


def _gathered(found: Sequence[tuple[float, float, BaseGeometry]]) -> ZoneRings:
    pieces = np.array([piece for _, _, piece in found], dtype=object)
    return ZoneRings(
        geometry=pieces,
        from_ft=np.array([low for low, _, _ in found], dtype=np.float64),
        to_ft=np.array([high for _, high, _ in found], dtype=np.float64),
    )

"""Measure a grid under a piece of ground: shares of a class, slope, elevation. Pure; no file is opened here.

Cells count by the exact share of them that lies inside the ground. Cells without data are counted and said, and
a share is given as a range: what is certain, and what it could be if all the unknown ground were of the class.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource
from numpy.typing import NDArray
from pyproj import CRS

from spatial.crs import WORKING_CRS, reproject
from spatial.errors import CrsRefused
from spatial.grid import Grid
from spatial.model import Area
from spatial.units import PERCENT, ft_from_m

__all__ = [
    "ClassShare",
    "Grid",
    "Sample",
    "Statistics",
    "class_share",
    "elevation",
    "relief",
    "slope",
    "slope_percent",
    "statistics",
]

FULL_CIRCLE_CELLS = 8.0
"""Sum of the weights on one side of Horn's 3 x 3 kernel, times the two cells between its columns."""


TOUCHED = 1e-6
"""A cell of which less lies inside the ground is only touched by it; its value is none of the ground's."""


@dataclass(frozen=True, slots=True)
class ClassShare:
    """How much of the ground is of a class, in percent of the whole ground.

    ``at_least_percent`` is seen to be of the class; ``at_most_percent`` adds the ground without data or outside
    the grid, which is ``unknown_percent``.
    """

    at_least_percent: float
    at_most_percent: float
    unknown_percent: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """Area-weighted statistics of cell values under the ground; all None when no cell there has data."""

    least: float | None
    mean: float | None
    p90: float | None
    most: float | None
    unknown_percent: float


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Cell values under a piece of ground, each with the square metres it stands for; ``unknown_m2`` has none."""

    value: NDArray[np.float64]
    weight_m2: NDArray[np.float64]
    unknown_m2: float


@dataclass(frozen=True, slots=True, eq=False)
class _Cover:
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    weight: NDArray[np.float64]
    unknown: float


def class_share(grid: Grid, ground: Area, classes: Collection[int]) -> ClassShare:
    """Return the share of ``ground`` (EPSG:26986) whose cells hold one of ``classes``.

    Raises
    ------
    CrsRefused
        The grid is not in a projected system.
    """
    cover = _cover(grid, ground)
    here = np.isin(grid.values[cover.row, cover.column], list(classes)) & grid.valid[cover.row, cover.column]
    sure = PERCENT * float(cover.weight[here].sum())
    unknown = PERCENT * _unknown(cover, grid.valid)
    return ClassShare(sure, sure + unknown, unknown)


def elevation(grid: Grid, ground: Area, *, unit_m: float = 1.0) -> Statistics:
    """Return ground elevation in US survey feet; ``unit_m`` metres in a unit of the grid's values."""
    return statistics([relief(grid, ground, unit_m=unit_m)[0]])


def slope(grid: Grid, ground: Area, *, unit_m: float = 1.0) -> Statistics:
    """Return slope in percent (rise over run) by Horn's (1981) third-order finite difference.

    A cell has a slope only when it and its eight neighbours have data, so the rim of the grid has none: read the
    window one cell wider than the ground.
    """
    return statistics([relief(grid, ground, unit_m=unit_m)[1]])


def relief(grid: Grid, ground: Area, *, unit_m: float = 1.0) -> tuple[Sample, Sample]:
    """Return elevation (US survey feet) and slope (percent) cell by cell, to be put together with other grids'."""
    cover = _cover(grid, ground)
    percent, sloped = slope_percent(grid, unit_m=unit_m)
    return (
        _sample(grid.values * ft_from_m(unit_m), grid.valid, cover, ground.area),
        _sample(percent, sloped, cover, ground.area),
    )


def slope_percent(grid: Grid, *, unit_m: float = 1.0) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return slope in percent for every cell, and where it is known; same shape as the grid."""
    z = grid.values * unit_m / _metre(grid.crs)
    east, north = np.zeros_like(z), np.zeros_like(z)
    inner = (slice(1, -1), slice(1, -1))
    right, left = _kernel(z[:, 2:], axis=0), _kernel(z[:, :-2], axis=0)
    above, below = _kernel(z[:-2, :], axis=1), _kernel(z[2:, :], axis=1)
    east[inner] = (right - left) / (FULL_CIRCLE_CELLS * grid.cell_x)
    north[inner] = (above - below) / (FULL_CIRCLE_CELLS * grid.cell_y)
    return PERCENT * np.hypot(east, north), _all_neighbours(grid.valid)


def _kernel(z: NDArray[np.float64], *, axis: int) -> NDArray[np.float64]:
    """Weigh three neighbouring cells along an axis 1, 2, 1."""
    z = np.moveaxis(z, axis, 0)
    return np.moveaxis(z[:-2] + 2.0 * z[1:-1] + z[2:], 0, axis)


def _all_neighbours(valid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    known = np.zeros_like(valid)
    if min(valid.shape) > 2:
        windows = np.lib.stride_tricks.sliding_window_view(valid, (3, 3))
        known[1:-1, 1:-1] = windows.all(axis=(2, 3))
    return known


def _metre(crs: CRS) -> float:
    """Return metres in a unit of the grid's axes; slope and shares of degrees would be wrong, so refuse them."""
    if not crs.is_projected:
        raise CrsRefused(
            f"The grid is in {crs.name}, which is not a projected system; warp it to EPSG:26986 before adding it."
        )
    return float(crs.axis_info[0].unit_conversion_factor)


def _cover(grid: Grid, ground: Area) -> _Cover:
    """Return the cells under the ground with their share of its area; ``unknown`` is the share outside the grid."""
    _metre(grid.crs)
    local = reproject(ground, WORKING_CRS, grid.crs)
    rows, columns = grid.values.shape
    if not rows * columns:
        nothing = np.zeros(0, dtype=np.int64)
        return _Cover(nothing, nothing, np.zeros(0), 1.0)
    cells = NumPyRasterSource(
        np.arange(rows * columns, dtype=np.float64).reshape(rows, columns),
        xmin=grid.west,
        ymin=grid.south,
        xmax=grid.east,
        ymax=grid.north,
    )
    feature = {"type": "Feature", "properties": {}, "geometry": shapely.geometry.mapping(local)}
    found = exact_extract(cells, [feature], ["cell_id", "coverage"])[0]["properties"]
    inside = np.asarray(found["coverage"], dtype=np.float64)
    index = np.asarray(found["cell_id"], dtype=np.int64)[inside > TOUCHED]
    share = inside[inside > TOUCHED] * grid.cell_x * grid.cell_y / local.area
    return _Cover(index // columns, index % columns, share, max(0.0, 1.0 - float(share.sum())))


def _unknown(cover: _Cover, valid: NDArray[np.bool_]) -> float:
    return cover.unknown + float(cover.weight[~valid[cover.row, cover.column]].sum())


def _sample(values: NDArray[np.float64], valid: NDArray[np.bool_], cover: _Cover, area_m2: float) -> Sample:
    known = valid[cover.row, cover.column]
    value, share = values[cover.row, cover.column][known], cover.weight[known]
    return Sample(value, share * area_m2, _unknown(cover, valid) * area_m2)


def statistics(samples: Sequence[Sample]) -> Statistics:
    """Return statistics of one or several pieces of ground together; of none, all is unknown."""
    value = np.concatenate([np.zeros(0), *(s.value for s in samples)])
    weight = np.concatenate([np.zeros(0), *(s.weight_m2 for s in samples)])
    missing, known = sum(s.unknown_m2 for s in samples), float(weight.sum())
    if not known > 0.0:
        return Statistics(None, None, None, None, PERCENT)
    order = np.argsort(value)
    reached = np.cumsum(weight[order]) / known
    p90 = value[order][min(int(np.searchsorted(reached, 0.9)), len(value) - 1)]
    mean = float(np.average(value, weights=weight))
    unknown = PERCENT * (missing / (missing + known))
    return Statistics(float(value.min()), mean, float(p90), float(value.max()), unknown)

"""Count a raster's cells, square by square: how many hold data, what they hold, and where. Loads rasterio."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from numpy.typing import NDArray
from pyproj import CRS
from rasterio.windows import Window
from shapely import box

from layers.manifest import GridNote
from spatial.crs import WORKING_CRS, reproject
from spatial.model import Area
from spatial.read.raster import check_layout, opened

MOST_VALUES = 40
"""A grid with more different values than this is no grid of classes."""
STEP_CELLS = 2_048
"""Side of the squares that are looked at one by one; a multiple of the tiles we write."""
OUTLINE_CELLS = 1_000.0
"""An outline gets a vertex every so many cells before it is moved, so that its sides stay true."""


@dataclass(slots=True)
class Cells:
    """What a raster holds. ``values`` counts cells by value, None when there are too many different ones.

    ``rows`` and ``columns`` are the first and the one after the last that hold data; None when none does.
    """

    valid: int = 0
    least: float = math.inf
    most: float = -math.inf
    values: Counter[float] | None = field(default_factory=Counter)
    rows: tuple[int, int] | None = None
    columns: tuple[int, int] | None = None


def count(raster: rasterio.DatasetReader) -> Cells:
    """Return what the only band of an open raster holds; values that are no number count as no data."""
    found = Cells()
    for window in _squares(raster):
        values, valid = _read(raster, window)
        _take(found, values, valid, window)
    return found


def _squares(raster: rasterio.DatasetReader) -> Iterator[Window]:
    for top in range(0, raster.height, STEP_CELLS):
        for left in range(0, raster.width, STEP_CELLS):
            yield Window(left, top, min(STEP_CELLS, raster.width - left), min(STEP_CELLS, raster.height - top))


def _read(raster: rasterio.DatasetReader, window: Window) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the cells of a square and which of them hold data."""
    band = raster.read(1, window=window, masked=True)
    values, valid = np.ma.getdata(band), ~np.ma.getmaskarray(band)
    return values, valid & np.isfinite(values) if values.dtype.kind == "f" else valid


def _take(found: Cells, values: NDArray[Any], valid: NDArray[np.bool_], window: Window) -> None:
    held = values[valid]
    if not len(held):
        return
    found.valid += len(held)
    found.least, found.most = min(found.least, float(held.min())), max(found.most, float(held.max()))
    rows = np.flatnonzero(valid.any(axis=1)) + int(window.row_off)
    columns = np.flatnonzero(valid.any(axis=0)) + int(window.col_off)
    found.rows = _span(found.rows, rows)
    found.columns = _span(found.columns, columns)
    _count_values(found, held)


def _span(before: tuple[int, int] | None, places: NDArray[np.int64]) -> tuple[int, int]:
    first, last = int(places[0]), int(places[-1]) + 1
    return (first, last) if before is None else (min(before[0], first), max(before[1], last))


def _count_values(found: Cells, held: NDArray[Any]) -> None:
    if found.values is None:
        return
    different, counts = np.unique(held, return_counts=True)
    found.values.update(dict(zip(different.astype(float).tolist(), counts.tolist(), strict=True)))
    if len(found.values) > MOST_VALUES:
        found.values = None


def outline(raster: rasterio.DatasetReader, crs: CRS, cells: Cells) -> Area:
    """Return the box around the cells that hold data, in EPSG:26986; an empty polygon when none does."""
    if cells.rows is None or cells.columns is None:
        return box(0.0, 0.0, 0.0, 0.0)
    turn = raster.transform
    west, east = (turn.c + turn.a * column for column in cells.columns)
    north, south = (turn.f + turn.e * row for row in cells.rows)
    around = box(west, south, east, north).segmentize(OUTLINE_CELLS * turn.a)
    moved: Area = reproject(around, crs, WORKING_CRS)  # type: ignore[assignment]
    return moved


@dataclass(frozen=True, slots=True)
class Compared:
    """Cells of two rasters on one grid: those that gained or lost data, hold something else, or are the same."""

    gained: int
    lost: int
    changed: int
    same: int


def compared(before: Path, after: Path) -> Compared | None:
    """Return how the cells of two rasters differ; None when they do not lie on one grid."""
    counts = np.zeros(4, dtype=np.int64)
    with opened(before) as old, opened(after) as new:
        if (old.crs, old.transform, old.shape) != (new.crs, new.transform, new.shape):
            return None
        for window in _squares(old):
            (was, had), (now, has) = (_read(raster, window) for raster in (old, new))
            equal = was == now
            sorts = (~had & has, had & ~has, had & has & ~equal, had & has & equal)
            counts += np.array([int(sort.sum()) for sort in sorts], dtype=np.int64)
    return Compared(*counts.tolist())


def differs(path: Path, note: GridNote, kept: int) -> str:
    """Return what a kept raster has that its account does not say, or "" when it is the same."""
    with opened(path) as raster:
        check_layout(raster, path.name)
        if (raster.width, raster.height) != (note.width, note.height):
            return f"{raster.width} by {raster.height} cells are here, {note.width} by {note.height} were written"
        cells = count(raster)
    if cells.valid != kept:
        return f"{cells.valid:,} cells hold data, {kept:,} were written"
    if cells.valid and (cells.least, cells.most) != (note.least, note.most):
        return f"values run from {cells.least:g} to {cells.most:g}, not from {note.least} to {note.most}"
    return ""

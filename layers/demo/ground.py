"""The ground of the invented towns as grids: what is paved, and how high it lies. Written as GeoTIFF.

Cells lie square on plan feet, so that a share or a slope can be worked out in the head.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import rasterio
from numpy.typing import NDArray
from rasterio.transform import from_origin
from shapely import box

from layers.demo.plan import COVERED, ORIGIN_M
from layers.demo.water import BASE_FLOOD_FT, BROOK_FT, FLOOD_SOUTH_FT
from spatial.units import FOOT_M

COVER_CELL_FT = 10.0
HEIGHT_CELL_FT = 20.0
IMPERVIOUS, GRASS = 2, 5
"""Codes of the land cover of 2016."""
GRADE = 0.06
"""Ground falls toward the brook by 6 ft in 100, from both sides."""
BARN_FLOOR = box(4_050.0, 2_620.0, 4_080.0, 2_640.0)
"""600 sq ft under the sample site on Mill Street."""
FARM_YARD = box(9_150.0, 2_750.0, 9_250.0, 2_800.0)
"""5,000 sq ft under the sample site on Quarry Road."""
PAVED = (
    box(0.0, 2_510.0, 12_000.0, 2_540.0),
    box(9_010.0, 0.0, 9_050.0, 5_000.0),
    BARN_FLOOR,
    FARM_YARD,
)
"""Mill Street, Quarry Road, and what stands on the sample sites."""


def write_ground(folder: Path) -> Iterator[tuple[str, Path]]:
    """Write land cover and elevation over all the demo covers; yield layer id and file of each."""
    yield "impervious", _write(folder / "land-cover-2016.tif", _cover(), COVER_CELL_FT, nodata=0)
    yield "elevation", _write(folder / "lidar-dem.tif", _heights_m(), HEIGHT_CELL_FT, nodata=-9_999.0, unit="metre")


def height_ft(north_ft: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
    """Return ground elevation at a plan y; at the edge of the flood zone it is the flood's.

    >>> round(float(height_ft(2_725.0)), 6)
    142.0
    """
    return BASE_FLOOD_FT + GRADE * (np.abs(north_ft - BROOK_FT) - (BROOK_FT - FLOOD_SOUTH_FT))


def _cover() -> NDArray[np.uint8]:
    x, y = _centres(COVER_CELL_FT)
    cells = np.full((len(y), len(x)), GRASS, dtype=np.uint8)
    for paved in PAVED:
        west, south, east, north = paved.bounds
        inside = np.ix_((y > south) & (y < north), (x > west) & (x < east))
        cells[inside] = IMPERVIOUS
    return cells


def _heights_m() -> NDArray[np.float32]:
    x, y = _centres(HEIGHT_CELL_FT)
    column = np.asarray(height_ft(y) * FOOT_M, dtype=np.float32)
    return np.repeat(column[:, None], len(x), axis=1)


def _centres(cell_ft: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the middles of columns (west to east) and of rows (north to south), in plan feet."""
    west, south, east, north = COVERED.bounds
    half = cell_ft / 2.0
    return np.arange(west + half, east, cell_ft), np.arange(north - half, south, -cell_ft)


def _write(
    path: Path, cells: NDArray[np.generic], cell_ft: float, *, nodata: float, unit: str | None = None
) -> Path:
    west, north = COVERED.bounds[0], COVERED.bounds[3]
    corner = ORIGIN_M[0] + west * FOOT_M, ORIGIN_M[1] + north * FOOT_M
    size = cell_ft * FOOT_M
    profile = {
        "driver": "GTiff", "count": 1, "dtype": cells.dtype.name, "nodata": nodata, "crs": "EPSG:26986",
        "height": cells.shape[0], "width": cells.shape[1], "transform": from_origin(*corner, size, size),
        "tiled": True, "blockxsize": 256, "blockysize": 256, "compress": "deflate",
    }  # fmt: skip
    with rasterio.open(path, "w", **profile) as out:
        out.write(cells, 1)
        if unit:
            out.set_band_unit(1, unit)
    return path

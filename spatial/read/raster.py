"""Read a window of one of our own rasters (GeoTIFF or COG); strangers' rasters are not read at all."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import rasterio
from pyproj import CRS
from rasterio.windows import Window, from_bounds
from shapely import box
from shapely.geometry.base import BaseGeometry

from spatial.crs import WORKING_CRS, reproject
from spatial.errors import CrsRefused, FormatRefused
from spatial.grid import Grid
from spatial.model import Area

MOST_CELLS = 9_000_000
"""A window of more cells is refused: 1.5 by 1.5 km of the finest lidar, some 500 MB while it is measured."""


def opened(path: Path) -> rasterio.DatasetReader:
    """Return a GeoTIFF opened for reading; whatever else it may be is refused by the driver.

    Raises
    ------
    FormatRefused
        It is no GeoTIFF, or is damaged.
    """
    try:
        return rasterio.open(path, driver="GTiff")
    except rasterio.errors.RasterioIOError as error:
        raise FormatRefused(
            f"{path.name} is no GeoTIFF that can be opened; convert it (gdal_translate)."
        ) from error


def window(path: Path, ground: Area, *, rim_cells: int = 1) -> Grid:
    """Return the cells under the bounds of ``ground`` (EPSG:26986) and ``rim_cells`` more on each side.

    Ground beyond the raster gives no cells; :mod:`spatial.measure.zonal` counts it as unknown. The grid is empty
    (0 x 0) when the raster lies elsewhere.

    Raises
    ------
    CrsRefused
        The raster has no coordinate system.
    FormatRefused
        The raster is turned or sheared, has more than one band, or the window more cells than ``MOST_CELLS``.
    """
    with opened(path) as raster:
        crs = check_layout(raster, path.name)
        inside = _inside(raster, reproject(box(*ground.bounds), WORKING_CRS, crs), rim_cells)
        if inside.width * inside.height > MOST_CELLS:
            raise FormatRefused(
                f"{inside.width * inside.height:,} cells of {path.name} lie under the site, more than "
                f"{MOST_CELLS:,}; ask about smaller ground.",
                code="too_complex",
            )
        band = raster.read(1, window=inside, masked=True)
        turn = raster.transform
        west, north = turn.c + turn.a * inside.col_off, turn.f + turn.e * inside.row_off
        valid = ~np.ma.getmaskarray(band) & np.isfinite(np.ma.getdata(band).astype(np.float64))
        values = np.where(valid, np.ma.getdata(band), 0).astype(np.float64)
        return Grid(values, valid, west, north, turn.a, -turn.e, crs)


def footprint(path: Path) -> Area:
    """Return the ground a raster spans, in EPSG:26986; ground without data inside it still counts as spanned."""
    with opened(path) as raster:
        outline = box(*raster.bounds).segmentize(1_000.0 * raster.transform.a)
        return reproject(outline, _system(raster, path.name))  # type: ignore[return-value]


def check_layout(raster: rasterio.DatasetReader, name: str) -> CRS:
    """Return the system of a raster that can be measured: one band, north-up, with a coordinate system."""
    crs, turn = _system(raster, name), raster.transform
    if turn.b or turn.d or turn.a <= 0 or turn.e >= 0:
        raise FormatRefused(f"{name} is not north-up; warp it to EPSG:26986 and add it again.")
    if raster.count != 1:
        raise FormatRefused(f"{name} has {raster.count} bands; give a raster with one.")
    return crs


def _system(raster: rasterio.DatasetReader, name: str) -> CRS:
    if raster.crs is None:
        raise CrsRefused(
            f"{name} has no coordinate system; declare it, such as --crs EPSG:26986.", code="crs_missing", file=name
        )
    return _parsed(raster.crs.to_wkt())


@lru_cache(maxsize=64)
def _parsed(wkt: str) -> CRS:
    """Return a system parsed once: every window of a raster has the same."""
    return CRS.from_wkt(wkt)


def _inside(raster: rasterio.DatasetReader, around: BaseGeometry, rim_cells: int) -> Window:
    asked = from_bounds(*around.bounds, transform=raster.transform)
    west = max(0, int(np.floor(asked.col_off)) - rim_cells)
    north = max(0, int(np.floor(asked.row_off)) - rim_cells)
    east = min(raster.width, int(np.ceil(asked.col_off + asked.width)) + rim_cells)
    south = min(raster.height, int(np.ceil(asked.row_off + asked.height)) + rim_cells)
    return Window(west, north, max(0, east - west), max(0, south - north))

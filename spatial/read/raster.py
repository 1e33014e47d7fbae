"""Read a window of one of our own rasters (GeoTIFF or COG); strangers' rasters are not read at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import rasterio
from pyproj import CRS
from rasterio.windows import Window, from_bounds
from shapely import box
from shapely.geometry.base import BaseGeometry

from spatial.crs import reproject
from spatial.errors import CrsRefused, FormatRefused
from spatial.model import Area
from spatial.zonal import Grid


def window(path: Path, ground: Area, *, rim_cells: int = 1) -> Grid:
    """Return the cells under the bounds of ``ground`` (EPSG:26986) and ``rim_cells`` more on each side.

    Ground beyond the raster gives no cells; :mod:`spatial.zonal` counts it as unknown. The grid is empty (0 x 0)
    when the raster lies elsewhere.

    Raises
    ------
    CrsRefused
        The raster has no coordinate system.
    FormatRefused
        The raster is turned or sheared, or has more than one band.
    """
    with rasterio.open(path) as raster:
        crs = _system(raster, path.name)
        _check_layout(raster, path.name)
        inside = _inside(raster, reproject(box(*ground.bounds), "EPSG:26986", crs), rim_cells)
        band = raster.read(1, window=inside, masked=True)
        turn = raster.transform
        west, north = turn.c + turn.a * inside.col_off, turn.f + turn.e * inside.row_off
        valid = ~np.ma.getmaskarray(band) & np.isfinite(np.ma.getdata(band).astype(np.float64))
        values = np.where(valid, np.ma.getdata(band), 0).astype(np.float64)
        return Grid(values, valid, west, north, turn.a, -turn.e, crs)


def footprint(path: Path) -> Area:
    """Return the ground a raster spans, in EPSG:26986; ground without data inside it still counts as spanned."""
    with rasterio.open(path) as raster:
        outline = box(*raster.bounds).segmentize(1_000.0 * raster.transform.a)
        return reproject(outline, _system(raster, path.name))  # type: ignore[return-value]


def _system(raster: rasterio.DatasetReader, name: str) -> CRS:
    if raster.crs is None:
        raise CrsRefused(f"{name} has no coordinate system; assign it (gdal_edit -a_srs) and add it again.")
    return CRS.from_wkt(raster.crs.to_wkt())


def _check_layout(raster: rasterio.DatasetReader, name: str) -> None:
    turn = raster.transform
    if turn.b or turn.d or turn.a <= 0 or turn.e >= 0:
        raise FormatRefused(f"{name} is not north-up; warp it to EPSG:26986 and add it again.")
    if raster.count != 1:
        raise FormatRefused(f"{name} has {raster.count} bands; give a raster with one.")


def _inside(raster: rasterio.DatasetReader, around: BaseGeometry, rim_cells: int) -> Window:
    asked = from_bounds(*around.bounds, transform=raster.transform)
    west = max(0, int(np.floor(asked.col_off)) - rim_cells)
    north = max(0, int(np.floor(asked.row_off)) - rim_cells)
    east = min(raster.width, int(np.ceil(asked.col_off + asked.width)) + rim_cells)
    south = min(raster.height, int(np.ceil(asked.row_off + asked.height)) + rim_cells)
    return Window(west, north, max(0, east - west), max(0, south - north))

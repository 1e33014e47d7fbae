"""Small rasters drawn in feet from the corner of the made layers, one character a cell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import rasterio
from layer_files import X, Y
from numpy.typing import ArrayLike, NDArray
from rasterio.transform import from_origin

from spatial.units import FOOT_M

NO_DATA = 255


def drawn(rows: Sequence[str]) -> NDArray[np.uint8]:
    """Return cells drawn north to south: ``.`` other cover (1), ``#`` impervious (2), a blank no data."""
    meaning = {".": 1, "#": 2, " ": NO_DATA}
    return np.array([[meaning[cell] for cell in row] for row in rows], dtype=np.uint8)


def write_raster(path: Path, cells: ArrayLike, *, cell_ft: float = 10.0, **profile: object) -> Path:
    """Write a GeoTIFF in EPSG:26986 whose south-west corner is that of the made layers."""
    values = np.asarray(cells)
    size = cell_ft * FOOT_M
    whole = {
        "driver": "GTiff",
        "width": values.shape[1],
        "height": values.shape[0],
        "count": 1,
        "dtype": values.dtype.name,
        "crs": "EPSG:26986",
        "transform": from_origin(X, Y + values.shape[0] * size, size, size),
        "nodata": NO_DATA if values.dtype == np.uint8 else -9999.0,
    } | profile
    with rasterio.open(path, "w", **whole) as out:
        for band in range(1, int(whole["count"]) + 1):  # type: ignore[call-overload]
            out.write(values, band)
    return path

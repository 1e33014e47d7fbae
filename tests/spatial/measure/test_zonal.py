"""Grids measured under ground whose shares are known by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio
from pyproj import CRS
from rasterio.transform import from_origin
from shapely import MultiPolygon, Polygon, box

from spatial.crs import reproject
from spatial.errors import CrsRefused, FormatRefused
from spatial.measure.zonal import Grid, class_share, elevation, slope, slope_percent
from spatial.read.raster import footprint, window
from spatial.units import FOOT_M

METRES = CRS("EPSG:26986")
WEST, NORTH = 217_000.0, 888_100.0
PAVED = {1}


def grid(values: object, *, valid: object = None, crs: CRS = METRES, cell: float = 10.0) -> Grid:
    cells = np.asarray(values, dtype=float)
    known = np.ones(cells.shape, dtype=bool) if valid is None else np.asarray(valid, dtype=bool)
    return Grid(cells, known, WEST, NORTH, cell, cell, crs)


def ground(west: float, south: float, east: float, north: float) -> Polygon:
    """Return a box given in metres from the grid's north-west corner, y downwards negative."""
    return box(WEST + west, NORTH + south, WEST + east, NORTH + north)


def test_a_cell_counts_by_the_share_of_it_that_lies_inside() -> None:
    cells = grid([[1, 0], [0, 0]])
    assert class_share(cells, ground(5, -10, 15, 0), PAVED).at_least_percent == pytest.approx(50.0)
    assert class_share(cells, ground(5, -15, 15, -5), PAVED).at_least_percent == pytest.approx(25.0)


def test_ground_without_data_is_unknown_not_zero() -> None:
    share = class_share(grid([[1, 0]], valid=[[True, False]]), ground(0, -10, 20, 0), PAVED)
    assert share.at_least_percent == pytest.approx(50.0)
    assert share.at_most_percent == pytest.approx(100.0)
    assert share.unknown_percent == pytest.approx(50.0)


def test_ground_beyond_the_grid_is_unknown() -> None:
    share = class_share(grid([[1, 1]]), ground(0, -10, 40, 0), PAVED)
    assert (share.at_least_percent, share.unknown_percent) == pytest.approx((50.0, 50.0))


def test_holes_and_parts_count() -> None:
    holed = Polygon(ground(0, -20, 20, 0).exterior, [ground(5, -5, 10, 0.0 - 1e-9).exterior])
    parts = MultiPolygon([ground(0, -10, 10, 0), ground(10, -20, 20, -10)])
    cells = grid([[1, 0], [0, 0]])
    assert class_share(cells, holed, PAVED).at_least_percent == pytest.approx(100 * 75 / 375, abs=1e-6)
    assert class_share(cells, parts, PAVED).at_least_percent == pytest.approx(50.0)


def test_a_plane_has_one_slope_everywhere() -> None:
    rows, columns = np.mgrid[0:8, 0:8]
    plane = grid(100 + 0.3 * columns - 0.4 * rows, cell=2.0)
    told = slope(plane, ground(3, -12, 12, -3))
    assert (told.least, told.mean, told.p90, told.most) == pytest.approx((25.0, 25.0, 25.0, 25.0))
    assert told.unknown_percent == pytest.approx(0.0, abs=1e-9)


def test_slope_is_the_same_in_feet() -> None:
    rows, _ = np.mgrid[0:6, 0:6]
    feet = Grid(rows * 1.0, np.ones((6, 6), bool), WEST / FOOT_M, NORTH / FOOT_M, 10.0, 10.0, CRS("EPSG:2249"))
    percent, known = slope_percent(feet, unit_m=FOOT_M)
    assert percent[known] == pytest.approx(10.0)


def test_no_slope_where_a_neighbour_is_missing() -> None:
    valid = np.ones((5, 5), bool)
    valid[2, 2] = False
    told = slope(grid(np.zeros((5, 5)), valid=valid), ground(10, -40, 40, -10))
    assert told.mean is None
    assert told.unknown_percent == pytest.approx(100.0)


def test_elevation_in_feet() -> None:
    told = elevation(grid([[30.0, 31.0]]), ground(0, -10, 15, 0))
    assert told.least == pytest.approx(30.0 / FOOT_M)
    assert told.most == pytest.approx(31.0 / FOOT_M)
    assert told.mean == pytest.approx((30.0 * 10 + 31.0 * 5) / 15 / FOOT_M)


def test_degrees_are_refused() -> None:
    with pytest.raises(CrsRefused, match="not a projected system"):
        slope(grid([[1.0]], crs=CRS("EPSG:4326")), ground(0, -10, 10, 0))


def write(path: Path, values: object, **more: object) -> Path:
    cells = np.asarray(values, dtype="float32")
    profile = {
        "driver": "GTiff",
        "width": cells.shape[1],
        "height": cells.shape[0],
        "count": 1,
        "dtype": "float32",
        "crs": "EPSG:26986",
        "transform": from_origin(WEST, NORTH, 10.0, 10.0),
        "nodata": -9999.0,
    } | more
    with rasterio.open(path, "w", **profile) as out:
        out.write(cells, 1)
    return path


def test_a_window_is_read_with_its_rim_and_its_gaps(tmp_path: Path) -> None:
    values = np.arange(100.0).reshape(10, 10)
    values[4, 5] = -9999.0
    seen = window(write(tmp_path / "z.tif", values), ground(41, -59, 59, -41))
    assert seen.values.shape == (4, 4)
    assert (seen.west, seen.north) == (WEST + 30, NORTH - 30)
    assert seen.values[0, 0] == 33.0
    assert not seen.valid[1, 2]
    assert seen.valid.sum() == 15


def test_a_window_beside_the_raster_is_all_unknown(tmp_path: Path) -> None:
    away = ground(5_000, -10, 5_010, 0)
    told = class_share(window(write(tmp_path / "z.tif", [[1.0]]), away), away, PAVED)
    assert (told.at_least_percent, told.unknown_percent) == (0.0, 100.0)


def test_the_footprint_is_in_the_working_system(tmp_path: Path) -> None:
    path = write(tmp_path / "z.tif", np.zeros((3, 2)))
    assert footprint(path).area == pytest.approx(600.0)


def test_a_raster_without_a_system_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "z.tif", [[1.0]], crs=None)
    with pytest.raises(CrsRefused, match="z.tif has no coordinate system"):
        window(path, ground(0, -10, 10, 0))


def test_a_raster_with_several_bands_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "z.tif", [[1.0]], count=2)
    with pytest.raises(FormatRefused, match="has 2 bands"):
        window(path, ground(0, -10, 10, 0))


@pytest.mark.shared
def test_lidar_slope_agrees_with_the_formula_cell_by_cell(shared: Path) -> None:
    """Washington's terrain is not ours to screen; its numbers are as good as any to hold a formula against."""
    path = shared / "data" / "dc_lidar" / "dtm.tif"
    with rasterio.open(path) as raster:
        z = raster.read(1).astype(float)
        crs = CRS.from_wkt(raster.crs.to_wkt())
        site = box(321_600.0, 4_297_600.0, 321_700.0, 4_297_700.0)
    seen = window(path, reproject(site, crs, "EPSG:26986"), rim_cells=1)
    percent, known = slope_percent(seen)
    column = round((seen.west - 321_498.0) / 2)
    row = round((4_298_018.0 - seen.north) / 2)
    for i, j in [(1, 1), (20, 30), (33, 7)]:
        b = z[row + i - 1 : row + i + 2, column + j - 1 : column + j + 2]
        east = (b[0, 2] + 2 * b[1, 2] + b[2, 2] - b[0, 0] - 2 * b[1, 0] - b[2, 0]) / 16
        north = (b[0, 0] + 2 * b[0, 1] + b[0, 2] - b[2, 0] - 2 * b[2, 1] - b[2, 2]) / 16
        assert known[i, j]
        assert percent[i, j] == pytest.approx(100 * np.hypot(east, north), rel=1e-6)

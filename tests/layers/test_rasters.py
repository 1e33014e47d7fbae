"""Raster editions: kept as they came or in tiles, refused when they cannot be measured, read near a site only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from layer_files import ON, X, Y, add, box_ft, make_here, write
from pyproj import CRS
from raster_files import drawn, write_raster
from rasterio.transform import Affine, from_origin

from layers.library import Library
from layers.manifest import Manifest
from spatial.case import Finding
from spatial.crs import reproject
from spatial.errors import MetesError
from spatial.facts import Facts
from spatial.model import SiteFeature, Submission, Town
from spatial.question import Question
from spatial.screen import measure
from spatial.units import FOOT_M

COVER = drawn(["###.......", "###.......", "###.......", "..........", "........  "])
"""100 by 50 ft: the north 30 ft of the west 30 ft are paved; the south-east 20 x 10 ft have no data."""


DEGREES = from_origin(-71.3, 42.3, 1e-4, 1e-4)
AT_SEA = from_origin(900_000.0, 900_000.0, 3.0, 3.0)


def cover(folder: Path, cells: np.ndarray = COVER, name: str = "cover.tif", **profile: object) -> Path:
    return write_raster(folder / name, cells, **profile)  # type: ignore[arg-type]


def findings(library: Library, site: shapely.Polygon, theme: str) -> Finding:
    snapshot = library.snapshot()
    work = Submission((SiteFeature("1", site, {}),), site)
    question = Question(work, (), Town(78, "dover", "Dover"), Facts({}), ON, {}, grids=snapshot.grids(site))
    case, _ = measure(question, snapshot.stack)
    return case.findings_of(theme)[0]


def refused(tmp_path: Path, layer_id: str, path: Path, **how: object) -> MetesError:
    with pytest.raises(MetesError) as caught:
        make_here(tmp_path, layer_id, path, **how)
    return caught.value


# ------------------------------------------------------------------------------------------------ editions


def test_cells_are_counted_and_the_ground_is_where_they_hold_data(library: Library, tmp_path: Path) -> None:
    made = add(library, "impervious", cover(tmp_path))
    assert (made.kind, made.count_in, made.count_kept) == ("raster", 50, 48)
    assert [(d.reason, d.count) for d in made.dropped] == [("cells without data", 2)]
    assert made.grid is not None
    assert (made.grid.values, made.grid.classes) == ({"1": 39, "2": 9}, (2,))
    assert made.coverage.area_sqft == pytest.approx(5_000.0)
    (edition,) = library.snapshot().rasters["impervious"]
    assert (
        edition.coverage.equals(box_ft(0, 0, 100, 50).normalize())
        or edition.coverage.symmetric_difference(box_ft(0, 0, 100, 50)).area < 1e-6
    )
    assert all(check.ok for check in library.verify("impervious"))


def test_ground_at_the_edge_without_data_is_not_covered(tmp_path: Path) -> None:
    made = make_here(tmp_path, "impervious", cover(tmp_path, drawn(["##..    ", "....    "])))
    assert made.coverage.area_sqft == pytest.approx(40 * 20)
    assert "cells without data inside it are counted as unknown" in made.coverage.how


def test_staff_may_say_what_it_covers_and_what_it_lacks_is_said(tmp_path: Path) -> None:
    asked = write(tmp_path / "asked.geojson", [box_ft(50, 0, 1_000, 500)], {"n": [1]})
    made = make_here(tmp_path, "impervious", cover(tmp_path), covers=str(asked))
    assert made.part == "asked"
    assert made.coverage.area_sqft == pytest.approx(50 * 50, abs=0.01)
    (remark,) = made.remarks
    assert remark.code == "grid_smaller"
    assert "leaves 10.8 acres" in remark.message  # (950 x 500 - 50 x 50) / 43,560


def test_a_raster_elsewhere_than_what_it_is_said_to_cover_is_refused(tmp_path: Path) -> None:
    asked = write(tmp_path / "asked.geojson", [box_ft(5_000, 0, 6_000, 500)], {"n": [1]})
    error = refused(tmp_path, "impervious", cover(tmp_path), covers=str(asked))
    assert "does not lie on" in error.detail


def test_a_small_or_tiled_file_is_kept_byte_for_byte(library: Library, tmp_path: Path) -> None:
    path = cover(tmp_path)
    made = add(library, "impervious", path)
    kept = next(f for f in made.files if f.name == "grid.tif")
    assert kept.sha256 == made.source.sha256


def test_a_large_file_in_strips_is_kept_in_tiles_with_the_same_cells(tmp_path: Path) -> None:
    values = (np.arange(700 * 800).reshape(700, 800) % 977).astype("float32")
    values[3, 5] = -9999.0
    path = write_raster(tmp_path / "strips.tif", values)
    made = make_here(tmp_path, "elevation", path)
    assert next(f for f in made.files if f.name == "grid.tif").sha256 != made.source.sha256
    with rasterio.open(tmp_path / "made" / "grid.tif") as kept:
        assert kept.block_shapes == [(256, 256)]
        assert kept.nodata == -9999.0
        assert np.array_equal(kept.read(1), values)
    assert made.count_kept == 700 * 800 - 1


def test_a_raster_larger_than_one_look_is_counted_whole(tmp_path: Path) -> None:
    """Two of 2,100 x 2,100 cells hold data, in opposite corners: looked at in four squares."""
    cells = np.full((2_100, 2_100), 255, "uint8")
    cells[3, 5], cells[2_090, 2_080] = 1, 2
    made = make_here(tmp_path, "impervious", cover(tmp_path, cells, tiled=True, blockxsize=256, blockysize=256))
    assert made.grid is not None
    assert (made.count_kept, made.grid.values) == (2, {"1": 1, "2": 1})
    assert made.coverage.area_sqft == pytest.approx((2_091 - 3) * 10 * (2_081 - 5) * 10, rel=1e-9)


def test_a_mask_beside_the_file_comes_along(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "cover.tif", COVER, nodata=None)
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=False), rasterio.open(path, "r+") as raster:
        raster.write_mask(COVER != 1)
    assert (tmp_path / "cover.tif.msk").exists()
    made = make_here(tmp_path, "impervious", path)
    assert made.count_kept == 11


def test_the_same_cells_read_otherwise_are_another_edition(library: Library, tmp_path: Path) -> None:
    first = add(library, "impervious", cover(tmp_path))
    second = add(library, "impervious", cover(tmp_path), mapping={"classes": "1,2"})
    assert first.edition != second.edition
    assert second.grid is not None
    assert second.grid.classes == (1, 2)
    assert library.rollback("impervious", first.edition).edition == first.edition


@pytest.mark.parametrize(
    ("cells", "how", "code", "said"),
    [
        (np.zeros((3, 3), "uint8"), {}, "bad_parameter", "holds 2, the class that counts; they hold 0."),
        (np.arange(100, dtype="uint8").reshape(10, 10), {}, "unsupported_format", "are no classes"),
        (COVER, {"mapping": {"classes": "two"}}, "bad_parameter", "no whole numbers"),
        (COVER, {"mapping": {"kind": "X"}}, "bad_parameter", "no 'kind' to map"),
        (np.full((3, 3), 255, "uint8"), {}, "unsupported_format", "No cell of cover.tif holds data"),
    ],
)  # fmt: skip
def test_cells_that_cannot_be_this_layer_are_refused(
    tmp_path: Path, cells: np.ndarray, how: dict[str, object], code: str, said: str
) -> None:
    error = refused(tmp_path, "impervious", cover(tmp_path, cells), **how)
    assert (error.code, said in error.detail) == (code, True), error.detail


def test_classes_that_no_cell_holds_are_taken_when_said_outright(tmp_path: Path) -> None:
    made = make_here(tmp_path, "impervious", cover(tmp_path, np.zeros((3, 3), "uint8")), mapping={"classes": "2"})
    assert [r.code for r in made.remarks] == ["nothing_counts"]


@pytest.mark.parametrize(
    ("profile", "code", "said"),
    [
        ({"crs": None}, "crs_missing", "has no coordinate system"),
        ({"crs": "EPSG:4326", "transform": DEGREES}, None, "no projected system"),
        ({"transform": AT_SEA}, "outside_area", "outside Massachusetts"),
        ({"transform": Affine(3.0, 0.1, X, 0.1, -3.0, Y)}, None, "not north-up"),
        ({"count": 2}, None, "has 2 bands"),
    ],
)  # fmt: skip
def test_a_raster_that_cannot_be_measured_is_refused(
    tmp_path: Path, profile: dict[str, object], code: str | None, said: str
) -> None:
    error = refused(tmp_path, "impervious", cover(tmp_path, **profile))
    assert said in error.detail
    assert code in (None, error.code)


def test_a_system_may_be_declared_only_where_the_file_has_none(tmp_path: Path) -> None:
    made = make_here(tmp_path, "impervious", cover(tmp_path, crs=None), crs="EPSG:26986")
    assert (made.crs_in, made.crs_source) == ("EPSG:26986", "declared")
    error = refused(tmp_path, "impervious", cover(tmp_path), crs="EPSG:2249")
    assert "leave --crs out" in error.detail


def test_a_text_that_is_called_tif_is_refused(tmp_path: Path) -> None:
    fake = tmp_path / "cover.tif"
    fake.write_text("<VRTDataset rasterXSize='1' rasterYSize='1'/>")
    assert refused(tmp_path, "impervious", fake).code == "unsupported_format"


@pytest.mark.parametrize(
    ("unit", "how", "kept"),
    [("metre", {}, "m"), ("US survey foot", {}, "ft"), (None, {"mapping": {"unit": "ft"}}, "ft"), (None, {}, "m")],
)
def test_heights_have_the_unit_that_the_file_or_staff_say(
    tmp_path: Path, unit: str | None, how: dict[str, object], kept: str
) -> None:
    path = write_raster(tmp_path / "dem.tif", np.full((4, 4), 10.0, "float32"))
    if unit:
        with rasterio.open(path, "r+") as raster:
            raster.set_band_unit(1, unit)
    made = make_here(tmp_path, "elevation", path, **how)
    assert made.grid is not None
    assert made.grid.unit == kept
    assert [r.code for r in made.remarks] == (["unit_assumed"] if not unit and not how else [])


def test_a_bare_foot_is_asked(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "dem.tif", np.full((4, 4), 10.0, "float32"))
    with rasterio.open(path, "r+") as raster:
        raster.set_band_unit(1, "foot")
    assert "say which unit" in refused(tmp_path, "elevation", path).detail


# ------------------------------------------------------------------------------------------------ questions


def test_a_site_is_measured_on_the_cells_of_the_edition(library: Library, tmp_path: Path) -> None:
    add(library, "impervious", cover(tmp_path))
    found = findings(library, box_ft(10, 10, 60, 40), "impervious")
    assert (found.status, found.coverage) == ("affected", "full")
    assert found.disturbance_sqft == pytest.approx(20 * 20, abs=1e-3)
    found = findings(library, box_ft(60, 0, 100, 40), "impervious")
    assert (found.status, found.coverage) == ("no_data", "partial")
    assert found.grid is not None
    assert found.grid.unknown_percent == pytest.approx(100 * 200 / 1_600, abs=1e-3)


def test_a_raster_in_another_system_gives_the_same_share(library: Library, tmp_path: Path) -> None:
    """The same paved ground drawn in cells of a US foot (EPSG:2249)."""
    moved = reproject(shapely.Point(X, Y), "EPSG:26986", "EPSG:2249")
    cells = np.full((50, 100), 1, "uint8")
    cells[:30, :30] = 2
    path = write_raster(
        tmp_path / "feet.tif",
        cells,
        crs="EPSG:2249",
        transform=from_origin(moved.x, moved.y + 50, 1, 1),
    )
    add(library, "impervious", path)
    found = findings(library, box_ft(10, 10, 60, 40), "impervious")
    assert found.percent_of_disturbance == pytest.approx(100 * 400 / 1_500, abs=0.01)


def test_no_edition_one_elsewhere_and_a_damaged_one(library: Library, tmp_path: Path) -> None:
    site = box_ft(10, 10, 60, 40)
    assert findings(library, site, "impervious").status == "not_checked"
    made = add(library, "impervious", cover(tmp_path))
    assert findings(library, box_ft(5_000, 0, 5_100, 50), "impervious").status == "no_data"
    grid = tmp_path / "data" / "layers" / "impervious" / made.part / made.edition / "grid.tif"
    grid.write_bytes(bytes(len(grid.read_bytes())))
    found = findings(Library(tmp_path / "data"), site, "impervious")
    assert found.status == "not_checked"
    assert "could not be read" in found.why
    failed = {check.name for check in library.verify("impervious") if not check.ok}
    assert failed == {"hashes", "counts"}


def test_a_changed_cell_is_found_by_verify(library: Library, tmp_path: Path) -> None:
    made = add(library, "impervious", cover(tmp_path))
    grid = tmp_path / "data" / "layers" / "impervious" / made.part / made.edition / "grid.tif"
    with rasterio.open(grid, "r+") as raster:
        cells = raster.read(1)
        cells[0, 0] = 255
        raster.write(cells, 1)
    failed = {check.name: check.detail for check in library.verify("impervious") if not check.ok}
    assert failed["counts"] == "47 cells hold data, 48 were written"
    assert "hashes" in failed


def test_two_tiles_side_by_side_answer_as_one(library: Library, tmp_path: Path) -> None:
    west, east = COVER[:, :5], COVER[:, 5:]
    add(library, "impervious", cover(tmp_path, west, "west.tif"))
    size = 10 * FOOT_M
    shifted = from_origin(X + 5 * size, Y + 5 * size, size, size)
    add(library, "impervious", cover(tmp_path, east, "east.tif", transform=shifted), mapping={"classes": "2"})
    found = findings(library, box_ft(10, 15, 80, 40), "impervious")
    assert (found.status, found.coverage) == ("affected", "full")
    assert found.disturbance_sqft == pytest.approx(20 * 20, abs=1e-3)


def test_nothing_of_rasters_is_loaded_where_none_is(library: Library, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from layers.library import Library; from shapely import box\n"
        f"s = Library(Path({str(tmp_path / 'data')!r})).snapshot(); s.grids(box(0, 0, 1, 1))\n"
        "import app.screening\n"
        "print([n for n in ('rasterio', 'exactextract') if n in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


@pytest.mark.shared
def test_lidar_moved_to_dover_has_the_slope_that_numpy_finds(
    library: Library, tmp_path: Path, shared: Path
) -> None:
    """Washington's ground laid where Dover is: its terrain is as good as any to hold a figure against."""
    with rasterio.open(shared / "data" / "dc_lidar" / "dtm.tif") as raster:
        z, nodata = raster.read(1), raster.nodata
        cell = raster.transform.a
    path = tmp_path / "dtm.tif"
    profile = {"transform": from_origin(X, Y, cell, cell), "nodata": nodata}
    write_raster(path, z.astype("float32"), **profile)  # type: ignore[arg-type]
    made: Manifest = add(library, "elevation", path, mapping={"unit": "m"})
    assert CRS(made.crs_in) == CRS("EPSG:26986")
    row, column, size = 100, 120, 40
    site = shapely.box(X + column * cell, Y - (row + size) * cell, X + (column + size) * cell, Y - row * cell)
    found = findings(library, site, "slope")
    b = z[row - 1 : row + size + 1, column - 1 : column + size + 1].astype(float)
    right = b[:-2, 2:] + 2 * b[1:-1, 2:] + b[2:, 2:]
    left = b[:-2, :-2] + 2 * b[1:-1, :-2] + b[2:, :-2]
    above = b[:-2, :-2] + 2 * b[:-2, 1:-1] + b[:-2, 2:]
    below = b[2:, :-2] + 2 * b[2:, 1:-1] + b[2:, 2:]
    percent = 100 * np.hypot((right - left) / (8 * cell), (above - below) / (8 * cell))
    inner = b[1:-1, 1:-1] / FOOT_M
    assert found.grid is not None
    told = found.grid
    assert told.slope_mean_percent == pytest.approx(percent.mean(), rel=1e-6)
    assert told.slope_max_percent == pytest.approx(percent.max(), rel=1e-6)
    assert told.slope_p90_percent == pytest.approx(np.sort(percent.ravel())[int(np.ceil(0.9 * percent.size)) - 1])
    assert (told.elevation_min_ft, told.elevation_max_ft) == pytest.approx((inner.min(), inner.max()))

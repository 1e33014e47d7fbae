"""The invented towns as drawn: the same for the same seed, without overlaps, and with every shape promised."""

from __future__ import annotations

import math
import random
import zipfile
from pathlib import Path

import pyogrio
import pytest
import shapely
from shapely import box

from layers.demo.districts import draw_districts
from layers.demo.habitat import draw_habitat
from layers.demo.level3 import write_level3
from layers.demo.lots import ENCLAVE, QUARRY_LOT, SAMPLE_LOT, Lot, draw_lots
from layers.demo.owners import ASSESS_FIELDS, assess_rows, loc_id
from layers.demo.plan import COVERED, DOVERBROOK, LYNNMERE, TOWNS, Sheet, placed
from layers.demo.samples import sample_sites
from layers.demo.water import draw_waters
from layers.demo.write import write_geojson, write_sheet, write_zipped_shapefile
from spatial.crs import MAINLAND_BOUNDS_M, reproject
from spatial.units import FOOT_M, sqft_from_sqm

SEED = 7


def _lots(seed: int = SEED) -> tuple[Lot, ...]:
    return draw_lots(random.Random(seed))


def _sheets(seed: int = SEED) -> dict[str, Sheet]:
    rng = random.Random(seed)
    return {sheet.layer_id: sheet for sheet in (*draw_districts(), *draw_waters(rng), *draw_habitat())}


def _trait(trait: str) -> Lot:
    (found,) = [lot for lot in _lots() if lot.trait == trait]
    return found


def test_same_seed_same_lots_other_seed_other_lots() -> None:
    assert [lot.shape.wkb for lot in _lots(1)] == [lot.shape.wkb for lot in _lots(1)]
    assert [lot.shape.wkb for lot in _lots(1)] != [lot.shape.wkb for lot in _lots(2)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_lots_never_overlap_and_leave_only_the_streets_free(seed: int) -> None:
    shapes = [lot.shape for lot in _lots(seed)]
    covered = shapely.union_all(shapes)
    assert sum(shape.area for shape in shapes) == pytest.approx(covered.area, abs=1e-3)
    # Mill Street and Back Street: 50 ft wide, 6,000 ft long
    assert DOVERBROOK.ground.difference(covered).area == pytest.approx(2 * 50 * 6_000)
    # Mill Street, and Quarry Road 60 ft wide from the railroad (660) to 5,000, less their crossing
    assert LYNNMERE.ground.difference(covered).area == pytest.approx(50 * 6_000 + 60 * 4_340 - 60 * 50)


def test_every_shape_that_was_promised_is_there() -> None:
    lots = _lots()
    assert {lot.poly_type for lot in lots} == {"FEE", "ROW", "PRIV_ROW", "RAIL_ROW", "WATER"}
    traits = {"corner lot", "flag lot", "through lot", "landlocked lot", "enclave", "condominium", "private way"}
    assert traits <= {lot.trait for lot in lots}


def test_through_lot_fronts_two_streets() -> None:
    shape = _trait("through lot").shape
    assert shape.touches(box(0, 2_500, 6_000, 2_550))
    assert shape.touches(box(0, 2_050, 6_000, 2_100))


def test_corner_lot_fronts_a_gap_and_a_drawn_way() -> None:
    shape = _trait("corner lot").shape
    row = next(lot.shape for lot in _lots() if lot.poly_type == "ROW" and lot.shape.bounds[1] == 2_550)
    assert shape.intersection(row).length == 250.0
    assert shape.intersection(box(0, 2_500, 6_000, 2_550)).length == 110.0


def test_flag_lot_has_a_pole_of_twenty_feet_and_landlocked_lot_no_frontage() -> None:
    street = box(0, 2_500, 6_000, 2_550)
    assert _trait("flag lot").shape.intersection(street).length == 20.0
    ways = shapely.union_all([street, *(lot.shape for lot in _lots() if lot.poly_type.endswith("ROW"))])
    assert _trait("landlocked lot").shape.distance(ways) > 100.0


def test_enclave_fills_the_hole_of_the_farm() -> None:
    farm = _trait("farm around the enclave").shape
    assert [hole.bounds for hole in farm.interiors] == [ENCLAVE.bounds]


def test_towns_lie_inside_the_mainland_zone() -> None:
    west, south, east, north = placed(COVERED).bounds
    assert MAINLAND_BOUNDS_M[0] < west < east < MAINLAND_BOUNDS_M[2]
    assert MAINLAND_BOUNDS_M[1] < south < north < MAINLAND_BOUNDS_M[3]
    assert all(town.id >= 900 and "(invented)" in town.name for town in TOWNS)


def test_loc_ids_are_unique_and_name_a_point_inside() -> None:
    lots = _lots()
    ids = [loc_id(lot) for lot in lots]
    assert len(set(ids)) == len(ids)
    for lot, name in zip(lots, ids, strict=True):
        x_ft, y_ft = (int(part) for part in name.split("_")[1:])
        assert placed(lot.shape).contains(shapely.Point(x_ft * FOOT_M, y_ft * FOOT_M))


def test_condominium_has_twelve_rows_and_public_ways_none() -> None:
    own = [lot for lot in _lots() if lot.town is DOVERBROOK]
    rows = [dict(zip(ASSESS_FIELDS, row, strict=True)) for row in assess_rows(DOVERBROOK, own, random.Random(1))]
    condominium = loc_id(_trait("condominium"))
    assert sum(row["LOC_ID"] == condominium for row in rows) == 12
    assert len({row["PROP_ID"] for row in rows}) == len(rows)
    without = {loc_id(lot) for lot in own if lot.poly_type in ("ROW", "WATER")}
    assert not without & {row["LOC_ID"] for row in rows}
    assert {loc_id(lot) for lot in own} - {row["LOC_ID"] for row in rows} == without


def test_lot_sizes_agree_with_the_polygons() -> None:
    own = [lot for lot in _lots() if lot.town is LYNNMERE]
    area = {loc_id(lot): lot.shape.area for lot in own}
    rows = [dict(zip(ASSESS_FIELDS, row, strict=True)) for row in assess_rows(LYNNMERE, own, random.Random(1))]
    ratios = [float(row["LOT_SIZE"]) * 43_560 / area[row["LOC_ID"]] for row in rows if row["LOC_ID"] in area]
    assert ratios == pytest.approx([1.0] * len(ratios), rel=0.001)


def test_level3_zip_reads_as_massgis_packs_it(tmp_path: Path) -> None:
    own = [lot for lot in _lots() if lot.town is DOVERBROOK]
    archive = write_level3(DOVERBROOK, own, random.Random(1), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["L3_SHP_M901_DOVERBROOK.zip"]
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    folder = tmp_path / "L3_SHP_M901_DOVERBROOK"
    drawn = pyogrio.read_info(folder / "M901TaxPar_CY25_FY26.shp")
    assert (drawn["features"], drawn["crs"]) == (len(own) + 1, "EPSG:26986")  # the condominium is stacked twice
    table = pyogrio.read_info(folder / "M901Assess_CY25_FY26.dbf")
    assert list(table["fields"]) == list(ASSESS_FIELDS)
    assert table["features"] == sum(lot.rows for lot in own) + 1  # and one row that no polygon has


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_layer_is_valid_and_inside_its_coverage(seed: int) -> None:
    for sheet in _sheets(seed).values():
        assert len(sheet.rows) == len(sheet.shapes)
        assert all(shape.is_valid and not shape.is_empty for shape in sheet.shapes), sheet.layer_id
        assert all(COVERED.buffer(1e-6).covers(shape) for shape in sheet.shapes), sheet.layer_id


def test_flood_zones_cover_everything_once_and_have_holes() -> None:
    sheet = _sheets()["floodplain"]
    assert sum(shape.area for shape in sheet.shapes) == pytest.approx(COVERED.area, rel=1e-9)
    base = sheet.shapes[0]
    assert len(shapely.get_rings(base)) - len(shapely.get_parts(base)) == 2
    assert sheet.rows[0][1:] == ("AE", None, "T", 142.0)


def test_watersheds_split_the_land_and_name_their_outlet() -> None:
    twelve, ten = _sheets()["huc12"], _sheets()["huc10"]
    assert sum(shape.area for shape in twelve.shapes) == pytest.approx(COVERED.area)
    codes = [str(row[0]) for row in twelve.rows]
    assert [row[2] for row in twelve.rows] == [*codes[1:], "OCEAN"]
    assert {code[:10] for code in codes} == {row[0] for row in ten.rows}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sample_site_keeps_its_distances_whatever_the_seed(seed: int) -> None:
    work = shapely.union_all([one.shape for one in sample_sites()[0].works])
    sheets = _sheets(seed)
    assert work.area == 3_000 + 4_200 - 600 + 2_400
    assert work.distance(sheets["wetlands"].shapes[0]) == 60.0
    flood = [
        s for s, row in zip(sheets["floodplain"].shapes, sheets["floodplain"].rows, strict=True) if row[3] == "T"
    ]
    assert work.distance(shapely.union_all(flood)) == 25.0
    # from the garden's north-east corner (4,100, 2,700) to the habitat's south-west one (5,200, 3,300)
    corner_to_corner = math.hypot(1_100, 600)
    assert work.distance(shapely.union_all(sheets["priority_habitat"].shapes)) == pytest.approx(corner_to_corner)
    assert SAMPLE_LOT.covers(work)


def test_second_site_is_over_an_acre_on_one_lot() -> None:
    work = shapely.union_all([one.shape for one in sample_sites()[1].works])
    assert work.area == 240 * 200 == 48_000
    assert QUARRY_LOT.covers(work)


def test_sample_files_carry_the_same_ground_in_three_systems(tmp_path: Path) -> None:
    works = sample_sites()[0].works
    files = {
        "EPSG:4326": write_geojson(tmp_path / "a.geojson", works),
        "EPSG:26986": write_zipped_shapefile(tmp_path / "b.zip", works),
        "EPSG:2249": write_zipped_shapefile(tmp_path / "c.zip", works, crs="EPSG:2249"),
    }
    for crs, path in files.items():
        info, _, shapes, fields = pyogrio.raw.read(path)
        assert info["crs"] == crs
        areas = [sqft_from_sqm(reproject(shape, crs).area) for shape in shapely.from_wkb(shapes)]
        assert areas == pytest.approx([3_000.0, 4_200.0, 2_400.0], abs=0.01)
        assert list(fields[list(info["fields"]).index("activity")]) == ["building", "grading", "clearing"]


def test_same_drawing_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        written.append([write_sheet(sheet, folder).read_bytes() for sheet in _sheets().values()])
    assert written[0] == written[1]

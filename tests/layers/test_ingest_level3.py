from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from layer_files import add, box_ft, make_here, town_file, wetlands, write
from level3_files import LOTS, write_level3

from layers.assess import AssessRow
from layers.ingest.coverage import closed_over_ways
from layers.ingest.features import Features
from layers.ingest.level3 import lot_size_sqft
from layers.library import Library, Manifest
from layers.parcels import ParcelBook
from spatial.errors import FormatRefused, ParameterRefused
from spatial.units import FOOT_M


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> tuple[Library, Manifest]:
    folder = tmp_path_factory.mktemp("level3")
    library = Library(folder / "data")
    return library, add(library, "parcels", write_level3(folder / "source"))


@pytest.fixture
def book(town: tuple[Library, Manifest]) -> ParcelBook:
    return town[0].snapshot().parcels


def test_a_town_is_read_with_its_number_and_year(town: tuple[Library, Manifest]) -> None:
    _, manifest = town
    assert (manifest.part, manifest.published) == ("dover", "FY2026")


def test_stacked_copies_are_one_lot(town: tuple[Library, Manifest]) -> None:
    _, manifest = town
    assert (manifest.count_in, manifest.count_kept, manifest.merged) == (8, 6, 2)


def test_every_row_is_kept_and_counted(town: tuple[Library, Manifest]) -> None:
    count = town[1].assess
    assert count is not None
    assert (count.rows, count.matched, count.unmatched, count.without_loc_id) == (8, 6, 2, 1)
    assert (count.parcels_without_row, count.repeated_prop_ids) == (2, 1)


def test_the_unmatched_rows_can_be_found(book: ParcelBook) -> None:
    assert sorted(r.prop_id for r in book.unmatched()) == ["9-8", "9-9"]


def test_a_condominium_has_many_rows(book: ParcelBook) -> None:
    rows = book.assess("F_3")
    assert [(r.prop_id, r.owner) for r in rows] == [("1-3-A", "OAK, CARL"), ("1-3-B", "FIR, DORA")]
    assert isinstance(rows[0], AssessRow)
    assert rows[0].fiscal_year == 2026


def test_a_lot_without_rows_has_none(book: ParcelBook) -> None:
    assert book.assess("F_5") == ()
    assert book.get("F_5").site_address is None


def test_the_type_of_polygon_is_kept(book: ParcelBook) -> None:
    assert {loc_id: book.get(loc_id).poly_type for loc_id in LOTS} == {i: kind for i, (_, kind) in LOTS.items()}


@pytest.mark.parametrize(
    ("loc_id", "size_sqft"),
    [
        ("F_1", 40_000.0),  # stated in square feet
        ("F_2", 0.92 * 43_560.0),  # stated in acres
        ("F_3", None),  # condominium rows say nothing of the lot
        ("F_4", 41_000.0),  # 5 acres cannot be; the other row can
        ("F_5", None),
    ],
)
def test_the_assessed_size_is_used_where_it_can_be_true(
    book: ParcelBook, loc_id: str, size_sqft: float | None
) -> None:
    assert book.get(loc_id).lot_size_sqft == (None if size_sqft is None else pytest.approx(size_sqft))


@pytest.mark.parametrize(
    ("size", "units", "drawn_sqft", "told"),
    [
        (1.0, "A", 43_560.0, 43_560.0),
        (1.0, None, 43_560.0, 43_560.0),
        (43_560.0, "A", 43_560.0, 43_560.0),
        (1.0, "S", 43_560.0, 43_560.0),
        (0.8, "A", 43_560.0, 0.8 * 43_560.0),
        (0.79, "A", 43_560.0, None),
        (1.25, "A", 43_560.0, 1.25 * 43_560.0),
        (1.26, "A", 43_560.0, None),
        (1.0, "A", 0.0, None),
    ],
)
def test_units_of_lots_are_checked_against_the_ground(
    size: float, units: str | None, drawn_sqft: float, told: float | None
) -> None:
    assert lot_size_sqft(size, units, drawn_sqft) == told


@pytest.mark.parametrize("form", ["shp", "gdb"])
@pytest.mark.parametrize("suffix", ["", "_CY25_FY26"])
def test_both_forms_and_older_names_give_the_same(
    tmp_path: Path, town: tuple[Library, Manifest], form: str, suffix: str
) -> None:
    other = Library(tmp_path / "data")
    add(other, "parcels", write_level3(tmp_path / "source", form=form, suffix=suffix))
    mine, theirs = other.snapshot().parcels, town[0].snapshot().parcels
    for loc_id in LOTS:
        assert mine.assess(loc_id) == theirs.assess(loc_id)
        # a geodatabase keeps tenths of a millimetre
        assert shapely.hausdorff_distance(mine.get(loc_id).geometry, theirs.get(loc_id).geometry) < 2e-4


def test_the_way_between_the_lots_is_covered(town: tuple[Library, Manifest]) -> None:
    (frame,) = town[0].frame("parcels")
    # 600 by 450 ft: both rows of lots and the 50 ft way between them, less a bow of 3.2 ft at its open ends
    assert 600 * 450 - 2 * 50 * 3.2 < frame.coverage.area / FOOT_M**2 < 600 * 450
    assert frame.coverage.covers(box_ft(10, 201, 590, 249))


def lots(*shapes: shapely.Polygon) -> Features:
    return Features(np.array(shapes, dtype=object), {})


def test_a_gap_wider_than_a_way_stays_open() -> None:
    apart = closed_over_ways(lots(box_ft(0, 0, 500, 500), box_ft(900, 0, 1400, 500)))
    assert apart.area / FOOT_M**2 == pytest.approx(2 * 250_000, rel=1e-3)
    assert not apart.intersects(box_ft(650, 200, 750, 300))


def test_a_hole_inside_the_town_is_the_towns() -> None:
    ring = box_ft(0, 0, 3_000, 3_000).difference(box_ft(1_000, 1_000, 2_000, 2_000))
    assert closed_over_ways(lots(ring)).area / FOOT_M**2 == pytest.approx(9_000_000, rel=1e-6)


def test_coverage_never_reaches_past_the_outer_lots() -> None:
    shape = closed_over_ways(lots(box_ft(0, 0, 500, 500)))
    assert shape.difference(box_ft(0, 0, 500, 500)).area < 1e-6


def test_the_towns_own_polygon_is_covered_when_it_is_loaded(tmp_path: Path) -> None:
    library = Library(tmp_path / "data")
    add(library, "towns", town_file(tmp_path / "towns.gpkg", [(78, "DOVER", box_ft(-500, -500, 1_000, 1_000))]))
    manifest = add(library, "parcels", write_level3(tmp_path / "source"))
    assert "layer 'towns'" in manifest.coverage.how
    assert manifest.coverage.area_sqft == pytest.approx(1_500**2, rel=1e-6)


def test_parcels_that_are_no_level3_town_must_say_what_they_cover(tmp_path: Path) -> None:
    path = write(tmp_path / "lots.geojson", [box_ft(0, 0, 9, 9)], {"PARCEL": ["A"]})
    with pytest.raises(ParameterRefused, match="--covers") as caught:
        make_here(tmp_path, "parcels", path, mapping={"loc_id": "PARCEL"}, crs="EPSG:26986")
    assert caught.value.code == "bad_parameter"


def test_a_joined_file_gives_lots_and_rows(tmp_path: Path) -> None:
    lot = box_ft(0, 0, 200, 200)
    columns = {
        "PARCEL": ["A", "A", "B"],
        "PROP_ID": ["1", "2", "3"],
        "MAIL": ["ELM, ANNA", "ASH, BEN", "OAK, CARL"],
        "TOWN": ["DOVER", "DOVER", "WELLESLEY"],
    }
    path = write(tmp_path / "joined.gpkg", [lot, lot, box_ft(300, 0, 400, 100)], columns)
    library = Library(tmp_path / "data")
    manifest = add(library, "parcels", path, covers="bounds", mapping={"loc_id": "PARCEL", "owner": "MAIL"})
    parcels = library.snapshot().parcels
    assert (manifest.count_in, manifest.count_kept, manifest.merged) == (3, 2, 1)
    assert [r.owner for r in parcels.assess("A")] == ["ELM, ANNA", "ASH, BEN"]
    assert [parcels.get(i).town_id for i in ("A", "B")] == [78, 317]


def test_rows_in_a_file_of_their_own_are_joined(tmp_path: Path) -> None:
    lots_file = write(tmp_path / "lots.gpkg", [box_ft(0, 0, 9, 9)], {"LOC_ID": ["A"], "TOWN_ID": [78]})
    rows = write(tmp_path / "rows.dbf", None, {"PROP_ID": ["1"], "LOC_ID": ["A"], "OWNER1": ["ELM, ANNA"]})
    library = Library(tmp_path / "data")
    add(library, "parcels", lots_file, covers="bounds", assess=rows)
    assert [r.owner for r in library.snapshot().parcels.assess("A")] == ["ELM, ANNA"]


def test_two_towns_in_one_level3_file_are_refused(tmp_path: Path) -> None:
    path = write(
        tmp_path / "L3_TAXPAR_POLY.gpkg",
        [box_ft(0, 0, 9, 9), box_ft(20, 0, 29, 9)],
        {"LOC_ID": ["A", "B"], "TOWN_ID": [78, 317]},
        layer="L3_TAXPAR_POLY",
    )
    with pytest.raises(FormatRefused, match="2 towns"):
        make_here(tmp_path, "parcels", path)


def test_several_towns_stand_side_by_side(tmp_path: Path) -> None:
    library = Library(tmp_path / "data")
    add(library, "parcels", write_level3(tmp_path / "a"))
    other = write(
        tmp_path / "M317TaxPar.gpkg",
        [box_ft(700, 0, 800, 100)],
        {"LOC_ID": ["F_9"], "TOWN_ID": [317]},
        layer="M317TaxPar",
    )
    add(library, "parcels", other)
    assert [f.ref.part for f in library.frame("parcels")] == ["dover", "wellesley"]
    assert len(library.snapshot().parcels) == 7


def test_a_polygon_without_an_id_is_dropped_with_a_count(tmp_path: Path) -> None:
    path = write(tmp_path / "lots.gpkg", [box_ft(0, 0, 9, 9), box_ft(20, 0, 29, 9)], {"LOC_ID": ["A", None]})
    manifest = make_here(tmp_path, "parcels", path, covers="bounds")
    assert [(d.reason, d.count) for d in manifest.dropped] == [("polygon without LOC_ID", 1)]


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("F_4", ["F_4"]),
        ("1-4", ["F_4"]),
        ("0 mill", ["F_1"]),
        ("MILL", ["F_1", "F_2", "F_3", "F_4"]),
        ("elm", []),  # an owner is not searched
        ("nowhere", []),
    ],
)
def test_parcels_are_found_by_what_a_person_types(book: ParcelBook, q: str, found: list[str]) -> None:
    assert sorted(p.loc_id for p in book.search(q)) == found


def test_parcels_are_found_by_place_and_limit(book: ParcelBook) -> None:
    corner = box_ft(0, 0, 210, 100).bounds
    assert sorted(p.loc_id for p in book.search(bbox=corner)) == ["F_1", "F_2"]
    assert len(book.search(bbox=corner, limit=1)) == 1
    assert book.search(bbox=box_ft(5_000, 0, 5_100, 100).bounds) == ()
    assert len(book.search()) == 6


def test_an_unknown_parcel_is_refused_by_what_is_loaded(book: ParcelBook) -> None:
    with pytest.raises(ParameterRefused, match=r"F_77.*dover") as caught:
        book.get("F_77")
    assert caught.value.code == "parcel_unknown"
    with pytest.raises(ParameterRefused):
        book.assess("F_77")


def test_wetlands_are_no_parcels(tmp_path: Path) -> None:
    with pytest.raises(FormatRefused, match="loc_id"):
        make_here(tmp_path, "parcels", wetlands(tmp_path / "w.gpkg", [box_ft(0, 0, 9, 9)]))

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import date, timedelta
from pathlib import Path

import geopandas
import pytest
import shapely
from layer_files import ON, add, box_ft, make_here, pack, town_file, wetlands, write

from layers.catalog import catalog_of, load_specs
from layers.editions import ASIDE
from layers.library import AddRequest, Library
from spatial.errors import FormatRefused, GeometryRefused, NotFound, ParameterRefused, Unavailable
from spatial.units import FOOT_M


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "data")


@pytest.fixture
def covers(tmp_path: Path) -> str:
    """A coverage of 1,000 by 1,000 ft, as a file."""
    return str(write(tmp_path / "ground.gpkg", [box_ft(0, 0, 1_000, 1_000)], {"n": [1]}))


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with wetlands editions of one, four and nine features, nine in force, and a layer beside."""
    folder = tmp_path_factory.mktemp("stock")
    ground = str(write(folder / "ground.gpkg", [box_ft(0, 0, 1_000, 1_000)], {"n": [1]}))
    library = Library(folder / "data")
    for n, name in ((1, "one"), (2, "four"), (3, "nine")):
        add(library, "wetlands", wetlands(folder / f"{name}.gpkg", grid(n)), covers=ground, edition=name)
    add(library, "acec", write(folder / "b.gpkg", [box_ft(0, 0, 9, 9)], {"NAME": ["x"]}), covers=ground)
    return folder / "data"


@pytest.fixture
def stocked(stock: Path, tmp_path: Path) -> Library:
    """A copy of the stock, to change."""
    return Library(Path(shutil.copytree(stock, tmp_path / "data")))


def grid(n: int) -> list[shapely.Polygon]:
    return [box_ft(x * 20, y * 20, x * 20 + 10, y * 20 + 10) for x in range(n) for y in range(n)]


def test_an_empty_folder_has_every_layer_absent_and_says_why(library: Library) -> None:
    snapshot = library.snapshot()
    assert len(snapshot.layers) == len(library.catalog.specs)
    assert {s.absent for s in snapshot.layers} == {"no edition is loaded"}
    assert snapshot.frame("wetlands") == ()
    assert snapshot.stack.absent["wetlands"] == "no edition is loaded"


def test_looking_makes_nothing_on_disk(tmp_path: Path) -> None:
    library = Library(tmp_path / "data")
    library.snapshot()
    assert library.editions("wetlands") == ()
    assert library.verify() == ()
    assert not (tmp_path / "data").exists()


def test_an_added_layer_is_in_the_next_snapshot(library: Library, tmp_path: Path, covers: str) -> None:
    before = library.snapshot()
    manifest = add(
        library, "WETLANDSDEP_POLY", wetlands(tmp_path / "w.gpkg", [box_ft(0, 0, 100, 100)]), covers=covers
    )
    (frame,) = library.frame("wetlands")
    assert (manifest.layer_id, manifest.part, manifest.count_in, manifest.count_kept) == (
        "wetlands",
        "ground",
        1,
        1,
    )
    assert frame.attributes["code"].tolist() == ["SS"]
    assert frame.labels.tolist() == ["SHRUB SWAMP"]
    assert frame.accuracy_ft.tolist() == [pytest.approx(13.889, abs=1e-3)]
    assert frame.coverage.area / FOOT_M**2 == pytest.approx(1_000_000)
    assert before.frame("wetlands") == ()


def test_the_files_are_geoparquet_that_others_read(stock: Path) -> None:
    table = geopandas.read_parquet(stock / "layers/wetlands/ground/nine/features.parquet")
    assert (table.crs.to_epsg(), len(table), table.geometry.is_valid.all()) == (26986, 9, True)
    assert table["code"].tolist() == ["SS"] * 9


def test_rings_are_made_when_the_edition_is_made(library: Library, tmp_path: Path, covers: str) -> None:
    add(library, "wetlands", wetlands(tmp_path / "w.gpkg", [box_ft(400, 400, 500, 500)]), covers=covers)
    rings = library.frame("wetlands")[0].zones["buffer_zone"]
    inner = rings.to_ft == 25
    # a 100 ft square grown by 25 ft, less the square: four strips and a full circle of corners
    assert shapely.area(rings.geometry[inner]).sum() / FOOT_M**2 == pytest.approx(
        4 * 2_500 + 3.14159 * 625, rel=1e-3
    )
    assert sorted(set(rings.to_ft.tolist())) == [25, 50, 100, 150, 200]


def test_a_big_polygon_is_cut_and_its_edges_are_real(library: Library, tmp_path: Path, covers: str) -> None:
    big = shapely.Point(*box_ft(500, 500, 501, 501).centroid.coords[0]).buffer(400 * FOOT_M, quad_segs=500)
    add(library, "priority_habitat", write(tmp_path / "h.gpkg", [big], {"PRIHAB_ID": ["PH 1"]}), covers=covers)
    (frame,) = library.frame("priority_habitat")
    assert len(frame.pieces.geometry) >= 8
    assert shapely.area(frame.pieces.geometry).sum() == pytest.approx(big.area, rel=1e-9)
    assert shapely.length(frame.edges.geometry).sum() == pytest.approx(big.length, rel=1e-9)


def test_the_same_file_twice_is_one_edition(library: Library, tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "w.gpkg", [box_ft(0, 0, 100, 100)])
    first, again = (add(library, "wetlands", path, covers=covers) for _ in range(2))
    assert first.edition == again.edition
    assert len(library.editions("wetlands")) == 1


def test_a_name_is_not_given_twice(library: Library, tmp_path: Path, covers: str) -> None:
    add(library, "wetlands", wetlands(tmp_path / "a.gpkg", [box_ft(0, 0, 9, 9)]), covers=covers, edition="E1")
    with pytest.raises(ParameterRefused, match="'E1'") as caught:
        add(library, "wetlands", wetlands(tmp_path / "b.gpkg", [box_ft(5, 0, 9, 9)]), covers=covers, edition="E1")
    assert caught.value.code == "conflict"


@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", "", "x" * 90])
def test_an_edition_name_cannot_leave_its_folder(library: Library, tmp_path: Path, covers: str, name: str) -> None:
    with pytest.raises(ParameterRefused):
        add(
            library,
            "wetlands",
            wetlands(tmp_path / "w.gpkg", [box_ft(0, 0, 9, 9)]),
            covers=covers,
            edition=name or " ",
        )
    assert library.frame("wetlands") == ()


def test_an_older_edition_can_be_put_back(stocked: Library) -> None:
    assert len(stocked.frame("wetlands")[0]) == 9
    assert stocked.rollback("wetlands", "one").edition == "one"
    assert len(stocked.frame("wetlands")[0]) == 1
    assert {m.edition for m in stocked.editions("wetlands")} == {"one", "four", "nine"}


def test_an_edition_that_is_not_kept_cannot_be_put_back(stocked: Library) -> None:
    with pytest.raises(NotFound, match="ground/four, ground/nine, ground/one"):
        stocked.rollback("wetlands", "ten")


def test_a_name_in_two_parts_must_be_told_apart(library: Library, tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "a.gpkg", [box_ft(0, 0, 9, 9)])
    for part in ("east", "west"):
        add(library, "wetlands", path, covers=covers, edition="E1", part=part)
    with pytest.raises(ParameterRefused, match="east/E1, west/E1"):
        library.rollback("wetlands", "E1")
    assert library.rollback("wetlands", "west/E1").part == "west"


def test_a_damaged_edition_is_not_put_back(stocked: Library, tmp_path: Path) -> None:
    damaged = tmp_path / "data/layers/wetlands/ground/one/features.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"X")
    with pytest.raises(Unavailable, match="one.*no longer stands its checks.*again"):
        stocked.rollback("wetlands", "one")
    assert stocked.current("wetlands")[0].edition == "nine"


def test_checks_find_one_changed_byte(stocked: Library, tmp_path: Path) -> None:
    assert all(c.ok for c in stocked.verify())
    coverage = tmp_path / "data/layers/wetlands/ground/one/coverage.parquet"
    data = bytearray(coverage.read_bytes())
    data[len(data) // 2] ^= 1
    coverage.write_bytes(bytes(data))
    failed = [c for c in stocked.verify("wetlands") if not c.ok]
    assert failed[0].name == "hashes"
    assert "coverage.parquet" in failed[0].detail


def test_a_specification_that_grew_makes_no_kept_edition_worse(stocked: Library) -> None:
    """An update adds a column to the layer: what was whole stays whole, and can be gone back to."""
    ours = load_specs()
    spec = ours.spec("wetlands")
    grown = spec.model_copy(update={"fields": {**spec.fields, "quaking": spec.fields["code"]}})
    later = Library(stocked.data, catalog_of([grown if s.id == spec.id else s for s in ours.specs.values()]))
    assert all(check.ok for check in later.verify("wetlands"))
    assert later.rollback("wetlands", "one").edition == "one"
    assert later.snapshot().status("wetlands").failed is None


@pytest.mark.parametrize("harm", ["gone", "cut", "no manifest", "bad manifest", "pointer"])
def test_a_damaged_layer_is_absent_with_the_reason_and_others_stay(
    stocked: Library, tmp_path: Path, harm: str
) -> None:
    part = tmp_path / "data/layers/wetlands/ground"
    features, manifest = part / "nine/features.parquet", part / "nine/manifest.json"
    if harm == "gone":
        features.unlink()
    elif harm == "cut":
        features.write_bytes(features.read_bytes()[:-100])
    elif harm == "no manifest":
        manifest.unlink()
    elif harm == "bad manifest":
        manifest.write_text("{}")
    else:
        (part / "current").write_text("../../../etc\n")
    snapshot = stocked.snapshot()
    absent = snapshot.status("wetlands").absent
    assert absent is not None
    assert "could not be opened" in absent
    assert str(tmp_path) not in absent
    assert snapshot.stack.absent["wetlands"] == absent
    assert len(snapshot.frame("acec")) == 1


def test_a_running_library_sees_what_another_one_added(stocked: Library, tmp_path: Path, covers: str) -> None:
    running = Library(tmp_path / "data")
    first = running.snapshot()
    assert running.snapshot() is first
    add(stocked, "wetlands", wetlands(tmp_path / "c.gpkg", grid(4)), covers=covers)
    second = running.snapshot()
    assert len(second.frame("wetlands")[0]) == 16
    assert second.frame("acec")[0] is first.frame("acec")[0], "what did not change is not opened again"
    assert len(first.frame("wetlands")[0]) == 9, "a snapshot in use does not change"


def test_no_request_fails_while_editions_are_swapped(stocked: Library, tmp_path: Path) -> None:
    running, seen, wrong, stop = Library(tmp_path / "data"), set(), [], threading.Event()
    running.snapshot()

    def ask() -> None:
        while not stop.is_set():
            try:
                (frame,) = running.snapshot().frame("wetlands")
                seen.add((frame.ref.edition, len(frame), len(frame.pieces.geometry)))
            except Exception as error:
                wrong.append(error)

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for i in range(30):
        stocked.rollback("wetlands", "four" if i % 2 else "nine")
        time.sleep(0.01)
    stop.set()
    for asker in askers:
        asker.join()
    assert wrong == []
    assert seen == {("four", 4, 4), ("nine", 9, 9)}


def test_an_edition_without_features_is_an_honest_negative(library: Library, tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "none.gpkg", [], geometry_type="Polygon")
    manifest = add(library, "wetlands", path, covers=covers)
    (frame,) = library.frame("wetlands")
    assert (manifest.count_in, manifest.count_kept, len(frame)) == (0, 0, 0)
    assert library.snapshot().status("wetlands").absent is None
    assert all(c.ok for c in library.verify())


@pytest.mark.parametrize("covers", [None, "bounds", "features"])
def test_an_edition_without_features_must_say_its_ground(tmp_path: Path, covers: str | None) -> None:
    path = wetlands(tmp_path / "none.gpkg", [], geometry_type="Polygon")
    with pytest.raises(ParameterRefused):
        make_here(tmp_path, "wetlands", path, covers=covers)


def test_watersheds_without_features_must_say_their_ground(tmp_path: Path) -> None:
    path = write(tmp_path / "none.gpkg", [], {"HUC12": []}, geometry_type="Polygon")
    with pytest.raises(ParameterRefused, match="--covers"):
        make_here(tmp_path, "huc12", path)


def test_a_layer_that_tiles_the_ground_covers_its_features(library: Library, tmp_path: Path) -> None:
    shapes = [box_ft(0, 0, 100, 100), box_ft(100, 0, 200, 100)]
    manifest = add(
        library, "huc12", write(tmp_path / "h.gpkg", shapes, {"HUC12": ["010900010101", "010900010102"]})
    )
    assert (manifest.part, manifest.coverage.area_sqft) == ("state", pytest.approx(20_000))
    assert library.frame("huc12")[0].ids.tolist() == ["010900010101", "010900010102"]


def test_a_town_or_the_state_is_covered_by_the_towns_loaded(library: Library, tmp_path: Path) -> None:
    rows = [(78, "DOVER", box_ft(0, 0, 500, 500)), (317, "WELLESLEY", box_ft(500, 0, 900, 500))]
    path = wetlands(tmp_path / "w.gpkg", [box_ft(0, 0, 9, 9)])
    for how in ("town:dover", "state"):
        with pytest.raises(ParameterRefused, match="layer 'towns'"):
            add(library, "wetlands", path, covers=how)
    add(library, "towns", town_file(tmp_path / "towns.gpkg", rows))
    town, state = (add(library, "wetlands", path, covers=how) for how in ("town:78", "state"))
    assert (town.part, town.coverage.area_sqft) == ("dover", pytest.approx(250_000))
    assert (state.part, state.coverage.area_sqft) == ("state", pytest.approx(450_000))


def test_coverage_by_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterRefused, match=r"nowhere\.geojson"):
        make_here(
            tmp_path, "wetlands", wetlands(tmp_path / "w.gpkg", grid(1)), covers=str(tmp_path / "nowhere.geojson")
        )


def test_a_refused_file_leaves_the_edition_before(stocked: Library, tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "far.gpkg", [shapely.box(900_000, 0, 900_009, 9)])
    with pytest.raises(GeometryRefused, match="outside Massachusetts"):
        add(stocked, "wetlands", path, covers=covers)
    assert len(stocked.frame("wetlands")[0]) == 9
    assert list((tmp_path / "data/layers" / ASIDE).iterdir()) == []


def test_another_count_than_the_source_says_is_refused(tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "a.gpkg", grid(2))
    with pytest.raises(FormatRefused, match="5 features, the file 4") as caught:
        make_here(tmp_path, "wetlands", path, covers=covers, count_expected=5)
    assert caught.value.code == "incomplete_source"


def test_several_layers_must_be_told_apart(tmp_path: Path, covers: str) -> None:
    path = tmp_path / "two.gpkg"
    wetlands(path, grid(1), layer="one")
    wetlands(path, grid(2), layer="two")
    with pytest.raises(FormatRefused) as caught:
        make_here(tmp_path, "wetlands", path, covers=covers)
    assert (caught.value.code, caught.value.suggestions) == ("several_layers", ("one", "two"))
    assert make_here(tmp_path, "wetlands", path, covers=covers, source_layer="TWO").count_kept == 4


def test_the_agencys_own_layer_name_is_found_among_several(tmp_path: Path, covers: str) -> None:
    path = tmp_path / "two.gpkg"
    wetlands(path, grid(1), layer="WETLANDSDEP_POLY")
    wetlands(path, grid(2), layer="other")
    manifest = make_here(tmp_path, "wetlands", path, covers=covers)
    assert manifest.count_kept == 1
    assert [r.code for r in manifest.remarks] == ["other_layers"]


def test_a_virtual_dataset_is_not_opened(library: Library, tmp_path: Path, covers: str) -> None:
    real = wetlands(tmp_path / "real.gpkg", grid(1))
    layer = f'<OGRVRTLayer name="real"><SrcDataSource>{real}</SrcDataSource></OGRVRTLayer>'
    (tmp_path / "w.geojson").write_text(f"<OGRVRTDataSource>{layer}</OGRVRTDataSource>")
    with pytest.raises(FormatRefused, match="damaged or of a format"):
        add(library, "wetlands", tmp_path / "w.geojson", covers=covers)


def test_a_layer_that_finds_nothing_says_so(tmp_path: Path, covers: str) -> None:
    path = write(tmp_path / "f.gpkg", [box_ft(0, 0, 9, 9)], {"FLD_ZONE": ["X"], "SFHA_TF": ["F"]})
    assert "nothing_counts" in {r.code for r in make_here(tmp_path, "floodplain", path, covers=covers).remarks}


def test_a_much_smaller_edition_says_so(stocked: Library, tmp_path: Path, covers: str) -> None:
    manifest = add(stocked, "wetlands", wetlands(tmp_path / "b.gpkg", grid(1)), covers=covers)
    assert "fewer_features" in {r.code for r in manifest.remarks}


def test_staleness_is_measured_on_the_day_asked(library: Library, tmp_path: Path, covers: str) -> None:
    path = write(tmp_path / "f.gpkg", [box_ft(0, 0, 9, 9)], {"FLD_ZONE": ["AE"], "SFHA_TF": ["T"]})
    add(library, "floodplain", path, covers=covers, retrieved=date(2026, 1, 1))
    (part,) = library.snapshot().status("floodplain").parts
    assert not part.stale_on(date(2026, 1, 1) + timedelta(days=400))
    assert part.stale_on(date(2026, 1, 1) + timedelta(days=401))


def test_a_broken_town_file_keeps_the_last_good_ones(library: Library, tmp_path: Path) -> None:
    towns = tmp_path / "data/towns"
    towns.mkdir(parents=True)
    (towns / "hollow.toml").write_text('[town]\nid = 901\nname = "Hollow"\ninvented = true\n')
    assert library.snapshot().towns.find("hollow").id == 901
    (towns / "hollow.toml").write_text("[town\n")
    after = library.snapshot()
    assert after.towns.find("hollow").id == 901
    assert "hollow.toml" in after.failures[0]


def test_the_web_process_does_not_load_gdal() -> None:
    heavy = ("pyogrio", "rasterio", "geopandas", "fiona")
    code = f"import sys, layers.library; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


_IMPORT = """
import sys
from datetime import date
from pathlib import Path
from layers.library import AddRequest, Library
print("begun", flush=True)
Library(Path(sys.argv[1])).add(AddRequest("wetlands", Path(sys.argv[2]), date(2026, 11, 30), covers=sys.argv[3]))
print("done", flush=True)
"""


@pytest.mark.parametrize("after_s", [0.0, 0.3, 0.7, 1.1])
def test_a_killed_import_leaves_the_old_edition(
    stocked: Library, tmp_path: Path, covers: str, after_s: float
) -> None:
    bigger = wetlands(tmp_path / "b.gpkg", grid(20))
    running = subprocess.Popen(
        [sys.executable, "-c", _IMPORT, str(tmp_path / "data"), str(bigger), covers],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "begun\n"
    time.sleep(after_s)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    running.stdout.close()
    fresh = Library(tmp_path / "data")
    assert len(fresh.frame("wetlands")[0]) in (9, 400), "one whole edition or the other"
    assert all(c.ok for c in fresh.verify())
    add(fresh, "wetlands", bigger, covers=covers)
    assert len(fresh.frame("wetlands")[0]) == 400
    assert list((tmp_path / "data/layers" / ASIDE).iterdir()) == [], "what was left is swept away"


def test_a_file_that_is_not_there_is_refused(library: Library, tmp_path: Path) -> None:
    with pytest.raises(ParameterRefused, match=r"'nothing\.zip'"):
        library.add(AddRequest("wetlands", tmp_path / "nothing.zip", ON))


def test_a_zipped_geojson_is_taken(tmp_path: Path, covers: str) -> None:
    shape = box_ft(0, 0, 100, 100)
    path = wetlands(tmp_path / "w.geojson", [shape])
    packed = pack(tmp_path / "w.zip", [path], inside="deep/")
    manifest = make_here(tmp_path, "wetlands", packed, covers=covers, crs="EPSG:26986")
    assert manifest.crs_source in ("declared", "file")
    assert manifest.area_sqft == pytest.approx(10_000, rel=1e-5)

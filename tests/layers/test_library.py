"""The library: what it holds of each layer, added, swapped and seen while it runs."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from datetime import date, timedelta
from pathlib import Path

import geopandas
import pytest
import shapely
from layer_files import add, box_ft, grid, wetlands, write

from layers.library import Library
from spatial.units import FOOT_M


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

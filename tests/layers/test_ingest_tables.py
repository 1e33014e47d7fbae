from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import shapely
from layer_files import box_ft, pack, wetlands, write

from layers.ingest.drivers import ALLOWED, reading_environment
from layers.ingest.tables import fingerprint, read_rows, tables_in
from spatial.errors import ArchiveRefused, FormatRefused

SQUARE = box_ft(0, 0, 100, 100)


@pytest.mark.parametrize("inside", ["", "folder/", "a/b/c/"])
def test_a_zipped_shapefile_is_found_in_any_folder(tmp_path: Path, inside: str) -> None:
    wetlands(tmp_path / "w.shp", [SQUARE])
    packed = pack(tmp_path / "w.zip", list(tmp_path.glob("w.*")), inside=inside)
    (table,) = tables_in(packed, tmp_path / "out")
    rows = read_rows(table)
    assert (rows.name, rows.driver, len(rows)) == ("w", "ESRI Shapefile", 1)
    assert rows.geometry[0].equals(SQUARE)


@pytest.mark.parametrize("inside", ["town.gdb/", "up/town.gdb/", "town/", ""])
def test_a_geodatabase_zip_needs_no_folder_entry_nor_the_right_name(tmp_path: Path, inside: str) -> None:
    made = wetlands(tmp_path / "town.gdb", [SQUARE], layer="WET")
    packed = pack(tmp_path / "t.zip", [p for p in made.iterdir() if p.is_file()], inside=inside)
    (table,) = tables_in(packed, tmp_path / "out")
    assert (table.name, len(read_rows(table))) == ("WET", 1)


def test_a_dbf_beside_its_shapefile_is_no_table_of_its_own(tmp_path: Path) -> None:
    wetlands(tmp_path / "w.shp", [SQUARE])
    write(tmp_path / "lots.dbf", None, {"A": ["x", "y"]})
    assert [(t.name, t.geometry_type) for t in tables_in(tmp_path, tmp_path / "out")] == [
        ("lots", None),
        ("w", "Polygon"),
    ]


def test_column_names_cut_by_the_shapefile_are_found_whole(tmp_path: Path) -> None:
    rows = read_rows(tables_in(wetlands(tmp_path / "w.shp", [SQUARE]), tmp_path / "o")[0])
    assert rows.column("source_scale") == "SOURCE_SCA"
    assert rows.column("nothing") is None


def test_a_shapefile_cut_in_transfer_is_refused(tmp_path: Path) -> None:
    path = wetlands(tmp_path / "w.shp", [SQUARE, box_ft(200, 0, 300, 100)])
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(FormatRefused, match="shorter than its header") as caught:
        read_rows(tables_in(path, tmp_path / "o")[0])
    assert caught.value.code == "corrupt_file"


def test_a_layer_with_rows_marked_as_deleted_is_refused_and_never_taken_for_whole(tmp_path: Path) -> None:
    made = wetlands(tmp_path / "w.shp", [SQUARE, box_ft(200, 0, 300, 100)])
    table = bytearray((tmp_path / "w.dbf").read_bytes())
    table[int.from_bytes(table[8:10], "little")] = ord("*")
    (tmp_path / "w.dbf").write_bytes(table)
    (found,) = tables_in(made, tmp_path / "out")
    with pytest.raises(FormatRefused, match="counts 2 features and gives 1: .* marked as deleted"):
        read_rows(found)


def test_bytes_that_are_no_map_are_refused(tmp_path: Path) -> None:
    (tmp_path / "w.geojson").write_text("no map at all")
    with pytest.raises(FormatRefused, match=r"w\.geojson"):
        tables_in(tmp_path / "w.geojson", tmp_path / "o")


def test_a_zip_of_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("hello")
    packed = pack(tmp_path / "t.zip", [tmp_path / "readme.txt"])
    with pytest.raises(FormatRefused, match="no shapefile"):
        tables_in(packed, tmp_path / "o")


def test_a_zip_that_leaves_its_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("x")
    with pytest.raises(ArchiveRefused):
        tables_in(pack(tmp_path / "t.zip", [tmp_path / "w.txt"], inside="../"), tmp_path / "o")


def test_the_fingerprint_of_one_file_is_its_sha256(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"abc")
    assert fingerprint(tmp_path / "a.json") == (hashlib.sha256(b"abc").hexdigest(), 3)


def test_the_fingerprint_of_a_loose_shapefile_is_of_all_its_parts(tmp_path: Path) -> None:
    path = wetlands(tmp_path / "w.shp", [SQUARE])
    before = fingerprint(path)
    (tmp_path / "w.dbf").write_bytes((tmp_path / "w.dbf").read_bytes() + b" ")
    assert fingerprint(path)[0] != before[0]
    assert fingerprint(path)[1] == before[1] + 1


def test_the_reading_process_knows_staff_formats_only() -> None:
    listed = subprocess.run(
        [sys.executable, "-c", "import pyogrio; print(*sorted(pyogrio.list_drivers()), sep='|')"],
        env=dict(reading_environment()),
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(listed.stdout.strip().split("|")) == ALLOWED


def test_the_reading_process_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METES_SECRET", "x")
    assert "METES_SECRET" not in reading_environment()


def test_zipping_a_link_does_not_reach_outside(tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "o", ignore_errors=True)
    target = tmp_path / "elsewhere.geojson"
    target.write_text(shapely.to_geojson(SQUARE))
    link = tmp_path / "l.geojson"
    link.symlink_to(target)
    subprocess.run([sys.executable, "-c", _LINKED, str(tmp_path / "t.zip"), "l.geojson", str(target)], check=True)
    with pytest.raises(ArchiveRefused):
        tables_in(tmp_path / "t.zip", tmp_path / "o")


_LINKED = """
import stat, sys, zipfile
info = zipfile.ZipInfo(sys.argv[2]); info.create_system = 3
info.external_attr = (stat.S_IFLNK | 0o777) << 16
with zipfile.ZipFile(sys.argv[1], "w") as z: z.writestr(info, sys.argv[3])
"""


def test_esri_json_on_a_grid_of_steps_is_never_read_as_coordinates(tmp_path: Path) -> None:
    document = {
        "geometryType": "esriGeometryPolygon",
        "spatialReference": {"wkid": 26986},
        "transform": {"originPosition": "upperLeft", "scale": [1, 1], "translate": [210_000, 890_000]},
        "fields": [{"name": "IT_VALDESC", "type": "esriFieldTypeString"}],
        "features": [
            {
                "attributes": {"IT_VALDESC": "DEEP MARSH"},
                "geometry": {"rings": [[[0, 0], [50, 0], [0, 50], [-50, 0], [0, -50], [0, 0]]]},
            }
        ],
    }
    file = tmp_path / "wetlands.json"
    file.write_text(json.dumps(document))
    (table,) = tables_in(file, tmp_path / "room")
    with pytest.raises(FormatRefused, match="without quantization"):
        read_rows(table)
    document.pop("transform")
    document["features"][0]["geometry"]["rings"] = [[[0, 0], [50, 0], [50, 50], [0, 50], [0, 0]]]  # type: ignore[index]
    file.write_text(json.dumps(document))
    assert len(read_rows(table)) == 1

"""GeoPackages: what would run when read, several layers, curves."""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path

import lots
import numpy as np
import pytest
from read_files import BIG, codes, refused

from spatial.normalise import normalise
from spatial.read.upload import read


def package(tmp_path: Path, *statements: str) -> Path:
    path = lots.ogr_files(tmp_path, "GPKG", "EPSG:26986", lots.LOT)
    with sqlite3.connect(path) as database:
        for statement in statements:
            database.execute(statement)
    database.close()
    return path


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        (f"CREATE VIEW innocent AS {ENDLESS}", "innocent"),
        ("CREATE VIRTUAL TABLE odd USING fts4(body)", "odd"),
        ("CREATE TABLE clever (a INTEGER, b AS (a * 2))", "clever"),
        ("CREATE TABLE kept (a INTEGER, b AS (a * 2) STORED)", "kept"),
    ],
)
def test_what_would_run_when_read_is_refused(tmp_path: Path, statement: str, word: str) -> None:
    error = refused(package(tmp_path, statement))
    assert (error.code, word in error.detail) == ("unsafe_database", True)


def test_triggers_stay_asleep(tmp_path: Path) -> None:
    path = package(tmp_path, f"CREATE TRIGGER rtree_lot BEFORE INSERT ON lot BEGIN {ENDLESS}; END")
    assert normalise(read(path)).area.area == pytest.approx(lots.LOT.area)


def test_other_databases_and_broken_ones(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE t (a)")
    database.close()
    assert refused(other).code == "unsupported_format"
    broken = package(tmp_path)
    broken.write_bytes(broken.read_bytes()[:3_000])
    assert refused(broken).code == "corrupt_file"


def test_a_package_copied_while_open_is_told(tmp_path: Path) -> None:
    path = package(tmp_path)
    content = bytearray(path.read_bytes())
    content[18:20] = b"\x02\x02"
    path.write_bytes(bytes(content))
    assert "unsaved_edits_possible" in {n.code for n in read(path).notes}


@pytest.mark.parametrize("number", [0, -1])
def test_an_undefined_system_counts_as_none(tmp_path: Path, number: int) -> None:
    path = package(
        tmp_path,
        f"UPDATE gpkg_contents SET srs_id = {number}",
        f"UPDATE gpkg_geometry_columns SET srs_id = {number}",
    )
    assert refused(path).code == "crs_missing"
    assert read(path, crs="EPSG:26986").crs_source == "declared"


def test_several_layers_are_listed_and_one_may_be_named(tmp_path: Path) -> None:
    path = lots.ogr_files(tmp_path, "GPKG", "EPSG:26986", lots.LOT, layer="before", name="two")
    lots.ogr_files(tmp_path, "GPKG", "EPSG:26986", BIG, layer="after", name="two", append=True)
    lots.ogr_files(
        tmp_path, "GPKG", "EPSG:26986", BIG.centroid, layer="labels", name="two", append=True, geometry_type="Point"
    )
    error = refused(path)
    assert (error.code, error.suggestions) == ("several_layers", ("before", "after"))
    assert read(path, layer="after").layer == "after"
    assert refused(path, layer="Before; DROP TABLE").code == "layer_unknown"
    assert refused(path, layer="labels").code == "no_polygon"


def test_the_only_layer_with_polygons_is_taken_and_the_rest_told(tmp_path: Path) -> None:
    path = lots.ogr_files(tmp_path, "GPKG", "EPSG:26986", lots.LOT, layer="lot", name="two")
    lots.ogr_files(
        tmp_path, "GPKG", "EPSG:26986", BIG.centroid, layer="labels", name="two", append=True, geometry_type="Point"
    )
    found = read(path)
    assert found.layer == "lot"
    assert any(n.code == "layers_ignored" and "labels" in n.message for n in found.notes)


def test_a_true_circle_is_read_finely_and_said(tmp_path: Path) -> None:
    """A curve polygon of one circular string, radius 50 m, written by hand."""
    path = lots.ogr_files(tmp_path, "GPKG", "EPSG:26986", lots.LOT)
    x, y = lots.WEST_M, lots.SOUTH_M
    circle = struct.pack("<BIIBII6d", 1, 10, 1, 1, 8, 3, x - 50, y, x + 50, y, x - 50, y)
    with sqlite3.connect(path) as database:
        for name, value in (("ST_IsEmpty", 0), ("ST_MinX", x), ("ST_MaxX", x), ("ST_MinY", y), ("ST_MaxY", y)):
            database.create_function(name, 1, lambda _, value=value: value)
        database.execute("UPDATE lot SET geom = ?", (struct.pack("<2sBBi", b"GP", 0, 1, 26986) + circle,))
    database.close()
    found = read(path)
    assert normalise(found).area.area == pytest.approx(np.pi * 2500, rel=2e-5)
    assert "curve_linearised" in codes(found)

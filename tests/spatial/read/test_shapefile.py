"""Shapefiles: the parts, the projection, the letters, and damage that GDAL would read past."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import lots
import numpy as np
import pytest
import shapely
from read_files import HOLED, codes, refused

from spatial.normalise import normalise
from spatial.read.upload import read


@pytest.mark.parametrize("extension", [".shp", ".shx", ".dbf"])
def test_a_part_that_lacks_is_named(shapefile: Path, extension: str) -> None:
    (shapefile / f"lot{extension}").unlink()
    error = refused(shapefile)
    assert (error.code, extension in error.detail) == ("missing_component", True)


def test_without_a_projection_the_fitting_systems_are_proposed_best_first(shapefile: Path) -> None:
    (shapefile / "lot.prj").unlink()
    error = refused(shapefile)
    assert (error.code, error.suggestions[:2]) == ("crs_missing", ("EPSG:26986", "EPSG:6491"))
    assert read(shapefile, crs="EPSG:26986").crs_source == "declared"


def test_what_is_declared_may_agree_with_the_file_but_not_contradict_it(shapefile: Path) -> None:
    assert read(shapefile, crs="EPSG:26986").crs_source == "file"
    assert read(shapefile, crs="epsg:6491").crs_name == "EPSG:26986"
    error = refused(shapefile, crs="EPSG:2249")
    assert (error.code, error.suggestions) == ("bad_parameter", ("EPSG:26986",))
    assert "leave crs out" in error.detail


def test_a_local_system_counts_as_none(shapefile: Path) -> None:
    (shapefile / "lot.prj").write_text('LOCAL_CS["Site grid",UNIT["Meter",1.0]]')
    assert refused(shapefile).code == "crs_missing"
    assert read(shapefile, crs="EPSG:26986").crs_source == "declared"
    (shapefile / "lot.prj").write_text("not a system")
    assert refused(shapefile).code == "crs_unknown"
    (shapefile / "lot.prj").write_text("  \n")
    assert refused(shapefile).code == "crs_missing"


def test_a_mark_before_the_projection_is_no_matter(shapefile: Path) -> None:
    prj = shapefile / "lot.prj"
    prj.write_bytes(b"\xef\xbb\xbf" + prj.read_bytes())
    assert read(shapefile).crs_name == "EPSG:26986"


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda shp, shx: (shp[:250], shx), "corrupt_file"),
        (lambda shp, shx: (shp[:90], shx), "corrupt_file"),
        (lambda shp, shx: (b"\x00\x00\x27\x0b" + shp[4:], shx), "corrupt_file"),
        (lambda shp, shx: (shp, shx[:50]), "corrupt_file"),
        (lambda shp, shx: (shp, shx[:100]), "no_features"),
        (lambda shp, shx: (shp, shx[:108]), "corrupt_file"),
        (lambda shp, shx: (shp[:100] + struct.pack(">i", 9) + shp[104:], shx), "corrupt_file"),
        (lambda shp, shx: (shp[:144] + struct.pack("<i", 77) + shp[148:], shx), "corrupt_file"),
        (lambda shp, shx: (shp[:148] + struct.pack("<i", -5) + shp[152:], shx), "corrupt_file"),
        (lambda shp, shx: (shp[:152] + struct.pack("<i", 3) + shp[156:], shx), "corrupt_file"),
        (lambda shp, shx: (shp[:32] + struct.pack("<i", 31) + shp[36:], shx), "mixed_geometry"),
        (lambda shp, shx: (shp[:108] + struct.pack("<i", 3) + shp[112:], shx), "mixed_geometry"),
        (lambda shp, shx: (shp[:156] + struct.pack("<d", float("nan")) + shp[164:], shx), "bad_coordinates"),
        (lambda shp, shx: (shp[:156] + struct.pack("<d", float("inf")) + shp[164:], shx), "bad_coordinates"),
        (lambda shp, shx: (shp[:156] + struct.pack("<d", 1e200) + shp[164:], shx), "bad_coordinates"),
    ],
)
def test_damage_is_refused_and_never_read_past(
    shapefile: Path, damage: Callable[[bytes, bytes], tuple[bytes, bytes]], expected: str
) -> None:
    shp, shx = damage((shapefile / "lot.shp").read_bytes(), (shapefile / "lot.shx").read_bytes())
    (shapefile / "lot.shp").write_bytes(shp)
    (shapefile / "lot.shx").write_bytes(shx)
    assert refused(shapefile).code == expected


@pytest.mark.parametrize(("kind", "expected"), [("Point", "no_polygon"), ("LineString", "no_polygon")])
def test_points_and_lines_are_no_site(tmp_path: Path, kind: str, expected: str) -> None:
    shape = lots.LOT.centroid if kind == "Point" else lots.LOT.exterior
    lots.ogr_files(
        tmp_path,
        "ESRI Shapefile",
        "EPSG:26986",
        shapely.LineString(shape.coords) if kind != "Point" else shape,
        geometry_type=kind,
    )
    assert refused(tmp_path).code == expected


@pytest.mark.parametrize("reverse", [True, False])
def test_rings_turned_the_wrong_way(tmp_path: Path, reverse: bool) -> None:
    """The record is written by hand, as GDAL would put the directions right."""
    rings = [shapely.get_coordinates(r)[:: -1 if reverse else 1] for r in shapely.get_rings(HOLED)]
    lots.ogr_files(tmp_path, "ESRI Shapefile", "EPSG:26986", HOLED)
    content = bytearray((tmp_path / "lot.shp").read_bytes())
    points = np.concatenate(rings).astype("<f8").tobytes()
    content[100 + 8 + 44 + 8 : 100 + 8 + 44 + 8 + len(points)] = points
    (tmp_path / "lot.shp").write_bytes(bytes(content))
    site = normalise(read(tmp_path))
    assert site.area.area == pytest.approx(HOLED.area)
    assert len(site.area.interiors) == 1


@pytest.mark.parametrize(
    ("text", "side_file", "guessed"),
    [
        ("Núñez".encode("cp1252"), None, True),
        ("Núñez".encode("cp1252"), b"UTF-8", True),
        ("Núñez".encode(), b"UTF-8", False),
        ("Núñez".encode(), None, True),
        ("Núñez".encode("cp1252"), b"1252", False),
        ("Núñez".encode("cp1252"), b"ANSI 1252", False),
        ("Núñez".encode("latin-1"), b"ISO-8859-1", False),
        ("Núñez".encode("cp1252"), b"rubbish \xff", True),
    ],
)
def test_letters_by_trying_not_by_believing(
    tmp_path: Path, text: bytes, side_file: bytes | None, guessed: bool
) -> None:
    lots.ogr_files(tmp_path, "ESRI Shapefile", "EPSG:26986", lots.LOT, fields={"OWNER": ["QQQQQQQ"]})
    table = tmp_path / "lot.dbf"
    table.write_bytes(table.read_bytes().replace(b"QQQQQQQ", text.ljust(7)))
    if side_file is not None:
        (tmp_path / "lot.cpg").write_bytes(side_file)
    else:
        (tmp_path / "lot.cpg").unlink(missing_ok=True)
    table.write_bytes(table.read_bytes()[:29] + b"\0" + table.read_bytes()[30:])
    found = read(tmp_path)
    assert found.features[0].attributes["OWNER"] == "Núñez"
    assert ("encoding_guessed" in codes(found)) is guessed


def test_whole_numbers_stay_whole_beside_a_null(tmp_path: Path) -> None:
    fields = {
        "ID": np.array([50_170_001, np.nan]),
        "SHARE": np.array([0.5, np.nan]),
        "OWN_ZIP": np.array([2030, 10001]),
    }
    lots.ogr_files(tmp_path, "GPKG", "EPSG:26986", lots.LOT, lots.box_ft(500), fields=fields)
    site = normalise(read(tmp_path / "lot.gpkg"))
    assert [f.attributes["ID"] for f in site.features] == [50_170_001, None]
    assert [f.attributes["SHARE"] for f in site.features] == [0.5, None]
    assert [f.attributes["OWN_ZIP"] for f in site.features] == ["02030", "10001"]
    assert "zip_zeros_restored" in {n.code for n in site.notes}


@pytest.mark.parametrize(
    "damage",
    [
        lambda table: b"\x03" + b"\xff" * 60,
        lambda table: table[:20],
        lambda table: table[:-30],
        lambda table: table[:4] + struct.pack("<I", 1) + table[8:],
        lambda table: table[:4] + struct.pack("<I", 900) + table[8:],
    ],
)
def test_a_table_that_does_not_match_the_shapes_is_damage(
    shapefile: Path, damage: Callable[[bytes], bytes]
) -> None:
    table = shapefile / "lot.dbf"
    table.write_bytes(damage(table.read_bytes()))
    assert refused(shapefile).code == "corrupt_file"


def _delete(table: Path, *rows: int) -> None:
    """Mark rows as deleted, as a desktop program does that has not packed the file yet."""
    content = bytearray(table.read_bytes())
    header, width = struct.unpack_from("<HH", content, 8)
    for row in rows:
        content[header + row * width] = ord("*")
    table.write_bytes(bytes(content))


def test_a_shape_marked_as_deleted_is_left_out_and_that_is_told(shapefile: Path) -> None:
    _delete(shapefile / "lot.dbf", 0)
    found = read(shapefile)
    assert [note.message for note in found.notes if note.code == "deleted_skipped"] == [
        "1 record(s) of the shapefile are marked as deleted in its .dbf and were left out with their shapes: 1."
    ]
    assert normalise(found).area.equals(lots.box_ft(500))
    _delete(shapefile / "lot.dbf", 1)
    error = refused(shapefile)
    assert (error.code, "marked as deleted" in error.detail) == ("no_features", True)

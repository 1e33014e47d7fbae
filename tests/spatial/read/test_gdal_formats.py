"""Shapefiles, GeoPackages, geodatabases and drawings: what we check ourselves before and after GDAL."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import lots
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.errors import MetesError
from spatial.model import Reading
from spatial.normalise import normalise
from spatial.read.dxf import unit_of
from spatial.read.limits import ReadLimits
from spatial.read.upload import read

EXAMPLES = int(os.environ.get("METES_FUZZ_EXAMPLES", "100"))
BIG = lots.box_ft(0, 0, 300, 300)
HOLED = shapely.difference(BIG, lots.box_ft(100, 100, 100, 100))


def refused(path: Path, **options: Any) -> MetesError:
    with pytest.raises(MetesError) as caught:
        normalise(read(path, **options), purpose=options.get("purpose", "site"))
    assert str(path.parent) not in caught.value.detail
    return caught.value


@pytest.fixture
def shapefile(tmp_path: Path) -> Path:
    folder = tmp_path / "parts"
    folder.mkdir()
    lots.ogr_files(folder, "ESRI Shapefile", "EPSG:26986", lots.LOT, lots.box_ft(500), layer="lot")
    return folder


def codes(found: Reading) -> set[str]:
    return {note.code for note in (*found.notes, *normalise(found).notes)}


# ---------------------------------------------------------------------------------------------- shapefile


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


# -------------------------------------------------------------------------------------------- geopackage


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


# ------------------------------------------------------------------------------------------------ bundles


def test_two_shapefiles_in_one_archive(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    lots.ogr_files(folder, "ESRI Shapefile", "EPSG:26986", lots.LOT, layer="lot")
    lots.ogr_files(folder, "ESRI Shapefile", "EPSG:26986", BIG, layer="work")
    lots.ogr_files(folder, "ESRI Shapefile", "EPSG:26986", BIG.centroid, layer="wells", geometry_type="Point")
    path = tmp_path / "upload.zip"
    path.write_bytes(lots.folder_packed(folder))
    assert refused(path).suggestions == ("lot", "work")
    shutil.rmtree(tmp_path / "unpacked")
    found = read(path, layer="WORK")
    assert (found.layer, found.layers) == ("WORK", ("lot", "wells", "work"))
    assert normalise(found).area.area == pytest.approx(BIG.area)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"inner.zip": lots.packed({"a": b""})}, "missing_component"),
        ({"lot.dbf": b"x", "lot.prj": b"x"}, "missing_component"),
        ({"readme.txt": b"x", "plan.pdf": b"x"}, "unsupported_format"),
        ({"__MACOSX/._lot.shp": b"x"}, "empty_upload"),
        ({"site.geojson": b"<OGRVRTDataSource/>"}, "unsupported_format"),
        ({"site.kml": lots.zipped(a__shp=b"")}, "unsupported_format"),
        ({"site.gpkg": b"SELECT 1"}, "unsupported_format"),
        ({"site.vrt": b"<OGRVRTDataSource/>"}, "unsupported_format"),
    ],
)
def test_archives_without_a_site(tmp_path: Path, files: dict[str, bytes], expected: str) -> None:
    path = tmp_path / "upload.zip"
    path.write_bytes(lots.packed(files))
    assert refused(path).code == expected


def test_names_that_differ_only_in_case_are_refused(shapefile: Path) -> None:
    shutil.copy(shapefile / "lot.prj", shapefile / "LOT.PRJ")
    assert refused(shapefile).code == "corrupt_file"


# --------------------------------------------------------------------------------------------------- dxf

CORNERS = shapely.get_coordinates(lots.LOT)[:-1]


def drawing(tmp_path: Path, *entities: str, **options: Any) -> Path:
    path = tmp_path / "upload.dxf"
    path.write_bytes(lots.dxf(*entities, **options))
    return path


def test_a_drawing_must_be_placed_by_who_sends_it(tmp_path: Path) -> None:
    path = drawing(tmp_path, lots.polyline(CORNERS))
    assert refused(path).code == "crs_missing"
    assert normalise(read(path, crs="EPSG:26986")).area.area == pytest.approx(lots.LOT.area)


def test_an_open_line_is_no_outline_but_one_that_ends_where_it_began_is(tmp_path: Path) -> None:
    assert refused(drawing(tmp_path, lots.polyline(CORNERS, closed=False)), crs="EPSG:26986").code == "no_polygon"


def test_a_bulge_is_an_arc_and_said(tmp_path: Path) -> None:
    """A half disc of radius 30.48 m outward on the south side: half of pi r^2."""
    west, south, east, north = lots.LOT.bounds
    corners = [(west, south), (east, south), (east, north), (west, north)]
    found = read(drawing(tmp_path, lots.polyline(corners, bulges={0: 1.0})), crs="EPSG:26986")
    radius = (east - west) / 2
    assert normalise(found).area.area == pytest.approx(lots.LOT.area + np.pi * radius**2 / 2, rel=2e-5)
    assert "curve_linearised" in codes(found)


def test_outlines_on_several_drawing_layers_are_never_mixed(tmp_path: Path) -> None:
    other = shapely.get_coordinates(BIG)[:-1]
    path = drawing(tmp_path, lots.polyline(CORNERS, "LOT"), lots.polyline(other, "LIMIT OF WORK"))
    error = refused(path, crs="EPSG:26986")
    assert (error.code, error.suggestions) == ("several_layers", ("LOT", "LIMIT OF WORK"))
    found = read(path, crs="EPSG:26986", layer="LIMIT OF WORK")
    assert normalise(found).area.area == pytest.approx(BIG.area)
    assert any(n.code == "layers_ignored" and "LOT (1)" in n.message for n in found.notes)


def test_the_paper_sheet_is_not_the_ground(tmp_path: Path) -> None:
    frame = lots.polyline([(0, 0), (0, 1), (1, 1), (1, 0)], "BORDER", paper=True)
    found = read(drawing(tmp_path, lots.polyline(CORNERS), frame), crs="EPSG:26986")
    assert normalise(found).area.area == pytest.approx(lots.LOT.area)
    assert "paper_space_ignored" in codes(found)


@pytest.mark.parametrize(("units", "contradicts"), [(6, False), (2, True), (0, False), (None, False), (21, True)])
def test_the_unit_of_a_drawing_is_told_and_the_place_decides(
    tmp_path: Path, units: int | None, contradicts: bool
) -> None:
    found = read(drawing(tmp_path, lots.polyline(CORNERS), units=units), crs="EPSG:26986")
    assert ("unit_contradicts" in codes(found)) is contradicts
    assert normalise(found).area.area == pytest.approx(lots.LOT.area)


def test_circles_ellipses_and_lines_drawn_round_are_outlines(tmp_path: Path) -> None:
    circle = "0\nCIRCLE\n8\nA\n10\n217500\n20\n888000\n40\n50\n"
    ellipse = "0\nELLIPSE\n8\nA\n10\n217500\n20\n888000\n11\n50\n21\n0\n40\n0.5\n41\n0\n42\n6.283185307179586\n"
    round_again = lots.polyline([*CORNERS.tolist(), CORNERS[0].tolist()], closed=False)
    for entity, area in ((circle, np.pi * 2500), (ellipse, np.pi * 1250), (round_again, lots.LOT.area)):
        site = normalise(read(drawing(tmp_path, entity), crs="EPSG:26986"))
        assert site.area.area == pytest.approx(area, rel=3e-5)


def test_separate_lines_are_not_joined_by_guess(tmp_path: Path) -> None:
    corners = [*CORNERS.tolist(), CORNERS[0].tolist()]
    lines = [f"0\nLINE\n8\nA\n10\n{a[0]}\n20\n{a[1]}\n11\n{b[0]}\n21\n{b[1]}\n" for a, b in pairwise(corners)]
    error = refused(drawing(tmp_path, *lines), crs="EPSG:26986")
    assert (error.code, "closed polyline" in error.detail) == ("no_polygon", True)


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=80), st.integers(-(2**40), 2**40))
def test_any_header_has_a_unit_or_none(noise: bytes, number: int) -> None:
    for content in (noise, b"$INSUNITS\n70\n%d\n" % number + noise, b"AutoCAD Binary DXF$INSUNITS\0" + noise):
        unit = unit_of(content)
        assert unit is None or unit[1] > 0


def test_a_block_scaled_and_turned(tmp_path: Path) -> None:
    """A box of 1 x 2 in a block, inserted at ten times its size and turned 30 degrees: 200 square metres."""
    block = (
        "0\nBLOCK\n8\n0\n2\nHOUSE\n10\n0\n20\n0\n"
        + lots.polyline([(0, 0), (1, 0), (1, 2), (0, 2)], "0")
        + "0\nENDBLK\n"
    )
    insert = "0\nINSERT\n8\nPLAN\n2\nHOUSE\n10\n217500\n20\n888000\n41\n10\n42\n10\n50\n30\n"
    found = read(drawing(tmp_path, insert, blocks=block), crs="EPSG:26986")
    assert normalise(found).area.area == pytest.approx(200.0)


def test_a_hatch_is_ground(tmp_path: Path) -> None:
    edges = "".join(f"10\n{x!r}\n20\n{y!r}\n" for x, y in CORNERS.tolist())
    head = "0\nHATCH\n8\nWORK\n10\n0\n20\n0\n30\n0\n2\nSOLID\n70\n1\n71\n0\n91\n1\n92\n2\n72\n0\n73\n1\n93\n4\n"
    hatch = f"{head}{edges}97\n0\n75\n0\n76\n1\n98\n0\n"
    assert normalise(read(drawing(tmp_path, hatch), crs="EPSG:26986")).area.area == pytest.approx(lots.LOT.area)


# --------------------------------------------------------------------------------------------------- kml


def kml_file(tmp_path: Path, *placemarks: str, head: str = "") -> Path:
    path = tmp_path / "upload.kml"
    path.write_bytes(lots.kml(*placemarks, head=head))
    return path


def test_folders_are_read_together_or_one_by_name(tmp_path: Path) -> None:
    a, b = lots.kml_polygon(), lots.kml_polygon(lots.box_ft(500))
    path = kml_file(
        tmp_path, f"<Folder><name>A</name>{a}</Folder><Folder><name>B</name><Folder>{b}</Folder></Folder>"
    )
    found = read(path)
    assert (found.layers, len(found.features)) == (("A", "B"), 2)
    assert "several_folders_read" in codes(found)
    assert len(read(path, layer="B").features) == 1
    assert refused(path, layer="C").code == "layer_unknown"


def test_attributes_of_a_placemark(tmp_path: Path) -> None:
    data = (
        '<ExtendedData><Data name="Activity"><value>clearing</value></Data>'
        '<SchemaData><SimpleData name="by">A</SimpleData></SchemaData></ExtendedData>'
    )
    found = read(kml_file(tmp_path, lots.kml_polygon().replace("<Polygon>", data + "<Polygon>")))
    assert found.features[0].attributes == {"name": "lot", "Activity": "clearing", "by": "A"}
    assert normalise(found).features[0].activity == "clearing"


@pytest.mark.parametrize(
    "head", ["<!DOCTYPE kml>", '<!DOCTYPE k [<!ENTITY a "b">]>', '<!DOCTYPE k SYSTEM "http://127.0.0.1:9/x">']
)
def test_any_document_type_is_refused_in_any_encoding(tmp_path: Path, head: str) -> None:
    path = kml_file(tmp_path, lots.kml_polygon(), head=head)
    assert refused(path).code == "unsafe_xml"
    path.write_bytes(path.read_bytes().decode().replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16"))
    assert refused(path).code == "unsafe_xml"


@pytest.mark.parametrize(
    ("placemark", "expected"),
    [
        ("", "no_features"),
        ("<Placemark/>", "no_geometry"),
        (
            "<Placemark><LineString><coordinates>-71.2,42.2 -71.3,42.3</coordinates></LineString></Placemark>",
            "no_polygon",
        ),
        ("<Placemark><Point><coordinates>a,b</coordinates></Point></Placemark>", "bad_coordinates"),
        ("<Placemark><Point><coordinates>-71.2</coordinates></Point></Placemark>", "bad_coordinates"),
        ("<Placemark><Point><coordinates>nan,42</coordinates></Point></Placemark>", "bad_coordinates"),
        ("<Placemark><Polygon/></Placemark>", "invalid_geometry"),
        ("<Placemark><Folder>" * 20, "bad_xml"),
        ("<Folder>" * 70 + "</Folder>" * 70, "too_complex"),
    ],
)
def test_kml_refusals(tmp_path: Path, placemark: str, expected: str) -> None:
    assert refused(kml_file(tmp_path, placemark)).code == expected


def test_spaces_after_commas_are_forgiven(tmp_path: Path) -> None:
    path = kml_file(tmp_path, lots.kml_polygon().replace(",", " , "))
    assert normalise(read(path)).area.area == pytest.approx(lots.LOT.area, rel=1e-6)


def test_a_placemark_with_two_shapes_gives_both(tmp_path: Path) -> None:
    a, b = lots.kml_polygon(), lots.kml_polygon(lots.box_ft(500))
    second = b[b.index("<Polygon>") : b.index("</Placemark>")]
    found = read(kml_file(tmp_path, a.replace("</Placemark>", second + "</Placemark>")))
    assert len(found.features) == 1
    assert normalise(found).area.area == pytest.approx(2 * lots.LOT.area, rel=1e-6)


def test_elements_are_counted(tmp_path: Path) -> None:
    path = kml_file(tmp_path, "<a/>" * 100)
    assert refused(path, limits=ReadLimits(xml_elements=50)).code == "too_complex"


# --------------------------------------------------------------------------------------------------- csv


def test_trees_from_a_table(tmp_path: Path) -> None:
    path = tmp_path / "upload.csv"
    path.write_text("id;x;y;dbh_in\nA;217500;888000;24\nB;217510;888000;\n;;;9\n")
    found = read(path, purpose="trees", crs="EPSG:26986")
    site = normalise(found, purpose="trees")
    assert [f.attributes["dbh_in"] for f in site.features] == ["24", None]
    assert {f.role for f in site.features} == {"tree"}
    assert site.area.is_empty
    assert refused(path, crs="EPSG:26986").code == "no_polygon"
    assert refused(path, purpose="trees").code == "crs_missing"
    assert refused(path, purpose="trees", layer="other").code == "layer_unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n", "no_geometry"),
        ("x,y\n1\n", "corrupt_file"),
        ("lon,lat\nhere,there\n", "bad_coordinates"),
        ("lon,lat\nnan,42\n", "bad_coordinates"),
        ("lon,lat\n", "no_features"),
        ("lat,lon\n-71.3,42.2\n", "axes_swapped"),
    ],
)
def test_table_refusals(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "upload.csv"
    path.write_text(text)
    assert refused(path, purpose="trees").code == expected

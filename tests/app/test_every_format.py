"""One lot, every format, every system: the same ground each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import lots
import pytest
from pyproj import CRS

from app.reading import Reader, Upload
from spatial.crs_names import SYSTEMS

PLANE_AND_DEGREES = [s.code for s in SYSTEMS if not s.island and "NAD27" not in s.title]
SYSTEM_IDS = [*PLANE_AND_DEGREES, "international feet"]


def system(code: str) -> CRS:
    return lots.INTERNATIONAL_FEET if code == "international feet" else CRS(code)


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as reader:
        yield reader


def check(reader: Reader, name: str, content: bytes, code: str, crs: str | None = None) -> None:
    seen = reader.understand(Upload(name, ((name, content),)), crs=crs).inspection
    assert seen.area_sqft == pytest.approx(lots.AREA_SQFT, abs=1.0)
    assert seen.centroid_26986 == pytest.approx(lots.CENTROID, abs=0.05)
    assert seen.n_features == 1
    assert seen.crs == ("custom" if code == "international feet" else code)
    assert seen.crs_source == ("declared" if crs else "format" if name.endswith((".kml", ".kmz")) else "file")


@pytest.mark.parametrize("code", SYSTEM_IDS)
def test_zipped_shapefile(reader: Reader, tmp_path: Path, code: str) -> None:
    lots.ogr_files(tmp_path, "ESRI Shapefile", system(code), lots.LOT)
    check(reader, "site.zip", lots.folder_packed(tmp_path, "Project Data/"), code)


@pytest.mark.parametrize("code", SYSTEM_IDS)
def test_geopackage(reader: Reader, tmp_path: Path, code: str) -> None:
    check(reader, "site.gpkg", lots.ogr_files(tmp_path, "GPKG", system(code), lots.LOT).read_bytes(), code)


@pytest.mark.parametrize("code", SYSTEM_IDS)
def test_zipped_file_geodatabase(reader: Reader, tmp_path: Path, code: str) -> None:
    folder = lots.ogr_files(tmp_path, "OpenFileGDB", system(code), lots.LOT)
    check(reader, "site.zip", lots.folder_packed(folder, "in here/site.gdb/"), code)


@pytest.mark.parametrize("code", PLANE_AND_DEGREES)
def test_geojson_with_its_old_crs_member(reader: Reader, code: str) -> None:
    check(reader, "site.geojson", lots.geojson((lots.LOT, {}), crs=code), code)


@pytest.mark.parametrize("code", PLANE_AND_DEGREES)
def test_esri_json_by_wkid(reader: Reader, code: str) -> None:
    reference = {"wkid": int(code.removeprefix("EPSG:"))}
    check(reader, "site.json", lots.esri_json(lots.LOT, reference, code), code)


def test_international_feet_are_told_from_survey_feet_in_words(reader: Reader, tmp_path: Path) -> None:
    path = lots.ogr_files(tmp_path, "GPKG", lots.INTERNATIONAL_FEET, lots.LOT)
    notes = reader.understand(Upload.from_path(path)).inspection.notes
    assert any(note.code == "crs_from_file_wkt" and "units of 0.3048 m" in note.message for note in notes)


def test_esri_json_by_wkt(reader: Reader) -> None:
    reference = {"wkt": lots.INTERNATIONAL_FEET.to_wkt("WKT1_ESRI")}
    check(reader, "site.json", lots.esri_json(lots.LOT, reference, lots.INTERNATIONAL_FEET), "international feet")


@pytest.mark.parametrize("code", PLANE_AND_DEGREES)
def test_drawing_in_a_declared_system(reader: Reader, code: str) -> None:
    corners = lots.shapely.get_coordinates(lots.moved(lots.LOT, code))[:-1]
    check(reader, "site.dxf", lots.dxf(lots.polyline(corners), units=None), code, crs=code)


@pytest.mark.parametrize(
    ("name", "wrap"),
    [
        ("site.kml", lambda text: text),
        ("site.kmz", lambda text: lots.packed({"doc.kml": text, "images/photo.png": b"\x89PNG"})),
        ("other.kmz", lambda text: lots.packed({"Some Folder/What Ever.kml": text})),
        ("zipped.zip", lambda text: lots.packed({"site.kml": text})),
    ],
)
def test_kml_and_kmz(reader: Reader, name: str, wrap: Callable[[bytes], bytes]) -> None:
    seen = reader.understand(Upload(name, ((name, wrap(lots.kml(lots.kml_polygon()))),))).inspection
    assert seen.area_sqft == pytest.approx(lots.AREA_SQFT, abs=1.0)
    assert seen.centroid_26986 == pytest.approx(lots.CENTROID, abs=0.05)
    assert (seen.crs, seen.crs_source) == ("EPSG:4326", "format")


def test_plain_geojson_is_in_degrees_by_its_format(reader: Reader) -> None:
    seen = reader.understand(Upload("b", (("b", lots.geojson((lots.LOT, {}), crs=None)),))).inspection
    assert (seen.crs, seen.crs_source) == ("EPSG:4326", "format")
    assert seen.area_sqft == pytest.approx(lots.AREA_SQFT, abs=1.0)


def test_loose_parts_in_one_request(reader: Reader, tmp_path: Path) -> None:
    lots.ogr_files(tmp_path, "ESRI Shapefile", "EPSG:2249", lots.LOT, layer="Lot 7")
    parts = tuple((f"C:\\fakepath\\{f.stem.upper()}{f.suffix}", f.read_bytes()) for f in sorted(tmp_path.iterdir()))
    seen = reader.understand(Upload(parts[0][0], parts)).inspection
    assert seen.area_sqft == pytest.approx(lots.AREA_SQFT, abs=1.0)
    assert (seen.crs, seen.layer, seen.format) == ("EPSG:2249", "LOT 7", "shapefile")


def test_a_geodatabase_whose_files_were_packed_without_their_folder(reader: Reader, tmp_path: Path) -> None:
    folder = lots.ogr_files(tmp_path, "OpenFileGDB", "EPSG:2249", lots.LOT)
    check(reader, "upload.zip", lots.folder_packed(folder), "EPSG:2249")
    assert reader.understand(Upload.from_path(folder)).inspection.format == "filegdb"


@pytest.mark.parametrize("code", ["EPSG:26786", "EPSG:4267", "EPSG:26719"])
def test_nad27_is_moved_by_a_stated_shift_and_its_accuracy_said(reader: Reader, tmp_path: Path, code: str) -> None:
    """Without the shift the lot would lie some 44 m west; with it within the 10 m that are said."""
    path = lots.ogr_files(tmp_path, "GPKG", code, lots.LOT)
    seen = reader.understand(Upload.from_path(path)).inspection
    assert seen.crs == code
    assert seen.area_sqft == pytest.approx(lots.AREA_SQFT, abs=6.0)
    assert seen.accuracy_ft == pytest.approx(32.8, abs=0.1)
    assert any(note.code == "crs_accuracy" and "33 ft" in note.message for note in seen.notes)

"""Archives: which of their files is the site."""

from __future__ import annotations

import shutil
from pathlib import Path

import lots
import pytest
from read_files import BIG, refused

from spatial.normalise import normalise
from spatial.read.upload import read


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


def test_an_archive_inside_the_archive_is_told(shapefile: Path, tmp_path: Path) -> None:
    (shapefile / "more.zip").write_bytes(lots.zipped(a__txt=b""))
    path = tmp_path / "upload.zip"
    path.write_bytes(lots.folder_packed(shapefile))
    told = [note.message for note in read(path).notes if note.code == "layers_ignored"]
    assert told == ["Archives inside the archive were not opened: more.zip."]


def test_an_archive_sent_beside_a_site_is_another_site(shapefile: Path, tmp_path: Path) -> None:
    together = tmp_path / "together"
    together.mkdir()
    (together / "lot.zip").write_bytes(lots.folder_packed(shapefile))
    (together / "readme.txt").write_text("the lot")
    assert read(together).layer == "lot"
    shutil.rmtree(together / "unpacked")
    shutil.rmtree(together / "room")
    (together / "work.geojson").write_bytes(lots.geojson((BIG, {})))
    error = refused(together)
    assert (error.code, error.suggestions) == ("several_layers", ("lot", "work"))
    assert normalise(read(together, layer="work")).area.area == pytest.approx(BIG.area)

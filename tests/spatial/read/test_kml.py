"""KML: folders, attributes, documents that would reach out."""

from __future__ import annotations

from pathlib import Path

import lots
import pytest
from read_files import codes, refused

from spatial.normalise import normalise
from spatial.read.limits import ReadLimits
from spatial.read.upload import read


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

"""GeoJSON and Esri JSON: our own parsers, strictly."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import lots
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spatial.errors import MetesError
from spatial.model import Reading
from spatial.normalise import normalise
from spatial.read.limits import ReadLimits
from spatial.read.upload import read

EXAMPLES = int(os.environ.get("METES_FUZZ_EXAMPLES", "100"))
SQUARE = [[-71.28, 42.24], [-71.279, 42.24], [-71.279, 42.241], [-71.28, 42.241], [-71.28, 42.24]]


def reading(tmp_path: Path, content: bytes | str | dict[str, Any] | list[Any], **options: Any) -> Reading:
    path = tmp_path / "upload.json"
    if isinstance(content, dict | list):
        content = json.dumps(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path, **options)


def code(tmp_path: Path, content: Any, **options: Any) -> str:
    with pytest.raises(MetesError) as caught:
        reading(tmp_path, content, **options)
    assert str(tmp_path) not in caught.value.detail
    return caught.value.code


def polygon(ring: Any = SQUARE, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": {"type": "Polygon", "coordinates": [ring]}}


def collection(*features: Any, **members: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": list(features), **members}


def esri(geometry: Any, **members: Any) -> dict[str, Any]:
    return {
        "features": [{"attributes": {"A": 1}, "geometry": geometry}],
        "spatialReference": {"wkid": 26986},
        **members,
    }


# ----------------------------------------------------------------------------------------------- GeoJSON


def test_a_system_stated_by_a_geometry_is_believed(tmp_path: Path) -> None:
    feature = polygon()
    feature["geometry"]["crs"] = {"type": "name", "properties": {"name": "EPSG:4267"}}
    assert reading(tmp_path, collection(feature)).crs_name == "EPSG:4267"


def test_a_page_that_is_the_whole_is_read(tmp_path: Path) -> None:
    found = reading(
        tmp_path, collection(polygon(), numberMatched=1, totalFeatures="unknown", links=[{"rel": "self"}])
    )
    assert len(found.features) == 1


@pytest.mark.parametrize(
    "document",
    [
        collection(polygon()),
        polygon(),
        polygon()["geometry"],
        {"type": "GeometryCollection", "geometries": [polygon()["geometry"]]},
    ],
)
def test_collection_feature_and_bare_geometry_are_the_same_ground(tmp_path: Path, document: dict[str, Any]) -> None:
    site = normalise(reading(tmp_path, document))
    expected = lots.moved_from(shapely.Polygon(SQUARE), "EPSG:4326").area
    assert site.area.area == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("separator", ["\n", "\r\n", "\x1e", "\n\x1e"])
def test_a_sequence_of_features(tmp_path: Path, separator: str) -> None:
    text = separator + separator.join(json.dumps(polygon(n=i)) for i in range(3)) + "\n"
    assert [f.attributes["n"] for f in reading(tmp_path, text).features] == [0, 1, 2]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_marks_and_other_encodings(tmp_path: Path, encoding: str) -> None:
    text = json.dumps(collection(polygon(owner="Núñez")), ensure_ascii=False)
    found = reading(tmp_path, text.encode(encoding))
    assert found.features[0].attributes == {"owner": "Núñez"}
    assert ("encoding_guessed" in {n.code for n in found.notes}) == (encoding == "cp1252")


@pytest.mark.parametrize(
    ("member", "name"),
    [
        ({"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}, "EPSG:4326"),
        ({"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC::CRS83"}}, "EPSG:4269"),
        ({"type": "name", "properties": {"name": "EPSG:4269"}}, "EPSG:4269"),
        ({"type": "EPSG", "properties": {"code": 4269}}, "EPSG:4269"),
        ({"type": "name", "properties": {"name": "http://www.opengis.net/def/crs/EPSG/0/4269"}}, "EPSG:4269"),
    ],
)
def test_the_old_crs_member(tmp_path: Path, member: dict[str, Any], name: str) -> None:
    found = reading(tmp_path, collection(polygon(), crs=member))
    assert (found.crs_name, found.crs_source) == (name, "file")


def test_a_crs_link_is_never_followed_and_null_means_unknown(tmp_path: Path) -> None:
    link = {"type": "link", "properties": {"href": "http://127.0.0.1:9/crs", "type": "proj4"}}
    assert code(tmp_path, collection(polygon(), crs=link)) == "crs_unknown"
    assert code(tmp_path, collection(polygon(), crs=None)) == "crs_missing"
    named = {"type": "name", "properties": {"name": "+proj=longlat +nadgrids=/etc/passwd"}}
    assert code(tmp_path, collection(polygon(), crs=named)) == "crs_unknown"


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("", "empty_upload"),
        ("{", "bad_json"),
        ("[]", "bad_json"),
        ("[1, 2]", "bad_json"),
        ('{"type": "FeatureCollection"}', "bad_json"),
        ('{"type": "FeatureCollection", "features": [3]}', "bad_json"),
        ('{"type": "FeatureCollection", "features": []}', "no_features"),
        ('{"type": "FeatureCollection", "features": [{"type": "Polygon"}]}', "bad_json"),
        ('{"type": "Topology", "objects": {}}', "unsupported_format"),
        ('{"error": {"code": 400, "message": "no"}}', "bad_json"),
        ('{"hello": "world"}', "bad_json"),
        ('{"type": "Feature", "type": "Feature", "geometry": null}', "bad_json"),
        (collection({"type": "Feature", "geometry": {"type": "Curve"}}), "unsupported_geometry"),
        (collection({"type": "Feature", "geometry": "POINT(1 2)"}), "unsupported_geometry"),
        (collection({"type": "Feature", "geometry": None}), "no_geometry"),
        (collection(polygon([])), "degenerate_geometry"),
        (collection(polygon(SQUARE[:2])), "degenerate_geometry"),
        (collection(polygon([["a", 1]] * 4)), "bad_coordinates"),
        (collection(polygon([[True, 1]] * 4)), "bad_coordinates"),
        (collection(polygon([[1]] * 4)), "bad_coordinates"),
        (collection(polygon("abcd")), "bad_coordinates"),
        (collection(polygon([[1e301, 2]] * 4)), "bad_coordinates"),
        (collection(polygon(), exceededTransferLimit=True), "incomplete_source"),
        (collection(polygon(), properties={"exceededTransferLimit": True}), "incomplete_source"),
        (collection(polygon(), exceededTransferLimit="true"), "incomplete_source"),
        (collection(polygon(), numberMatched=2, numberReturned=1), "incomplete_source"),
        (collection(polygon(), totalFeatures=7), "incomplete_source"),
        (collection(polygon(), links=[{"rel": "self"}, {"rel": "next", "href": "x"}]), "incomplete_source"),
        (collection({**polygon(), "crs": {"type": "link", "properties": {"href": "x"}}}), "crs_unknown"),
        (collection(polygon(), {**polygon(), "crs": {"properties": {"name": "EPSG:26986"}}}), "crs_unknown"),
        ('{"type": "Point", "coordinates": [1e999, 2]}', "bad_coordinates"),
        ('{"type": "Point", "coordinates": [-Infinity, 2]}', "bad_coordinates"),
        ('{"a":' * 100 + "1" + "}" * 100, "bad_json"),
        ('{"type": "Point", "coordinates": [' + "9" * 5000 + ", 2]}", "bad_coordinates"),
    ],
)
def test_what_is_refused_and_by_which_code(tmp_path: Path, document: Any, expected: str) -> None:
    assert code(tmp_path, document) == expected


def test_brackets_inside_text_are_not_depth(tmp_path: Path) -> None:
    found = reading(tmp_path, collection(polygon(note='[{"' * 200 + '\\"]')))
    assert str(found.features[0].attributes["note"]).startswith("[{")


def test_ids_are_kept_when_unique(tmp_path: Path) -> None:
    features = [polygon() | {"id": i} for i in ("a", "a", 7)] + [polygon()]
    found = reading(tmp_path, collection(*features))
    assert [f.id for f in found.features] == ["a", "2", "7", "4"]
    assert [n.code for n in found.notes] == ["duplicate_ids"]


def test_values_that_are_lists_become_their_text_and_long_ones_are_refused(tmp_path: Path) -> None:
    assert reading(tmp_path, collection(polygon(tags=["a", 1]))).features[0].attributes == {"tags": '["a", 1]'}
    assert code(tmp_path, collection(polygon(text="x" * 10_001))) == "too_complex"


def test_limits_hold_exactly(tmp_path: Path) -> None:
    limits = ReadLimits(features=2, vertices=10, columns=3)
    assert len(reading(tmp_path, collection(polygon(), polygon()), limits=limits).features) == 2
    assert code(tmp_path, collection(polygon(), polygon(), polygon()), limits=limits) == "too_complex"
    assert (
        code(tmp_path, collection(polygon([*SQUARE[:4], [-71.2795, 42.2405], SQUARE[0]] * 2)), limits=limits)
        == "too_complex"
    )
    assert code(tmp_path, collection(polygon(a=1, b=2, c=3, d=4)), limits=limits) == "too_complex"


def test_an_upload_over_its_limit_is_too_large(tmp_path: Path) -> None:
    assert code(tmp_path, collection(polygon()), limits=ReadLimits(upload_bytes=10)) == "too_large"


# ---------------------------------------------------------------------------------------------- Esri JSON


def ring(west: float, south: float, size: float, *, clockwise: bool) -> list[list[float]]:
    box = shapely.box(west, south, west + size, south + size, ccw=not clockwise)
    return shapely.get_coordinates(box).tolist()


@pytest.mark.parametrize("outer", [True, False])
@pytest.mark.parametrize("inner", [True, False])
def test_holes_and_islands_are_told_by_nesting_whatever_their_direction(
    tmp_path: Path, outer: bool, inner: bool
) -> None:
    """A square of 90 m with a hole of 30 m and an island of 10 m in it: 8,100 - 900 + 100 square metres."""
    rings = [
        ring(217_530, 888_030, 30, clockwise=inner),
        ring(217_540, 888_040, 10, clockwise=outer),
        ring(217_500, 888_000, 90, clockwise=outer),
    ]
    site = normalise(reading(tmp_path, esri({"rings": rings})))
    assert site.area.area == pytest.approx(7_300.0)
    assert shapely.get_num_geometries(site.area) == 2


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ({"wkid": 102686}, "EPSG:2249"),
        ({"wkid": 102686, "latestWkid": 2249}, "EPSG:2249"),
        ({"wkid": 2249, "latestWkid": 2249, "vcsWkid": 5703}, "EPSG:2249"),
        ({"wkid": "102686", "latestWkid": "2249"}, "EPSG:2249"),
        ({"wkid": "2249", "latestWkid": None}, "EPSG:2249"),
    ],
)
def test_esris_own_numbers(tmp_path: Path, reference: dict[str, object], name: str) -> None:
    found = reading(tmp_path, lots.esri_json(lots.LOT, reference, "EPSG:2249"))
    assert found.crs_name == name
    assert normalise(found).area.area == pytest.approx(lots.LOT.area)


def test_feature_and_bare_geometry(tmp_path: Path) -> None:
    shape = {"rings": [ring(217_500, 888_000, 10, clockwise=True)], "spatialReference": {"wkid": 26986}}
    for document in (shape, {"geometry": shape, "attributes": None}, {"features": [{"geometry": shape}]}):
        assert normalise(reading(tmp_path, document)).area.area == pytest.approx(100.0)


STEPS = {"originPosition": "upperLeft", "scale": [0.5, 0.25], "translate": [217_500.0, 888_100.0]}
CORNERS = [[0, 0], [200, 0], [0, 200], [-200, 0], [0, -200]]
"""100 by 50 m, clockwise from its north-west corner, as steps from the corner before."""


@pytest.mark.parametrize(("corner", "north"), [("upperLeft", 888_100.0), ("lowerLeft", 888_150.0)])
def test_positions_counted_in_steps_are_put_back(tmp_path: Path, corner: str, north: float) -> None:
    grid = STEPS | {"originPosition": corner}
    found = reading(tmp_path, esri({"rings": [CORNERS]}, transform=grid))
    assert normalise(found).area.bounds == (217_500.0, north - 50.0, 217_600.0, north)
    (note,) = [n for n in found.notes if n.code == "coordinates_quantised"]
    assert "steps of 0.5 by 0.25" in note.message


def test_each_ring_is_counted_from_the_origin_and_heights_are_left_out(tmp_path: Path) -> None:
    hole = [[80, 80, 3], [0, 40, 1], [40, 0, 1], [0, -40, 1], [-40, 0, 1]]
    steep = STEPS | {"scale": [0.5, 0.25, 0.1], "translate": [217_500.0, 888_100.0, 0.0]}
    found = normalise(reading(tmp_path, esri({"rings": [CORNERS, hole], "hasZ": True}, transform=steep)))
    assert found.area.area == 100.0 * 50.0 - 20.0 * 10.0
    trees = {"attributes": {"DBH": 12}, "geometry": {"x": 10, "y": 20}}
    tree = reading(
        tmp_path,
        {"features": [trees], "spatialReference": {"wkid": 26986}, "transform": STEPS},
        purpose="trees",
    )
    assert shapely.get_coordinates([f.geometry for f in tree.features]).tolist() == [[217_505.0, 888_095.0]]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (esri({"rings": [CORNERS]}, transform={}), "bad_json"),
        (esri({"rings": [CORNERS]}, transform=[1, 2]), "bad_json"),
        (esri({"rings": [CORNERS]}, transform={**STEPS, "originPosition": "centre"}), "bad_json"),
        (esri({"rings": [CORNERS]}, transform={**STEPS, "scale": [0, 1]}), "bad_json"),
        (esri({"rings": [CORNERS]}, transform={**STEPS, "scale": ["1", 1]}), "bad_json"),
        (esri({"rings": [CORNERS]}, transform={**STEPS, "translate": [1]}), "bad_json"),
        (esri({"rings": [CORNERS], "transform": STEPS}), "bad_json"),
        ({"rings": [CORNERS], "spatialReference": {"wkid": 26986}, "transform": STEPS}, "bad_json"),
        (esri({"rings": [[[0, 0], [0.5, 0], [0, 1], [0, 0]]]}, transform=STEPS), "bad_coordinates"),
        (esri({"rings": 3}, transform=STEPS), "bad_coordinates"),
        (esri({"curveRings": [CORNERS]}, transform=STEPS), "unsupported_geometry"),
    ],
)
def test_steps_that_are_not_well_said_are_refused(tmp_path: Path, document: dict[str, Any], expected: str) -> None:
    assert code(tmp_path, document) == expected


def test_a_circle_of_two_arcs(tmp_path: Path) -> None:
    """Radius 50 m: 7,853.98 square metres; chords of a degree take off 0.005 %."""
    west, east = [217_450.0, 888_000.0], [217_550.0, 888_000.0]
    arcs = [west, {"c": [east, [217_500.0, 888_050.0]]}, {"c": [west, [217_500.0, 887_950.0]]}]
    found = reading(tmp_path, esri({"curveRings": [arcs]}))
    assert normalise(found).area.area == pytest.approx(7_853.98, rel=6e-5)
    assert "curve_linearised" in {n.code for n in found.notes}


@pytest.mark.parametrize(("clockwise", "area"), [(1, 7_853.98 / 2), (0, 7_853.98 / 2)])
def test_a_half_disc_by_a_centred_arc(tmp_path: Path, clockwise: int, area: float) -> None:
    west, east, centre = [217_450.0, 888_000.0], [217_550.0, 888_000.0], [217_500.0, 888_000.0]
    found = reading(tmp_path, esri({"curveRings": [[west, {"a": [east, centre, 1, clockwise]}, west]]}))
    site = normalise(found).area
    assert site.area == pytest.approx(area, rel=6e-5)
    assert (site.centroid.y > 888_000.0) is bool(clockwise)


def test_a_bezier_with_its_control_points_on_the_chord_is_straight(tmp_path: Path) -> None:
    corners = ring(217_500, 888_000, 90, clockwise=True)
    curve = {"b": [corners[1], [217_500, 888_030], [217_500, 888_060]]}
    found = reading(tmp_path, esri({"curveRings": [[corners[0], curve, *corners[2:]]]}))
    assert normalise(found).area.area == pytest.approx(8_100.0)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (esri({"curveRings": [[[0, 0], {"a": [[1, 1], [0, 1], 0, 1, 0.5, 9, 0.3]}]]}), "unsupported_geometry"),
        (esri({"curveRings": [[[0, 0], {"q": [1]}]]}), "unsupported_geometry"),
        (esri({"curveRings": [[{"c": [[0, 0], [1, 1]]}]]}), "bad_coordinates"),
        (esri({"rings": [[[0, 0], [1, 1]]]}), "degenerate_geometry"),
        (esri({"rings": {}}), "bad_coordinates"),
        (esri({"rings": []}), "no_geometry"),
        (esri({"x": "NaN", "y": 3}), "no_geometry"),
        (esri([1]), "bad_coordinates"),
        (esri({"xmin": 1}), "unsupported_geometry"),
        (esri({"rings": []}, spatialReference={"wkid": 1}), "crs_unknown"),
        (esri({"rings": [SQUARE]}, spatialReference={"wkid": 999_999}), "crs_unknown"),
        (esri({"rings": [SQUARE]}, spatialReference={"wkt": "http://127.0.0.1:9/"}), "crs_unknown"),
        (esri({"rings": [SQUARE], "spatialReference": {"wkid": 2249}}), "crs_unknown"),
        ({"features": "no", "spatialReference": {}}, "bad_json"),
        (esri({"rings": [SQUARE]}, exceededTransferLimit=True), "incomplete_source"),
    ],
)
def test_esri_refusals(tmp_path: Path, document: dict[str, Any], expected: str) -> None:
    assert code(tmp_path, document) == expected


# --------------------------------------------------------------------------------------------- properties

NAMES = [
    "type",
    "features",
    "geometry",
    "coordinates",
    "properties",
    "crs",
    "rings",
    "curveRings",
    "paths",
    "points",
]
NAMES += ["x", "y", "spatialReference", "wkid", "attributes", "geometries", "id", "c", "a", "b", "name"]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(NAMES),
            inner
            | st.sampled_from(
                ["FeatureCollection", "Feature", "Polygon", "MultiPolygon", "GeometryCollection", "Point"]
            ),
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(JSON_VALUES)
def test_any_json_is_read_or_refused_with_a_code(tmp_path: Path, value: Any) -> None:
    try:
        normalise(reading(tmp_path, json.dumps(value)))
    except MetesError as error:
        assert error.code != "internal"


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_broken_text_is_refused_with_a_code(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(lots.geojson((lots.LOT, {"activity": "clearing"})))
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        normalise(reading(tmp_path, bytes(content)))
    except MetesError as error:
        assert error.code != "internal"

"""Parcels over HTTP: found, drawn, their neighbours exact; an owner nowhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import shapely
from app_service import serving
from shapely import box
from starlette.testclient import TestClient

from app.settings import Settings
from layers.demo.lots import FRONTAGES, SAMPLE_LOT
from layers.demo.make import Demo
from layers.demo.owners import FIRST, LAST
from layers.demo.plan import placed
from layers.library import Library
from spatial.crs import reproject
from spatial.units import FOOT_M


def _degrees(shape: shapely.Polygon) -> str:
    return ",".join(f"{x:.8f}" for x in reproject(placed(shape), "EPSG:26986", "EPSG:4326").bounds)


def _loc_id(web: TestClient, address: str) -> str:
    return str(web.get("/v1/parcels", params={"q": address}).json()["parcels"][0]["loc_id"])


@pytest.fixture
def sample(web: TestClient) -> str:
    """Return the LOC_ID of the sample lot."""
    return _loc_id(web, "408 mill st")


def test_search_by_address_in_any_case(web: TestClient) -> None:
    first = web.get("/v1/parcels", params={"q": "408 Mill"}).json()["parcels"][0]
    assert (first["site_address"], first["town_id"]) == ("408 MILL ST", 901)
    assert first["area_sqft"] == pytest.approx(40_000.0, abs=0.1)


def test_search_by_map_lot_and_by_loc_id(web: TestClient, sample: str) -> None:
    (by_id,) = web.get("/v1/parcels", params={"q": sample}).json()["parcels"]
    by_lot = web.get("/v1/parcels", params={"q": by_id["map_par_id"]}).json()["parcels"]
    assert by_lot[0]["loc_id"] == sample


def test_search_by_place_meets_shapes(web: TestClient, sample: str) -> None:
    inside = box(*(c + d for c, d in zip(SAMPLE_LOT.bounds, (10, 10, -10, -10), strict=True)))
    told = web.get("/v1/parcels", params={"bbox": _degrees(inside)}).json()
    assert [p["loc_id"] for p in told["parcels"]] == [sample]


def test_limit_is_said(web: TestClient) -> None:
    told = web.get("/v1/parcels", params={"q": "mill st", "limit": 3}).json()
    assert (len(told["parcels"]), told["more"]) == (3, True)


def test_nothing_found_is_an_empty_list(web: TestClient) -> None:
    assert web.get("/v1/parcels", params={"q": "no such street"}).json() == {"parcels": [], "more": False}


def test_one_parcel_comes_with_its_shape(web: TestClient, sample: str) -> None:
    told = web.get(f"/v1/parcels/{sample}").json()
    drawn = reproject(shapely.from_geojson(json.dumps(told["geometry"])), "EPSG:4326", "EPSG:26986")
    assert shapely.hausdorff_distance(drawn, placed(SAMPLE_LOT)) < 0.02


def _neighbors(web: TestClient, loc_id: str, within_ft: float) -> dict[str, Any]:
    told: dict[str, Any] = web.get(f"/v1/parcels/{loc_id}/neighbors", params={"within_ft": within_ft}).json()
    return told


def test_neighbours_touch_beside_and_lie_fifty_feet_across_the_street(web: TestClient, sample: str) -> None:
    told = _neighbors(web, sample, 60.0)
    assert told["complete"]
    by_relation: dict[str, set[float]] = {}
    for one in told["neighbors"]:
        by_relation.setdefault(one["relation"], set()).add(one["distance_ft"])
    # beside: two lots of the row and the woods behind; across Mill Street: 50 ft wide, and farther along it
    assert by_relation["direct"] == {0.0}
    assert min(by_relation["across_way"]) == 50.0
    assert sum(one["distance_ft"] == 0.0 for one in told["neighbors"]) == 3
    assert told["neighbors"] == sorted(told["neighbors"], key=lambda one: (one["distance_ft"], one["loc_id"]))


def test_neighbours_equal_an_exhaustive_scan(web: TestClient, demo: Demo, sample: str) -> None:
    snapshot = Library(demo.data).snapshot()
    lot = snapshot.parcels.get(sample).geometry
    expected = {}
    for frame in snapshot.frame("parcels"):
        feet = shapely.distance(frame.geometry, lot) / FOOT_M
        for loc_id, kind, distance_ft in zip(frame.ids, frame.attributes["poly_type"], feet, strict=True):
            if distance_ft <= 500.005 and kind not in ("ROW", "WATER") and loc_id != sample:
                expected[str(loc_id)] = distance_ft
    told = {one["loc_id"]: one["distance_ft"] for one in _neighbors(web, sample, 500.0)["neighbors"]}
    assert told == pytest.approx(expected, abs=0.005)


def test_the_town_line_does_not_stop_neighbours(web: TestClient) -> None:
    east = next(f for f in FRONTAGES if f.map_no == "14")
    last = web.get(
        "/v1/parcels", params={"bbox": _degrees(box(east.east_ft - 20, 2_600, east.east_ft - 10, 2_610))}
    ).json()["parcels"][0]
    assert last["town_id"] == 901
    assert {one["town_id"] for one in _neighbors(web, last["loc_id"], 100.0)["neighbors"]} == {901, 902}


def test_beyond_the_loaded_parcels_is_said(web: TestClient) -> None:
    west = web.get("/v1/parcels", params={"bbox": _degrees(box(10, 2_600, 20, 2_610))}).json()["parcels"][0]
    told = _neighbors(web, west["loc_id"], 100.0)
    assert not told["complete"]
    assert told["warnings"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/parcels/F_9_9", 404, "parcel_unknown"),
        ("/v1/parcels/F_9_9/neighbors", 404, "parcel_unknown"),
        ("/v1/parcels?bbox=1,2,3", 422, "bad_parameter"),
        ("/v1/parcels?limit=0", 422, "bad_parameter"),
        ("/v1/parcels?limit=100000", 422, "bad_parameter"),
    ],
)
def test_refusals_name_the_thing(web: TestClient, path: str, status: int, code: str) -> None:
    answer = web.get(path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize("within_ft", ["-1", "nan", "inf", "1e9", "far"])
def test_a_distance_that_is_none_is_refused(web: TestClient, sample: str, within_ft: str) -> None:
    answer = web.get(f"/v1/parcels/{sample}/neighbors", params={"within_ft": within_ft})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/neighbors?within=300", "There is no parameter 'within'; there are within_ft."),
        ("/neighbors?within_ft=100&within_ft=300", "'within_ft' was given 2 times with different values"),
        ("?exakt=1", "There is no parameter 'exakt'; there are exact."),
    ],
)
def test_a_misspelt_or_repeated_parameter_is_not_answered_as_if_none_was_given(
    web: TestClient, sample: str, path: str, said: str
) -> None:
    """A hundred feet would be told for three hundred."""
    answer = web.get(f"/v1/parcels/{sample}{path}")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")
    assert said in answer.json()["detail"]
    assert web.get("/v1/parcels", params={"bboox": "-71.3,42.2,-71.2,42.3"}).status_code == 422


def test_no_owner_in_any_public_answer(web: TestClient, sample: str) -> None:
    answers = [
        web.get("/v1/parcels", params={"limit": 1000}).text,
        web.get(f"/v1/parcels/{sample}").text,
        web.get(f"/v1/parcels/{sample}/neighbors", params={"within_ft": 2000}).text,
        web.get("/v1/layers/parcels/items", params={"limit": 10_000}).text,
        web.get("/v1/layers/parcels/editions").text,
    ]
    for text in answers:
        assert not [name for name in (*FIRST, *LAST, "TRUST", "PO BOX") if f'"{name}' in text or f" {name}" in text]


def test_owners_are_no_search_words(web: TestClient, demo: Demo, sample: str) -> None:
    (row,) = Library(demo.data).snapshot().parcels.assess(sample)
    assert row.owner
    assert web.get("/v1/parcels", params={"q": row.owner.split(",")[0]}).json()["parcels"] == []


def test_a_search_without_parcels_is_no_empty_list(tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path / "d")) as client:
        answer = client.get("/v1/parcels", params={"q": "mill"})
    assert (answer.status_code, answer.json()["code"]) == (503, "layer_unavailable")


def test_a_lot_asked_for_exactly_comes_back_as_work_of_its_own_area(web: TestClient, mill: bytes) -> None:
    """Seven decimals of a degree lose some 3 sq ft of an acre, and graze the lots beside."""
    lot = web.post("/v1/screenings", content=mill).json()["parcels"][0]["loc_id"]
    shapes = [web.get(f"/v1/parcels/{lot}", params={"exact": exact}).json()["geometry"] for exact in (False, True)]
    rounded, whole = (web.post("/v1/screenings", content=json.dumps(shape)).json() for shape in shapes)
    assert whole["disturbance"]["area_sqft"] == whole["parcels"][0]["area_sqft"]
    assert (whole["parcels"][0]["disturbed_percent"], whole["disturbance"]["outside_parcels_sqft"]) == (100.0, 0.0)
    assert rounded["disturbance"]["area_sqft"] != whole["disturbance"]["area_sqft"]

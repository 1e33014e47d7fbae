"""The layers library over HTTP: states, editions, features in a box, and an edition sent by an admin."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shapely
from app_service import serving, square
from shapely import box
from starlette.testclient import TestClient

from app.settings import Settings
from layers.demo.make import Demo
from layers.demo.plan import COVERED, placed
from spatial.crs import reproject

Key = Callable[[str], dict[str, str]]
POOLS = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"CVP_NUM": n},
            "geometry": {"type": "Point", "coordinates": [-72.28, 42.38]},
        }
        for n in (1, 2)
    ],
}
POOLS["features"][1]["geometry"]["coordinates"] = [-72.281, 42.381]  # type: ignore[index]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[TestClient]:
    """Return a service whose library holds nothing yet."""
    with serving(Settings(data=tmp_path / "data", public_rate="10000/minute")) as client:
        yield client


def _admin(client: TestClient) -> dict[str, str]:
    _, secret = client.app.state.service.keys.create("admin", "test")  # type: ignore[attr-defined]
    return {"Authorization": f"Bearer {secret}"}


def _send(client: TestClient, layer: str, content: object, **fields: str) -> dict[str, object]:
    files = {"file": ("pools.geojson", json.dumps(content).encode())}
    answer = client.post(f"/v1/layers/{layer}/editions", files=files, data=fields, headers=_admin(client))
    return {"status": answer.status_code, **answer.json()}


def test_every_layer_is_told_loaded_or_not(web: TestClient) -> None:
    told = {layer["id"]: layer for layer in web.get("/v1/layers").json()["layers"]}
    assert told["wetlands"]["state"] == "ready"
    assert told["wetlands"]["editions"][0]["count_kept"] == 6
    assert (told["acec"]["state"], told["acec"]["why"]) == ("missing", "no edition is loaded")
    assert {edition["part"] for edition in told["parcels"]["editions"]} == {"doverbrook", "lynnmere"}
    assert all(e["invented"] and e["current"] for layer in told.values() for e in layer["editions"])


def test_one_layer_draws_what_it_answers_for(web: TestClient) -> None:
    (edition,) = web.get("/v1/layers/floodplain").json()["editions"]
    drawn = reproject(shapely.from_geojson(json.dumps(edition["coverage"])), "EPSG:4326", "EPSG:26986")
    assert drawn.symmetric_difference(placed(COVERED)).area < 1e-3 * placed(COVERED).area


def test_a_layer_goes_by_its_alias_too_and_an_unknown_one_is_404(web: TestClient) -> None:
    assert web.get("/v1/layers/PRIHAB_POLY").json()["id"] == "priority_habitat"
    for path in ("/v1/layers/swamps", "/v1/layers/swamps/items", "/v1/layers/swamps/editions"):
        answer = web.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "layer_unknown")


def test_items_in_a_box_come_with_our_columns(web: TestClient) -> None:
    bounds = reproject(placed(box(4_050, 2_770, 4_060, 2_780)), "EPSG:26986", "EPSG:4326").bounds
    answer = web.get("/v1/layers/wetlands/items", params={"bbox": ",".join(map(str, bounds))})
    assert answer.headers["content-type"] == "application/geo+json"
    (feature,) = answer.json()["features"]
    assert (feature["properties"]["code"], feature["properties"]["label"]) == ("SS", "SHRUB SWAMP")
    assert shapely.from_geojson(json.dumps(feature["geometry"])).is_valid


def test_items_limit_is_said(web: TestClient) -> None:
    told = web.get("/v1/layers/parcels/items", params={"limit": 5}).json()
    assert (len(told["features"]), told["more"]) == (5, True)
    whole = web.get("/v1/layers/parcels/items", params={"limit": 10_000}).json()
    assert (len(whole["features"]), whole["more"]) == (202 + 132, False)
    assert all(f["properties"]["loc_id"] == f["id"] for f in whole["features"])


def test_items_of_a_layer_that_is_not_loaded_are_not_an_empty_map(web: TestClient) -> None:
    answer = web.get("/v1/layers/acec/items")
    assert (answer.status_code, answer.json()["code"]) == (503, "layer_unavailable")


def test_a_raster_has_ground_but_no_items(web: TestClient) -> None:
    told = web.get("/v1/layers/elevation").json()
    assert (told["kind"], told["state"]) == ("raster", "ready")
    assert told["editions"][0]["coverage"]["type"] == "Polygon"
    answer = web.get("/v1/layers/elevation/items")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")
    assert "is a raster and has no features" in answer.json()["detail"]


def test_an_edition_sent_is_in_force_without_a_restart(empty: TestClient) -> None:
    assert empty.get("/v1/layers/certified_vernal_pools").json()["state"] == "missing"
    sent = _send(empty, "certified_vernal_pools", POOLS, covers="bounds", edition="first")
    assert (sent["status"], sent["edition"], sent["count_kept"], sent["source_file"]) == (
        201,
        "first",
        2,
        "pools.geojson",
    )
    told = empty.get("/v1/layers/certified_vernal_pools").json()
    assert (told["state"], told["editions"][0]["edition"]) == ("ready", "first")


def test_a_second_edition_keeps_the_first(empty: TestClient) -> None:
    more = {**POOLS, "features": [*POOLS["features"], square(-72.28, 42.38)]}  # type: ignore[misc]
    more["features"][2]["geometry"] = {"type": "Point", "coordinates": [-72.2805, 42.3805]}
    more["features"][2]["properties"] = {"CVP_NUM": 3}
    assert _send(empty, "certified_vernal_pools", POOLS, covers="bounds", edition="first")["status"] == 201
    assert _send(empty, "certified_vernal_pools", more, covers="bounds", edition="second")["status"] == 201
    kept = empty.get("/v1/layers/certified_vernal_pools/editions").json()["editions"]
    assert {(e["edition"], e["current"]) for e in kept} == {("first", False), ("second", True)}


def test_columns_may_be_mapped(empty: TestClient) -> None:
    named = {"type": "FeatureCollection", "features": [square(-72.28, 42.38, HAB="PH 1")]}
    refused = _send(empty, "priority_habitat", named, covers="bounds")
    assert refused["status"] == 422
    sent = _send(empty, "priority_habitat", named, covers="bounds", map="habitat_id=HAB")
    assert (sent["status"], sent["count_kept"]) == (201, 1)


def test_parcels_are_taken_as_a_level_3_town(empty: TestClient, demo: Demo) -> None:
    archive = demo.data / "sources" / "L3_SHP_M902_LYNNMERE.zip"
    towns = {"covers": ("towns.geojson", (demo.data / "sources" / "invented-towns.geojson").read_bytes())}
    files = {"file": (archive.name, archive.read_bytes()), **towns}
    answer = empty.post("/v1/layers/parcels/editions", files=files, headers=_admin(empty))
    assert answer.status_code == 201, answer.text
    assert answer.json()["count_kept"] == 132
    assert empty.get("/v1/parcels", params={"q": "280 quarry"}).json()["parcels"][0]["town_id"] == 902


@pytest.mark.parametrize("role", [None, "portal", "staff", "assessor"])
def test_only_an_admin_may_add(web: TestClient, key: Key, role: str | None) -> None:
    files = {"file": ("pools.geojson", json.dumps(POOLS).encode())}
    headers = key(role) if role else {}
    answer = web.post("/v1/layers/certified_vernal_pools/editions", files=files, headers=headers)
    assert answer.status_code == (403 if role else 401)


@pytest.mark.parametrize(
    ("fields", "code", "said"),
    [
        ({}, "bad_parameter", "covers"),
        ({"covers": "/etc"}, "bad_parameter", "not town:ID"),
        ({"covers": "../towns"}, "bad_parameter", "not town:ID"),
        ({"covers": "town:99999"}, "town_unknown", "99999"),
        ({"covers": "bounds", "map": "nonsense"}, "bad_parameter", "ours=theirs"),
        ({"covers": "bounds", "into": "x"}, "bad_parameter", "no field"),
        ({"covers": "bounds", "edition": "../../x"}, "bad_parameter", "cannot be the name"),
    ],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_loaded(
    empty: TestClient, fields: dict[str, str], code: str, said: str
) -> None:
    refused = _send(empty, "certified_vernal_pools", POOLS, **fields)
    assert (refused["status"], refused["code"]) == (422, code)
    assert said in str(refused["detail"])
    assert empty.get("/v1/layers/certified_vernal_pools").json()["state"] == "missing"


def test_a_form_without_a_file_is_refused(empty: TestClient) -> None:
    answer = empty.post(
        "/v1/layers/wetlands/editions",
        data={"covers": "state"},
        files={"other": ("a", b"b")},
        headers=_admin(empty),
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "empty_upload")


def test_the_audit_log_holds_what_was_added(empty: TestClient) -> None:
    _send(empty, "certified_vernal_pools", POOLS, covers="bounds", edition="first")
    entry = empty.app.state.service.audit.recent()[0]  # type: ignore[attr-defined]
    assert (entry.action, list(entry.subject)) == ("layer.add", ["certified_vernal_pools/pools/first"])
    assert entry.key_id is not None


def test_work_the_town_knows_of_is_taken_in_and_found_by_place(empty: TestClient, demo: Demo) -> None:
    sent = _send(empty, "disturbances", json.loads(demo.sample(demo.sites[0]).read_bytes()), covers="bounds")
    assert (sent["status"], sent["count_kept"]) == (201, 3)
    here = reproject(placed(box(4_050, 2_630, 4_060, 2_640)), "EPSG:26986", "EPSG:4326").bounds
    told = empty.get("/v1/layers/disturbances/items", params={"bbox": ",".join(map(str, here))}).json()
    assert [f["properties"]["activity"] for f in told["features"]] == ["building"]
    away = reproject(placed(box(0, 0, 10, 10)), "EPSG:26986", "EPSG:4326").bounds
    told = empty.get("/v1/layers/disturbances/items", params={"bbox": ",".join(map(str, away))}).json()
    assert told["features"] == []


def test_a_raster_sent_is_in_force_and_says_its_cells(empty: TestClient, demo: Demo) -> None:
    content = (demo.data / "sources" / "land-cover-2016.tif").read_bytes()
    sent = {"file": ("cover.tif", content)}
    answer = empty.post("/v1/layers/impervious/editions", files=sent, headers=_admin(empty))
    assert answer.status_code == 201, answer.text
    cells = answer.json()["cells"]
    assert (cells["width"], cells["height"], cells["classes"]) == (1_600, 900, [2])
    assert cells["values"]["2"] == 12_000 * 30 / 100 + 40 * 5_000 / 100 - 40 * 30 / 100 + 6 + 50
    assert empty.get("/v1/layers/impervious").json()["editions"][0]["cells"] == cells
    refused = empty.post(
        "/v1/layers/impervious/editions", files=sent, data={"map": "classes=9,x"}, headers=_admin(empty)
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_parameter")

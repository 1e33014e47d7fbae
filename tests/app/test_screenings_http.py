"""The main job over HTTP, on the invented towns, with numbers worked out by hand (``layers.demo.samples``)."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from app_service import ON, serving
from shapely import Point
from starlette.testclient import TestClient

from app.reading import Upload
from app.screening import Outcome, ask
from app.settings import Settings
from app.uploads import options_of
from layers.demo.make import Demo
from spatial.units import m_from_ft

TOP = {
    "id", "url", "created", "on", "town", "crs", "bylaws", "input", "disturbance", "parcels", "findings",
    "determinations", "watersheds", "next_steps", "deadlines", "warnings",
}  # fmt: skip
FINDING = {
    "theme", "title", "status", "certainty", "margin_ft", "relation", "disturbance_sqft", "percent_of_disturbance",
    "parcel_sqft", "percent_of_parcel", "length_ft", "count", "nearest_ft", "within_ft", "zones", "features",
    "layer",
    "legal_provisions", "authority", "why",
}  # fmt: skip
LAYER = {
    "id", "edition", "source_url", "retrieved", "sha256", "scale", "accuracy_ft", "complete", "coverage",
}  # fmt: skip
DETERMINATION = {
    "rule", "title", "citation", "result", "certainty", "measured", "threshold", "unit", "margin", "why", "needs",
    "policies", "readings", "approval", "authority",
}  # fmt: skip


def screened(web: TestClient, content: bytes, **said: Any) -> dict[str, Any]:
    answer = web.post("/v1/screenings", params={"on": ON, **said}, content=content)
    assert answer.status_code in {200, 201}, answer.text
    told: dict[str, Any] = answer.json()
    return told


def rule(told: dict[str, Any], rule_id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(d for d in told["determinations"] if d["rule"] == rule_id)
    return found


def test_a_screening_says_what_was_worked_out_by_hand(web: TestClient, mill: bytes) -> None:
    told = screened(web, mill, stored_fill_cuyd="120")
    assert told["disturbance"]["area_sqft"] == pytest.approx(9000.0, abs=0.2)
    by_activity = {one["activity"]: one["area_sqft"] for one in told["disturbance"]["by_activity"]}
    assert by_activity == pytest.approx({"building": 3000.0, "grading": 4200.0, "clearing": 2400.0}, abs=0.2)
    assert [lot["disturbed_sqft"] for lot in told["parcels"]] == [pytest.approx(9000.0, abs=0.2)]
    grade = rule(told, "dover-159.grade_change")
    assert (grade["result"], grade["threshold"]) == ("triggered", 5500.0)
    assert grade["measured"] == pytest.approx(6600.0, abs=0.2)
    clearing = rule(told, "dover-159.clearing")
    assert clearing["measured"] == pytest.approx(5400.0, abs=0.2)
    assert clearing["certainty"] == "too_close_to_call"
    assert rule(told, "dover-159.fill_storage")["result"] == "triggered"


def test_every_field_of_the_contract_is_there(web: TestClient, mill: bytes) -> None:
    told = screened(web, mill)
    assert set(told) >= TOP
    assert all(set(finding) >= FINDING and set(finding["layer"]) >= LAYER for finding in told["findings"])
    assert all(set(one) >= DETERMINATION for one in told["determinations"])
    assert set(told["watersheds"]) == {"huc10", "huc12"}
    assert told["crs"] == "EPSG:26986"
    assert told["on"] == ON
    assert told["town"]["name"] == "Doverbrook (invented)"
    assert all(f["layer"]["edition"] for f in told["findings"] if f["status"] in {"affected", "not_affected"})
    wetlands = [f for f in told["findings"] if f["theme"] == "buffer_zone" and f["layer"]["id"] == "wetlands"]
    assert {p["type"] for p in wetlands[0]["legal_provisions"]} >= {"statute"} or wetlands[0]["legal_provisions"]


def test_the_same_question_has_one_answer_for_ever(settings: Settings, mill: bytes, tmp_path: Path) -> None:
    settings = settings.model_copy(update={"database_url": f"sqlite:///{tmp_path / 'metes.db'}"})
    with serving(settings) as web:
        first = web.post("/v1/screenings", params={"on": ON}, content=mill)
        second = web.post("/v1/screenings", params={"on": ON}, content=mill)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.content == second.content
    assert first.headers["location"] == second.headers["location"] == first.json()["url"]
    with serving(settings) as web:
        assert web.get(first.headers["location"]).content == first.content
        assert web.post("/v1/screenings", params={"on": ON}, content=mill).status_code == 200


def test_another_question_has_another_id(web: TestClient, mill: bytes) -> None:
    asked = [
        {},
        {"stored_fill_cuyd": "90"},
        {"stored_fill_cuyd": "120"},
        {"on": "2026-11-29"},
        {"town": "doverbrook"},
    ]
    ids = [screened(web, mill, **said)["id"] for said in asked]
    assert len(set(ids)) == len(asked)
    assert screened(web, mill, stored_fill_cuyd="90.0")["id"] == ids[1]


def test_town_by_slug_and_by_number_are_one_question(web: TestClient, mill: bytes) -> None:
    told = screened(web, mill, town="doverbrook")
    assert screened(web, mill, town=str(told["town"]["id"]))["id"] == told["id"]


def test_every_way_of_sending_a_shapefile_gives_the_same_numbers(web: TestClient, demo: Demo) -> None:
    stem = demo.data / "samples" / demo.sites[0].stem
    archive = stem.with_suffix(".zip").read_bytes()
    with zipfile.ZipFile(BytesIO(archive)) as members:
        loose = [("file", (name, members.read(name))) for name in members.namelist()]
    answers = [
        web.post("/v1/screenings", params={"on": ON}, content=archive),
        web.post("/v1/screenings", data={"on": ON}, files={"file": ("mill.zip", archive)}),
        web.post("/v1/screenings", data={"on": ON}, files=loose),
        web.post(
            "/v1/screenings",
            data={"on": ON},
            files={"file": ("f.zip", (stem.parent / f"{stem.name}-2249.zip").read_bytes())},
        ),
    ]
    assert all(a.status_code in {200, 201} for a in answers), answers[0].text
    areas = [a.json()["disturbance"]["area_sqft"] for a in answers]
    assert areas == pytest.approx([9000.0] * 4, abs=0.2)
    assert answers[0].json()["id"] == answers[1].json()["id"]


def test_options_may_stand_in_the_form_and_must_not_contradict_the_query(web: TestClient, mill: bytes) -> None:
    form = {"files": {"file": ("mill.geojson", mill)}, "data": {"stored_fill_cuyd": "120"}}
    answer = web.post("/v1/screenings", params={"on": ON}, **form)
    assert rule(answer.json(), "dover-159.fill_storage")["measured"] == 120.0
    refused = web.post("/v1/screenings", params={"on": ON, "stored_fill_cuyd": "90"}, **form)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_parameter")


def test_esri_json_in_the_body(web: TestClient, mill: bytes) -> None:
    told = screened(web, mill)
    x, y = web.post("/v1/inspections", content=mill).json()["centroid_26986"]
    ring = [[x, y], [x, y + 10], [x + 10, y + 10], [x + 10, y], [x, y]]
    body = json.dumps({"rings": [ring], "spatialReference": {"wkid": 26986}}).encode()
    esri = screened(web, body)
    assert esri["disturbance"]["area_sqft"] == pytest.approx(1076.4, abs=0.1)
    assert esri["parcels"][0]["loc_id"] == told["parcels"][0]["loc_id"]


def test_parcels_may_be_named(web: TestClient, mill: bytes) -> None:
    lot = screened(web, mill)["parcels"][0]["loc_id"]
    assert [p["loc_id"] for p in screened(web, mill, parcel=lot)["parcels"]] == [lot]


def test_geojson_of_an_answer_has_lots_work_and_hits(web: TestClient, mill: bytes) -> None:
    url = screened(web, mill)["links"]["geojson"]
    answer = web.get(url)
    assert answer.headers["content-type"] == "application/geo+json"
    whats = [feature["properties"]["what"] for feature in answer.json()["features"]]
    assert whats.count("disturbance") == 3
    assert {"parcel", "hit"} <= set(whats)


def test_an_admin_deletes_and_nobody_else(
    web: TestClient, mill: bytes, key: Callable[[str], dict[str, str]]
) -> None:
    url = screened(web, mill)["url"]
    assert web.delete(url).status_code == 401
    assert web.delete(url, headers=key("staff")).status_code == 403
    assert web.get(url).status_code == 200
    assert web.delete(url, headers=key("admin")).status_code == 204
    gone = web.get(url)
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    newest = web.app.state.service.audit.recent(1)[0]  # type: ignore[attr-defined]
    assert (newest.action, newest.subject) == ("screening.delete", (url.rsplit("/", 1)[1],))


def test_a_new_screening_is_found_by_place_at_once(web: TestClient, mill: bytes) -> None:
    told = screened(web, mill, on="2026-10-01")
    x, y = told["input"]["sha256"], web.post("/v1/inspections", content=mill).json()["centroid_26986"]
    nearby = web.app.state.service.nearby  # type: ignore[attr-defined]
    assert told["id"] in {site.id for site in nearby.sites(Point(y).buffer(1), within_ft=100)}
    others = nearby.sites(Point(y).buffer(1), within_ft=100, other_than=x)
    assert told["id"] not in {site.id for site in others}


def test_inspection_says_what_we_understand_and_keeps_nothing(
    web: TestClient, mill: bytes, kept: Callable[[], int]
) -> None:
    before = kept()
    answer = web.post("/v1/inspections", content=mill)
    told = answer.json()
    assert (answer.status_code, told["status"], told["n_features"]) == (200, "ok", 3)
    assert told["crs"] == "EPSG:4326"
    refused = web.post("/v1/inspections", params={"town": "dover"}, content=mill)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_parameter")
    assert kept() == before


def rectangle(x: float, y: float, wide_ft: float, high_ft: float) -> bytes:
    """Return Esri JSON of a rectangle whose south-west corner is given in EPSG:26986."""
    east, north = x + m_from_ft(wide_ft), y + m_from_ft(high_ft)
    rings = [[[x, y], [x, north], [east, north], [east, y], [x, y]]]
    return json.dumps({"rings": rings, "spatialReference": {"wkid": 26986}}).encode()


def test_sites_of_one_plan_make_an_acre_together(web: TestClient, demo: Demo) -> None:
    quarry = demo.sample(demo.sites[1]).read_bytes()
    x, y = web.post("/v1/inspections", content=quarry).json()["bounds_26986"][:2]
    first = screened(web, rectangle(x, y, 200, 150), common_plan="Quarry Acres")
    assert rule(first, "lynnfield-320.land_disturbance")["result"] == "needs_input"
    little = rule(
        screened(web, rectangle(x, y, 20, 20), common_plan="Quarry Acres"), "lynnfield-320.land_disturbance"
    )
    assert (little["result"], little["needs"]) == ("needs_input", ["common_plan_sqft"])
    second = screened(web, rectangle(x + m_from_ft(200), y, 100, 150), common_plan="quarry acres")
    both = rule(second, "lynnfield-320.land_disturbance")
    assert (both["result"], both["threshold"]) == ("triggered", 43560.0)
    assert both["measured"] == pytest.approx(45000.0, abs=0.5)
    again = screened(web, rectangle(x, y, 200, 151), common_plan="Quarry Acres")
    assert rule(again, "lynnfield-320.land_disturbance")["measured"] == pytest.approx(45200.0, abs=0.5)


def test_many_at_once_get_each_their_own_answer_and_equals_the_same(web: TestClient, mill: bytes) -> None:
    service = web.app.state.service  # type: ignore[attr-defined]
    upload = Upload("mill.geojson", (("mill.geojson", mill),))

    def one(cubic_yards: int) -> Outcome:
        return ask(service, upload, options_of([("on", ON), ("stored_fill_cuyd", str(cubic_yards))]))

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(one, [500, 501, 502, 503] * 5))
    bodies = {outcome.id: {o.body for o in outcomes if o.id == outcome.id} for outcome in outcomes}
    assert len(bodies) == 4
    assert all(len(same) == 1 for same in bodies.values())
    assert sum(outcome.made for outcome in outcomes) == 4

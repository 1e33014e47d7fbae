"""Setbacks over HTTP and at the command line, on the invented towns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import shapely
from app_service import Said
from shapely.geometry import mapping, shape
from starlette.testclient import TestClient

from layers.demo.lots import SAMPLE_LOT
from layers.demo.plan import placed
from spatial.crs import reproject

YARDS = {"front_ft": 40, "side_ft": 20, "rear_ft": 30}


def degrees(drawing: shapely.Geometry) -> dict[str, Any]:
    """Return a shape in plan feet as GeoJSON."""
    return dict(mapping(reproject(placed(drawing), "EPSG:26986", "EPSG:4326")))


def loc_id(web: TestClient, address: str, area_sqft: float = 0.0) -> str:
    """Return the parcel at an address, the one of a size where several share it."""
    found = web.get("/v1/parcels", params={"q": address}).json()["parcels"]
    return str(min(found, key=lambda p: abs(p["area_sqft"] - area_sqft) if area_sqft else 0.0)["loc_id"])


def ask(web: TestClient, **body: object) -> dict[str, Any]:
    answer = web.post("/v1/setbacks", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def refused(web: TestClient, **body: object) -> dict[str, Any]:
    answer = web.post("/v1/setbacks", json=body)
    assert answer.status_code == 422 and answer.headers["content-type"] == "application/problem+json"
    return dict(answer.json())


def test_the_sample_lot_160_by_250(web: TestClient) -> None:
    told = ask(web, parcel=loc_id(web, "408 mill st"), setbacks=YARDS)
    assert sorted(e["class"] for e in told["edges"]) == ["front", "interior_side", "interior_side", "rear"]
    assert {y["yard"]: y["area_sqft"] for y in told["yards"]} == {"front": 6400.0, "rear": 4800.0, "side": 7200.0}
    assert told["envelope"] == {"area_sqft": 21600.0, "parts": 1}
    assert (told["lot"]["area_sqft"], told["status"], told["needs"]) == (40000.0, "ok", [])
    assert told["citation"] == "given with the question, without a source"
    front = next(e for e in told["edges"] if e["class"] == "front")
    assert front["length_ft"] == 160.0 and "runs along" in front["why"] and front["overridden"] is False


def test_everything_drawn_comes_as_geojson(web: TestClient) -> None:
    told = ask(web, parcel=loc_id(web, "408 mill st"), setbacks=YARDS)["geojson"]
    kinds = [f["properties"]["what"] for f in told["features"]]
    assert sorted(set(kinds)) == ["edge", "envelope", "lot", "yard"]
    assert kinds.count("edge") == 4 and kinds.count("yard") == 3
    envelope = next(f for f in told["features"] if f["properties"]["what"] == "envelope")
    area = reproject(shape(envelope["geometry"]), "EPSG:4326").area
    assert area / (1200 / 3937) ** 2 == pytest.approx(21_600, rel=1e-4)
    assert all(-72.6 < shape(f["geometry"]).bounds[0] < -70 for f in told["features"])


def test_without_a_schedule_the_yards_are_asked_for(web: TestClient) -> None:
    told = ask(web, parcel=loc_id(web, "408 mill st"), town="bellingham")
    assert told["status"] == "needs_input" and told["envelope"] is None and told["yards"] == []
    assert told["needs"] == ["setbacks", "front_ft", "side_ft", "rear_ft"]
    assert sorted(e["class"] for e in told["edges"]) == ["front", "interior_side", "interior_side", "rear"]
    assert any("No zoning table is held" in note for note in told["notes"])


def test_dovers_yards_are_not_known_and_lynnfields_are(web: TestClient) -> None:
    parcel = loc_id(web, "408 mill st")
    dover = ask(web, parcel=parcel, town="dover", district="R-1")
    assert dover["needs"] == ["front_ft", "side_ft", "rear_ft"] and "not held" not in (dover["district"] or "")
    lynnfield = ask(web, parcel=parcel, town="164", district="single residence a")
    assert (lynnfield["district"], lynnfield["depths"]["centerline_ft"]) == ("SRA", 50.0)
    assert "§ 260-4.1.2" in lynnfield["citation"]
    assert any(f["properties"]["what"] == "street_centerline" for f in lynnfield["geojson"]["features"])


def test_what_staff_entered_answers_with_its_citation(web: TestClient) -> None:
    told = ask(web, parcel=loc_id(web, "408 mill st"))
    assert (told["district"], told["needs"]) == ("R-1", [])
    assert told["citation"].endswith("(entered by the town's staff on 2026-01-01)")
    assert told["envelope"]["area_sqft"] == (160 - 40) * (250 - 70)
    assert any("The zoning map shows the district R-1" in note for note in told["notes"])


def test_depths_that_are_given_stand_in_the_district_of_the_map(web: TestClient) -> None:
    told = ask(web, parcel=loc_id(web, "408 mill st"), setbacks=YARDS)
    assert (told["district"], told["citation"]) == ("R-1", "given with the question, without a source")
    assert any("district R-1 here; the depths given with the question stand instead" in n for n in told["notes"])
    named = ask(web, parcel=loc_id(web, "408 mill st"), setbacks=YARDS, district="R-1")
    assert named["district"] == "R-1" and not any("zoning map" in note for note in named["notes"])


@pytest.mark.parametrize(
    ("address", "area_sqft", "fronts", "unknown"),
    [
        ("310 mill st", 0, 2, 2),
        ("47 mill st", 0, 2, 0),
        ("0 off heron ln", 50_000, 0, 4),
        ("316 mill st", 0, 1, 3),
    ],
    ids=["corner", "through", "landlocked", "flag"],
)
def test_odd_lots_end_where_nobody_can_tell(
    web: TestClient, address: str, area_sqft: float, fronts: int, unknown: int
) -> None:
    classes = [e["class"] for e in ask(web, parcel=loc_id(web, address, area_sqft), setbacks=YARDS)["edges"]]
    assert classes.count("front") == fronts
    assert classes.count("unknown") >= unknown if unknown else "unknown" not in classes


def test_an_override_is_kept_and_shown(web: TestClient) -> None:
    parcel = loc_id(web, "310 mill st")
    first = ask(web, parcel=parcel, setbacks=YARDS)
    edge = next(e["id"] for e in first["edges"] if e["class"] == "unknown")
    word = {"edge": edge, "class": "rear", "why": "deed of 1998", "who": "Building Inspector"}
    told = next(e for e in ask(web, parcel=parcel, setbacks=YARDS, overrides=[word])["edges"] if e["id"] == edge)
    assert (told["class"], told["found"], told["overridden"]) == ("rear", "unknown", True)
    assert told["override"] == {"class": "rear", "why": "deed of 1998", "who": "Building Inspector"}
    assert told["why"] == "deed of 1998 (said by Building Inspector)"


def test_an_override_may_be_drawn_on_the_map(web: TestClient) -> None:
    west, _, east, north = SAMPLE_LOT.bounds
    line = degrees(shapely.LineString([(west, north), (east, north)]))
    word = {"edge": line, "class": "interior_side", "why": "abuts the common drive", "who": "Planner"}
    told = ask(web, parcel=loc_id(web, "408 mill st"), setbacks=YARDS, overrides=[word])
    assert [e["class"] for e in told["edges"]].count("interior_side") == 3
    assert sum(e["overridden"] for e in told["edges"]) == 1


def test_a_lot_that_was_drawn_and_sent(web: TestClient) -> None:
    told = ask(web, lot=degrees(SAMPLE_LOT), setbacks=YARDS)
    assert told["lot"]["area_sqft"] == pytest.approx(40_000, abs=2) and told["lot"]["loc_id"] is None
    assert told["town"] == "Doverbrook (invented)" and told["lot"]["accuracy_ft"] == 1.0
    assert told["envelope"]["area_sqft"] == pytest.approx(21_600, abs=5)


def test_a_lot_in_feet_and_the_same_in_metres_have_the_same_yards(web: TestClient) -> None:
    def sent(crs: str) -> dict[str, Any]:
        lot = dict(mapping(reproject(placed(SAMPLE_LOT), "EPSG:26986", crs)))
        return ask(web, lot=lot, crs=crs, setbacks=YARDS)

    feet, metres = sent("EPSG:2249"), sent("EPSG:26986")
    assert feet["yards"] == metres["yards"] and feet["envelope"] == metres["envelope"]
    assert [e["class"] for e in feet["edges"]] == [e["class"] for e in metres["edges"]]
    assert feet["envelope"]["area_sqft"] == 21600.0


def test_no_disturb_zones_are_joined_in_or_said_to_be_missing(web: TestClient) -> None:
    parcel = loc_id(web, "408 mill st")
    told = ask(web, parcel=parcel, town="lynnfield", district="SRA", no_disturb=True)
    taken = sum(z["area_sqft"] for z in told["no_disturb"]) + sum(y["area_sqft"] for y in told["yards"])
    assert taken + told["envelope"]["area_sqft"] == pytest.approx(40_000, abs=0.5)
    assert all("Ch. 320" in z["citation"] for z in told["no_disturb"])
    assert any("a delineation decides" in note for note in told["notes"])
    dover = ask(web, parcel=parcel, town="dover", district="R", no_disturb=True)
    assert any("No no-disturb widths are held" in note for note in dover["notes"])


def test_what_cannot_be_used_is_refused_with_the_remedy(web: TestClient) -> None:
    parcel = loc_id(web, "408 mill st")
    assert "either parcel" in refused(web, setbacks=YARDS)["detail"]
    assert "not both" in refused(web, parcel=parcel, lot=degrees(SAMPLE_LOT))["detail"]
    assert refused(web, parcel="F_1_1")["code"] == "parcel_unknown"
    assert refused(web, parcel=parcel, town="atlantis")["code"] == "town_unknown"
    unknown = refused(web, parcel=parcel, town="lynnfield", district="ZZ")
    assert unknown == refused(web, parcel=parcel, town="lynnfield", district="ZZ", setbacks=YARDS) | {
        "correlation_id": unknown["correlation_id"]
    }
    assert "no zoning district 'ZZ'" in unknown["detail"] and "SRA" in unknown["suggestions"]
    assert refused(web, parcel=parcel, setbacks={"front_ft": -1})["code"] == "bad_parameter"
    assert refused(web, parcel=parcel, setbacks={"frontage": 1})["code"] == "bad_parameter"
    rough = degrees(shapely.Point(SAMPLE_LOT.centroid).buffer(80, quad_segs=1000))
    assert refused(web, lot=rough, setbacks=YARDS)["code"] == "too_complex"
    word = {"edge": "77", "class": "rear", "why": "because", "who": "me"}
    nowhere = refused(web, parcel=parcel, overrides=[word])
    assert nowhere["feature"] == "override 1" and nowhere["suggestions"] == ["1", "2", "3", "4"]
    assert refused(web, parcel=parcel, overrides=[{**word, "class": "back"}])["code"] == "bad_parameter"


@pytest.mark.parametrize(
    ("edge", "code"),
    [
        (
            {"type": "Polygon", "coordinates": [[[-71, 42], [-71, 42.1], [-71.1, 42], [-71, 42]]]},
            "unsupported_geometry",
        ),
        ({"type": "LineString", "coordinates": [[-71, 42]]}, "unsupported_geometry"),
        ({"type": "LineString", "coordinates": "x"}, "unsupported_geometry"),
        ({"type": "LineString", "coordinates": [[-71, 42], [-71, 42.1]]}, "invalid_geometry"),
        ({"geometry": 7}, "unsupported_geometry"),
        ({}, "unsupported_geometry"),
    ],
    ids=["closed", "one point", "text", "elsewhere", "number", "nothing"],
)
def test_an_override_drawn_wrong_is_refused(web: TestClient, edge: dict[str, Any], code: str) -> None:
    word = {"edge": edge, "class": "rear", "why": "because", "who": "me"}
    told = refused(web, parcel=loc_id(web, "408 mill st"), overrides=[word])
    assert (told["code"], told["feature"]) == (code, "override 1")


def test_the_command_says_the_same(web: TestClient, metes: Callable[..., Said], tmp_path: Path) -> None:
    parcel = loc_id(web, "408 mill st")
    given = ("--front-ft", "40", "--side-ft", "20", "--rear-ft", "30")
    said = metes("setbacks", parcel, *given, "--format", "json")
    assert said.code == 0 and said.json() == ask(web, parcel=parcel, setbacks=YARDS)
    table = metes("setbacks", parcel, *given)
    assert "left to build on  21,600 sq ft" in table.out and "1  interior side" in table.out
    drawn = metes("setbacks", parcel, *given, "--format", "geojson")
    assert drawn.json()["type"] == "FeatureCollection"
    file = tmp_path / "lot.geojson"
    file.write_text(json.dumps(degrees(SAMPLE_LOT)))
    from_file = metes("setbacks", str(file), *given, "--format", "json", "--out", str(tmp_path / "out.json"))
    assert from_file.code == 0
    assert json.loads((tmp_path / "out.json").read_text())["envelope"]["parts"] == 1


def test_the_command_takes_overrides_and_refuses_nonsense(web: TestClient, metes: Callable[..., Said]) -> None:
    parcel = loc_id(web, "310 mill st")
    edge = next(e["id"] for e in ask(web, parcel=parcel)["edges"] if e["class"] == "unknown")
    said = metes("setbacks", parcel, "--override", f"{edge}=rear", "--who", "Clerk", "--why", "plan")
    assert said.code == 0 and f"{edge}  rear" in said.out and "(found: unknown)" in said.out
    assert metes("setbacks", parcel, "--override", "rear").err.startswith("bad_parameter: --override")
    assert metes("setbacks", parcel, "--override", f"{edge}=rear").code == 2
    nobody = metes("setbacks", "F_0_0")
    assert (nobody.code, nobody.out) == (2, "") and nobody.err.startswith("parcel_unknown:")


def test_a_field_that_does_not_exist_is_named_with_the_page_that_has_them(web: TestClient) -> None:
    told = refused(web, parcel=loc_id(web, "408 mill st"), depth_ft=40)
    assert told["detail"] == "depth_ft is no field of this request; /docs shows which it has."

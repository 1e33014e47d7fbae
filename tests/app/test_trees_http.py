"""Tree-protection zones over HTTP and at the command line, on the invented sample lot of 160 x 250 ft."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import shapely
from app_service import Said
from shapely import Point, box
from shapely.geometry import mapping, shape
from starlette.testclient import TestClient

from layers.demo.lots import SAMPLE_LOT
from layers.demo.plan import placed
from spatial.crs import reproject

WEST, SOUTH = SAMPLE_LOT.bounds[:2]
YARDS = {"front_ft": 40, "side_ft": 20, "rear_ft": 30}


def at(x: float, y: float) -> dict[str, float]:
    """Return a place on the lot, feet from its south-west corner, in degrees."""
    point = reproject(placed(Point(WEST + x, SOUTH + y)), "EPSG:26986", "EPSG:4326")
    return {"lon": point.x, "lat": point.y}


def degrees(drawing: shapely.Geometry, **properties: object) -> dict[str, Any]:
    geometry = dict(mapping(reproject(placed(drawing), "EPSG:26986", "EPSG:4326")))
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def on_lot(x0: float, y0: float, x1: float, y1: float, **properties: object) -> dict[str, Any]:
    return degrees(box(WEST + x0, SOUTH + y0, WEST + x1, SOUTH + y1), **{"activity": "grading", **properties})


def tree(name: str, x: float, y: float, dbh: float | None, **more: object) -> dict[str, Any]:
    return {"id": name, **at(x, y), "dbh_in": dbh, "action": "keep", **more}


@pytest.fixture
def parcel(web: TestClient) -> str:
    return str(web.get("/v1/parcels", params={"q": "408 mill st"}).json()["parcels"][0]["loc_id"])


def ask(web: TestClient, **body: object) -> dict[str, Any]:
    answer = web.post("/v1/tree-protection-zones", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def refused(web: TestClient, status: int = 422, **body: object) -> dict[str, Any]:
    answer = web.post("/v1/tree-protection-zones", json=body)
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def by_id(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {t["id"]: t for t in told["trees"]}


TREES = [
    tree("front", 80, 20, 24),
    tree("side", 8, 125, 12, action="remove"),
    tree("rear", 80, 240, 5.9, action="remove"),
    tree("middle", 80, 125, 30, action="remove"),
    tree("neighbour", 200, 125, 20),
    tree("unmeasured", 90, 90, None),
]


def test_each_tree_of_a_site(web: TestClient, parcel: str) -> None:
    told = ask(web, parcel=parcel, trees=TREES, work=on_lot(50, 32, 110, 80))
    trees = by_id(told)
    front = trees["front"]
    assert (front["yard"], front["protected"], front["verdict"]) == ("front", True, "impacted")
    assert (front["zone_radius_ft"], front["zone_radius_from_face_ft"]) == (24.0, 25.0)
    assert front["zone_sqft"] == pytest.approx(math.pi * 625, abs=0.1)
    cut = 625 * math.acos(12 / 25) - 12 * math.sqrt(625 - 144)
    assert front["disturbed_sqft"] == pytest.approx(cut, abs=1.0)
    assert front["disturbed_percent"] == pytest.approx(100 * cut / (math.pi * 625), abs=0.05)
    assert [r["policy"] for r in front["readings"]] == ["AMB-33", "AMB-33"]
    assert (trees["side"]["yard"], trees["side"]["protected"], trees["side"]["verdict"]) == (
        "side",
        True,
        "removed",
    )
    assert trees["rear"]["protected"] is False and "under the 6 in" in trees["rear"]["why"]
    assert (trees["middle"]["yard"], trees["middle"]["protected"]) == (None, False)
    assert "off the lot" in trees["neighbour"]["why"] and trees["neighbour"]["flags"] == ["outside_lot"]
    assert [x["id"] for x in told["left_out"]] == ["unmeasured"]
    assert told["site"]["counts"]["trees"] == 5
    assert told["setbacks"]["district"] == "R-1"


def test_mitigation_with_the_rate_the_towns_staff_entered(web: TestClient, parcel: str) -> None:
    told = ask(web, parcel=parcel, trees=TREES)["mitigation"]
    assert (told["removed_dbh_in"], told["replacement_caliper_in"]) == (12.0, 6.0)
    assert (told["trees_2in"], told["trees_2_5in"], told["contribution"], told["needs"]) == (3, 3, 3000.0, [])


def test_in_dover_itself_the_yards_and_the_rate_are_asked_for(web: TestClient, parcel: str) -> None:
    told = ask(web, parcel=parcel, town="dover", district="R-1", trees=TREES)
    assert told["status"] == "needs_input"
    assert {"front_ft", "side_ft", "rear_ft", "contribution_rate", "protection"} <= set(told["needs"])
    trees = by_id(told)
    assert trees["front"]["protected"] is None and trees["front"]["yard"] == "unknown"
    assert trees["rear"]["protected"] is False
    assert told["mitigation"]["undecided_dbh_in"] == 42.0


def test_in_lynnfield_large_trees_are_shown_on_the_plan(web: TestClient, parcel: str) -> None:
    rows = [tree("a", 80, 60, 12), tree("b", 80, 90, 10.5), tree("c", 80, 120, 10.4)]
    told = ask(web, parcel=parcel, town="lynnfield", district="SRA", trees=rows)
    assert [t["on_plan"] for t in told["trees"]] == ["show", "check_caliper", "not_required"]
    assert {t["protected"] for t in told["trees"]} == {None}
    assert any("as advice only" in note for note in told["notes"])
    assert told["citations"][0].startswith("dover-159.tree_protection")


def test_duties_follow_the_permit(web: TestClient, parcel: str) -> None:
    wide = on_lot(20, 20, 140, 200)
    assert ask(web, parcel=parcel, trees=TREES[:1], work=wide)["duties"] == "binding"
    assert ask(web, parcel=parcel, trees=TREES[:1])["duties"] == "unknown"
    assert ask(web, parcel=parcel, trees=TREES[:1], permit_triggered=False)["duties"] == "advisory"
    rules = {r["rule"]: r for r in ask(web, parcel=parcel, trees=TREES[:-1], work=wide)["rules"]}
    assert rules["dover-159.tree_protection"]["result"] == "triggered"
    assert "12.00 inches of protected trunk" in rules["dover-159.tree_mitigation"]["why"]
    unmeasured = {r["rule"]: r["result"] for r in ask(web, parcel=parcel, trees=TREES, work=wide)["rules"]}
    assert set(unmeasured.values()) == {"needs_input"}


def test_what_leaves_a_figure_open_stands_beside_it(
    web: TestClient, metes: Callable[..., Said], parcel: str, tmp_path: Path
) -> None:
    """One row has no diameter, one no place: 12 inches go for certain, and nobody can say how much in all."""
    rows = [*TREES, {"id": "lost", "lon": "", "lat": "", "dbh_in": 40, "action": "remove"}]
    trees, work = tmp_path / "trees.csv", tmp_path / "work.geojson"
    trees.write_bytes(table(rows))
    work.write_text(json.dumps(on_lot(20, 20, 140, 200)))
    words = ("trees", str(trees), "--parcel", parcel, "--work", str(work))
    told = metes(*words, "--format", "json").json()
    assert [one["id"] for one in told["left_out"]] == ["unmeasured", "row 7"]
    assert told["mitigation"]["open"] == ["unmeasured, row 7 (left out)"]
    rules = {r["rule"]: r for r in told["rules"]}
    assert rules["dover-159.tree_mitigation"]["result"] == "needs_input"
    assert rules["dover-159.tree_mitigation"]["why"].startswith("12 inches of protected trunk go already; how much")
    page = " ".join(metes(*words).out.split())
    left_out, _, after = page.partition("LEFT OUT")[2].partition("WHAT THE RULES ON TREES SAY")
    assert "unmeasured it has no diameter" in left_out and "row 7 it has no place" in left_out
    assert "Removal of protected" not in left_out and "taken to hold inches" not in left_out
    assert "taken to hold inches" in after.partition("TAKEN FOR GRANTED")[2]
    assert "12 inches of trunk so far; open: unmeasured, row 7 (left out)" in page
    assert "$3,000.00, so far" in page
    whole = ask(web, parcel=parcel, trees=TREES[:-1], work=on_lot(20, 20, 140, 200))
    assert whole["mitigation"]["open"] == []


def test_a_stem_in_the_work_of_which_nothing_is_said_is_not_taken_to_stay(web: TestClient, parcel: str) -> None:
    silent = {k: v for k, v in tree("front", 80, 20, 24).items() if k != "action"}
    wide = on_lot(10, 10, 150, 200)
    told = ask(web, parcel=parcel, trees=[silent], work=wide)
    (rule,) = [r for r in told["rules"] if r["rule"] == "dover-159.tree_mitigation"]
    assert (rule["result"], told["status"], told["needs"]) == ("needs_input", "needs_input", ["action"])
    assert "nobody says whether it goes" in told["mitigation"]["open"][0]
    said = ask(web, parcel=parcel, trees=[tree("front", 80, 20, 24)], work=wide)
    (rule,) = [r for r in said["rules"] if r["rule"] == "dover-159.tree_mitigation"]
    assert (rule["result"], said["mitigation"]["open"]) == ("not_triggered", [])


def test_a_zone_shrinks_only_by_what_is_declared_unavoidable(web: TestClient, parcel: str) -> None:
    work = on_lot(50, 32, 110, 80)
    told = by_id(ask(web, parcel=parcel, trees=TREES, work=work))["front"]
    assert told["retained_sqft"] == told["zone_sqft"] and told["avoidable_sqft"] == told["disturbed_sqft"]
    for asked in ({"unavoidable": work}, {"work": on_lot(50, 32, 110, 80, unavoidable=True)}):
        declared = by_id(ask(web, parcel=parcel, trees=TREES, **{"work": work, **asked}))["front"]
        assert declared["avoidable_sqft"] == pytest.approx(0.0, abs=0.1)
        assert declared["retained_sqft"] == pytest.approx(told["zone_sqft"] - told["disturbed_sqft"], abs=0.2)


def test_everything_drawn_comes_as_geojson(web: TestClient, parcel: str) -> None:
    features = ask(web, parcel=parcel, trees=TREES, work=on_lot(50, 32, 110, 80))["geojson"]["features"]
    kinds = {f["properties"]["what"] for f in features}
    assert {
        "lot",
        "edge",
        "yard",
        "envelope",
        "work",
        "tree",
        "zone",
        "disturbed",
        "merged_zones",
        "fence",
    } <= kinds
    zone = next(f for f in features if f["id"] == "zone/front")
    area = reproject(shape(zone["geometry"]), "EPSG:4326").area / (1200 / 3937) ** 2
    assert area == pytest.approx(math.pi * 625, rel=1e-3)


def test_of_many_trees_the_drawing_is_coarse_and_the_figures_are_not(web: TestClient, parcel: str) -> None:
    rows = [tree(str(i), 2 + i % 30 * 5, 2 + i // 30 * 12, 6) for i in range(501)]
    told = ask(web, parcel=parcel, trees=rows)
    kinds = [f["properties"]["what"] for f in told["geojson"]["features"]]
    assert kinds.count("tree") == 501 and "zone" not in kinds
    merged = next(f for f in told["geojson"]["features"] if f["id"] == "zones")
    area = reproject(shape(merged["geometry"]), "EPSG:4326").area / (1200 / 3937) ** 2
    assert area == pytest.approx(told["site"]["zones_sqft"], rel=0.03)
    assert told["site"]["zones_sqft"] < 501 * math.pi * 6.25**2


def test_stems_driplines_and_units(web: TestClient, parcel: str) -> None:
    rows = [
        {"id": 1, **at(60, 60), "stems_in": [8, 6, 5], "action": "keep"},
        {"id": 2, **at(80, 100), "dbh_cm": 60.96, "action": "keep"},
        {"id": 3, **at(100, 140), "dbh_in": 10, "dripline_ft": 22, "action": "keep"},
    ]
    told = ask(web, parcel=parcel, setbacks=YARDS, trees=rows)
    first, second, third = told["trees"]
    assert (first["dbh_in"], first["dbh_rss_in"], first["stems_in"]) == (19.0, 11.18, [8.0, 6.0, 5.0])
    assert "multi_stem_sum" in first["flags"]
    assert second["dbh_in"] == pytest.approx(24.0) and any("converted to inches" in n for n in told["notes"])
    assert third["zone_radius_used_ft"] == 22.0


def test_without_a_lot_zones_are_drawn_and_protection_is_not_known(web: TestClient) -> None:
    told = ask(web, trees=TREES[:1], town="dover")
    assert told["trees"][0]["protected"] is None and told["needs"] == ["lot"] and told["setbacks"] is None
    assert told["site"]["fence_off_lot_ft"] is None


def test_trees_in_the_plane_need_their_system(web: TestClient, parcel: str) -> None:
    point = placed(Point(WEST + 80, SOUTH + 20))
    row = {"id": "x", "x": point.x, "y": point.y, "dbh_in": 24, "action": "keep"}
    told = ask(web, parcel=parcel, trees=[row], crs="EPSG:26986")
    assert told["trees"][0]["yard"] == "front"
    missing = refused(web, parcel=parcel, trees=[row])
    assert missing["code"] == "crs_missing" and "EPSG:26986" in missing["suggestions"]
    assert "one way" in refused(web, parcel=parcel, trees=[row, TREES[0]], crs="EPSG:26986")["detail"]


def test_trees_may_come_as_geojson_points(web: TestClient, parcel: str) -> None:
    points = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"DBH (cm)": 60.96, "Action": "remove", "Tag": "T1"},
         "geometry": {"type": "Point", "coordinates": list(at(80, 20).values())}}]}  # fmt: skip
    told = ask(web, parcel=parcel, trees=points)["trees"]
    assert [(t["id"], t["dbh_in"], t["verdict"]) for t in told] == [("T1", 24.0, "removed")]


def test_what_cannot_be_used_is_refused_with_the_remedy(web: TestClient, parcel: str) -> None:
    giant = refused(web, parcel=parcel, trees=[tree("g", 80, 20, 600)])
    assert giant["feature"] == "g" and "dbh_cm" in giant["detail"]
    assert "None of the 1 trees" in refused(web, parcel=parcel, trees=[tree("z", 80, 20, 0)])["detail"]
    assert refused(web, parcel=parcel, trees=[])["code"] == "empty_upload"
    assert refused(web, parcel=parcel)["code"] == "empty_upload"
    assert "no place" in refused(web, parcel=parcel, trees=[{"id": "p", "dbh_in": 9}])["detail"]
    assert refused(web, parcel=parcel, trees=[{**TREES[0], "action": "maybe"}])["code"] == "bad_parameter"
    assert refused(web, parcel=parcel, trees=[{"id": "s", "lon": 42.2, "lat": -71.2, "dbh_in": 9}])["code"] in (
        "axes_swapped", "outside_area")  # fmt: skip
    assert refused(web, parcel=parcel, trees=TREES, on="2020-01-01")["detail"].endswith("name a later day.")
    assert refused(web, parcel=parcel, trees=TREES, nonsense=1)["code"] == "bad_parameter"
    assert web.post("/v1/tree-protection-zones", content=b"{").json()["code"] == "bad_json"
    assert web.post("/v1/tree-protection-zones", content=b"").json()["code"] == "empty_upload"


def table(rows: list[dict[str, Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, ["id", "lon", "lat", "dbh_in", "action"])
    writer.writeheader()
    writer.writerows({k: row[k] for k in ("id", "lon", "lat", "dbh_in", "action")} for row in rows)
    return out.getvalue().encode()


def test_files_in_a_form(web: TestClient, parcel: str) -> None:
    files = [
        ("trees", ("trees.csv", table(TREES))),
        ("work", ("work.geojson", json.dumps(on_lot(50, 32, 110, 80)).encode())),
    ]
    answer = web.post(
        "/v1/tree-protection-zones", files=files, data={"parcel": parcel, "setbacks": json.dumps(YARDS)}
    )
    assert answer.status_code == 200, answer.text
    same = ask(web, parcel=parcel, setbacks=YARDS, trees=TREES, work=on_lot(50, 32, 110, 80))
    assert answer.json()["trees"] == same["trees"]
    lot = ("lot", ("lot.geojson", json.dumps(degrees(SAMPLE_LOT)).encode()))
    drawn = web.post("/v1/tree-protection-zones", files=[files[0], lot])
    assert by_id(drawn.json())["front"]["protected"] is True


@pytest.mark.parametrize(
    ("name", "said"),
    [("district", "R-1"), ("setbacks", {"front_ft": 40}), ("no_disturb", True)],
)
def test_what_is_said_of_a_lot_that_did_not_come_is_refused(web: TestClient, name: str, said: object) -> None:
    told = refused(web, trees=[tree("a", 80, 100, 24)], **{name: said})
    assert told["code"] == "bad_parameter"
    assert told["detail"].startswith(f"{name} says something of a lot, and no lot came")


def test_a_form_that_is_wrong(web: TestClient, parcel: str) -> None:
    def post(files: list[Any], **data: str) -> dict[str, Any]:
        answer = web.post("/v1/tree-protection-zones", files=files, data=data)
        assert answer.status_code == 422
        return dict(answer.json())

    trees = ("trees", ("trees.csv", table(TREES)))
    assert "name it one of" in post([trees, ("site", ("a.geojson", b"{}"))], parcel=parcel)["detail"]
    assert post([trees], parcel=parcel, setbacks="forty")["code"] == "bad_json"
    assert post([("work", ("w.geojson", b"{}"))], parcel=parcel)["code"] == "empty_upload"
    empty = ("trees", ("trees.csv", b"species,x\noak,1\n"))
    assert post([empty], parcel=parcel)["code"] == "no_geometry"


def test_the_command_says_the_same(
    web: TestClient, metes: Callable[..., Said], parcel: str, tmp_path: Path
) -> None:
    trees, work = tmp_path / "trees.csv", tmp_path / "work.geojson"
    trees.write_bytes(table(TREES))
    work.write_text(json.dumps(on_lot(50, 32, 110, 80)))
    said = metes("trees", str(trees), "--parcel", parcel, "--work", str(work), "--format", "json")
    assert said.code == 0, said.err
    assert said.json()["trees"] == ask(web, parcel=parcel, trees=TREES, work=on_lot(50, 32, 110, 80))["trees"]
    page = metes("trees", str(trees), "--parcel", parcel, "--work", str(work))
    assert "front  24 in: STAYS, ITS ROOTS ARE IMPACTED; protected" in page.out
    assert "6 inches of caliper: 3 of 2 in or 3 of 2.5 in" in page.out
    drawn = metes("trees", str(trees), "--parcel", parcel, "--format", "geojson")
    assert any(f["properties"]["what"] == "fence" for f in drawn.json()["features"])


def test_the_command_needs_one_lot(metes: Callable[..., Said], parcel: str, tmp_path: Path) -> None:
    trees = tmp_path / "trees.csv"
    trees.write_bytes(table(TREES))
    for words in ((), ("--parcel", parcel, "--lot", str(trees))):
        said = metes("trees", str(trees), *words)
        assert (said.code, said.out) == (2, "") and "--parcel LOC_ID or --lot FILE" in said.err
    lot = tmp_path / "lot.geojson"
    lot.write_text(json.dumps(degrees(SAMPLE_LOT)))
    assert metes("trees", str(trees), "--lot", str(lot), "--on", "2026-11-30").code == 0
    assert metes("trees", str(tmp_path / "none.csv"), "--parcel", parcel).code == 2

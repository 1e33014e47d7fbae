"""Trees drawn among the work of a screening: the rules on trees answer, and what cannot be counted is said."""

from __future__ import annotations

from typing import Any

import shapely
from shapely import Point, box
from shapely.geometry import mapping
from starlette.testclient import TestClient

from layers.demo.lots import SAMPLE_LOT
from layers.demo.plan import placed
from spatial.crs import reproject

WEST, SOUTH = SAMPLE_LOT.bounds[:2]
WORK = {"activity": "grading"}


def feature(drawing: shapely.Geometry, **properties: object) -> dict[str, Any]:
    geometry = dict(mapping(reproject(placed(drawing), "EPSG:26986", "EPSG:4326")))
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def stem(x: float, y: float, **properties: object) -> dict[str, Any]:
    return feature(Point(WEST + x, SOUTH + y), role="tree", **properties)


def screened(web: TestClient, *trees: dict[str, Any], **options: str) -> dict[str, Any]:
    work = feature(box(WEST + 40, SOUTH + 60, WEST + 120, SOUTH + 160), **WORK)
    body = {"type": "FeatureCollection", "features": [work, *trees]}
    answer = web.post("/v1/screenings", json=body, params=options)
    assert answer.status_code in (200, 201), answer.text
    return dict(answer.json())


def rules(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {d["rule"]: d for d in told["determinations"]}


def codes(told: dict[str, Any]) -> set[str]:
    return {w["code"] for w in told["warnings"]}


REMOVED = stem(80, 20, dbh_in=12, action="remove")
KEPT = stem(8, 125, dbh_in=24, action="keep")
MIDDLE = stem(80, 100, dbh_in=30, action="remove")


def test_trees_in_the_yards_answer_the_rules_on_trees(web: TestClient) -> None:
    told = rules(screened(web, REMOVED, KEPT, MIDDLE))
    assert told["dover-159.tree_protection"]["result"] == "triggered"
    assert told["dover-159.tree_protection"]["why"].startswith("1 protected tree(s) stay")
    assert told["dover-159.tree_mitigation"]["measured"] == 12.0
    without = rules(screened(web))
    assert without["dover-159.tree_mitigation"]["result"] == "needs_input"


def test_a_fact_that_was_given_stands_before_what_was_counted(web: TestClient) -> None:
    told = rules(screened(web, REMOVED, KEPT, removed_protected_dbh_in="40"))
    assert told["dover-159.tree_mitigation"]["measured"] == 40.0


def test_where_the_yards_are_not_known_the_rules_still_ask(web: TestClient) -> None:
    told = screened(web, REMOVED, KEPT, town="dover", district="R-1")
    assert rules(told)["dover-159.tree_mitigation"]["result"] == "needs_input"
    assert "trees_undecided" in codes(told)
    assert any("front_ft" in w["message"] for w in told["warnings"])


def test_a_tree_nobody_measured_keeps_the_count_open(web: TestClient) -> None:
    told = screened(web, REMOVED, stem(100, 20, dbh_in=0, action="remove"))
    assert rules(told)["dover-159.tree_mitigation"]["result"] == "needs_input"
    assert "trees_left_out" in codes(told)
    lost = screened(web, REMOVED, {**stem(100, 20, dbh_in=30, action="remove"), "geometry": None})
    assert rules(lost)["dover-159.tree_mitigation"]["result"] == "needs_input"
    assert any("row 3 is not counted: it has no place" in w["message"] for w in lost["warnings"])
    points = screened(web, stem(80, 20, activity="tree_removal"))
    assert "trees_unmeasured" in codes(points)
    giant = screened(web, stem(80, 20, dbh_in=600))
    assert any("dbh_cm" in w["message"] for w in giant["warnings"])


def test_another_district_is_another_question_and_one_that_is_none_is_refused(web: TestClient) -> None:
    edge = stem(25, 125, dbh_in=10, action="remove")
    ours, other = screened(web, edge), screened(web, edge, district="R-2")
    assert ours["id"] != other["id"]
    assert rules(ours)["dover-159.tree_mitigation"]["result"] == "not_triggered"
    assert rules(other)["dover-159.tree_mitigation"]["measured"] == 10.0
    work = feature(box(WEST + 40, SOUTH + 60, WEST + 120, SOUTH + 160), **WORK)
    body = {"type": "FeatureCollection", "features": [work, edge]}
    refused = web.post("/v1/screenings", json=body, params={"district": "ZZ"})
    assert refused.status_code == 422 and "zoning district 'ZZ'" in refused.json()["detail"]
    assert "district_unused" in codes(screened(web, district="R-2"))


def test_a_district_the_town_does_not_have_is_refused_without_trees_too(web: TestClient) -> None:
    work = feature(box(WEST + 40, SOUTH + 60, WEST + 120, SOUTH + 160), **WORK)
    for said in ({"district": "ZZ"}, {"district": "ZZ", "town": "lynnfield"}):
        answer = web.post("/v1/screenings", json=work, params=said)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter"), said
        assert "no zoning district 'ZZ'" in answer.json()["detail"]

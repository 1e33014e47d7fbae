"""Shapes for a map: degrees, RFC 7946 order, everything named, nothing cut in silence."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely
from shapely import MultiPolygon, Point, Polygon, box
from told import determination, finding, layer, screening

from app.reports.drawing import Shape
from app.reports.geojson import Feature, feature_collection, in_degrees, many_in_degrees, screening_geojson
from spatial.crs import reproject

SITE = box(217_900.0, 888_400.0, 217_950.0, 888_450.0)


def test_degrees_come_back_to_the_same_place_within_a_centimetre() -> None:
    drawn = in_degrees(SITE)
    back = reproject(shapely.from_geojson(json.dumps(drawn)), "EPSG:4326", "EPSG:26986")
    assert shapely.hausdorff_distance(back, SITE) < 0.01


def test_longitude_comes_first() -> None:
    drawn = in_degrees(Point(217_933.0, 888_405.0))
    assert drawn is not None
    assert drawn["coordinates"] == pytest.approx((-71.2827, 42.2459), abs=1e-4)


def test_outer_rings_run_anticlockwise_and_holes_clockwise() -> None:
    clockwise = Polygon(SITE.exterior.coords[::-1], [box(217_910, 888_410, 217_920, 888_420).exterior.coords])
    drawn = shapely.from_geojson(json.dumps(in_degrees(MultiPolygon([shapely.orient_polygons(clockwise)]))))
    part = shapely.get_parts(drawn)[0]
    assert part.exterior.is_ccw
    assert not part.interiors[0].is_ccw


def test_nothing_drawn_for_an_empty_shape() -> None:
    assert in_degrees(Polygon()) is None
    assert feature_collection([]) == {"type": "FeatureCollection", "features": []}


def test_a_collection_has_no_crs_member() -> None:
    told = feature_collection([Feature("a", SITE, {"n": 1})], more=True)
    assert set(told) == {"type", "features", "more"}
    assert told["features"][0]["properties"] == {"n": 1}


def test_screening_draws_work_lots_and_hits_with_what_was_said_of_them() -> None:
    hit = {
        "id": "SS-1",
        "label": "SHRUB SWAMP",
        "attributes": {},
        "overlap_sqft": 12.5,
        "length_ft": 0.0,
        "nearest_ft": 0.0,
        "accuracy_ft": 13.9,
    }
    lot = {
        "loc_id": "F_1_2",
        "map_par_id": "14-1",
        "town_id": 901,
        "site_address": "408 MILL ST",
        "area_sqft": 40000.0,
        "lot_size_sqft": None,
        "disturbed_sqft": 9000.0,
        "disturbed_percent": 22.5,
        "poly_type": "FEE",
    }
    findings = [
        finding("wetlands", "affected", features=[hit], layer=layer("wetlands")),
        finding("buffer_zone", "affected", features=[hit], layer=layer("wetlands")),
    ]
    shapes = (
        Shape("parcel", "F_1_2", SITE, {"site_address": "408 MILL ST"}),
        Shape("disturbance", "house", SITE, {"activity": "building", "name": "house"}),
        Shape("hit", "wetlands/SS-1", SITE, {"label": "SHRUB SWAMP", "cut_to_map": True}),
    )
    told = json.loads(screening_geojson(screening(parcels=[lot], findings=findings), shapes))
    parcel, work, met = (feature["properties"] for feature in told["features"])
    assert told["on"] == "2026-01-02"
    assert (parcel["what"], parcel["disturbed_sqft"]) == ("parcel", 9000.0)
    assert (work["what"], work["activity"]) == ("disturbance", "building")
    assert (met["what"], met["layer"], met["overlap_sqft"], met["cut_to_map"]) == ("hit", "wetlands", 12.5, True)
    assert met["themes"] == ["wetlands", "buffer_zone"]


def test_numbers_that_json_does_not_know_are_refused() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        screening_geojson(screening(), [Shape("tree", "t", Point(200_000, 800_000), {"dbh": float("nan")})])


def test_many_at_once_equal_one_by_one() -> None:
    holed = SITE.difference(box(217_910, 888_410, 217_920, 888_420))
    shapes = np.array([SITE, Polygon(), MultiPolygon([holed]), Point(217_933.0, 888_405.0)], dtype=object)
    for text, shape in zip(many_in_degrees(shapes), shapes, strict=True):
        one = json.loads(json.dumps(in_degrees(shape)))
        assert json.loads(text) == one


def test_many_of_none_is_none() -> None:
    assert many_in_degrees(np.array([], dtype=object)) == []


def test_the_work_carries_what_is_open_so_that_an_empty_map_is_no_clean_one() -> None:
    unseen = finding("floodplain", "not_checked", title="Flood zones", layer=layer("floodplain", edition=None))
    rules = [
        determination("dover-159.clearing", "triggered", title="Clearing"),
        determination("dover-159.major", "needs_input", title="Major project", needs=["major_project"]),
    ]
    answer = screening(findings=[unseen], determinations=rules)
    told = json.loads(
        screening_geojson(answer, [Shape("disturbance", "1", SITE, {}), Shape("parcel", "A", SITE, {})])
    )
    work, lot = (one["properties"] for one in told["features"])
    assert (work["rules_triggered"], work["rules_not_decided"], work["maps_not_checked"]) == (1, 1, 1)
    assert work["triggered"] == "Clearing (§ 1)"
    assert work["not_decided"] == "Major project (§ 1)"
    assert work["not_checked"] == "Flood zones"
    assert "Unknown is not a no" in work["in_short"]
    assert "rules_triggered" not in lot
    assert [one["title"] for one in told["not_checked"]] == ["Flood zones"]
    assert told["not_decided"][0]["needs"] == ["major_project"]
    assert told["summary"]["rules_undecided"] == 1

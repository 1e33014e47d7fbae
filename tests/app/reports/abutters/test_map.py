from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
import shapely
from abutter_lists import many, shapes, told
from fabrics import box, fabric

from app.reports.abutters.geojson import abutters_geojson
from app.reports.abutters.plot import map_svg
from app.reports.abutters.shapes import Shape, shapes_of, unpack
from app.reports.abutters.terminal import abutters_table
from layers.notice_rules import load_notice_rules
from spatial.abutters import abutters
from spatial.abutters.neighbours import Surroundings
from spatial.fabric.land import land_of, ring_around

SVG = "{http://www.w3.org/2000/svg}"


def test_the_map_numbers_the_parcels_as_the_table_does() -> None:
    rows = many(4)
    root = ET.fromstring(map_svg(told(rows), shapes(rows)))
    labels = [t.text for t in root.iter(f"{SVG}text")]
    assert labels[:4] == ["1", "2", "3", "4"]
    assert labels[-1] == "N"
    assert any(str(label).endswith(" ft") for label in labels)
    assert len(list(root.iter(f"{SVG}path"))) == 4 + 2 + 2


def test_shapes_are_kept_and_what_is_not_listed_is_cut_to_the_ring() -> None:
    lots = fabric(
        {"S": box(0, 0, 200, 200), "A": box(200, 0, 400, 200), "W": box(-9000, -50, 9000, 0)}, {"W": "ROW"}
    )
    rule = load_notice_rules().rule("distance")
    found = abutters(land_of(lots, ["S"], box(10, 10, 20, 20)), rule, lots, Surroundings(assessed=frozenset()))
    kept = unpack(shapes_of(found, lots).pack())
    assert [(s.role, s.loc_id) for s in kept.shapes] == [
        ("ring", None),
        ("excluded", "W"),
        ("abutter", "A"),
        ("subject", "S"),
        ("work", None),
    ]
    assert shapely.length(kept.of("excluded")[0].geometry) < 300
    assert kept.of("abutter")[0].geometry.equals(box(200, 0, 400, 200))


def test_the_ring_is_drawn_within_a_hundredth_of_a_percent() -> None:
    ring = ring_around(box(0, 0, 200, 200), 100)
    assert shapely.hausdorff_distance(ring.boundary, box(0, 0, 200, 200).boundary) == pytest.approx(
        30.48006, rel=1e-3
    )
    assert ring.area <= box(0, 0, 200, 200).area + 4 * 200 * 100 * 0.0929034 + 3.1416 * 30.48007**2


def test_geojson_is_in_degrees_wound_by_the_standard_and_without_names() -> None:
    rows = many(2)
    text = abutters_geojson(told(rows), shapes(rows))
    features = json.loads(text)["features"]
    assert [f["properties"]["role"] for f in features] == ["ring", "subject", "abutter", "abutter"]
    assert "OWNER" not in text
    first = shapely.from_geojson(json.dumps(features[2]["geometry"]))
    assert first.exterior.is_ccw
    assert -71.5 < first.bounds[0] < -71.2
    assert features[2]["properties"]["distance_ft"] == 0.0


def test_a_review_moves_what_was_dropped_and_draws_what_was_added() -> None:
    rows = many(2)
    more = Shape("abutter", "9", "within", box(0, 300, 100, 400))
    after = shapes(rows).reviewed({"1", "9"}, [more])
    assert [(s.role, s.loc_id) for s in after.shapes] == [
        ("ring", None),
        ("subject", "S"),
        ("abutter", "1"),
        ("excluded", "2"),
        ("abutter", "9"),
    ]
    left = abutters_geojson(told(rows[:1]), shapes(rows))
    assert [f["properties"]["loc_id"] for f in json.loads(left)["features"]] == [None, "S", "1"]


def test_the_table_for_a_terminal_says_everything_a_person_needs() -> None:
    text = abutters_table(told(many(2)))
    assert "DRAFT, not certified" in text
    assert "1. 1 ELM ST (1), 0.00 ft, abuts" in text
    assert "OWNER 0002, 2 OAK ST, DOVER MA 02030" in text
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines()) <= 100

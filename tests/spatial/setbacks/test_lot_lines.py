"""Lot lines of hand-made lots, judged as a surveyor would, and never beyond what can be told."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from fabrics import feet
from hypothesis import given, settings
from hypothesis import strategies as st
from spatial_lots import LOTS, Lot, box, fan

from spatial.errors import GeometryRefused, ParameterRefused
from spatial.setbacks.boundary import edges_of
from spatial.setbacks.lot_lines import classify
from spatial.setbacks.lot_model import LotLine, Override, Stretch
from spatial.setbacks.street_faces import faces
from spatial.units import ft_from_m


def by_side(lines: tuple[LotLine, ...], lot: shapely.Geometry) -> dict[str, str]:
    """Classes by the side of the lot's box that the middle of a line lies toward."""
    x0, y0, x1, y1 = lot.bounds
    told = {}
    for line in lines:
        p = line.line.interpolate(0.5, normalized=True)
        near = {"south": p.y - y0, "north": y1 - p.y, "west": p.x - x0, "east": x1 - p.x}
        told[min(near, key=near.__getitem__)] = line.line_class
    return told


@pytest.mark.parametrize(
    ("name", "south", "east", "north", "west"),
    [
        ("square", "front", "interior_side", "rear", "interior_side"),
        ("row", "front", "interior_side", "rear", "interior_side"),
        ("private", "front", "interior_side", "rear", "interior_side"),
        ("corner", "front", "front", "unknown", "unknown"),
        ("through", "front", "interior_side", "front", "interior_side"),
        ("pond", "front", "interior_side", "rear", "interior_side"),
        ("rail", "front", "interior_side", "rear", "interior_side"),
        ("landlocked", "unknown", "unknown", "unknown", "unknown"),
        ("wide_gap", "unknown", "unknown", "unknown", "unknown"),
    ],
)
def test_four_sides_of_a_rectangle(name, south, east, north, west):
    lot = LOTS[name]
    assert by_side(lot.lines(), lot.area) == {"south": south, "east": east, "north": north, "west": west}


@pytest.mark.parametrize(
    ("name", "side", "reason"),
    [
        ("square", "front", "a gap between parcels about 50 ft wide"),
        ("row", "front", "runs along the mapped right of way way"),
        ("private", "front", "runs along the private way way"),
        ("square", "rear", "opposite the front, 0 degrees"),
        ("square", "interior_side", "90 degrees from parallel"),
        ("corner", "unknown", "the town says whether that is the rear"),
        ("landlocked", "unknown", "touches no way"),
        ("pond", "rear", "runs along the water n"),
        ("rail", "rear", "runs along the railroad n"),
        ("wide_gap", "unknown", "about 230 ft wide, more than a street: perhaps a way"),
        ("flag", "unknown", "flag lot, 20 ft wide at the way"),
    ],
)
def test_every_line_says_why(name, side, reason):
    assert any(reason in line.why for line in LOTS[name].lines() if line.line_class == side)
    assert all(line.why for line in LOTS[name].lines())


def test_the_lines_of_a_lot_on_two_ways_can_be_side_or_rear_and_nothing_else():
    unknown = [line for line in LOTS["corner"].lines() if line.line_class == "unknown"]
    assert [line.candidates for line in unknown] == [("interior_side", "rear")] * 2


def test_a_town_with_one_front_on_a_corner_lot_gets_an_exterior_side():
    lot = LOTS["corner"]
    told = by_side(lot.lines(corner="one_front"), lot.area)
    assert told == {"south": "front", "east": "exterior_side", "north": "rear", "west": "interior_side"}


def test_a_flag_lot_keeps_what_can_be_told():
    told = {round(line.length_ft): line for line in LOTS["flag"].lines()}
    assert told[20].line_class == "front"
    assert (told[250].line_class, told[100].line_class) == ("interior_side", "interior_side")
    assert told[130].candidates == ("front", "interior_side", "rear")
    assert [line.candidates for line in LOTS["flag"].lines() if round(line.length_ft) == 150] == [
        ("interior_side", "rear")
    ] * 2


def test_a_pie_on_a_turning_circle_has_one_curved_front():
    lines = LOTS["pie"].lines()
    assert sorted(line.line_class for line in lines) == ["front", "interior_side", "interior_side", "rear"]
    front = next(line for line in lines if line.line_class == "front")
    assert front.length_ft == pytest.approx(math.radians(50) * 50, rel=0.002)
    assert len(front.line.coords) == 11


def test_a_rounded_street_corner_makes_two_fronts():
    curve = [(100 - 20 + 20 * math.sin(a), 20 - 20 * math.cos(a)) for a in np.radians(np.arange(0, 91, 7.5))]
    shape = shapely.Polygon([(0, 0), *curve, (100, 150), (0, 150)])
    lines = Lot(shape, LOTS["corner"].around).lines()
    assert sum(line.line_class == "front" for line in lines) == 2
    assert sum(line.line_class == "unknown" for line in lines) == 2


def test_a_gently_curved_frontage_is_one_front():
    curve = [(x, -6 * math.sin(math.pi * x / 100)) for x in range(0, 101, 5)]
    shape = shapely.Polygon([*curve, (100, 150), (0, 150)])
    lines = Lot(shape, LOTS["square"].around).lines()
    assert sorted(line.line_class for line in lines) == ["front", "interior_side", "interior_side", "rear"]


def test_a_notch_in_the_back_is_not_taken_for_the_rear():
    shape = shapely.Polygon([(0, 0), (100, 0), (100, 60), (50, 60), (50, 150), (0, 150)])
    around = LOTS["square"].around | {"inset": box(50, 60, 100, 150)}
    told = {line.why: line for line in Lot(shape, around).lines()}
    shallow = next(line for why, line in told.items() if "of the way to the back" in why)
    assert shallow.candidates == ("interior_side", "rear") and round(shallow.length_ft) == 50


def test_a_small_jog_takes_the_class_of_its_neighbours():
    shape = shapely.Polygon([(0, 0), (100, 0), (100, 70), (95, 70), (95, 150), (0, 150)])
    lines = Lot(shape, LOTS["square"].around | {"bit": box(95, 70, 100, 150)}).lines()
    jog = next(line for line in lines if round(line.length_ft) == 5)
    assert jog.line_class == "interior_side" and "a jog of 5.0 ft" in jog.why


def test_a_jagged_back_is_unknown():
    teeth = [(100 - 8 * i, 150 + (8 if i % 2 else 0)) for i in range(1, 12)]
    shape = shapely.Polygon([(0, 0), (100, 0), (100, 150), *teeth, (0, 150)])
    around = {k: v for k, v in LOTS["square"].around.items() if k != "n"}
    lines = Lot(shape, around | {"n": box(-100, 150, 200, 300).difference(shape)}).lines()
    jagged = [line for line in lines if "too jagged" in line.why]
    assert len(jagged) >= 8 and all(line.line_class == "unknown" for line in jagged)


def test_a_line_at_half_a_right_angle_is_anybodys_guess():
    shape = shapely.Polygon([(0, 0), (100, 0), (100, 100), (50, 150), (0, 150)])
    lines = Lot(
        shape, LOTS["square"].around | {"cut": shapely.Polygon([(100, 100), (100, 150), (50, 150)])}
    ).lines()
    slanted = next(line for line in lines if "a side as well as the rear" in line.why)
    assert slanted.candidates == ("interior_side", "rear")


def test_the_parts_and_holes_of_a_lot_are_judged_by_themselves():
    back = box(0, 170, 100, 200)
    shape = shapely.MultiPolygon([box(0, 0, 100, 150).difference(box(40, 60, 60, 80)), back])
    around = LOTS["square"].around | {"n": box(-100, 150, 200, 300).difference(back), "hole": box(40, 60, 60, 80)}
    lines = Lot(shape, around).lines()
    inner = [line for line in lines if "inner ring" in line.why]
    assert len(inner) == 4 and all(line.candidates == ("interior_side", "rear") for line in inner)
    apart = [line for line in lines if "touches no way" in line.why]
    assert len(apart) == 4
    assert sum(line.line_class == "front" for line in lines) == 1


def test_beyond_the_loaded_parcels_nothing_is_taken_for_a_way():
    lot = LOTS["square"]
    fabric = lot.fabric(coverage=feet(box(-500, -0.5, 500, 500)))
    lines = classify(lot.area, faces(lot.area, fabric))
    south = next(line for line in lines if "beyond the loaded parcels" in line.why)
    assert south.line_class == "unknown" and "front" in south.candidates


def test_road_centrelines_tell_a_road_from_a_hole_in_the_map():
    lot = LOTS["square"]
    road = np.array([feet(shapely.LineString([(-300, -25), (400, -25)]))], dtype=object)
    elsewhere = np.array([feet(shapely.LineString([(-300, 900), (400, 900)]))], dtype=object)
    on_road = classify(lot.area, faces(lot.area, lot.fabric(), roads=road))
    assert any("a gap between parcels that a road runs through" in line.why for line in on_road)
    assert by_side(on_road, lot.area)["south"] == "front"
    nowhere = classify(lot.area, faces(lot.area, lot.fabric(), roads=elsewhere))
    assert by_side(nowhere, lot.area)["south"] == "unknown"


def test_an_override_is_kept_and_shown_and_heeded():
    lot = LOTS["corner"]
    east = next(line.id for line in lot.lines() if line.line_class == "front" and round(line.length_ft) == 150)
    said = Override(east, "interior_side", "the eastern street was never built", "A. Inspector")
    lines = {line.id: line for line in lot.lines(overrides=[said])}
    assert lines[east].line_class == "interior_side" and lines[east].found == "front"
    assert lines[east].override is said
    assert lines[east].why == "the eastern street was never built (said by A. Inspector)"
    assert by_side(tuple(lines.values()), lot.area) == {
        "south": "front", "east": "interior_side", "north": "rear", "west": "interior_side"
    }  # fmt: skip


def test_an_override_can_give_a_landlocked_lot_its_front_or_take_a_class_away():
    lot = LOTS["landlocked"]
    south = next(line.id for line in lot.lines() if line.line.centroid.y < lot.area.centroid.y - 20)
    told = by_side(lot.lines(overrides=[Override(south, "front", "right of way by deed", "Clerk")]), lot.area)
    assert told["north"] == "rear" and told["south"] == "front"
    gone = LOTS["square"].lines(overrides=[Override("1", "unknown", "under survey", "Clerk")])
    assert gone[0].candidates == ("front", "interior_side", "rear")


def test_an_override_may_be_drawn_along_part_of_an_edge():
    lot = LOTS["square"]
    half = feet(shapely.LineString([(0, 150.5), (50, 150.5)]))
    lines = lot.lines(overrides=[Override(half, "interior_side", "party wall", "Clerk")])
    cut = [line for line in lines if "." in line.id]
    assert sorted(round(line.length_ft) for line in cut) == [50, 50]
    assert sorted(line.line_class for line in cut) == ["interior_side", "rear"]
    assert sum(ft_from_m(line.line.length) for line in lines) == pytest.approx(500.0)


@pytest.mark.parametrize(
    ("edge", "error", "told"),
    [
        ("9", ParameterRefused, "its edges are 1, 2, 3, 4"),
        (feet(shapely.LineString([(0, 150), (50, 100)])), GeometryRefused, "strays"),
        (feet(shapely.LineString([(50, 100), (50, 200)])), GeometryRefused, "strays"),
        (feet(shapely.LineString([(0, 150), (0, 150)])), GeometryRefused, "has no length"),
    ],
    ids=["no such edge", "open: ends inside the lot", "crosses the edge", "a point"],
)
def test_an_override_that_means_no_edge_is_refused(edge, error, told):
    with pytest.raises(error, match=told) as refused:
        LOTS["square"].lines(overrides=[Override(edge, "rear", "because", "Clerk")])
    assert refused.value.feature == "override 1"


def test_overrides_need_a_name_a_reason_and_one_word():
    with pytest.raises(ParameterRefused, match="who decided and why"):
        LOTS["square"].lines(overrides=[Override("1", "rear", " ", "Clerk")])
    with pytest.raises(ParameterRefused, match="overridden twice"):
        LOTS["square"].lines(overrides=[Override("1", "rear", "a", "A"), Override("1", "front", "b", "B")])


def test_edges_give_back_the_whole_boundary_and_an_empty_lot_has_none():
    for lot in LOTS.values():
        edges = edges_of(lot.area, faces(lot.area, lot.fabric()))
        assert sum(e.line.length for e in edges) == pytest.approx(lot.area.boundary.length, rel=1e-9)
    assert edges_of(shapely.Polygon(), ()) == ()


def test_a_round_lot_is_broken_where_it_has_turned_enough():
    edges = edges_of(feet(shapely.Point(0, 0).buffer(100, quad_segs=32)), ())
    assert 6 <= len(edges) <= 8
    assert edges_of(feet(shapely.Polygon(fan(100, 170, 40))), ())


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(["square", "corner", "through", "flag", "pie", "landlocked"]),
    turn=st.floats(0, 2 * math.pi),
    shift=st.tuples(st.floats(-3000, 3000), st.floats(-3000, 3000)),
)
def test_moving_and_turning_a_lot_moves_its_lines_and_changes_no_class(name, turn, shift):
    lot = LOTS[name]
    stretches = faces(lot.area, lot.fabric())
    cos, sin = math.cos(turn), math.sin(turn)
    pivot = np.array(lot.area.centroid.coords[0])

    def moved(xy):
        return (xy - pivot) @ np.array([[cos, sin], [-sin, cos]]) + pivot + np.array(shift)

    there = [Stretch(shapely.transform(s.line, moved), s.way, s.name) for s in stretches]
    here = classify(lot.area, stretches)
    gone = classify(shapely.transform(lot.area, moved), there)
    assert [(a.id, a.line_class, a.candidates) for a in here] == [(b.id, b.line_class, b.candidates) for b in gone]
    assert [b.length_ft for b in gone] == pytest.approx([a.length_ft for a in here], rel=1e-6)


def test_the_neck_of_a_flag_lot_keeps_its_sides_wherever_the_ring_begins():
    ring = [(60, 0), (80, 0), (80, 100), (150, 100), (150, 250), (0, 250), (0, 100), (60, 100)]
    around = {
        "w": box(-100, 0, 0, 250),
        "f": box(0, 0, 60, 100),
        "g": box(80, 0, 150, 100),
        "e": box(150, 0, 250, 250),
        "n": box(-100, 250, 250, 350),
        "s": box(-100, -200, 250, -50),
    }
    for start in range(len(ring)):
        shape = shapely.Polygon(ring[start:] + ring[:start])
        lines = Lot(shape, around).lines()
        sides = [round(line.length_ft) for line in lines if line.line_class == "interior_side"]
        assert sides == [100, 100] and sum(line.line_class == "front" for line in lines) == 1
        assert sum("flag lot" in line.why for line in lines) == 5


def test_a_brook_behind_a_lot_is_too_jagged_to_tell():
    turns = [(100 - 100 * i / 8, 150 + (14 if i % 2 else 0)) for i in range(1, 8)]
    shape = shapely.Polygon([(0, 0), (100, 0), (100, 150), *turns, (0, 150)])
    around = {k: v for k, v in LOTS["square"].around.items() if k != "n"}
    lines = Lot(shape, around | {"n": box(-100, 150, 200, 300).difference(shape)}).lines()
    assert sum("too jagged" in line.why for line in lines) == 8
    assert sum(line.line_class == "interior_side" for line in lines) == 2


def test_a_front_that_bends_nearly_back_on_itself_has_no_opposite():
    way = shapely.union(shapely.Point(50, -20).buffer(50, quad_segs=16), box(20, -300, 80, -60))
    shape = box(-60, -60, 160, 200).difference(way)
    around = {"w": box(-200, -60, -60, 200), "e": box(160, -60, 300, 200), "n": box(-200, 200, 300, 300),
              "s": box(-200, -300, 300, -60).difference(way), "way": way}  # fmt: skip
    lines = Lot(shape, around, {"way": "ROW"}).lines()
    assert sum(line.line_class == "front" for line in lines) >= 5
    assert {line.why for line in lines if line.line_class != "front"} == {
        "the front bends so far around that nothing can be said to lie opposite it"
    }

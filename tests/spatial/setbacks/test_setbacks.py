"""Yards and envelopes of hand-made lots, exact by hand, and the law that they add up to the lot."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from fabrics import feet
from hypothesis import given, settings
from hypothesis import strategies as st
from spatial_lots import LOTS, Lot, box

from spatial.setbacks import envelope_parts, lay_out
from spatial.setbacks.lot_lines import classify
from spatial.setbacks.lot_model import Depths, LotLine, NoDisturb, Override, Setbacks
from spatial.setbacks.street_faces import faces
from spatial.units import ft_from_m, sqft_from_sqm

DEPTHS = Depths(front_ft=40.0, side_ft=20.0, rear_ft=30.0, district="B", citation="§ 260-4.1.2")
ROAD = np.array([feet(shapely.LineString([(-300, -25), (400, -25)]))], dtype=object)


def laid(name: str, depths: Depths = DEPTHS, overrides=(), **more) -> Setbacks:
    lot = LOTS[name]
    return lay_out(lot.area, lot.lines(overrides=overrides), depths, **more)


def yards(setbacks: Setbacks) -> dict[str, float]:
    return {y.name: round(y.area_sqft, 6) for y in setbacks.yards}


def envelope_sqft(setbacks: Setbacks) -> float:
    return sqft_from_sqm(setbacks.envelope.area)


def settled(name: str) -> list[Override]:
    """Overrides that settle every unknown line: the longest as rear, the others as sides."""
    unknown = sorted((x for x in LOTS[name].lines() if x.line_class == "unknown"), key=lambda x: x.length_ft)
    return [
        Override(x.id, "rear" if x is unknown[-1] else "interior_side", "settled by the board", "Board")
        for x in unknown
    ]


def test_a_square_lot_by_hand():
    setbacks = laid("square")
    assert yards(setbacks) == {"front": 4000.0, "rear": 3000.0, "side": 3200.0}
    assert envelope_sqft(setbacks) == pytest.approx(60 * 80)
    assert feet(box(20, 40, 80, 120)).symmetric_difference(setbacks.envelope).area < 1e-6
    assert (setbacks.needs, envelope_parts(setbacks.envelope)) == ((), 1)


def test_a_corner_lot_by_hand_after_the_town_has_spoken():
    setbacks = laid("corner", overrides=settled("corner"))
    # fronts south and east 40 deep, west (150 ft) the rear 30 deep, north a side 20 deep
    assert yards(setbacks) == {"front": 100 * 40 + 40 * 110, "rear": 30 * 110, "side": 30 * 20}
    assert envelope_sqft(setbacks) == pytest.approx(30 * 90)


def test_an_unsettled_corner_lot_shows_only_what_can_surely_be_built_on():
    setbacks = laid("corner")
    assert envelope_sqft(setbacks) == pytest.approx(30 * 80)
    assert setbacks.needs == ("line_classes",)
    assert yards(setbacks)["unknown"] == 30 * 110 + 30 * 30


def test_where_side_and_rear_are_as_deep_nobody_needs_to_settle_the_corner():
    even = Depths(front_ft=40.0, side_ft=20.0, rear_ft=20.0)
    open_, closed = laid("corner", even), laid("corner", even, overrides=settled("corner"))
    assert envelope_sqft(open_) == pytest.approx(envelope_sqft(closed)) == pytest.approx(40 * 90)


def test_a_through_lot_has_two_fronts_and_no_rear():
    setbacks = laid("through")
    assert yards(setbacks) == {"front": 8000.0, "side": 2 * 20 * 70}
    assert envelope_sqft(setbacks) == pytest.approx(60 * 70)
    assert any("no rear yard" in note for note in setbacks.notes)


def test_an_exterior_side_is_as_deep_as_the_front_unless_the_town_says_otherwise():
    lot = LOTS["corner"]
    lines = lot.lines(corner="one_front")
    assert envelope_sqft(lay_out(lot.area, lines, DEPTHS)) == pytest.approx((100 - 40 - 20) * 80)
    other = Depths(40.0, 20.0, 30.0, exterior_side_ft=25.0)
    assert envelope_sqft(lay_out(lot.area, lines, other)) == pytest.approx((100 - 25 - 20) * 80)


def test_a_flag_lot_by_hand_after_the_town_has_spoken():
    ids = {round(x.length_ft): x.id for x in LOTS["flag"].lines()}
    east, north = (x.id for x in LOTS["flag"].lines() if round(x.length_ft) == 150)
    said = [Override(ids[130], "front", "faces the street", "Board"), Override(east, "interior_side", "s", "Board"),
            Override(north, "rear", "back", "Board")]  # fmt: skip
    setbacks = laid("flag", overrides=said)
    # the body is 150 x 150 behind y = 100: front 40, rear 30, sides 20; west side and neck are one line
    whole = sqft_from_sqm(LOTS["flag"].area.area)
    assert whole == pytest.approx(20 * 100 + 150 * 150)
    assert sum(yards(setbacks).values()) + envelope_sqft(setbacks) == pytest.approx(whole, rel=1e-9)
    assert envelope_sqft(setbacks) == pytest.approx(110 * 80, abs=0.01)


def test_a_pie_lot_has_a_front_yard_between_two_arcs():
    setbacks = laid("pie")
    lot = LOTS["pie"]
    # frontage drawn with ten chords of a 50-ft circle; forty feet behind it the yard ends 90 ft from the centre
    chords = 0.5 * 50**2 * 10 * math.sin(math.radians(5))
    sector = 0.5 * 90**2 * math.radians(50)
    assert yards(setbacks)["front"] == pytest.approx(sector - chords, rel=0.01)
    total = sum(yards(setbacks).values()) + envelope_sqft(setbacks)
    assert total == pytest.approx(sqft_from_sqm(lot.area.area), rel=1e-9)


def test_a_landlocked_lot_keeps_the_deepest_yard_on_every_side():
    setbacks = laid("landlocked")
    assert envelope_sqft(setbacks) == pytest.approx(20 * 70)
    assert yards(setbacks) == {"unknown": 15000 - 1400}


def test_yards_deeper_than_the_lot_leave_nothing_and_a_waist_leaves_two_parts():
    assert envelope_parts(laid("square", Depths(100.0, 50.0, 60.0)).envelope) == 0
    assert laid("square", Depths(100.0, 50.0, 60.0)).envelope.is_empty
    waist = shapely.Polygon(
        [
            (0, 0),
            (100, 0),
            (100, 60),
            (60, 60),
            (60, 90),
            (100, 90),
            (100, 150),
            (0, 150),
            (0, 90),
            (40, 90),
            (40, 60),
            (0, 60),
        ]
    )
    around = LOTS["square"].around | {"a": box(60, 60, 100, 90), "b": box(0, 60, 40, 90)}
    lot = Lot(waist, around)
    setbacks = lay_out(lot.area, lot.lines(), Depths(15.0, 15.0, 15.0))
    assert envelope_parts(setbacks.envelope) == 2


@pytest.mark.parametrize(
    ("depths", "needs", "drawn"),
    [
        (Depths(None, None, None), ("front_ft", "side_ft", "rear_ft"), set()),
        (Depths(30.0, 15.0, None), ("rear_ft",), {"front", "side"}),
    ],
)
def test_a_depth_that_nobody_entered_is_asked_for_and_not_zero(depths, needs, drawn):
    setbacks = laid("square", depths)
    assert setbacks.needs == needs and setbacks.envelope is None
    assert {y.name for y in setbacks.yards} == drawn


def test_a_yard_of_no_depth_is_a_number_and_takes_nothing():
    setbacks = laid("square", Depths(40.0, 0.0, 30.0))
    assert setbacks.needs == () and yards(setbacks)["side"] == 0.0
    assert envelope_sqft(setbacks) == pytest.approx(100 * 80)


def test_the_front_is_tested_twice_where_the_town_does():
    both = Depths(40.0, 20.0, 30.0, centerline_ft=80.0)
    deeper = laid("square", both, roads=ROAD)
    assert envelope_sqft(deeper) == pytest.approx(60 * (150 - 55 - 30))
    assert yards(deeper)["front"] == pytest.approx(100 * 55)
    shallower = laid("square", Depths(40.0, 20.0, 30.0, centerline_ft=60.0), roads=ROAD)
    assert envelope_sqft(shallower) == pytest.approx(60 * 80)
    assert "street_centerline" not in deeper.needs


def test_an_unknown_centreline_is_said():
    setbacks = laid("square", Depths(40.0, 20.0, 30.0, centerline_ft=80.0))
    assert setbacks.needs == ("street_centerline",)
    assert any("80 ft from the street's centreline" in note for note in setbacks.notes)


def test_ground_that_may_not_be_disturbed_is_taken_from_what_is_left():
    zone = NoDisturb("25 ft from a wetland", 25.0, feet(box(-50, 100, 200, 400)), "Regs. Art. I")
    setbacks = laid("square", no_disturb=[zone])
    assert setbacks.no_disturb[0].area_sqft == pytest.approx(60 * 20)
    assert envelope_sqft(setbacks) == pytest.approx(60 * 60)
    taken = sum(yards(setbacks).values()) + setbacks.no_disturb[0].area_sqft
    assert taken + envelope_sqft(setbacks) == pytest.approx(15_000, rel=1e-9)


def test_feet_and_metres_agree():
    setbacks = laid("square")
    inner = setbacks.lot.boundary.distance(setbacks.envelope)
    assert ft_from_m(inner) == pytest.approx(20.0, abs=1e-9)


def test_yards_do_not_overlap():
    for name in LOTS:
        areas = [y.area for y in laid(name).yards]
        assert shapely.union_all(areas).area == pytest.approx(sum(a.area for a in areas), rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(sorted(LOTS)),
    front=st.floats(0, 90),
    side=st.floats(0, 60),
    rear=st.floats(0, 90),
    turn=st.floats(0, 2 * math.pi),
)
def test_strips_and_envelope_give_back_the_lot(name, front, side, rear, turn):
    lot = LOTS[name]
    lines = classify(lot.area, faces(lot.area, lot.fabric()))
    cos, sin = math.cos(turn), math.sin(turn)
    pivot = np.array(lot.area.centroid.coords[0])

    def moved(xy):
        return (xy - pivot) @ np.array([[cos, sin], [-sin, cos]]) + pivot

    depths = Depths(front, side, rear)
    here = lay_out(lot.area, lines, depths)
    turned = [
        LotLine(x.id, shapely.transform(x.line, moved), x.line_class, x.candidates, x.why, x.length_ft, x.found)
        for x in lines
    ]
    gone = lay_out(shapely.transform(lot.area, moved), turned, depths)
    for laid_out in (here, gone):
        parts = sum(y.area_sqft for y in laid_out.yards) + envelope_sqft(laid_out)
        assert parts == pytest.approx(sqft_from_sqm(laid_out.lot.area), rel=1e-9)
    assert envelope_sqft(gone) == pytest.approx(envelope_sqft(here), rel=1e-6, abs=0.5)

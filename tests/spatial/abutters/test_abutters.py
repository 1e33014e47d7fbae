"""TB-01 … TB-10 and the rest of who is an abutter, on lots drawn in feet."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from fabrics import box, fabric, feet, names, parcel_frame

from layers.notice_rules import load_notice_rules
from spatial.abutters import Abutter, Abutting, abutters
from spatial.abutters.neighbours import Surroundings
from spatial.errors import GeometryRefused, ParameterRefused
from spatial.fabric import ParcelFabric, weave
from spatial.fabric.beyond import TownOutline
from spatial.fabric.land import land_of

SUBJECT = box(0, 0, 200, 200)
RULES = load_notice_rules()
HUNDRED = RULES.rule("distance")
SEEN = Surroundings(assessed=frozenset({"S"}))


def answer(
    lots: ParcelFabric, rule: str = "distance", subject: tuple[str, ...] = ("S",), **given: object
) -> Abutting:
    around = given.pop("around", SEEN)
    return abutters(land_of(lots, subject, **given), RULES.rule(rule), lots, around)  # type: ignore[arg-type]


def one(found: Abutting, loc_id: str) -> Abutter:
    return next(a for a in found.abutters if a.loc_id == loc_id)


def test_tb_01_the_street_is_counted_and_does_not_block() -> None:
    lots = fabric({"S": SUBJECT, "W": box(-100, -50, 300, 0), "A": box(0, -200, 200, -50)}, {"W": "ROW"})
    found = one(answer(lots), "A")
    assert found.distance_ft == pytest.approx(50.0, abs=1e-6)
    assert found.relation == "across_way"
    assert found.clauses == ("distance.within_100_ft",)


@pytest.mark.parametrize(
    ("case", "corner", "expected"),
    [
        ("TB-02 edge at 100.00", (300.00, 0.0), True),
        ("TB-03 edge at 100.01", (300.01, 0.0), False),
        ("TB-04 60/80/100 off the corner", (260.0, 280.0), True),
        ("TB-05 75/75 off the corner", (275.0, 275.0), False),
    ],
)
def test_tb_02_to_05_the_line_is_exact(case: str, corner: tuple[float, float], expected: bool) -> None:
    lot = box(*corner, corner[0] + 100, corner[1] + 100)
    found = answer(fabric({"S": SUBJECT, "A": lot}))
    assert (names(found.abutters) == ["A"]) is expected, case
    assert shapely.distance(SUBJECT, lot) * 3937 / 1200 == pytest.approx(
        float(np.hypot(max(corner[0] - 200, 0), max(corner[1] - 200, 0)))
    )


def test_tb_06_a_buffer_of_eight_segments_would_miss_it() -> None:
    bearing = np.radians(5.6)
    x, y = 200 + 99.9 * np.cos(bearing), 200 + 99.9 * np.sin(bearing)
    lot = feet(shapely.Polygon([(x, y), (x + 50, y + 5), (x + 50, y + 60)]))
    assert not shapely.buffer(SUBJECT, 100 * 1200 / 3937, quad_segs=8).intersects(lot)
    assert one(answer(fabric({"S": SUBJECT, "A": lot})), "A").distance_ft == pytest.approx(99.9, abs=0.005)


@pytest.mark.parametrize(("rule", "expected"), [("distance", []), ("lynnfield-320", ["A"]), ("ma-131-40", ["A"])])
def test_tb_07_directly_opposite_across_a_wide_way(rule: str, expected: list[str]) -> None:
    lots = fabric({"S": SUBJECT, "W": box(-100, -120, 300, 0), "A": box(0, -300, 200, -120)}, {"W": "ROW"})
    found = answer(lots, rule)
    assert names(found.abutters) == expected
    for row in found.abutters:
        assert row.relation == "directly_opposite"
        assert row.distance_ft == pytest.approx(120.0, abs=1e-6)
        assert "opposite_beyond_the_distance" in row.flags
        assert row.clauses == (f"{rule}.directly_opposite",)


def test_tb_08_measured_from_the_property_line_not_from_the_work() -> None:
    lots = fabric({"S": SUBJECT, "A": box(0, -200, 200, -50)})
    found = answer(lots, work=box(80, 80, 120, 120))
    assert one(found, "A").distance_ft == pytest.approx(50.0, abs=1e-6)
    assert "work_outside_subject" not in {w.code for w in found.warnings}


def test_tb_10_two_lots_with_an_enclave() -> None:
    ring = feet(
        shapely.Polygon(
            [(0, 0), (600, 0), (600, 600), (0, 600)], [[(250, 250), (250, 350), (350, 350), (350, 250)]]
        )
    )
    lots = fabric({"S": ring, "T": box(600, 0, 800, 600), "E": box(250, 250, 350, 350), "F": box(850, 0, 900, 600)})
    found = answer(lots, subject=("S", "T"))
    assert [(a.loc_id, round(a.distance_ft, 3), a.relation) for a in found.abutters] == [
        ("E", 0.0, "direct"),
        ("F", 50.0, "across_way"),
    ]
    assert {(e.loc_id, e.reason) for e in found.excluded} == {("S", "subject land"), ("T", "subject land")}


def test_a_corner_touch_abuts_and_so_does_a_digitising_gap() -> None:
    lots = fabric(
        {"S": SUBJECT, "C": box(200, 200, 300, 300), "G": box(204.9, 0, 300, 150), "H": box(-300, 0, -5.2, 200)}
    )
    found = answer(lots)
    assert {a.loc_id: a.relation for a in found.abutters} == {"C": "direct", "G": "direct", "H": "across_way"}


def test_a_narrow_mapped_way_parts_two_lots() -> None:
    lots = fabric({"S": SUBJECT, "W": box(200, 0, 204, 200), "A": box(204, 0, 300, 200)}, {"W": "ROW"})
    assert one(answer(lots), "A").relation == "across_way"


def test_ways_are_property_only_when_private() -> None:
    lots = fabric(
        {
            "S": SUBJECT,
            "W": box(0, -40, 200, 0),
            "P": box(-40, 0, 0, 200),
            "R": box(200, 0, 240, 200),
            "Q": box(0, 200, 200, 240),
        },
        {"W": "ROW", "P": "PRIV_ROW", "R": "RAIL_ROW", "Q": "WATER"},
    )
    found = answer(lots, around=Surroundings(assessed=frozenset({"S", "R"})))
    assert names(found.abutters) == ["P", "R"]
    assert one(found, "P").flags == ("owner_to_be_determined_by_the_assessor",)
    assert one(found, "R").flags == ()
    reasons = {e.loc_id: e.reason for e in found.excluded}
    assert reasons["W"] == "public way"
    assert reasons["Q"].startswith("water without")


def test_water_with_a_tax_row_is_property_and_a_public_way_with_one_is_said() -> None:
    lots = fabric({"S": SUBJECT, "Q": box(0, 200, 200, 240), "W": box(0, -40, 200, 0)}, {"Q": "WATER", "W": "ROW"})
    found = answer(lots, around=Surroundings(assessed=frozenset({"Q", "W"})))
    assert names(found.abutters) == ["Q"]
    assert "check with the Assessor" in {e.loc_id: e.reason for e in found.excluded}["W"]
    told = next(w.message for w in found.warnings if w.code == "way_with_tax_row")
    assert told.startswith("The tax list has an owner for W,")
    bare = answer(lots, around=Surroundings(assessed=frozenset({"Q"})))
    assert "way_with_tax_row" not in {w.code for w in bare.warnings}


def test_near_misses_are_listed_for_the_assessor() -> None:
    lots = fabric({"S": SUBJECT, "N": box(300.02, 0, 400, 200), "F": box(-400, 0, -105.1, 200)})
    found = answer(lots)
    assert found.abutters == ()
    assert [(m.loc_id, round(m.distance_ft, 2)) for m in found.near_misses] == [("N", 100.02)]


def test_nobody_is_an_answer_and_a_far_lot_is_not_mentioned() -> None:
    found = answer(fabric({"S": SUBJECT, "A": box(900, 0, 1000, 100)}))
    assert (found.abutters, found.near_misses, found.warnings) == ((), (), ())
    assert [e.loc_id for e in found.excluded] == ["S"]


def test_a_multipart_parcel_counts_by_its_nearest_part_and_subject() -> None:
    two = shapely.union(box(250, 0, 300, 50), box(900, 0, 950, 50))
    assert one(answer(fabric({"S": SUBJECT, "A": two})), "A").distance_ft == pytest.approx(50.0)
    found = answer(fabric({"S": two, "N": box(960, 0, 990, 50), "L": SUBJECT}))
    assert names(found.abutters) == ["L", "N"]


def test_zoning_act_names_abutters_opposite_and_the_second_ring() -> None:
    lots = {"S": SUBJECT, "A": box(200, 0, 400, 200), "B": box(400, 0, 490, 200), "C": box(490, 0, 600, 200)}
    lots |= {
        "O": box(0, -200, 200, -50),
        "P": box(200, -200, 400, -50),
        "D": box(0, 200, 450, 800),
        "Z": box(-100, 520, -5.5, 800),
    }
    found = answer(fabric(lots), "ma-40a-11")
    assert {a.loc_id: a.relation for a in found.abutters} == {
        "A": "direct",
        "D": "direct",
        "O": "directly_opposite",
        "B": "abutter_to_abutter",
        "P": "abutter_to_abutter",
    }
    excluded = {e.loc_id: e.reason for e in found.excluded}
    assert excluded == {"S": "subject land", "C": "abuts no abutter"}


def test_work_in_the_street_is_measured_from_its_own_line_and_the_lots_it_touches_are_named() -> None:
    lots = fabric({"S": SUBJECT, "O": box(0, -200, 200, -50), "W": box(-500, -50, 500, 0)}, {"W": "ROW"})
    found = answer(lots, subject=(), work=box(0, -50, 200, 10))
    assert {a.loc_id: (a.relation, a.distance_ft) for a in found.abutters} == {
        "S": ("direct", 0.0),
        "O": ("direct", 0.0),
    }
    assert "work_touches_this_parcel" in one(found, "S").flags
    assert "work_touches_this_parcel" not in one(found, "O").flags
    warning = next(w for w in found.warnings if w.code == "work_outside_subject")
    assert "S (2,000 sq ft)" in warning.message


def test_dover_asks_for_no_notice_and_the_answer_says_so() -> None:
    lots = fabric({"S": SUBJECT, "A": box(250, 0, 300, 50)})
    with pytest.raises(ParameterRefused, match="requires no notice to abutters"):
        answer(lots, "dover-159")
    rule = RULES.rule("dover-159").within(100.0)
    found = abutters(land_of(lots, ["S"]), rule, lots, SEEN)
    assert names(found.abutters) == ["A"]
    assert "no_notice_required" in {w.code for w in found.warnings}


def test_the_ring_that_leaves_the_loaded_town_names_the_town() -> None:
    west = box(-5000, -5000, 260, 5000)
    lots = weave([parcel_frame({"S": SUBJECT}, coverage=west)])
    towns = [TownOutline(78, "Dover", west), TownOutline(175, "Medfield", box(260, -5000, 5000, 5000))]
    far = [TownOutline(266, "Sherborn", box(5000, -5000, 9000, 5000))]
    asked = answer(lots, around=Surroundings(assessed=frozenset(), towns=[*towns, *far]))
    assert [w.code for w in asked.warnings] == ["ask_other_town"]
    assert "Medfield" in asked.warnings[0].message
    bare = answer(
        lots, around=Surroundings(assessed=frozenset(), towns=[TownOutline(78, "Dover", box(-9e3, -9e3, 9e3, 9e3))])
    )
    assert [(w.code, "none of its parcels" in w.message) for w in bare.warnings] == [
        ("outside_loaded_parcels", True)
    ]
    drawn = [TownOutline(78, "Dover", box(-5000, -5000, 270, 5000)), *towns[1:]]
    assert [w.code for w in answer(lots, around=Surroundings(assessed=frozenset(), towns=drawn)).warnings] == [
        "ask_other_town"
    ]
    nowhere = answer(lots, around=Surroundings(assessed=frozenset(), towns=far))
    assert "no town of the towns layer" in nowhere.warnings[0].message
    blind = answer(lots)
    assert [w.code for w in blind.warnings] == ["outside_loaded_parcels"]
    inside = weave([parcel_frame({"S": SUBJECT}, coverage=box(-5000, -5000, 300.5, 5000))])
    assert answer(inside).warnings == ()


def test_a_neighbouring_town_that_is_loaded_is_listed_and_asks_for_nothing() -> None:
    here = parcel_frame({"S": SUBJECT}, coverage=box(-5000, -5000, 230, 5000))
    there = parcel_frame({"N": box(230, 0, 400, 200)}, town_id=175, coverage=box(230.5, -5000, 5000, 5000))
    found = answer(weave([here, there]))
    assert [(a.loc_id, a.town_id) for a in found.abutters] == [("N", 175)]
    assert found.warnings == ()


def test_without_a_tax_list_the_answer_says_what_it_does_not_know() -> None:
    lots = fabric({"S": SUBJECT, "P": box(-40, 0, 0, 200)}, {"P": "PRIV_ROW"})
    found = answer(lots, around=None)
    assert one(found, "P").flags == ("owner_to_be_determined_by_the_assessor",)
    assert "tax_list_unknown" in {w.code for w in found.warnings}


def test_frontage_without_a_far_side_is_said() -> None:
    found = answer(fabric({"S": SUBJECT, "A": box(-200, 0, 0, 200)}), "ma-131-40")
    assert "far_side_not_found" in {w.code for w in found.warnings}


def test_unknown_parcels_and_empty_subjects_are_refused() -> None:
    lots = fabric({"S": SUBJECT})
    with pytest.raises(ParameterRefused) as refusal:
        land_of(lots, ["S", "F_1_2"])
    assert refusal.value.code == "parcel_unknown"
    assert "F_1_2" in refusal.value.detail
    with pytest.raises(ParameterRefused):
        land_of(lots, [])
    with pytest.raises(GeometryRefused):
        land_of(lots, [], shapely.Polygon())
    with pytest.raises(ParameterRefused, match="no notice rule"):
        RULES.rule("lynfield")

"""The abutter who was missed: ground laid out so that a list would look whole and not be."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
import shapely
from fabrics import box, fabric, feet, names, parcel_frame
from shapely.geometry.base import BaseGeometry

from layers.notice_rules import load_notice_rules
from spatial.abutters import Abutter, Abutting, abutters
from spatial.abutters.neighbours import Surroundings
from spatial.fabric import ParcelFabric, weave
from spatial.fabric.beyond import TownOutline
from spatial.fabric.land import land_of

SUBJECT = box(0, 0, 200, 200)
RULES = load_notice_rules()
ALL = Surroundings(assessed=frozenset("SABCDEFGHIJKLMNO"))
FLANKS: Mapping[str, BaseGeometry] = {
    "L": box(-200, 0, 0, 200),
    "R": box(200, 0, 400, 200),
    "B": box(-200, 200, 400, 400),
}


def answer(lots: ParcelFabric, rule: str, *subject: str, around: Surroundings = ALL) -> Abutting:
    return abutters(land_of(lots, subject or ("S",)), RULES.rule(rule), lots, around)


def one(found: Abutting, loc_id: str) -> Abutter:
    return next(a for a in found.abutters if a.loc_id == loc_id)


def codes(found: Abutting) -> set[str]:
    return {w.code for w in found.warnings}


@pytest.mark.parametrize(
    ("rule", "expected"), [("ma-131-40", True), ("lynnfield-320", False), ("ma-40a-11", False)]
)
def test_an_owner_across_a_river_wider_than_the_distance(rule: str, expected: bool) -> None:
    """c. 131 § 40 names land "across a body of water"; the two others speak of streets and ways only."""
    river = {"Q": box(-300, -150, 500, 0), "O": box(-300, -400, 500, -150)}
    found = answer(fabric({"S": SUBJECT, **FLANKS, **river}, {"Q": "WATER"}), rule)
    assert ("O" in names(found.abutters)) is expected
    if expected:
        row = one(found, "O")
        assert (row.relation, round(row.distance_ft, 3)) == ("directly_opposite", 150.0)
        assert row.clauses == ("ma-131-40.directly_opposite",)
        assert "opposite_beyond_the_distance" in row.flags


def test_a_house_on_an_island_of_the_pond_is_across_water() -> None:
    pond = box(-300, -400, 500, 0).difference(box(80, -260, 140, -160))
    lots = {"S": SUBJECT, **FLANKS, "Q": pond, "I": box(80, -260, 140, -160), "O": box(-300, -600, 500, -400)}
    found = answer(fabric(lots, {"Q": "WATER"}), "ma-131-40")
    assert one(found, "I").relation == "directly_opposite"
    assert one(found, "I").distance_ft == pytest.approx(160.0)


def test_a_lake_nobody_sees_across_is_said() -> None:
    lake = {"Q": box(-900, -2000, 1100, 0)}
    lots = fabric({"S": SUBJECT, **FLANKS, **lake}, {"Q": "WATER"})
    assert "far_side_not_found" in codes(answer(lots, "ma-131-40"))
    assert "or water" in next(w.message for w in answer(lots, "ma-131-40").warnings)
    assert "far_side_not_found" not in codes(answer(lots, "lynnfield-320"))


def test_a_private_pond_is_itself_an_abutter_and_is_looked_across() -> None:
    pond = {"P": box(-300, -150, 500, 0), "O": box(-300, -400, 500, -150)}
    found = answer(fabric({"S": SUBJECT, **FLANKS, **pond}, {"P": "WATER"}), "ma-131-40", around=ALL)
    assert "P" not in names(found.abutters)
    owned = answer(
        fabric({"S": SUBJECT, **FLANKS, **pond}, {"P": "WATER"}),
        "ma-131-40",
        around=Surroundings(assessed=frozenset("SP")),
    )
    assert {"P", "O"} <= set(names(owned.abutters))


def test_half_of_the_far_side_is_another_town_whose_parcels_are_not_loaded() -> None:
    """The way is 130 ft wide and the line of the towns its far edge: nothing within 100 ft is unknown."""
    here = box(-5000, -130, 5000, 5000).union(box(-5000, -5000, 100, -130))
    lots = weave([parcel_frame({"S": SUBJECT, **FLANKS, "O": box(-300, -400, 100, -130)}, coverage=here)])
    towns = (TownOutline(78, "Dover", here), TownOutline(175, "Medfield", box(100, -5000, 5000, -130)))
    known = Surroundings(assessed=frozenset("SLRBO"), towns=towns)
    found = answer(lots, "ma-131-40", around=known)
    assert one(found, "O").relation == "directly_opposite"
    assert [w.code for w in found.warnings] == ["ask_other_town"]
    assert "Medfield" in found.warnings[0].message
    unknown = answer(lots, "ma-131-40", around=Surroundings(assessed=frozenset("SLRBO")))
    assert [w.code for w in unknown.warnings] == ["outside_loaded_parcels"]


def test_ground_in_no_town_is_said_beside_the_town_that_is_named() -> None:
    """North-east of the land lies Medfield, south-east the next state, neither loaded."""
    here = box(-5000, -5000, 260, 5000)
    lots = weave([parcel_frame({"S": SUBJECT}, coverage=here)])
    medfield = TownOutline(175, "Medfield", box(260, 100, 5000, 5000))
    dover = TownOutline(78, "Dover", here)
    found = answer(lots, "distance", around=Surroundings(assessed=frozenset("S"), towns=(dover, medfield)))
    assert [w.code for w in found.warnings] == ["ask_other_town", "outside_loaded_parcels"]
    assert "perhaps of another state" in found.warnings[1].message
    whole = TownOutline(175, "Medfield", box(270, -5000, 5000, 5000))
    drawn = answer(lots, "distance", around=Surroundings(assessed=frozenset("S"), towns=(dover, whole)))
    assert [w.code for w in drawn.warnings] == ["ask_other_town"]


def test_a_seam_between_two_editions_in_the_view_is_no_unknown_ground() -> None:
    near = parcel_frame({"S": SUBJECT, **FLANKS}, coverage=box(-5000, -120, 5000, 5000))
    far = parcel_frame({"O": box(-300, -400, 500, -130)}, town_id=175, coverage=box(-5000, -5000, 5000, -121))
    assert answer(weave([near, far]), "ma-131-40").warnings == ()


def test_a_lot_that_the_map_lacks_is_said_where_roads_are_known() -> None:
    """Of the bare lot (200, 1)–(350, 200) the part within 100 ft is 100 by 199 ft."""
    road = np.array([feet(shapely.LineString([(-900, -25), (900, -25)]))], dtype=object)
    whole = fabric({"S": SUBJECT, **FLANKS, "O": box(-200, -300, 500, -50)})
    told = answer(whole, "distance", around=Surroundings(assessed=ALL.assessed, roads=road))
    assert "ground_without_parcel" not in codes(told)
    lacking = fabric(
        {
            "S": SUBJECT,
            "L": FLANKS["L"],
            "B": box(-200, 200, 500, 400),
            "N": box(350, 0, 500, 200),
            "K": box(200, -2, 350, 1),
            "O": box(-200, -300, 500, -50),
        }
    )
    found = answer(lacking, "distance", around=Surroundings(assessed=ALL.assessed, roads=road))
    assert "ground_without_parcel" in codes(found)
    assert "19,900 sq ft" in next(w.message for w in found.warnings if w.code == "ground_without_parcel")
    assert "ground_without_parcel" not in codes(answer(lacking, "distance"))


def test_a_subject_of_two_lots_apart_is_measured_from_both() -> None:
    lots = {"S": SUBJECT, "M": box(200, 0, 700, 200), "T": box(700, 0, 900, 200), "E": box(950, 0, 990, 200)}
    found = answer(fabric(lots | {"W": box(-90, 0, -40, 200)}), "distance", "S", "T")
    assert {a.loc_id: round(a.distance_ft, 2) for a in found.abutters} == {"M": 0.0, "W": 40.0, "E": 50.0}


def test_enclaves_on_either_side_of_the_line() -> None:
    hole = feet(shapely.Point(100, 100).buffer(30))
    lots = {"S": SUBJECT.difference(hole), "E": hole, "N": box(-400, -400, 600, 600).difference(SUBJECT)}
    found = answer(fabric(lots), "ma-40a-11")
    assert {a.loc_id: a.relation for a in found.abutters} == {"E": "direct", "N": "direct"}
    inner = answer(fabric(lots), "distance", "E")
    assert {a.loc_id: a.relation for a in inner.abutters} == {"S": "direct", "N": "within"}


def test_lots_stacked_on_one_ground_are_all_listed() -> None:
    stack = {name: box(250, 0, 300, 100) for name in "ABC"}
    found = answer(fabric({"S": SUBJECT, **stack}), "distance")
    assert {a.loc_id: a.distance_ft for a in found.abutters} == pytest.approx({"A": 50.0, "B": 50.0, "C": 50.0})
    lying_on_it = answer(fabric({"S": SUBJECT, "U": SUBJECT}), "lynnfield-320")
    assert one(lying_on_it, "U").relation == "direct"


def test_a_loc_id_of_two_towns_is_subject_and_abutter_as_a_whole() -> None:
    here = parcel_frame({"S": SUBJECT, "X": box(250, 0, 300, 100)})
    there = parcel_frame(
        {"S": box(200, 0, 240, 200), "X": box(900, 0, 950, 100), "Y": box(330, 0, 338, 100)}, town_id=175
    )
    found = answer(weave([here, there]), "distance")
    assert {a.loc_id: round(a.distance_ft, 2) for a in found.abutters} == {"X": 10.0, "Y": 90.0}


def test_a_parcel_of_a_type_nobody_knows_is_property() -> None:
    lots = {"S": SUBJECT, "A": box(200, 0, 240, 200), "C": box(0, 200, 200, 240)}
    found = answer(fabric(lots, {"A": "COMMON", "C": "row"}), "distance")
    assert set(names(found.abutters)) == {"A", "C"}


def test_the_owner_of_the_private_way_between_is_told_and_so_is_who_lives_across_it() -> None:
    lots = {"S": SUBJECT, "P": box(200, -50, 240, 400), "F": box(240, 0, 500, 200), "G": box(240, 200, 500, 500)}
    found = answer(fabric(lots, {"P": "PRIV_ROW"}), "ma-40a-11", around=Surroundings(assessed=frozenset("SFG")))
    assert {a.loc_id: a.relation for a in found.abutters} == {
        "P": "direct",
        "F": "directly_opposite",
        "G": "abutter_to_abutter",
    }
    assert "owner_to_be_determined_by_the_assessor" in one(found, "P").flags

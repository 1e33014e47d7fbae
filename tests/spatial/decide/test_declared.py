"""Rules that stated facts decide, and what is said while nobody stated them."""

from __future__ import annotations

import pytest
from law_cases import DOVER, LYNNFIELD, measured

from layers.law import load_law
from spatial.decide import decide
from spatial.decide.board import authority, before_board
from spatial.decide.phrases import amount, listed
from spatial.facts import Facts

LAW = load_law(None)
WORK = {"lots": [{"id": "A", "box": [0, 0, 200, 200]}], "work": [{"box": [0, 0, 60, 100]}]}
ACRE = {"town": "lynnfield", "work": [{"box": [0, 0, 500, 100]}]}


def answer(rule, given=WORK, town=DOVER, **facts):
    determinations = decide(LAW.bylaws_for([town]), measured(given), LAW.check_facts(facts))
    return next((d for d in determinations if d.rule == rule), None)


@pytest.mark.parametrize(
    ("facts", "result"),
    [({}, "needs_input"), ({"major_project": True}, "triggered"), ({"major_project": False}, "not_triggered")],
)
def test_a_stated_fact_decides(facts, result):
    assert answer("dover-159.major_project", **facts).result == result


@pytest.mark.parametrize(
    ("facts", "result", "needs"),
    [
        ({"bank_cuyd": 85}, "needs_input", ("swell",)),
        ({"bank_cuyd": 101}, "triggered", ()),
        ({"stored_fill_cuyd": 100}, "triggered", ()),
        ({"stored_fill_cuyd": 99.9}, "not_triggered", ()),
        ({"stored_fill_cuyd": 0}, "not_triggered", ()),
        ({"stored_fill_cuyd": 20, "fill_piles": "15x10;15x10"}, "triggered", ()),
    ],
)
def test_the_largest_volume_drives(facts, result, needs):
    found = answer("dover-159.fill_storage", **facts)
    assert (found.result, found.needs) == (result, needs)


def test_a_hundred_cubic_yards_sharp_shows_the_other_reading():
    readings = answer("dover-159.fill_storage", stored_fill_cuyd=100).readings
    assert ("AMB-02", "not_triggered") in {(r.policy, r.result) for r in readings}


@pytest.mark.parametrize(("kept", "result"), [(0, "not_triggered"), (3, "triggered")])
def test_trees_that_stay_need_a_zone(kept, result):
    found = answer("dover-159.tree_protection", retained_protected_trees=kept)
    assert found.result == result
    assert "1 ft radius for each inch" in found.why


def test_an_exemption_nobody_claims_is_not_answered():
    assert answer("dover-159.exemptions") is None


def test_a_claim_without_evidence_asks_for_it_and_leaves_the_rule():
    claim = answer("dover-159.exemptions", claimed_exemptions="dover-159.exempt_fencing")
    assert claim.needs == ("exemption_evidence",)
    assert "show that no grade, terrain or drainage changes" in claim.why
    assert answer("dover-159.grade_change", claimed_exemptions="dover-159.exempt_fencing").result == "triggered"


@pytest.mark.parametrize(("dbh", "result"), [(12, "triggered"), (10.49, "not_triggered"), (10.5, "triggered")])
def test_large_trees_stand_on_the_plan(dbh, result):
    assert answer("lynnfield-320.trees_on_plan", ACRE, LYNNFIELD, largest_tree_dbh_in=dbh).result == result


def test_roadway_work_that_is_not_said_to_be_so_is_not_excused():
    assert answer("lynnfield-320.roadway", ACRE, LYNNFIELD).result == "not_triggered"
    assert answer("lynnfield-320.roadway", ACRE, LYNNFIELD, roadway_only=True).needs == ("roadway_widening_ft",)


def test_retention_that_is_given_is_compared():
    found = answer(
        "lynnfield-320.new_or_redevelopment", ACRE, LYNNFIELD,
        impervious_before_sqft=0, impervious_after_sqft=20000, retention_provided_cuft=1700,
    )  # fmt: skip
    assert found.margin == pytest.approx(1700 - 20000 / 12)


def test_unknown_cover_shows_both_standards_and_asks():
    found = answer("lynnfield-320.new_or_redevelopment", ACRE, LYNNFIELD, impervious_after_sqft=20000)
    assert found.needs == ("impervious_before_sqft",)
    assert [round(r.threshold, 2) for r in found.readings] == [1666.67, 1333.33]


def test_below_an_acre_no_standard_applies_and_an_open_acre_leaves_it_open():
    small = ACRE | {"work": [{"box": [0, 0, 30, 30]}]}
    assert answer("lynnfield-320.new_or_redevelopment", small, LYNNFIELD).result == "not_triggered"
    found = answer("lynnfield-320.new_or_redevelopment", small, LYNNFIELD, common_plan="Elm Street")
    assert found.result == "needs_input"


def test_a_mitigation_with_no_site_watershed_is_not_known():
    found = answer("lynnfield-320.offsite_mitigation", ACRE, LYNNFIELD, mitigation_huc12="010900010102")
    assert (found.result, found.needs) == ("indeterminate", ("discharge_huc12",))


def test_the_discharge_point_settles_a_site_that_straddles():
    straddling = ACRE | {
        "watersheds": [
            {"level": "huc12", "code": c, "name": c, "percent": 50} for c in ("010900010101", "010900010102")
        ]
    }
    facts = {"mitigation_huc12": "010900010102", "discharge_huc12": "010900010102", "impervious_before_sqft": 0}
    assert answer("lynnfield-320.offsite_mitigation", straddling, LYNNFIELD, **facts).result == "not_triggered"


def test_a_board_counts_only_where_the_rule_asks_for_it():
    planning = Facts({"approving_board": "planning_board"})
    permit = LAW.bylaw("lynnfield-320").rule("lynnfield-320.land_disturbance")
    assert "Planning Board" in authority(permit, planning)
    assert authority(permit, Facts({"approving_board": "conservation_commission"})) == permit.authority
    grading = LAW.bylaw("dover-159").rule("dover-159.grade_change")
    assert authority(grading, planning) == grading.authority
    assert before_board((), planning)
    assert not before_board(("conservation_commission",), planning)


def test_words_in_a_sentence():
    assert listed([]) == ""
    assert listed(["a", "a"]) == "a"
    assert amount(2356.2, "cubic feet") == "2,356.20 cubic feet"

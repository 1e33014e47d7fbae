"""Impaired waters downstream: what is listed, what is not recorded, where the way breaks off."""

from __future__ import annotations

from dataclasses import replace

import pytest
from law_cases import LYNNFIELD, measured
from law_engine import screened

from layers.law import load_law
from spatial.case import DownstreamWater
from spatial.decide import decide

LAW = load_law(None)
ACRE = {"town": "lynnfield", "work": [{"box": [0, 0, 500, 100]}]}
PHOSPHORUS, TMDL = "lynnfield-320.impaired_phosphorus", "lynnfield-320.tmdl"
SOLIDS = "lynnfield-320.impaired_solids_metals_oil"


def water(category="5", causes="PHOSPHORUS, TOTAL", tmdl="no"):
    return DownstreamWater("MA93-35", "Saugus River", category, causes, tmdl, "010900010203", 1)


def answer(rule, *waters, end=None, lots=(), receiving=(), **facts):
    case = replace(measured(ACRE | {"lots": list(lots)}), downstream=tuple(waters), downstream_end=end)
    case = replace(case, receiving=tuple(receiving))
    determinations = decide(LAW.bylaws_for([LYNNFIELD]), case, LAW.check_facts(facts))
    return next(d for d in determinations if d.rule == rule)


@pytest.mark.parametrize(
    ("met", "result"),
    [
        (water(), "indeterminate"),
        (water(category="4B"), "indeterminate"),
        (water(category="4A", tmdl=""), "indeterminate"),
        (water(category="4C"), "not_triggered"),
        (water(category="2"), "not_triggered"),
        (water(category="2", tmdl="yes"), "indeterminate"),
        (water(category="unknown"), "indeterminate"),
        (water(category="unknown", causes=""), "indeterminate"),
        (water(causes=""), "indeterminate"),
        (water(category="5-ALT of 2028"), "indeterminate"),
        (water(category="3"), "not_triggered"),
        (water(causes="LEAD"), "not_triggered"),
        (water(causes="NUTRIENT/EUTROPHICATION BIOLOGICAL INDICATORS"), "indeterminate"),
    ],
)
def test_a_cause_is_answered_by_what_is_recorded(met, result):
    assert answer(PHOSPHORUS, met).result == result


@pytest.mark.parametrize(
    ("met", "result"),
    [
        (water(tmdl="yes"), "indeterminate"),
        (water(category="4A", tmdl=""), "indeterminate"),
        (water(tmdl=""), "indeterminate"),
        (water(tmdl="no"), "not_triggered"),
        (water(category="2", tmdl=""), "not_triggered"),
        (water(category="", tmdl=""), "indeterminate"),
    ],
)
def test_a_budget_nobody_recorded_is_not_absent(met, result):
    assert answer(TMDL, met).result == result


def test_a_receiving_water_that_is_named_settles_it():
    assert answer(PHOSPHORUS, water(), discharges_to="ma93-35").result == "triggered"
    assert answer(PHOSPHORUS, water(), discharges_to="MA93-44").result == "indeterminate"


def test_nothing_met_is_no_only_when_the_sea_was_reached():
    assert answer(PHOSPHORUS).result == "not_triggered"
    found = answer(PHOSPHORUS, end="the watershed 0109 and what it drains to is not loaded")
    assert found.result == "indeterminate"
    assert "0109" in found.why


@pytest.mark.parametrize(
    ("codes", "result"),
    [
        (["1010"], "not_triggered"),
        (["1010", "4000"], "triggered"),
        (["0130"], "needs_input"),
        ([None], "needs_input"),
    ],
)
def test_solids_bind_by_the_assessors_use_codes(codes, result):
    lots = [
        {"id": str(n), "box": [250 * n, 0, 250 * n + 250, 200], "use_code": code} for n, code in enumerate(codes)
    ]
    assert answer(SOLIDS, water(causes="LEAD"), lots=lots, discharges_to="MA93-35").result == result


def test_a_cause_is_a_word_not_a_piece_of_one():
    assert answer(SOLIDS, water(causes="ENVIRONMENTAL INDICATORS"), use="commercial").result == "not_triggered"


@pytest.mark.parametrize("causes", ["MANGANESE", "SILVER", "PETROLEUM HYDROCARBONS", "SILTATION", "OIL AND GREASE"])
def test_metals_and_oils_by_any_name_bind_a_shop(causes):
    assert answer(SOLIDS, water(causes=causes), use="commercial", discharges_to="MA93-35").result == "triggered"


def test_an_applicants_use_against_the_assessors_codes_is_open():
    shop = [{"id": "A", "box": [0, 0, 600, 200], "use_code": "3250"}]
    found = answer(SOLIDS, water(causes="LEAD"), lots=shop, use="single_family", discharges_to="MA93-35")
    assert (found.result, found.needs) == ("needs_input", ("use",))
    assert "the assessors' codes say so" in found.why


def test_a_receiving_water_in_no_list_is_not_unlisted():
    found = answer(PHOSPHORUS, discharges_to="MA99-99")
    assert (found.result, found.needs) == ("indeterminate", ("discharges_to",))
    assert "MA99-99, named as receiving the runoff, stands in no list looked at" in found.why


def test_a_receiving_water_far_off_is_looked_up_in_the_list():
    assert answer(PHOSPHORUS, receiving=[water()], discharges_to="MA93-35").result == "triggered"
    assert answer(PHOSPHORUS, receiving=[water(category="2")], discharges_to="MA93-35").result == "not_triggered"


def test_what_was_said_is_not_asked_again():
    found = answer(
        PHOSPHORUS, water(), receiving=[replace(water(category="2"), unit_id="MA93-1")], discharges_to="MA93-1"
    )
    assert (found.result, found.needs) == ("indeterminate", ())
    assert "show whether it reaches these waters" in found.why
    assert "look up in the list" in answer(PHOSPHORUS, water(causes=""), discharges_to="MA93-35").why


def test_a_named_water_is_read_from_the_loaded_list():
    rivers = {
        "layer": "impaired_waters",
        "lines": [[[7000, 7000], [7100, 7100]]],
        "attributes": {
            "unit_id": "MA93-35",
            "name": "Saugus River",
            "category": "5",
            "causes": "CHLORIDE",
            "tmdl": "",
        },
    }
    case = ACRE | {"layers": [rivers], "facts": {"discharges_to": "ma93-35, MA93-99"}}
    found = {d.rule: d for d in screened(case, LAW).determinations}
    assert found["lynnfield-320.impaired_chloride"].result == "triggered"
    assert "MA93-99" in found["lynnfield-320.impaired_nitrogen"].why


def test_a_use_code_that_frees_the_land_is_told_and_the_applicants_word_is_asked_for():
    house = [{"id": "A", "box": [0, 0, 600, 200], "use_code": "1300"}]
    by_code = answer(SOLIDS, water(causes="LEAD"), lots=house, discharges_to="MA93-35")
    assert (by_code.result, by_code.needs) == ("not_triggered", ("use",))
    assert "1300" in by_code.why
    by_word = answer(SOLIDS, water(causes="LEAD"), lots=house, use="single_family", discharges_to="MA93-35")
    assert (by_word.result, by_word.needs) == ("not_triggered", ())
    assert "said to be single family" in by_word.why

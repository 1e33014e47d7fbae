"""A mitigation drawn beside the work: where the watersheds do not show it, it is not none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from law_cases import LYNNFIELD, measured

from layers.law import load_law
from spatial.case import WatershedShare
from spatial.decide import decide

LAW = load_law(None)
ACRE = {"town": "lynnfield", "work": [{"box": [0, 0, 500, 100]}]}


def under(code, percent=100.0):
    return WatershedShare("huc12", code, "one", percent)


def answer(watersheds, mitigation, **facts):
    case = replace(
        measured(ACRE), watersheds=tuple(watersheds), mitigation=tuple(mitigation), mitigation_drawn=True
    )
    given = decide(LAW.bylaws_for([LYNNFIELD]), case, LAW.check_facts({"impervious_before_sqft": 0} | facts))
    return next(d for d in given if d.rule == "lynnfield-320.offsite_mitigation")


def test_a_mitigation_drawn_where_no_watersheds_are_loaded_is_unknown():
    found = answer([], [])
    assert (found.result, found.needs) == ("indeterminate", ("discharge_huc12", "mitigation_huc12"))


def test_a_mitigation_partly_off_the_map_is_unknown_until_it_is_said():
    found = answer([under("010900010101")], [under("010900010101", 80.0)])
    assert (found.result, found.needs) == ("indeterminate", ("mitigation_huc12",))
    said = answer([under("010900010101")], [under("010900010101", 80.0)], mitigation_huc12="010900010101")
    assert said.result == "not_triggered"


@pytest.mark.parametrize(
    ("drawn", "said", "result"),
    [
        ("010900010101", None, "not_triggered"),
        ("010900010102", None, "triggered"),
        ("010900010102", "010900010101", "triggered"),
        ("010900010101", "010900010102", "triggered"),
    ],
)
def test_all_that_is_said_and_drawn_of_a_mitigation_counts(drawn, said, result):
    facts = {"mitigation_huc12": said} if said else {}
    assert answer([under("010900010101")], [under(drawn)], **facts).result == result

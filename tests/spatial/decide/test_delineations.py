"""A flagged wetland given with the work: it lifts the map's silence on its own lot, and on no other."""

from __future__ import annotations

import pytest
from law_engine import screened

from layers.law import load_law

LAW = load_law(None)
LOTS = [{"id": "A", "box": [0, 0, 300, 300]}, {"id": "B", "box": [300, 0, 600, 300]}]
FLAGGED_A = {"box": [0, 250, 50, 300]}
FLAGGED_B = {"box": [550, 250, 600, 300]}


def buffer_zone(work, *flagged, lots=LOTS, on="2026-06-01"):
    given = {"lots": lots, "work": [{"box": work}], "delineations": list(flagged), "on": on}
    answers = screened(given, LAW).determinations
    return next(d for d in answers if d.rule == "ma-310cmr10.buffer_zone")


def test_without_one_the_map_cannot_say_no():
    assert buffer_zone([100, 0, 200, 50]).result == "needs_input"


def test_on_its_own_lot_it_answers_and_is_named():
    found = buffer_zone([100, 0, 200, 50], FLAGGED_A)
    assert found.result == "not_triggered"
    assert "B. Reed" in found.why


def test_it_triggers_where_the_map_shows_nothing():
    found = buffer_zone([100, 260, 200, 290], FLAGGED_A)
    assert (found.result, found.measured) == ("triggered", pytest.approx(50.0, abs=1e-6))


@pytest.mark.parametrize(
    ("flagged", "result"), [([FLAGGED_A], "needs_input"), ([FLAGGED_A, FLAGGED_B], "not_triggered")]
)
def test_work_on_two_lots_needs_both(flagged, result):
    assert buffer_zone([200, 0, 400, 50], *flagged).result == result


def test_flags_on_no_lot_under_the_work_lift_nothing():
    assert buffer_zone([100, 0, 200, 50], FLAGGED_B).result == "needs_input"


@pytest.mark.parametrize(("on", "result"), [("2026-03-31", "needs_input"), ("2026-04-01", "not_triggered")])
def test_flags_that_are_still_to_come_lift_nothing(on, result):
    assert buffer_zone([100, 0, 200, 50], FLAGGED_A, on=on).result == result

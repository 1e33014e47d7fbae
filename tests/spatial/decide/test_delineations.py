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


def heard(**facts):
    given = {"lots": [LOTS[0]], "work": [{"box": [100, 0, 200, 50]}], "on": "2026-06-01", "facts": facts}
    return screened(given, LAW)


def test_a_no_by_the_word_of_a_delineation_names_it_and_says_that_nobody_saw_it():
    word = "A. Walker found wetland 10 ft from the work, 2026"
    answered = heard(delineation=word)
    found = {d.rule: d for d in answered.determinations}
    resting = {rule for rule, d in found.items() if d.delineation == word}
    assert {"ma-310cmr10.resource_area", "ma-310cmr10.buffer_zone", "ma-310cmr10.riverfront"} <= resting
    assert all(found[rule].result == "not_triggered" for rule in resting)
    assert "what it found was not seen here" in found["ma-310cmr10.buffer_zone"].why
    without = {d.rule: d.result for d in heard().determinations}
    assert {without[rule] for rule in resting} <= {"needs_input", "indeterminate"}


def test_it_still_sends_for_the_plan_and_for_its_line():
    word = "A. Walker, 2026-05-14"
    steps = [s for s in heard(delineation=word).next_steps if "delineation's plan" in s.text]
    assert len(steps) == 1 and word in steps[0].text and "it will be measured" in steps[0].text
    assert "ma-310cmr10.buffer_zone" in steps[0].because


def test_a_flagged_line_that_was_sent_is_measured_and_what_it_does_not_show_rests_on_its_word():
    given = {"lots": LOTS, "work": [{"box": [100, 0, 200, 50]}], "delineations": [FLAGGED_A], "on": "2026-06-01"}
    answered = screened(given, LAW)
    measured = [f for f in answered.case.findings if f.theme == "wetlands"]
    assert all(f.delineation_measured for f in measured)
    assert all("not seen here" not in f.why for f in measured)
    river = next(d for d in answered.determinations if d.rule == "ma-310cmr10.riverfront")
    assert river.result == "not_triggered"
    assert river.delineation is not None and "B. Reed" in river.delineation
    assert "its own line was measured" in river.why and "the map's" not in river.why


def test_nothing_rests_on_a_delineation_where_none_is_given():
    assert [d.rule for d in heard().determinations if d.delineation] == []

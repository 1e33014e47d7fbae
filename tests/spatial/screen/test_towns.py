"""The towns of a question, and so its bylaws."""

from __future__ import annotations

import pytest
from questions import DOVER, LOTS, LYNNFIELD, named, parcels, question, stack
from shapes import box, frame, submission

from layers.law import load_law
from spatial.model import Town
from spatial.screen import measure, screen


def test_a_site_in_two_towns_has_the_bylaws_of_both() -> None:
    held = stack(parcels(towns=(78, 164, 78)))
    answer = screen(question(submission(box(150, 50, 300, 100))), held, load_law(None))
    assert {b.id for b in answer.bylaws} >= {"dover-159", "lynnfield-320", "ma-310cmr10"}
    assert answer.case.town == LYNNFIELD
    assert "several_towns" in {w.code for w in answer.warnings}


def test_a_town_without_a_bylaw_gets_state_rules_and_a_sentence() -> None:
    held = stack(parcels(towns=(198, 198, 198)))
    answer = screen(question(submission(box(10, 10, 60, 60))), held, load_law(None))
    assert answer.bylaws and all(b.statewide for b in answer.bylaws)
    assert "town_without_bylaw" in {w.code for w in answer.warnings}


def test_a_town_without_a_bylaw_asked_by_anothers_is_not_told_that_the_states_alone_were_applied() -> None:
    held = stack(parcels(towns=(198, 198, 198)))
    answer = screen(question(submission(box(10, 10, 60, 60)), town=DOVER), held, load_law(None))
    (said,) = [w.message for w in answer.warnings if w.code == "town_without_bylaw"]
    assert "none of its own rules was applied" in said and "only state rules" not in said


def test_a_town_that_borrows_some_of_anothers_bylaws_says_which_stay_out() -> None:
    lent = Town(902, "lynnmere", "Lynnmere", ("lynnfield-320",))
    held = stack(parcels(towns=(902, 902, 902)))
    answer = screen(question(submission(box(10, 10, 60, 60)), town=lent), held, load_law(None))
    (left,) = [w.message for w in answer.warnings if w.code == "bylaw_not_borrowed"]
    assert "lynnfield-240" in left and "lynnfield-320" not in left
    own = screen(question(submission(box(10, 10, 60, 60)), town=LYNNFIELD), held, load_law(None))
    assert "bylaw_not_borrowed" not in {w.code for w in own.warnings}


def test_the_town_is_found_on_the_map_where_no_parcel_names_it() -> None:
    towns = frame("towns", [box(-900, -900, 100, 900), box(100, -900, 900, 900)], attributes={"town_id": [78, 164]})
    _, found = measure(question(submission(box(50, 0, 200, 100))), stack(towns))
    assert found == (LYNNFIELD, DOVER)


def test_work_that_leaves_the_loaded_parcels_for_another_town_has_its_bylaws_too() -> None:
    towns = frame("towns", [box(-900, -900, 200, 900), box(200, -900, 900, 900)], attributes={"town_id": [78, 164]})
    dover_only = parcels({"A": LOTS["A"]}, towns=(78,))
    _, found = measure(question(submission(box(150, 0, 400, 100))), stack(towns, dover_only))
    assert found == (DOVER, LYNNFIELD)
    _, inside = measure(question(submission(box(150, 0, 200, 100))), stack(towns, dover_only))
    assert inside == (DOVER,)


def test_a_parcel_not_named_brings_its_town() -> None:
    held = stack(parcels(towns=(78, 164, 78)))
    _, found = measure(question(submission(box(150, 50, 300, 100)), ("A",)), held)
    assert found == (DOVER, LYNNFIELD)


def test_nothing_known_of_the_town_is_said() -> None:
    case, found = measure(question(submission(box(0, 0, 10, 10))), stack())
    assert (found, case.town) == ((), None)
    assert "town_unknown" in {w.code for w in case.warnings}


def test_another_town_than_the_parcels_is_said() -> None:
    case, found = measure(question(submission(box(0, 0, 10, 10)), town=LYNNFIELD), stack(parcels()))
    assert [t.slug for t in found] == ["lynnfield", "dover"]
    assert "town_differs" in {w.code for w in case.warnings}


def test_rules_read_onto_another_towns_ground_are_said_to_be_and_reach_its_lots() -> None:
    """A lot of 10,000 sq ft in Lynnfield, read by Dover's rules: a quarter of it is 2,500 sq ft."""
    small = parcels({"A": box(0, 0, 100, 100)}, towns=(164,))
    answer = screen(question(submission(box(0, 0, 50, 55)), town=DOVER), stack(small), load_law(None))
    assert (answer.case.town, answer.case.ground) == (DOVER, (LYNNFIELD,))
    (said,) = [w.message for w in answer.warnings if w.code == "town_differs"]
    assert f"lies in {LYNNFIELD.name}, not in {DOVER.name}" in said
    grade = next(d for d in answer.determinations if d.rule == "dover-159.grade_change")
    assert (grade.result, grade.threshold) == ("triggered", pytest.approx(2_500))


def test_a_town_asked_for_that_is_one_of_the_grounds_keeps_its_own_lots() -> None:
    """2,750 sq ft on Lynnfield's lot of 10,000, 100 on Dover's of 40,000: Dover asks of its own lot only."""
    lots = {"A": box(0, 0, 100, 100), "B": box(100, 0, 300, 200)}
    work = submission(features=[named("grading", box(0, 0, 50, 55)), named("grading", box(150, 50, 160, 60))])
    held = stack(parcels(lots, towns=(164, 78)))
    answer = screen(question(work, town=DOVER), held, load_law(None))
    assert "town_differs" not in {w.code for w in answer.warnings}
    grade = next(d for d in answer.determinations if d.rule == "dover-159.grade_change")
    assert (grade.result, grade.threshold) == ("not_triggered", 5_500)


def test_what_is_wanting_of_the_place_is_a_step_too() -> None:
    held = stack(parcels(towns=(198, 198, 198)), frame("wetlands", [], coverage=box(5_000, 0, 5_100, 100)))
    answer = screen(question(submission(box(10, 10, 60, 60))), held, load_law(None))
    texts = [step.text for step in answer.next_steps]
    (maps,) = [step for step in answer.next_steps if step.text.startswith("Have the maps looked up")]
    assert "ma-310cmr10.buffer_zone" in maps.because
    assert any(text.startswith("Ask the town hall of ") for text in texts)

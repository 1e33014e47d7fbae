"""What to do next and by when: the rules that ask, the clocks that run."""

from __future__ import annotations

from datetime import date

from law_cases import DOVER, LYNNFIELD, measured
from law_engine import screened

from layers.law import load_law
from spatial.decide import deadlines, decide, next_steps
from spatial.decide.dates import clocked

LAW = load_law(None)
ACRE = {"town": "lynnfield", "work": [{"box": [0, 0, 500, 100]}]}
SMALL = {"town": "lynnfield", "work": [{"box": [0, 0, 30, 30]}]}


def asked(given, town, **facts):
    bylaws = LAW.bylaws_for([town])
    checked = LAW.check_facts(facts)
    return bylaws, decide(bylaws, measured(given), checked), checked


def test_a_step_names_all_the_rules_that_ask_for_it():
    given = {"lots": [{"id": "A", "box": [0, 0, 200, 100]}], "work": [{"box": [0, 0, 60, 100]}]}
    bylaws, determinations, _ = asked(given, DOVER)
    steps = next_steps(bylaws, determinations)
    plan = next(s for s in steps if "Erosion and Sediment Control Plan drawn" in s.text)
    assert plan.because == ("dover-159.grade_change", "dover-159.clearing")
    walk = next(s for s in steps if "wetland scientist walk the lot" in s.text)
    assert {"dover-159.resource_area", "ma-310cmr10.buffer_zone", "ma-310cmr10.riverfront"} <= set(walk.because)
    assert len({s.text for s in steps}) == len(steps)


def test_what_is_triggered_comes_before_what_is_asked():
    given = {"lots": [{"id": "A", "box": [0, 0, 200, 100]}], "work": [{"box": [0, 0, 60, 100]}]}
    bylaws, determinations, _ = asked(given, DOVER)
    result = {d.rule: d.result for d in determinations}
    kinds = [result[s.because[0]] for s in next_steps(bylaws, determinations)]
    assert kinds == sorted(kinds, key=["triggered", "indeterminate", "needs_input"].index)


def test_advice_gives_no_step():
    bylaws, determinations, _ = asked(SMALL, LYNNFIELD)
    assert not [
        s for s in next_steps(bylaws, determinations) if any(b.startswith("lynnfield-320") for b in s.because)
    ]


def test_every_rule_that_may_bind_says_what_to_do():
    silent = {"dover-159.erosion_control_plan"}
    for rule in (r for b in LAW.bylaws for r in b.rules if not r.advisory and r.id not in silent):
        assert rule.next_steps or rule.ask_steps, rule.id
        for text in (*rule.next_steps, *rule.ask_steps):
            assert text.endswith(".") and len(text) > 40, rule.id


def test_deadlines_run_for_what_is_triggered_only():
    bylaws, determinations, facts = asked(
        ACRE, LYNNFIELD, application_received_on="2025-05-12", hearing_on="2025-06-02"
    )
    what = [d.what for d in deadlines(bylaws, determinations, facts)]
    assert what[0] == "Notice of the hearing in a newspaper"
    assert len(what) == 4
    bylaws, determinations, facts = asked(SMALL, LYNNFIELD, application_received_on="2025-05-12")
    assert deadlines(bylaws, determinations, facts) == ()


def test_no_date_no_deadline():
    bylaws, determinations, facts = asked(ACRE, LYNNFIELD)
    assert deadlines(bylaws, determinations, facts) == ()


def test_the_number_of_letters_chooses_the_door():
    clocks = LAW.bylaw("lynnfield-320").clocks
    few = clocked(clocks, LAW.check_facts({"hearing_on": "2025-06-02", "notice_pieces": 49}))
    many = clocked(clocks, LAW.check_facts({"hearing_on": "2025-06-02", "notice_pieces": 50}))
    assert [d.practical for d in few if "Mail" in d.what] == [date(2025, 5, 24)]
    assert [d.practical for d in many if "Mail" in d.what] == [date(2025, 5, 23)]


def test_another_board_counts_by_its_own_rules():
    facts = {"application_received_on": "2025-05-12", "permit_issued_on": "2025-06-20"}
    mine = clocked(LAW.bylaw("lynnfield-320").clocks, LAW.check_facts(facts))
    theirs = clocked(
        LAW.bylaw("lynnfield-320").clocks, LAW.check_facts(facts | {"approving_board": "planning_board"})
    )
    assert {d.what for d in mine} - {d.what for d in theirs} == {
        "The Conservation Commission opens the public hearing; silence is approval once the Town Clerk certifies it"
    }


def test_a_rule_not_in_force_says_nothing():
    given = {"on": "2024-05-05", "lots": [{"id": "A", "box": [0, 0, 200, 100]}], "work": [{"box": [0, 0, 60, 100]}]}
    _, determinations, _ = asked(given, DOVER)
    assert not [d for d in determinations if d.rule.startswith("dover-159")]
    assert [d for d in determinations if d.rule.startswith("dover-181")]
    _, determinations, _ = asked(given | {"on": "2024-05-06"}, DOVER)
    assert [d for d in determinations if d.rule == "dover-159.grade_change"]


def test_a_lot_of_the_next_town_is_not_tested_by_this_ones_bylaw():
    given = {
        "lots": [{"id": "A", "box": [0, 0, 200, 200]}, {"id": "B", "box": [200, 0, 260, 100], "town_id": 164}],
        "work": [{"activity": "grading", "box": [190, 0, 220, 100]}],
    }
    _, determinations, _ = asked(given, DOVER)
    of = [d for d in determinations if d.rule == "dover-159.grade_change"]
    assert [(d.result, d.measured, d.threshold) for d in of] == [("not_triggered", 3000.0, 5500.0)]


def test_a_completeness_before_the_receipt_does_not_start_the_clock():
    facts = LAW.check_facts({"application_received_on": "2025-05-12", "application_complete_on": "2025-05-05"})
    found = deadlines([LAW.bylaw("lynnfield-320")], (), facts)
    assert [d.raw.isoformat() for d in found if "opens the public hearing" in d.what] == ["2025-06-02"]


def test_who_delineated_is_not_told_to_have_it_done_while_a_map_is_wanting():
    given = {"town": "dover", "work": [{"box": [0, 0, 30, 30]}], "without": ["streams"]}
    bylaws, determinations, _ = asked(given, DOVER, delineation="A. Walker, wetland scientist, 2026-05-14")
    walks = [
        [s for s in next_steps(bylaws, determinations, delineated=known) if "walk the lot" in s.text]
        for known in (False, True)
    ]
    assert walks[0] and not walks[1]


def test_a_rule_whose_maps_were_all_unseen_says_not_known_and_no_negative():
    given = {"town": "dover", "work": [{"box": [0, 0, 30, 30]}], "without": ["streams", "water_bodies"]}
    _, determinations, _ = asked(given, DOVER)
    riverfront = next(d for d in determinations if d.rule == "ma-310cmr10.riverfront")
    assert riverfront.result == "indeterminate"
    assert riverfront.why.startswith("Whether ground of this kind lies within 200 ft of the work is not known.")


def test_the_short_way_is_not_offered_beside_a_notice_of_intent():
    swamp = {"layer": "wetlands", "boxes": [[0, 0, 100, 100]]}
    near = {"work": [{"box": [120, 0, 150, 30]}], "layers": [swamp]}
    inside = {"work": [{"box": [80, 0, 150, 30]}], "layers": [swamp]}
    texts = {
        name: [s.text for s in screened(given, LAW).next_steps] for name, given in (("near", near), ("in", inside))
    }
    assert any("WPA Form 1" in text for text in texts["near"])
    assert not any("WPA Form 1" in text for text in texts["in"])
    assert any("same Notice of Intent" in text for text in texts["in"])


def test_what_is_too_close_to_call_sends_for_a_surveyor():
    given = {
        "lots": [{"id": "A", "box": [0, 0, 300, 300]}],
        "work": [{"activity": "clearing", "box": [0, 0, 54, 100]}],
    }
    answered = screened(given, LAW)
    survey = [s for s in answered.next_steps if s.text.startswith("Have it surveyed")]
    assert len(survey) == 1 and "“Clearing of existing vegetation”" in survey[0].text
    assert "dover-159.clearing" in survey[0].because


def test_a_permit_that_hangs_on_a_common_plan_asks_for_it():
    _, determinations, _ = asked(SMALL, LYNNFIELD)
    acre = next(d for d in determinations if d.rule == "lynnfield-320.land_disturbance")
    assert (acre.result, acre.needs) == ("not_triggered", ("common_plan",))

"""What is said of the facts: those nobody asks for, those that contradict, law that was not yet law."""

from __future__ import annotations

import pytest
from law_engine import screened

from layers.law import load_law
from layers.law.facts import read_facts
from spatial.errors import Internal, ParameterRefused

LAW = load_law(None)
LOT = {"id": "A", "box": [0, 0, 200, 200]}
WORK = {"activity": "grading", "box": [0, 0, 30, 100]}


def said(code, town="dover", on="2026-06-01", lots=(LOT,), nearby=(), **facts):
    case = {"town": town, "on": on, "lots": list(lots), "work": [WORK], "facts": facts, "nearby": list(nearby)}
    return [w.message for w in screened(case, LAW).warnings if w.code == code]


def test_a_day_before_the_bylaw_is_no_silent_no():
    (message,) = [m for m in said("law_not_in_force", on="2020-01-01") if "Stormwater" in m]
    assert "none were law on 2020-01-01 (from 2024-05-06)" in message
    (part,) = [m for m in said("law_not_in_force", on="2020-01-01") if "Wetlands Protection" in m]
    assert "not all (Work within 150 feet of any protected area not)" in part
    assert said("law_not_in_force", on="2026-06-01") == []


def test_a_fact_that_no_law_here_asks_for_is_told():
    (message,) = said("fact_not_asked", town="lynnfield", stored_fill_cuyd=120)
    assert "asks for stored_fill_cuyd" in message
    assert said("fact_not_asked", stored_fill_cuyd=120, work_accuracy_ft=2) == []


def test_an_exemption_of_another_town_is_told():
    (message,) = said("exemption_elsewhere", town="lynnfield", claimed_exemptions="dover-159.exempt_fencing")
    assert "dover-159.exempt_fencing" in message
    assert said("exemption_elsewhere", claimed_exemptions="dover-159.exempt_fencing") == []


def test_a_hearing_before_the_application_is_told():
    (message,) = said(
        "dates_out_of_order", "lynnfield", application_received_on="2026-06-01", hearing_on="2026-01-05"
    )
    assert "hearing_on (2026-01-05) lies before application_received_on (2026-06-01)" in message
    same_day = {"application_received_on": "2026-06-01", "hearing_on": "2026-06-01"}
    assert said("dates_out_of_order", "lynnfield", **same_day) == []


@pytest.mark.parametrize(("stated", "told"), [(2999, 1), (3000, 0), (3001, 1)])
def test_a_plan_that_states_another_area_than_it_draws_is_told(stated, told):
    assert len(said("stated_area_differs", stated_disturbed_sqft=stated)) == told


def test_a_lot_area_for_several_lots_is_told():
    lots = ({"id": "A", "box": [0, 0, 15, 200]}, {"id": "B", "box": [15, 0, 200, 200]})
    (message,) = said("lot_area_not_used", lots=lots, lot_area_sqft=40000)
    assert "2 lots are under the work" in message
    assert said("lot_area_not_used", lot_area_sqft=40000) == []


def test_work_kept_on_the_same_lot_is_shown_and_not_added():
    kept = {"id": "s-1", "distance_ft": 40, "area_sqft": 2600, "loc_ids": ("A",)}
    (message,) = said("kept_on_same_lot", nearby=[kept])
    assert "s-1 (2,600 sq ft beyond this work)" in message
    assert said("kept_on_same_lot", nearby=[kept | {"loc_ids": ("B",)}]) == []
    assert said("kept_on_same_lot", nearby=[kept], earlier_grading_sqft=2600) == []
    assert said("kept_on_same_lot", nearby=[kept | {"area_sqft": 0.2}]) == []
    assert said("kept_on_same_lot", town="lynnfield", nearby=[kept]) == []
    (many,) = said("kept_on_same_lot", nearby=[kept | {"id": f"s-{n}"} for n in range(7)])
    assert "and 4 more" in many


def test_another_boards_hearing_has_no_deadline_here_and_that_is_said():
    (message,) = said("board_has_own_rules", "lynnfield", approving_board="planning_board", hearing_on="2026-06-08")
    assert message.startswith("The planning board has its own rules for notice and hearing")
    assert said("board_has_own_rules", "lynnfield", approving_board="planning_board") == []
    assert said("board_has_own_rules", "lynnfield", hearing_on="2026-06-08") == []


@pytest.mark.parametrize("day", ["2027-05-14", "2026-02-31", "2026-13-01", "May 2027", "5/14/2027"])
def test_a_delineation_of_no_day_that_was_rules_nothing_out(day):
    case = {"lots": [LOT], "work": [WORK], "facts": {"delineation": f"A. Walker, {day}"}, "on": "2026-06-01"}
    screening = screened(case, LAW)
    (wetland,) = [d for d in screening.determinations if d.rule == "ma-310cmr10.resource_area"]
    assert wetland.result == "needs_input"
    assert "delineation_to_come" in {w.code for w in screening.warnings}


def test_a_delineation_still_to_come_rules_nothing_out():
    facts = {"delineation": "A. Walker, 2027-05-14"}
    case = {"lots": [LOT], "work": [WORK], "facts": facts, "on": "2026-06-01"}
    screening = screened(case, LAW)
    (wetland,) = [d for d in screening.determinations if d.rule == "ma-310cmr10.resource_area"]
    assert (wetland.result, wetland.needs) == ("needs_input", ("delineation",))
    assert "delineation_to_come" in {w.code for w in screening.warnings}
    made = screened({**case, "on": "2027-05-14"}, LAW)
    (wetland,) = [d for d in made.determinations if d.rule == "ma-310cmr10.resource_area"]
    assert wetland.result == "not_triggered"


@pytest.mark.parametrize("day", ["2026-06-01", "May 2026", "5/14/2025", "ORAD 246-0512 of 2024"])
def test_a_delineation_may_name_its_day_in_other_words(day):
    facts = LAW.check_facts({"delineation": f"A. Walker, {day}"})
    case = {"lots": [LOT], "work": [WORK], "facts": dict(facts.values), "on": "2026-06-01"}
    (wetland,) = [d for d in screened(case, LAW).determinations if d.rule == "ma-310cmr10.resource_area"]
    assert wetland.result == "not_triggered"


@pytest.mark.parametrize(
    "text",
    [
        "none 2026",
        "123456",
        "not yet made; ordered for 2026-05-14",
        "pending, A. Walker 2026-05-14",
        "A. Walker, last spring, ORAD 246-0512",
        "2026-05-14 246-0512",
    ],
)
def test_words_that_delineate_nothing_are_refused(text):
    with pytest.raises(ParameterRefused, match="delineation"):
        LAW.check_facts({"delineation": text})


@pytest.mark.parametrize("text", ["by myself", "it drains south, 2026", "drawing 3 of 7"])
def test_a_drainage_analysis_names_its_engineer(text):
    with pytest.raises(ParameterRefused, match="drainage_analysis"):
        LAW.check_facts({"drainage_analysis": text})


def test_an_order_of_days_names_dates(tmp_path):
    path = tmp_path / "facts.toml"
    path.write_text(
        '[[fact]]\nname = "hearing_on"\ntype = "date"\nunit = ""\nmeaning = "x"\nnot_before = ["use"]\n'
    )
    with pytest.raises(Internal, match="names dates: use"):
        read_facts(path)


def test_the_order_of_days_has_no_circle():
    before = {f.name: f.not_before for f in LAW.facts}

    def first(name: str, seen: tuple[str, ...] = ()) -> bool:
        return name not in seen and all(first(earlier, (*seen, name)) for earlier in before[name])

    assert all(first(name) for name in before)

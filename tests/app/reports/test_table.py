"""The screening at a terminal: everything said, in the reader's order, whatever the width and the texts."""

from __future__ import annotations

import re

import pytest
from told import determination, finding, layer, screening

from app.reports.table import screening_table

BUFFER = finding(
    "buffer_zone",
    "affected",
    title="Buffer zone of a mapped wetland",
    relation="near",
    disturbance_sqft=2400.0,
    percent_of_disturbance=26.67,
    nearest_ft=60.0,
    zones=[
        {"from_ft": 0, "to_ft": 0, "disturbance_sqft": 0.0, "parcel_sqft": 6400.0},
        {"from_ft": 50, "to_ft": 100, "disturbance_sqft": 2400.0, "parcel_sqft": 0.0},
    ],
)
UNDER = finding("wetlands", "affected", title="Mapped wetland", relation="overlaps", disturbance_sqft=10.0)
GRADE = determination(
    "dover-159.grade_change",
    "triggered",
    title="Change of grade",
    measured=6600.0,
    threshold=5500.0,
    unit="sqft",
    why="All on one lot.",
    approval="a permit",
)


def _below(text: str, heading: str) -> str:
    """Return what stands between a heading and the next."""
    rest = text.split(heading.upper(), 1)[1]
    return re.split(r"\n\n[A-Z]", rest, maxsplit=1)[0]


def test_headline_counts_what_matters() -> None:
    told = screening_table(
        screening(determinations=[GRADE, determination("a", "needs_input"), determination("b", "indeterminate")])
    )
    assert "1 rule is triggered; 2 rules cannot be answered yet." in told


def test_ground_under_the_work_comes_before_ground_near_it() -> None:
    told = _below(screening_table(screening(findings=[BUFFER, UNDER])), "Affected")
    assert told.index("Mapped wetland") < told.index("Buffer zone")


def test_affected_says_how_much_how_far_and_by_ring() -> None:
    told = _below(screening_table(screening(findings=[BUFFER]), width=200), "Affected")
    assert "2,400 sq ft of the work (26.7 %)" in told
    assert "nearest 60 ft away" in told
    assert "2,400 sq ft of the work within 100 ft" in told
    assert "Work by distance: 50-100 ft: 2,400 sq ft" in told


def test_triggered_says_by_how_much_and_what_is_needed() -> None:
    told = _below(screening_table(screening(determinations=[GRADE])), "Rules triggered")
    assert "6,600 sq ft, limit 5,500 sq ft: 1,100 sq ft over" in told
    assert "Needs: a permit, from Board" in told


def test_no_rule_triggered_is_said() -> None:
    assert _below(screening_table(screening()), "Rules triggered").strip() == "None."


@pytest.mark.parametrize(
    ("status", "heading", "said"),
    [
        ("not_checked", "Could not be checked", "Because."),
        ("no_data", "Could not be checked", "Because."),
        ("none_mapped", "Nothing mapped", "Wet: none within 100 ft"),
    ],
)
def test_unknown_never_stands_among_the_clear(status: str, heading: str, said: str) -> None:
    told = screening_table(screening(findings=[finding("wetlands", status, title="Wet", why="Wet: because.")]))
    assert said in _below(told, heading)
    assert "CLEAR" not in told


def test_open_rules_say_which_fact_would_settle_them() -> None:
    rule = determination("r", "needs_input", title="Fill", why="Not given.", needs=["stored_fill_cuyd"])
    told = _below(screening_table(screening(determinations=[rule])), "Not decided yet")
    assert "Tell us: --fact stored_fill_cuyd=..." in told


def test_each_permit_is_called_for_once_and_advice_calls_for_none() -> None:
    again = GRADE.model_copy(update={"rule": "dover-159.clearing"})
    advice = determination("dover-159.x", "triggered", approval="nothing", advisory=True)
    told = screening_table(screening(determinations=[GRADE, again, advice]))
    assert _below(told, "What this calls for").split() == ["-", "a", "permit:", "Board"]
    assert "2 rules are triggered, 1 more as advice." in told


def test_a_reading_that_would_turn_the_answer_is_told_and_one_that_agrees_is_not() -> None:
    readings = [
        {"policy": "AMB-02", "text": "more than", "measured": 1, "threshold": 1, "result": "not_triggered"},
        {"policy": "AMB-03", "text": "meets", "measured": 1, "threshold": 1, "result": "triggered"},
    ]
    told = screening_table(screening(determinations=[determination("r", "triggered", readings=readings)]))
    assert "Read otherwise (AMB-02: more than): not triggered" in told
    assert "AMB-03" not in told


def test_ground_under_the_work_has_no_limit_to_be_beyond() -> None:
    far = determination("r", "not_triggered", title="Habitat", measured=1253.0, threshold=0.0, unit="ft")
    told = _below(screening_table(screening(determinations=[far])), "Clear")
    assert "1,253 ft away" in told
    assert "limit" not in told


def test_watersheds_stand_with_the_work_and_say_when_the_divide_is_too_close() -> None:
    shares = {"huc10": [], "huc12": [{"code": "019900010101", "name": "Upper", "percent": 54.444}]}
    split = finding("huc12", "affected", title="HUC12 watershed", certainty="too_close_to_call")
    told = screening_table(screening(findings=[split], watersheds=shares))
    assert "Upper 019900010101 (54.4 %); too close to call" in told
    assert "AFFECTED" not in told


def test_deadlines_come_in_order_with_who_may_rely_on_them() -> None:
    deadlines = [
        {
            "what": "Second",
            "citation": "§ 2",
            "raw": "2026-04-20",
            "rolled": "2026-04-21",
            "board_act_by": "2026-04-17",
        },
        {"what": "First", "citation": "§ 1", "raw": "2026-03-01", "rolled": "2026-03-01"},
    ]
    told = _below(screening_table(screening(deadlines=deadlines)), "Deadlines")
    assert told.index("2026-03-01  First (§ 1)") < told.index("2026-04-21  Second (§ 2)")
    assert "board acts by 2026-04-17; counted 2026-04-20, not a working day" in told


def test_too_close_never_stands_among_the_clear() -> None:
    close = [
        finding("floodplain", "not_affected", title="Flood", certainty="too_close_to_call", nearest_ft=25.0),
        finding("wetlands", "none_mapped", title="Wet", certainty="too_close_to_call", nearest_ft=30.0),
    ]
    rule = determination("r", "not_triggered", title="Clearing", certainty="too_close_to_call")
    told = screening_table(screening(findings=close, determinations=[rule]))
    section = _below(told, "Too close to call")
    assert all(word in section for word in ("Flood", "Wet", "Clearing"))
    assert "CLEAR" not in told


def test_every_finding_and_rule_is_told_once_or_more() -> None:
    findings = [
        finding("wetlands", status, title=f"map {status} {certainty}", certainty=certainty)
        for status in ("affected", "not_affected", "none_mapped", "no_data", "not_checked")
        for certainty in ("certain", "too_close_to_call")
    ]
    rules = [
        determination("r", result, title=f"rule {result} {certainty}", certainty=certainty)
        for result in ("triggered", "not_triggered", "indeterminate", "needs_input")
        for certainty in ("certain", "too_close_to_call")
    ]
    told = screening_table(screening(findings=findings, determinations=rules), width=200)
    missing = [one.title for one in (*findings, *rules) if one.title not in told]
    assert missing == []


def test_editions_name_each_layer_once_and_leave_out_what_had_none() -> None:
    told = screening_table(
        screening(findings=[BUFFER, UNDER, finding("slope", "not_checked", layer=layer("elevation", edition=None))])
    )
    rests = _below(told, "What this rests on")
    assert rests.count("wetlands") == 1
    assert "elevation" not in rests


@pytest.mark.parametrize("width", [40, 72, 100, 160])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    long = finding("wetlands", "affected", title="x" * 300, why="word " * 100, relation="overlaps")
    told = screening_table(screening(findings=[long, BUFFER], determinations=[GRADE]), width=width)
    assert max(len(line) for line in told.splitlines()) <= width


def test_plain_text_holds_no_escape_codes_and_markup_is_text() -> None:
    hostile = screening(warnings=[{"code": "x", "message": "[red]not red[/red] \x1b[31mnor this"}])
    told = screening_table(hostile)
    assert "\x1b" not in told
    assert "[red]not red[/red] ?[31mnor this" in told


def test_colour_only_when_asked() -> None:
    assert "\x1b[1m" in screening_table(screening(), colour=True)


def test_a_clear_rule_keeps_the_unless_of_its_reason() -> None:
    acre = determination(
        "lynnfield-320.land_disturbance",
        "not_triggered",
        measured=25207.0,
        threshold=43560.0,
        unit="sqft",
        why="Less than an acre. It would be otherwise if it is part of a larger common plan.",
        needs=["common_plan"],
    )
    told = _below(screening_table(screening(determinations=[acre])), "Clear")
    assert "18,353 sq ft under" in told
    assert "It would be otherwise if it is part of a larger common plan." in told
    assert "Tell us: --fact common_plan=..." in told


def test_one_rule_asked_of_several_lots_names_each() -> None:
    lots = [
        {
            "loc_id": f"F_{n}",
            "map_par_id": None,
            "town_id": 78,
            "site_address": address,
            "area_sqft": 40000.0,
            "lot_size_sqft": None,
            "disturbed_sqft": 10.0,
            "disturbed_percent": 0.1,
            "poly_type": "FEE",
        }
        for n, address in ((1, "1 MILL ST"), (2, None))
    ]
    rules = [determination("r", "not_triggered", title="Grading", loc_id=f"F_{n}") for n in (1, 2)]
    told = _below(screening_table(screening(parcels=lots, determinations=rules), width=200), "Clear")
    assert "Grading (§ 1), lot 1 MILL ST, F_1" in told
    assert "Grading (§ 1), lot F_2" in told
    alone = screening_table(screening(parcels=lots[:1], determinations=rules[:1]), width=200)
    assert "lot 1 MILL ST" not in _below(alone, "Clear")


def test_what_is_counted_too_close_is_all_named_under_that_heading() -> None:
    told = screening_table(
        screening(
            findings=[finding("impervious", "affected", title="Pavement", certainty="too_close_to_call")],
            determinations=[
                determination("a", "triggered", title="Buffer", certainty="too_close_to_call"),
                determination("b", "not_triggered", title="Clearing", certainty="too_close_to_call"),
            ],
        ),
        width=200,
    )
    assert "2 rules and 1 map are too close to call" in told
    section = _below(told, "Too close to call: a survey")
    assert all(title in section for title in ("Buffer", "Clearing", "Pavement (map)"))


def test_yes_and_no_are_told_as_they_are_given() -> None:
    told = screening_table(screening(facts={"major_project": False, "drains_to_ms4": True}), width=200)
    assert "major_project no, drains_to_ms4 yes" in told


def test_brackets_in_a_citation_are_explained_once() -> None:
    cited = determination("r", "triggered", citation="§ 320-[application] A(6)")
    told = screening_table(screening(determinations=[cited]), width=200)
    assert "§ 320-[application]\n    A word in brackets stands where the number of the section is lost" in told
    assert "brackets" not in screening_table(screening(determinations=[GRADE]))


def test_a_reading_left_open_is_no_question_to_the_reader() -> None:
    readings = [
        {"policy": "AMB-07", "text": "200 feet", "measured": 260, "threshold": 200, "result": "needs_input"}
    ]
    told = screening_table(
        screening(determinations=[determination("r", "triggered", readings=readings)]), width=200
    )
    assert "Read otherwise (AMB-07: 200 feet): not known; somebody must look" in told


def test_an_edition_good_to_several_distances_tells_both_ends() -> None:
    found = [finding("wetlands", "none_mapped", layer=layer(accuracy_ft=ft)) for ft in (33.3, 13.9, 20.0)]
    assert "good to 13.9 ft to 33.3 ft" in _below(
        screening_table(screening(findings=found), width=200), "What this rests"
    )

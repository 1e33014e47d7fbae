"""What a finding says of a reach: hits, misses, gaps. Silence of a map is never taken for a no it cannot give."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_cases import DOVER, measured

from layers.law import load_law
from spatial.case import FeatureHit, Finding, ZoneArea
from spatial.decide import decide
from spatial.decide.asking import Asked
from spatial.decide.reach import within_distance
from spatial.decide.sight import look
from spatial.facts import Facts

LAW = load_law(None)
STATE = LAW.bylaw("ma-310cmr10")
BUFFER = STATE.rule("ma-310cmr10.buffer_zone")
BARE = measured({"work": [{"box": [0, 0, 10, 10]}]})


def asked(*findings: Finding, facts: Facts = Facts(), rule=BUFFER) -> Asked:  # noqa: B008
    return Asked(rule, STATE, replace(BARE, findings=findings), facts)


def finding(nearest_ft=None, **more) -> Finding:
    plain = {"status": "none_mapped", "certainty": "certain", "why": "seen", "coverage": "full", "within_ft": 100.0}
    plain |= {"nearest_ft": nearest_ft, "searched_ft": 200.0, "accuracy_ft": 13.9}
    return Finding("buffer_zone", "Buffer zone", "wetlands", **(plain | more))


def feature(nearest_ft, **more) -> FeatureHit:
    return FeatureHit(
        "1", "Marsh 1", {}, more.pop("overlap_sqft", 0.0), more.pop("length_ft", 0.0), nearest_ft, 13.9, **more
    )


@pytest.mark.parametrize(
    ("nearest", "seen"), [(100.0, "hit"), (100.004, "hit"), (100.01, "unmapped"), (0.0, "hit")]
)
def test_a_hundred_feet_is_within_a_hundred_feet(nearest, seen):
    assert look(asked(), finding(nearest), 100.0).seen == seen


@pytest.mark.parametrize("status", ["no_data", "not_checked"])
def test_absence_in_a_layer_that_does_not_answer_is_unknown(status):
    assert look(asked(), finding(status=status), 100.0).seen == "unknown"


def test_a_partial_layer_says_nothing_about_absence():
    assert look(asked(), finding(coverage="partial", complete=True), 100.0).seen == "unknown"
    assert look(asked(), finding(60.0, coverage="partial"), 100.0).seen == "hit"


def test_a_delineation_does_not_mend_a_layer_that_was_not_checked():
    said = finding(status="not_checked", delineation="A. Walker, 2026-05-14")
    assert look(asked(), said, 100.0).seen == "unknown"


def test_absence_beyond_what_was_searched_is_unknown():
    near = finding(within_ft=0.0, searched_ft=50.0, complete=True)
    assert look(asked(), near, 100.0).seen == "unknown"
    assert look(asked(), replace(near, zones=(ZoneArea(50, 100, 0, 0),)), 100.0).seen == "absent"
    # a mile is searched for the nearest one, but nobody asked whether the map covers the ground that far
    assert look(asked(), replace(near, nearest_ft=130.0), 100.0).seen == "unknown"


def test_a_complete_layer_or_a_delineation_may_say_no():
    assert look(asked(), finding(complete=True), 100.0).seen == "absent"
    assert look(asked(facts=Facts({"delineation": "A. Walker, 2026-05-14"})), finding(), 100.0).seen == "absent"
    flagged = asked(finding(), finding(delineation="B. Reed, 2026-04-01"))
    assert "B. Reed" in look(flagged, finding(), 100.0).why


@pytest.mark.parametrize(
    ("met", "seen"),
    [
        (feature(0.0, overlap_sqft=3.0), "hit"),
        (feature(0.0, length_ft=3.0), "hit"),
        (feature(0.0), "unmapped"),
        (feature(4.0), "unmapped"),
    ],
)
def test_shared_ground_is_more_than_a_touch(met, seen):
    sight = look(asked(), finding(features=(met,)), 0.0)
    assert sight.seen == seen
    assert sight.certainty == "too_close_to_call"


def test_a_point_inside_the_work_is_shared_ground():
    inside = finding(features=(feature(0.0),), relation="contains")
    assert look(asked(), inside, 0.0).seen == "hit"


def test_a_hit_is_as_sure_as_its_surest_feature_and_a_miss_as_its_nearest():
    two = finding(features=(feature(99.0), feature(40.0)))
    assert look(asked(), two, 100.0).certainty == "certain"
    assert look(asked(), finding(features=(feature(99.0),)), 100.0).certainty == "too_close_to_call"
    miss = finding(features=(feature(105.0), feature(180.0)))
    assert look(asked(), miss, 100.0).certainty == "too_close_to_call"
    deep = finding(features=(feature(0.0, overlap_sqft=900.0, depth_ft=14.0),))
    assert look(asked(), deep, 0.0).certainty == "certain"


def test_the_limit_of_work_may_be_worse_than_the_map():
    far = finding(features=(feature(80.0),))
    assert look(asked(), far, 100.0).certainty == "certain"
    assert look(asked(facts=Facts({"work_accuracy_ft": 25.0})), far, 100.0).certainty == "too_close_to_call"


def test_a_theme_nobody_asked_is_unknown():
    answer = within_distance(asked())[0]
    assert (answer.result, answer.why.split(".")[1].strip()) == (
        "indeterminate",
        "Nothing was asked about buffer zone",
    )


def test_a_hit_says_how_much_of_the_work_lies_that_near():
    zones = (
        ZoneArea(0, 25, 0, 0),
        ZoneArea(25, 50, 120.5, 0),
        ZoneArea(50, 100, 300, 0),
        ZoneArea(100, 150, 900, 0),
    )
    answer = within_distance(asked(finding(30.0, zones=zones)))[0]
    assert "420.5 sq ft of the work lie that near" in answer.why


@settings(max_examples=200, deadline=None)
@given(st.floats(0, 400), st.floats(0, 400))
def test_nearer_is_never_milder(one, other):
    near, far = sorted((one, other))
    order = ["not_triggered", "needs_input", "indeterminate", "triggered"]
    results = [within_distance(asked(finding(d)))[0].result for d in (near, far)]
    assert order.index(results[0]) >= order.index(results[1])


@settings(max_examples=100, deadline=None)
@given(st.floats(1, 400), st.floats(1, 400), st.floats(5_000, 90_000))
def test_more_work_is_never_milder_and_a_larger_lot_never_stricter(one, other, lot):
    def result(width: float, size: float) -> str:
        case = measured(
            {"lots": [{"id": "A", "box": [0, 0, size / 100, 100]}], "work": [{"box": [0, 0, width, 10]}]}
        )
        answers = decide([LAW.bylaw("dover-159")], case, Facts())
        return next(d.result for d in answers if d.rule == "dover-159.grade_change")

    small, large = sorted((one, other))
    assert not (result(small, lot) == "triggered" and result(large, lot) == "not_triggered")
    assert not (result(small, 2 * lot) == "triggered" and result(small, lot) == "not_triggered")


def test_bylaws_of_the_town_are_asked_with_the_states():
    rules = {d.rule.split(".")[0] for d in decide(LAW.bylaws_for([DOVER]), BARE, Facts())}
    assert rules == {"dover-159", "dover-181", "ma-310cmr10", "ma-321cmr10"}

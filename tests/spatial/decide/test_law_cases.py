"""Every worked example of the law, as a file says it: input, expected, citation."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from law_cases import TOWNS, cases, measured
from law_engine import MEASURED_ELSEWHERE, screened

from layers.catalog import load_specs
from layers.law import load_law
from spatial.clocks import count
from spatial.decide import deadlines, decide
from spatial.facts import Facts
from spatial.rules.determination import Determination

LAW = load_law(None)
EXACT = 1e-4
EXAMPLES = [c for name in ("dover", "lynnfield", "state") for c in cases(name)]
DATES = cases("dates")
ASKABLE = [c for c in EXAMPLES if not set(MEASURED_ELSEWHERE) & set(c)]


def answers(case: dict[str, Any]) -> tuple[Determination, ...]:
    on = measured(case)
    town = TOWNS[case.get("town", "dover")]
    return decide(LAW.bylaws_for([town]), on, LAW.check_facts(case.get("facts", {})))


def found(given: tuple[Determination, ...], expected: dict[str, Any]) -> Determination:
    of = [d for d in given if d.rule == expected["rule"]]
    assert of, f"{expected['rule']} gave no answer"
    return next(d for d in of if d.loc_id == expected["lot"]) if "lot" in expected else of[0]


@pytest.mark.parametrize("case", EXAMPLES, ids=[c["id"] for c in EXAMPLES])
def test_example(case):
    hold(case, answers(case))


@pytest.mark.parametrize("case", ASKABLE, ids=[c["id"] for c in ASKABLE])
def test_example_through_the_whole_engine(case):
    hold(case, screened(case, LAW).determinations)


def hold(case: dict[str, Any], given: tuple[Determination, ...]) -> None:
    for expected in case["expect"]:
        answer = found(given, expected)
        assert answer.result == expected["result"], answer.why
        for name in ("measured", "threshold", "margin"):
            if name in expected:
                assert getattr(answer, name) == pytest.approx(expected[name], abs=EXACT), answer
        for name in ("certainty", "unit", "advisory", "unverified"):
            if name in expected:
                assert getattr(answer, name) == expected[name], answer
        assert expected.get("says", "") in answer.why
        assert expected.get("authority", "") in answer.authority
        assert set(expected.get("needs", [])) <= set(answer.needs)
        for reading in expected.get("readings", []):
            assert any(_same(r, reading) for r in answer.readings), answer.readings


def _same(reading, expected: dict[str, Any]) -> bool:
    numbers = all(
        getattr(reading, n) == pytest.approx(expected[n], abs=EXACT)
        for n in ("measured", "threshold")
        if n in expected
    )
    return numbers and reading.policy == expected["policy"] and reading.result == expected["result"]


@pytest.mark.parametrize("case", DATES, ids=[c["id"] for c in DATES])
def test_date(case):
    clock = next(c for b in LAW.bylaws for c in b.clocks if c.id == case["clock"])
    facts = LAW.check_facts(case["from"])
    start = next(day for name in clock.counted_from if (day := facts.day(name)) is not None)
    counted = count(clock, start)
    names = ("raw", "rolled", "practical", "board_act_by", "applicant_may_rely_from")
    expected = tuple(date.fromisoformat(case[n]) if n in case else None for n in names)
    assert tuple(getattr(counted, n) for n in names) == expected
    bylaws = [LAW.bylaw(case["clock"].split(".")[0])]
    assert counted in deadlines(bylaws, (), facts)


def test_every_worked_example_of_the_facts_is_here():
    ids = {c["id"] for c in EXAMPLES} | {c["id"] for c in DATES}
    wanted = [f"TD-{n:02}" for n in range(1, 11)] + [f"TL-{n:02}" for n in range(1, 9)]
    assert not {*wanted, *(f"TC-{n:02}" for n in range(1, 12))} - ids


def test_a_case_of_nothing_answers_without_a_no_it_cannot_know():
    bare = measured(
        {"work": [{"box": [0, 0, 10, 10]}], "without": sorted({t.layer_id for t in load_specs().themes})}
    )
    given = decide(LAW.bylaws_for([TOWNS["dover"]]), bare, Facts({}))
    silent = [
        d.rule for d in given if d.result == "not_triggered" and LAW.bylaw(d.rule.split(".")[0]).rule(d.rule).themes
    ]
    assert silent == []

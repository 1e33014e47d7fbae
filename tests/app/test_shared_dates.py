"""The shared date cases: business days over Massachusetts holidays, local days, days that are none."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from app.screening import local_day
from spatial.clocks import step
from spatial.facts import read_day
from spatial.rules.bylaw import ClockStep


def answered(case: dict[str, Any]) -> date:
    """Answer one case the way the service would."""
    match case["kind"]:
        case "add_business_days":
            return step(date.fromisoformat(case["start"]), ClockStep(case["n"], "business_days", "after"))
        case "add_calendar_days":
            return step(date.fromisoformat(case["start"]), ClockStep(case["n"], "days", "after"))
        case "local_date":
            return local_day(datetime.fromisoformat(case["utc"]))
        case "parse_date":
            return read_day(case["text"])
    raise AssertionError(f"a kind of case nobody answers: {case['kind']}")


@pytest.mark.shared
def test_every_date_case_is_answered_as_expected_or_refused(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "files" / "out02_dates.json").read_text())["cases"]
    assert len(cases) >= 10
    for case in cases:
        if case["kind"] == "parse_date":
            with pytest.raises(ValueError):  # never day-first: only YYYY-MM-DD is a date here
                answered(case)
        else:
            assert answered(case) == date.fromisoformat(case["expect"]), case["why"]

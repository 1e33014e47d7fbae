"""Massachusetts days by hand: holidays, business days, rolling, and clocks of several steps."""

from __future__ import annotations

from datetime import date

import pytest

from spatial.clocks import (
    count,
    is_business_day,
    is_holiday,
    legal_holidays,
    next_business_day,
    previous_business_day,
    rolled,
    step,
)
from spatial.rules.bylaw import Clock, ClockStep


def clock(*steps: ClockStep, **more: object) -> Clock:
    return Clock("x.y", "what", "§ 1", "quote", ("hearing_on",), steps, (), **more)


def test_the_holidays_of_2025():
    assert sorted(legal_holidays(2025)) == [
        date(2025, 1, 1),
        date(2025, 1, 20),
        date(2025, 2, 17),
        date(2025, 4, 21),
        date(2025, 5, 26),
        date(2025, 6, 19),
        date(2025, 7, 4),
        date(2025, 9, 1),
        date(2025, 10, 13),
        date(2025, 11, 11),
        date(2025, 11, 27),
        date(2025, 12, 25),
    ]


@pytest.mark.parametrize("day", [date(2025, 3, 17), date(2025, 6, 17)])
def test_suffolk_alone_does_not_count(day):
    assert not is_holiday(day)


def test_a_sunday_holiday_is_kept_on_monday_and_a_saturday_one_not_on_friday():
    assert is_holiday(date(2027, 7, 4))
    assert is_holiday(date(2027, 7, 5))
    assert is_holiday(date(2026, 7, 4))
    assert not is_holiday(date(2026, 7, 3))
    assert is_business_day(date(2026, 7, 3))


@pytest.mark.parametrize(
    ("day", "last"),
    [
        (date(2025, 4, 21), date(2025, 4, 22)),
        (date(2025, 5, 25), date(2025, 5, 27)),
        (date(2025, 5, 24), date(2025, 5, 24)),
        (date(2025, 7, 4), date(2025, 7, 7)),
        (date(2025, 7, 2), date(2025, 7, 2)),
        (date(2027, 7, 4), date(2027, 7, 6)),
    ],
)
def test_only_sundays_and_holidays_roll(day, last):
    assert rolled(day) == last


def test_business_days_either_way():
    assert next_business_day(date(2025, 8, 30)) == date(2025, 9, 2)
    assert previous_business_day(date(2025, 9, 1)) == date(2025, 8, 29)
    assert step(date(2025, 8, 29), ClockStep(1, "business_days", "after")) == date(2025, 9, 2)
    assert step(date(2025, 9, 2), ClockStep(1, "business_days", "before")) == date(2025, 8, 29)


@pytest.mark.parametrize(
    ("counted", "day"),
    [
        (ClockStep(30, "days", "before"), date(2025, 2, 1)),
        (ClockStep(2, "weeks", "before"), date(2025, 2, 17)),
        (ClockStep(24, "hours", "before"), date(2025, 3, 2)),
        (ClockStep(36, "hours", "after"), date(2025, 3, 5)),
        (ClockStep(1, "years", "after"), date(2026, 3, 3)),
    ],
)
def test_every_unit(counted, day):
    assert step(date(2025, 3, 3), counted) == day


def test_a_year_from_a_leap_day_ends_on_the_28th_and_four_years_on_the_29th():
    assert step(date(2024, 2, 29), ClockStep(1, "years", "after")) == date(2025, 2, 28)
    assert step(date(2024, 2, 29), ClockStep(4, "years", "after")) == date(2028, 2, 29)


def test_a_constructive_approval_is_safe_early_and_relied_on_late():
    counted = count(clock(ClockStep(1, "days", "after"), roll=True, constructive=True), date(2025, 7, 5))
    assert counted.raw == date(2025, 7, 6)
    assert counted.rolled == date(2025, 7, 7)
    assert counted.board_act_by == date(2025, 7, 3)
    assert counted.applicant_may_rely_from == date(2025, 7, 8)


def test_an_office_and_a_counter_close_differently():
    week = ClockStep(7, "days", "before")
    assert count(clock(week, practical="post_office"), date(2025, 6, 7)).practical == date(2025, 5, 31)
    assert count(clock(week, practical="office"), date(2025, 6, 7)).practical == date(2025, 5, 30)
    assert count(clock(week), date(2025, 6, 7)).practical is None


def test_an_unverified_clock_says_so():
    assert count(clock(ClockStep(7, "days", "before"), unverified=True), date(2025, 6, 2)).what.endswith(
        "(not verified)"
    )

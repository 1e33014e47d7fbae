"""Massachusetts days: business days, legal holidays, and how a clock of the law is counted. Pure.

The day of the act is excluded and the last day included (*Bemis v. Leonard*, 1875). A last day on a Sunday or
legal holiday moves to the next business day (M.G.L. c. 4 § 9; Saturday is not in that text). A legal holiday that
falls on a Saturday is not observed on the Friday before; holidays of Suffolk County alone do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache

import holidays

from spatial.rules.bylaw import Clock, ClockStep
from spatial.rules.determination import Deadline

DAY = timedelta(days=1)
SUNDAY, SATURDAY = 6, 5
UNVERIFIED = " (not verified)"


@lru_cache(maxsize=64)
def _calendar(year: int) -> dict[date, str]:
    known = holidays.country_holidays("US", subdiv="MA", years=year, observed=False)
    named = {day: str(name) for day, name in known.items()}
    sundays = {day: name for day, name in named.items() if day.weekday() == SUNDAY}
    return named | {day + DAY: f"{name} (observed)" for day, name in sundays.items()}


def legal_holidays(year: int) -> dict[date, str]:
    """Return the legal holidays of a year in Norfolk and Essex Counties, by day.

    >>> legal_holidays(2025)[date(2025, 4, 21)]
    "Patriots' Day"
    """
    return dict(_calendar(year))


def is_holiday(day: date) -> bool:
    """Say whether a day is a legal holiday."""
    return day in _calendar(day.year)


def closed_for(day: date) -> str | None:
    """Return why nothing is done on a day, in the words of the calendar; None on other days, Saturdays too.

    >>> closed_for(date(2025, 5, 26)), closed_for(date(2026, 12, 20)), closed_for(date(2025, 5, 24))
    ('Memorial Day', 'a Sunday', None)
    """
    return _calendar(day.year).get(day) or ("a Sunday" if day.weekday() == SUNDAY else None)


def is_business_day(day: date) -> bool:
    """Say whether a day is Monday to Friday and no legal holiday (AMB-29)."""
    return day.weekday() < SATURDAY and not is_holiday(day)


def next_business_day(day: date) -> date:
    """Return the first business day on or after a day."""
    return _seek(day, DAY, is_business_day)


def previous_business_day(day: date) -> date:
    """Return the last business day on or before a day."""
    return _seek(day, -DAY, is_business_day)


def rolled(day: date) -> date:
    """Return the day an act may still be done when its last day is a Sunday or legal holiday.

    >>> rolled(date(2025, 4, 21))  # Patriots' Day
    datetime.date(2025, 4, 22)
    >>> rolled(date(2025, 5, 24))  # a Saturday stays
    datetime.date(2025, 5, 24)
    """
    return next_business_day(day) if day.weekday() == SUNDAY or is_holiday(day) else day


def step(day: date, counted: ClockStep) -> date:
    """Return the day that lies so many days, weeks, years or business days after or before a day.

    A year ends on the same day of the year; 29 February ends on 28 February. Hours are whole days, rounded up.
    """
    sign = 1 if counted.direction == "after" else -1
    if counted.unit == "years":
        return _years(day, sign * counted.count)
    if counted.unit == "business_days":
        return _business_days(day, sign, counted.count)
    days = {"days": counted.count, "weeks": counted.count * 7, "hours": -(-counted.count // 24)}[counted.unit]
    return day + sign * days * DAY


def count(clock: Clock, start: date) -> Deadline:
    """Return the deadline a clock gives from a day."""
    raw = start
    for counted in clock.steps:
        raw = step(raw, counted)
    last = rolled(raw) if clock.roll else raw
    return Deadline(
        what=clock.what + (UNVERIFIED if clock.unverified else ""),
        citation=clock.citation,
        raw=raw,
        rolled=last,
        practical=_practical(clock, raw),
        board_act_by=previous_business_day(raw) if clock.constructive else None,
        applicant_may_rely_from=last + DAY if clock.constructive else None,
        policies=clock.policies,
    )


def _practical(clock: Clock, raw: date) -> date | None:
    """Return the last day on or before a deadline on which the doors that matter are open."""
    if clock.practical is None:
        return None
    if clock.practical == "post_office":
        return _seek(raw, -DAY, lambda day: day.weekday() != SUNDAY and not is_holiday(day))
    return previous_business_day(raw)


def _seek(day: date, by: timedelta, fits: Callable[[date], bool]) -> date:
    while not fits(day):
        day += by
    return day


def _years(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=day.day - 1)


def _business_days(day: date, sign: int, number: int) -> date:
    for _ in range(number):
        day = _seek(day + sign * DAY, sign * DAY, is_business_day)
    return day

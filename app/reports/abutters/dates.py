"""The dates of a list in one set of words for every page that shows them: as counted, by law, in practice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.notices.days import closed_days, in_practice, law_day, practical_day
from app.schemas.abutters import AbutterList, DeadlineTold

COLUMNS = ("As counted", "Last day by law", "In practice")
"""The three days of a deadline, in the words and the order of every page."""


@dataclass(frozen=True, slots=True)
class Dated:
    """One deadline as it is shown; ``days`` are those of ``COLUMNS``, ISO."""

    what: str
    citation: str
    days: tuple[str, str, str]


def dates_of(told: AbutterList) -> tuple[Dated, ...]:
    """Return the deadlines of a list, in its order; empty when no date follows."""
    return tuple(map(_dated, told.deadlines))


def _dated(one: DeadlineTold) -> Dated:
    days = (one.raw.isoformat(), one.rolled.isoformat(), in_practice(one).isoformat())
    return Dated(one.what, one.citation, days)


def mail_by_words(told: AbutterList) -> str:
    """Return when the letters are mailed at the latest, in a sentence; empty when the rule counts no such day."""
    last, law = practical_day(told), law_day(told)
    if last is None or law is None:
        return ""
    if last == law:
        return f"Mail by {last}: the last day by law, and the post is open on it."
    return f"Mail by {last}, the last day in practice; the last day by law is {law}, when letters are not taken in."


def mailing_days(told: AbutterList) -> str:
    """Return the days of the mailing under the words of ``COLUMNS``; empty when the rule counts none."""
    last, law = practical_day(told), law_day(told)
    counted = (d for d in told.deadlines if d.practical and (in_practice(d), d.rolled) == (last, law))
    return next((three(x.days) for x in map(_dated, counted)), "")


def three(days: Sequence[str]) -> str:
    """Return the three days of a deadline in a line, each by its name."""
    return ", ".join(f"{name.lower()} {day}" for name, day in zip(COLUMNS, days, strict=True))


def notes_on_days(told: AbutterList) -> Iterator[str]:
    """Return which of the days shown are Sundays or legal holidays, a sentence each."""
    yield from closed_days(told.deadlines)

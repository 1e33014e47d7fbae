"""The dates of a list in one set of words for every page that shows them: as counted, by law, in practice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.notices.days import closed_days, in_practice, law_day, practical_day
from app.schemas.abutters import AbutterList

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
    return tuple(
        Dated(d.what, d.citation, (d.raw.isoformat(), d.rolled.isoformat(), in_practice(d).isoformat()))
        for d in told.deadlines
    )


def mail_by_words(told: AbutterList) -> str:
    """Return when the letters are mailed at the latest, in a sentence; empty when the rule counts no such day."""
    last, law = practical_day(told), law_day(told)
    if last is None or law is None:
        return ""
    if last == law:
        return f"Mail by {last}: the last day by law, and the post is open on it."
    return f"Mail by {last}, the last day in practice; the last day by law is {law}, when letters are not taken in."


def notes_on_days(told: AbutterList) -> Iterator[str]:
    """Return which of the days shown are Sundays or legal holidays, a sentence each."""
    yield from closed_days(told.deadlines)

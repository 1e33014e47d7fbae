"""Report: kept answers that would be others today, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from app.reports.page import entry, heading, pairs, paragraph, render
from app.reports.words import RESULT_WORDS, STATUS_WORDS, counted, printable, quantity
from app.schemas.rescreen import (
    DeterminationChange,
    DeterminationSide,
    FindingChange,
    FindingSide,
    Rescreened,
    ScreeningChange,
)

NOT_ASKED = "was not asked"


def rescreened_text(told: Rescreened, *, width: int | None = None, colour: bool = False) -> str:
    """Return what would differ, a heading for each kept screening; what could not be asked stands last."""
    return render(_page(told), width=width, colour=colour)


def _page(told: Rescreened) -> Iterator[RenderableType]:
    yield entry(f"{counted(told.looked_at, 'kept answer')} looked at. {_asked(told)}")
    for one in told.changed:
        yield from _changed(one)
    if told.not_asked:
        yield heading("Could not be asked again")
        yield pairs((one.id, f"{one.code}: {one.detail}") for one in told.not_asked)
    if told.changed:
        yield paragraph("What was kept stands as it was answered; ask again to have an answer of today.")


def _asked(told: Rescreened) -> str:
    """Return how many had to be asked again, why, and how many of those would be answered otherwise."""
    other = (
        f"another edition of {told.layer}" if told.layer else "other maps, law or program than when they were made"
    )
    if not told.asked:
        return f"None rests on {other.replace('they were', 'it was')}."
    verb, were = ("rests", "was") if told.asked == 1 else ("rest", "were")
    of = other.replace("they were", "it was") if told.asked == 1 else other
    answered = (
        f"{len(told.changed):,} would be answered otherwise" if told.changed else "none would be answered otherwise"
    )
    return f"{told.asked:,} {verb} on {of}, and {were} asked again: {answered}."


def _changed(one: ScreeningChange) -> Iterator[RenderableType]:
    yield heading(f"Would be answered otherwise: {printable(one.input)}, as of {one.on}")
    yield entry(f"Kept as {one.id}, {one.created}", style="")
    for finding in one.findings:
        yield entry(f"{finding.title} ({finding.layer})", _finding(finding), *finding.why)
    for rule in one.determinations:
        lot = f", lot {rule.loc_id}" if rule.loc_id else ""
        yield entry(f"{rule.title} ({rule.rule}{lot})", _determination(rule), *rule.why)


def _finding(change: FindingChange) -> str:
    return f"{_finding_side(change.before)} before; {_finding_side(change.after)} now"


def _finding_side(side: FindingSide | None) -> str:
    if side is None:
        return NOT_ASKED
    told = [
        STATUS_WORDS[side.status] + (", too close to call" if side.certainty == "too_close_to_call" else ""),
        f"{quantity(side.disturbance_sqft, 'sqft')} of the work" if side.disturbance_sqft else "",
        f"nearest {quantity(side.nearest_ft, 'ft')} away" if side.nearest_ft else "",
    ]
    return ", ".join(part for part in told if part)


def _determination(change: DeterminationChange) -> str:
    return f"{_determination_side(change.before)} before; {_determination_side(change.after)} now"


def _determination_side(side: DeterminationSide | None) -> str:
    if side is None:
        return NOT_ASKED
    told = [
        RESULT_WORDS[side.result] + (", too close to call" if side.certainty == "too_close_to_call" else ""),
        f"measured {quantity(side.measured, side.unit)}" if side.measured is not None else "",
    ]
    return ", ".join(part for part in told if part)

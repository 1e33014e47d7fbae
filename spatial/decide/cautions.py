"""What must be said of the facts given before an answer is trusted: what contradicts, what nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from spatial.case import Case, Caution
from spatial.decide.board import before_board
from spatial.decide.declared import CLAIMED
from spatial.decide.disturbance import AREA_TOLERANCE_SQFT
from spatial.decide.phrases import listed, sqft
from spatial.facts import FactDefinition, Facts
from spatial.rules.bylaw import Bylaw, Rule

LOT_AREA, STATED = "lot_area_sqft", "stated_disturbed_sqft"
EARLIER = frozenset({"earlier_grading_sqft", "earlier_clearing_sqft"})
NAMED = 3
"""Kept screenings named in a sentence; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was said, and to which laws: the facts' definitions, the bylaws that apply, the case, the facts."""

    definitions: Sequence[FactDefinition]
    bylaws: Sequence[Bylaw]
    case: Case
    facts: Facts


def of_facts(told: Told) -> tuple[Caution, ...]:
    """Return the sentences; empty when every fact was asked for, none contradicts and every bylaw is in force."""
    return (
        *_not_in_force(told),
        *_unasked(told),
        *_claimed_elsewhere(told),
        *_out_of_order(told),
        *_stated_area(told),
        *_lot_area(told),
        *_kept_on_lot(told),
        *_other_board(told),
    )


def _not_in_force(told: Told) -> Iterator[Caution]:
    """A rule that is not law on the day gives no answer; that silence is said, for it is no answer."""
    on = date.fromisoformat(told.case.on)
    for bylaw in told.bylaws:
        silent = [rule for rule in bylaw.rules if not rule.in_force(on)]
        if not silent:
            continue
        which = "none" if len(silent) == len(bylaw.rules) else f"not all ({_titles(silent)} not)"
        days = listed(sorted({_days(rule.in_force_from, rule.in_force_to) for rule in silent}))
        yield Caution(
            "law_not_in_force",
            f"Of the rules held of {bylaw.title}, {which} were law on {told.case.on} ({days}); "
            "what was law instead is not held, and nothing is said of it.",
        )


def _titles(rules: Sequence[Rule]) -> str:
    return "; ".join(rule.title for rule in rules)


def _days(first: date, last: date | None) -> str:
    return f"from {first.isoformat()}" + (f" to {last.isoformat()}" if last else "")


def _unasked(told: Told) -> Iterator[Caution]:
    held = tuple(f"{bylaw.id}." for bylaw in told.bylaws)
    given = [d for d in told.definitions if told.facts.values.get(d.name, d.default) != d.default]
    names = [d.name for d in given if not any(rule.startswith(held) for rule in d.rules)]
    if names:
        yield Caution("fact_not_asked", f"No law that applies here asks for {listed(names)}: it changes nothing.")


def _claimed_elsewhere(told: Told) -> Iterator[Caution]:
    claimed = [word for word in (told.facts.text(CLAIMED) or "").split(",") if word]
    known = {exemption.id for bylaw in told.bylaws for exemption in bylaw.exemptions}
    strange = [word for word in claimed if word not in known]
    if strange:
        yield Caution("exemption_elsewhere", f"No law that applies here knows the exemption {listed(strange)}.")


def _out_of_order(told: Told) -> Iterator[Caution]:
    for definition in told.definitions:
        day = told.facts.day(definition.name) if definition.type == "date" else None
        for earlier in definition.not_before if day else ():
            first = told.facts.day(earlier)
            if day and first and day < first:
                yield Caution(
                    "dates_out_of_order",
                    f"{definition.name} ({day.isoformat()}) lies before {earlier} ({first.isoformat()}): "
                    "one of them is wrong, and so are the deadlines counted from it.",
                )


def _stated_area(told: Told) -> Iterator[Caution]:
    stated, drawn = told.facts.number(STATED), told.case.disturbance.area_sqft
    if stated is not None and abs(stated - drawn) > AREA_TOLERANCE_SQFT:
        yield Caution(
            "stated_area_differs",
            f"The plan states {sqft(stated)} disturbed and the drawing shows {sqft(drawn)}: the larger counts; "
            "bring the two into agreement before filing.",
        )


def _lot_area(told: Told) -> Iterator[Caution]:
    lots = len(told.case.lots)
    if told.facts.number(LOT_AREA) is not None and lots > 1:
        yield Caution(
            "lot_area_not_used",
            f"The lot's area was given, but {lots} lots are under the work and nobody said whose it is: "
            "the map's and the assessors' sizes were used.",
        )


def _kept_on_lot(told: Told) -> Iterator[Caution]:
    """Other work kept on the same lot is shown where phases of one application add up (AMB-04); none is added.

    The same ground drawn anew is no other work.
    """
    lots = {lot.loc_id for lot in told.case.lots}
    same = [site for site in told.case.nearby if lots & set(site.loc_ids) and site.area_sqft >= 1]
    adds_up = any(EARLIER & set(rule.facts) for bylaw in told.bylaws for rule in bylaw.rules)
    if same and adds_up and not any(told.facts.number(name) for name in EARLIER):
        named = [f"{site.id} ({sqft(site.area_sqft)} beyond this work)" for site in same[:NAMED]]
        named += [f"{len(same) - NAMED} more"] if len(same) > NAMED else []
        yield Caution(
            "kept_on_same_lot",
            f"Other work was screened on the same lot: {listed(named)}. If it belongs to this application, "
            f"say how much of it changes grade and clears ({listed(sorted(EARLIER))}): phases add up (AMB-04).",
        )


def _other_board(told: Told) -> Iterator[Caution]:
    """Clocks of one board do not run before another, which has its own; that none is counted is said."""
    board = (told.facts.text("approving_board") or "").replace("_", " ")
    for bylaw in told.bylaws:
        stopped = [c for c in bylaw.clocks if not before_board(c.boards, told.facts)]
        if any(told.facts.day(name) for clock in stopped for name in clock.counted_from):
            yield Caution(
                "board_has_own_rules",
                f"The {board} has its own rules for notice and hearing: the deadlines of {bylaw.title} for these "
                "are not counted; ask it for its own, and make the abutters' list by its rule.",
            )

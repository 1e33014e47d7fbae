"""Which dates follow: the clocks of rules not ruled out, counted from the dates given as facts."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.clocks import count
from spatial.decide.board import before_board
from spatial.facts import Facts
from spatial.rules.bylaw import Bylaw, Clock
from spatial.rules.determination import Deadline, Determination

PIECES = "notice_pieces"


def deadlines(
    bylaws: Sequence[Bylaw], determinations: Sequence[Determination], facts: Facts
) -> tuple[Deadline, ...]:
    """Return the deadlines, earliest first; empty when no date was given.

    A clock runs unless every rule it belongs to is ``not_triggered``; without a date to count from it says nothing.
    """
    ruled_out = _ruled_out(determinations)
    running = [c for b in bylaws for c in b.clocks if not (c.rules and set(c.rules) <= ruled_out)]
    return clocked(running, facts)


def clocked(clocks: Sequence[Clock], facts: Facts) -> tuple[Deadline, ...]:
    """Return the deadlines of the given clocks for the given facts, earliest first."""
    found = [d for clock in clocks if _applies(clock, facts) for d in _counted(clock, facts)]
    return tuple(sorted(found, key=lambda d: (d.raw, d.what)))


def _ruled_out(determinations: Sequence[Determination]) -> frozenset[str]:
    possible = {d.rule for d in determinations if d.result != "not_triggered"}
    return frozenset({d.rule for d in determinations} - possible)


def _applies(clock: Clock, facts: Facts) -> bool:
    pieces = facts.number(PIECES)
    few = clock.pieces_from is not None and pieces is not None and pieces < clock.pieces_from
    many = clock.pieces_to is not None and pieces is not None and pieces > clock.pieces_to
    return before_board(clock.boards, facts) and not few and not many


def _counted(clock: Clock, facts: Facts) -> tuple[Deadline, ...]:
    """Count from the latest of the clock's facts that were given: a revision or a completion restarts it."""
    days = [day for name in clock.counted_from if (day := facts.day(name)) is not None]
    return (count(clock, max(days)),) if days else ()

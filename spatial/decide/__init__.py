"""Decide: rules in force on a day, applied to what was measured and the facts given. Pure; holds no number of law.

A missing measurement gives ``indeterminate`` or ``needs_input``, never "no".
"""

from __future__ import annotations

from collections.abc import Sequence

from spatial.model import Case
from spatial.rules import Bylaw, Deadline, Determination, Facts, NextStep


def decide(bylaws: Sequence[Bylaw], case: Case, facts: Facts) -> tuple[Determination, ...]:
    """Return what every rule in force on ``case.on`` says of the case, in the order of the bylaws and their rules."""
    return ()


def next_steps(bylaws: Sequence[Bylaw], determinations: Sequence[Determination]) -> tuple[NextStep, ...]:
    """Return what to do, in plain words, one step for all the rules that ask for the same."""
    return ()


def deadlines(
    bylaws: Sequence[Bylaw], determinations: Sequence[Determination], facts: Facts
) -> tuple[Deadline, ...]:
    """Return the dates that follow from the rules not ruled out and the dates given as facts."""
    return ()

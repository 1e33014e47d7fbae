"""What the law says of one case: determinations, what to do next, by when, and the whole answer. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from spatial.case import Case, Caution
from spatial.model import Certainty
from spatial.rules.bylaw import Bylaw

Result = Literal["triggered", "not_triggered", "indeterminate", "needs_input"]


@dataclass(frozen=True, slots=True)
class PolicyReading:
    """One way to read an ambiguous text and what it gives; the stricter drives, all are shown."""

    policy: str
    text: str
    measured: float | None
    threshold: float | None
    result: Result


@dataclass(frozen=True, slots=True)
class Determination:
    """What one rule says of one case.

    ``delineation``: the answer rests on the word of this delineation, which was not measured here; without it the
    rule would not be decided.
    """

    rule: str
    title: str
    citation: str
    result: Result
    certainty: Certainty
    why: str
    authority: str
    measured: float | None = None
    threshold: float | None = None
    unit: str | None = None
    margin: float | None = None
    needs: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    readings: tuple[PolicyReading, ...] = ()
    approval: str | None = None
    quote: str | None = None
    loc_id: str | None = None
    advisory: bool = False
    unverified: bool = False
    delineation: str | None = None


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do, in plain words, and the rules because of which."""

    text: str
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deadline:
    """A date that follows from a rule: as counted, and as rolled off Sundays and holidays."""

    what: str
    citation: str
    raw: date
    rolled: date
    practical: date | None = None
    board_act_by: date | None = None
    applicant_may_rely_from: date | None = None
    policies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Screening:
    """The whole answer to one question, unrounded: what was measured and what the law says of it."""

    case: Case
    bylaws: tuple[Bylaw, ...]
    determinations: tuple[Determination, ...]
    next_steps: tuple[NextStep, ...] = ()
    deadlines: tuple[Deadline, ...] = ()
    warnings: tuple[Caution, ...] = ()
    not_looked_at: tuple[str, ...] = ()

"""The ground floor of law: a rule, its numbers, the facts it asks for, and what it answers. Pure data.

No number of law stands in code: rules are read from bylaw files and carry their own citation and dates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from spatial.model import Case, Caution, Certainty, Scalar

Result = Literal["triggered", "not_triggered", "indeterminate", "needs_input"]
LawKind = Literal["statute", "regulation", "bylaw", "rules"]


@dataclass(frozen=True, slots=True)
class Number:
    """A number of law with its unit. ``value`` None: not known until a person enters it with a citation."""

    name: str
    value: float | None
    unit: str
    citation: str
    unverified: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """How we read an ambiguous text (AMB-..); ``unverified`` is shown in every answer that rests on it."""

    id: str
    question: str
    reading: str
    unverified: bool = False


@dataclass(frozen=True, slots=True)
class FactDefinition:
    """A project fact a rule may ask for: its type, unit and meaning."""

    name: str
    type: Literal["number", "text", "choice", "flag", "date"]
    unit: str
    meaning: str
    choices: tuple[str, ...] = ()
    default: Scalar = None
    minimum: float | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """The project facts given, already checked against their definitions; absent names are unknown, never zero."""

    values: Mapping[str, Scalar] = field(default_factory=dict)

    def number(self, name: str) -> float | None:
        """Return a number, or None when the fact was not given."""
        value = self.values.get(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def text(self, name: str) -> str | None:
        """Return a text, or None when the fact was not given."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None

    def flag(self, name: str) -> bool | None:
        """Return a yes or no, or None when the fact was not given."""
        value = self.values.get(name)
        return value if isinstance(value, bool) else None

    def day(self, name: str) -> date | None:
        """Return a date given as ``YYYY-MM-DD``, or None when the fact was not given."""
        value = self.values.get(name)
        return date.fromisoformat(value) if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Rule:
    """One provision: its numbers, its law, how we read it; ``evaluate`` names the evaluator that answers it."""

    id: str
    title: str
    evaluate: str
    citation: str
    quote: str
    authority: str
    approval: str | None
    in_force_from: date
    in_force_to: date | None
    numbers: Mapping[str, Number] = field(default_factory=dict)
    themes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    options: Mapping[str, Scalar] = field(default_factory=dict)
    next_steps: tuple[str, ...] = ()
    url: str | None = None
    advisory: bool = False
    unverified: bool = False


@dataclass(frozen=True, slots=True)
class Bylaw:
    """A law file: rules with their dates. ``edition`` is a hash of the file and the town's own entries."""

    id: str
    title: str
    kind: LawKind
    citation: str
    url: str | None
    edition: str
    rules: tuple[Rule, ...]
    policies: tuple[Policy, ...] = ()
    statewide: bool = False
    notes: tuple[str, ...] = ()


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
    """What one rule says of one case."""

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

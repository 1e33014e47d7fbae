"""What a bylaw is: rules with their numbers, dates and citations, how we read them, and their clocks. Pure data.

No number of law stands in code: rules are read from bylaw files and carry their own citation and dates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from spatial.errors import NotFound
from spatial.model import Scalar
from spatial.rules.town_entries import TownEntries, TownEntry

LawKind = Literal["statute", "regulation", "bylaw", "rules"]


@dataclass(frozen=True, slots=True)
class Number:
    """A number of law with its unit. ``value`` None: not known until a person enters it with a citation.

    ``themes``: the number is a reach, and these are the themes it reaches from. ``policy``: the reading it is of.
    ``tag`` says how far the source was followed (S bylaw text, V public source, I our reading, K not verified,
    ? not found).
    """

    name: str
    value: float | None
    unit: str
    citation: str
    unverified: bool = False
    themes: tuple[str, ...] = ()
    policy: str | None = None
    tag: Literal["S", "V", "I", "K", "?"] = "S"


@dataclass(frozen=True, slots=True)
class Policy:
    """How we read an ambiguous text (AMB-..); ``unverified`` is shown in every answer that rests on it."""

    id: str
    question: str
    reading: str
    unverified: bool = False


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
    ask_steps: tuple[str, ...] = ()
    """What to do while the answer is not known, in plain words (``next_steps`` is for a rule that is triggered)."""
    steps_yield_to: tuple[str, ...] = ()
    """Rules of the same file: while one of them is triggered, ``steps_beside`` stand instead of ``next_steps``."""
    steps_beside: tuple[str, ...] = ()
    caveat: str = ""
    """The sentence that every answer of an unverified rule carries; empty when all was verified."""

    def in_force(self, on: date) -> bool:
        """Say whether the rule is law on a day; both ends are included."""
        return self.in_force_from <= on and (self.in_force_to is None or on <= self.in_force_to)


@dataclass(frozen=True, slots=True)
class Provision:
    """A legal text that stands behind a theme's findings, whether or not a rule computes it."""

    theme: str
    title: str
    section: str
    type: LawKind
    url: str | None
    authority: str


@dataclass(frozen=True, slots=True)
class Exemption:
    """An exemption an applicant may claim for some rules. A claim is recorded; no rule ever grants it."""

    id: str
    title: str
    citation: str
    quote: str
    evidence: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClockStep:
    """One count of a clock: so many days or years, after or before the day counted so far."""

    count: int
    unit: Literal["days", "business_days", "weeks", "years", "hours"]
    direction: Literal["after", "before"]


@dataclass(frozen=True, slots=True)
class Clock:
    """A deadline as data. ``counted_from`` are facts (dates), the latest one given wins; ``steps`` in their order.

    ``roll``: a last day on a Sunday or legal holiday moves to the next business day. ``constructive``: silence
    of the board is approval. ``practical``: whose doors must be open that day. ``pieces_*`` and ``boards`` say
    for how many letters and before which board the clock counts; ``rules``: it runs unless all are not triggered.
    """

    id: str
    what: str
    citation: str
    quote: str
    counted_from: tuple[str, ...]
    steps: tuple[ClockStep, ...]
    rules: tuple[str, ...]
    roll: bool = False
    constructive: bool = False
    practical: Literal["office", "post_office", "business_mail"] | None = None
    policies: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    pieces_from: int | None = None
    pieces_to: int | None = None
    unverified: bool = False


@dataclass(frozen=True, slots=True)
class Bylaw:
    """A law file: rules with their dates. ``edition`` is a hash of the file and the town's own entries.

    ``town`` is the slug whose law it is (None for the state's); ``town_ids`` the towns of a question in which
    it applies (an invented town may carry a real town's bylaw), empty for the state's: everywhere.
    """

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
    town: str | None = None
    town_ids: tuple[int, ...] = ()
    provisions: tuple[Provision, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    clocks: tuple[Clock, ...] = ()

    def rule(self, rule_id: str) -> Rule:
        """Return a rule by its whole id; raises ``not_found``."""
        found = next((r for r in self.rules if r.id == rule_id), None)
        if found is None:
            raise NotFound(f"{self.id} has no rule {rule_id!r}; it has {', '.join(r.id for r in self.rules)}.")
        return found

    def filled(self, entries: TownEntries | None, town_id: int) -> Bylaw:
        """Return the bylaw as it stands in one town: empty numbers filled by its staff, the edition saying so."""
        filling = {e.fills: e for e in entries.filling(self.id)} if entries else {}
        edition = f"{self.edition}+{entries.sha256[:12]}" if filling and entries else self.edition
        return replace(
            self, edition=edition, town_ids=(town_id,), rules=tuple(_filled(r, filling) for r in self.rules)
        )


def _filled(rule: Rule, filling: Mapping[str | None, TownEntry]) -> Rule:
    numbers = {
        name: replace(number, value=float(entry.value), citation=entry.citation, unverified=False)
        if number.value is None and (entry := filling.get(f"{rule.id}.{name}")) is not None
        else number
        for name, number in rule.numbers.items()
    }
    return replace(rule, numbers=numbers)

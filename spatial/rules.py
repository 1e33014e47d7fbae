"""The ground floor of law: a rule, its numbers, the facts it asks for, and what it answers. Pure data.

No number of law stands in code: rules are read from bylaw files and carry their own citation and dates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from spatial.case import Case, Caution
from spatial.errors import NotFound, ParameterRefused
from spatial.facts import FactDefinition, Facts
from spatial.model import Certainty, Scalar, Town

__all__ = [
    "Bylaw",
    "Clock",
    "ClockStep",
    "Deadline",
    "Determination",
    "Exemption",
    "FactDefinition",
    "Facts",
    "LawBook",
    "LawKind",
    "NextStep",
    "Number",
    "Policy",
    "PolicyReading",
    "Provision",
    "Result",
    "Rule",
    "Screening",
    "SetbackEntry",
    "TownEntries",
    "TownEntry",
]

Result = Literal["triggered", "not_triggered", "indeterminate", "needs_input"]
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
    """A deadline as data. ``counted_from`` are facts (dates), the first one given wins; ``steps`` in their order.

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
class TownEntry:
    """A number or wording of a town that its staff entered, with its source. ``fills`` names ``rule.number``."""

    name: str
    value: str | float | bool
    unit: str
    citation: str
    entered_on: date
    fills: str | None = None


@dataclass(frozen=True, slots=True)
class SetbackEntry:
    """The yards a town's zoning prescribes in one district, as staff entered them; None is not known."""

    district: str
    front_ft: float | None
    side_ft: float | None
    rear_ft: float | None
    centerline_ft: float | None
    citation: str
    entered_on: date


@dataclass(frozen=True, slots=True)
class TownEntries:
    """All that staff entered for one town; ``sha256`` goes into the editions of the bylaws it fills."""

    slug: str
    sha256: str
    entries: tuple[TownEntry, ...] = ()
    setbacks: tuple[SetbackEntry, ...] = ()

    def get(self, name: str) -> TownEntry | None:
        """Return an entry by name, or None when nobody entered it."""
        return next((e for e in self.entries if e.name == name), None)

    def filling(self, bylaw: str) -> tuple[TownEntry, ...]:
        """Return the entries that fill empty numbers of a bylaw."""
        return tuple(e for e in self.entries if e.fills and e.fills.startswith(f"{bylaw}."))


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


@dataclass(frozen=True, slots=True)
class LawBook:
    """Every bylaw file and fact we hold, and what towns' staff entered. Immutable."""

    bylaws: tuple[Bylaw, ...]
    facts: tuple[FactDefinition, ...]
    towns: Mapping[str, TownEntries] = field(default_factory=dict)
    _applying: dict[tuple[Town, ...], tuple[Bylaw, ...]] = field(default_factory=dict, compare=False, repr=False)

    def bylaw(self, bylaw_id: str) -> Bylaw:
        """Return a bylaw by its id; raises ``not_found``."""
        found = next((b for b in self.bylaws if b.id == bylaw_id), None)
        if found is None:
            raise NotFound(f"There is no bylaw file {bylaw_id!r}; we hold {', '.join(b.id for b in self.bylaws)}.")
        return found

    def bylaws_for(self, towns: Sequence[Town]) -> tuple[Bylaw, ...]:
        """Return the statewide bylaws and those of the towns, filled with what their staff entered.

        A town that no bylaw file names gets the statewide ones only; no towns, the same.
        """
        asked = tuple(towns)
        if asked not in self._applying:
            self._applying[asked] = self._bylaws_for(asked)
        return self._applying[asked]

    def _bylaws_for(self, towns: tuple[Town, ...]) -> tuple[Bylaw, ...]:
        found = {b.id: b for b in self.bylaws if b.statewide}
        for town in towns:
            for bylaw in (b for b in self.bylaws if b.id in town.bylaws or b.town == town.slug):
                known = found.get(bylaw.id)
                found[bylaw.id] = (
                    replace(known, town_ids=(*known.town_ids, town.id))
                    if known is not None
                    else bylaw.filled(self.towns.get(town.slug), town.id)
                )
        return tuple(found[key] for key in sorted(found))

    def check_facts(self, given: Mapping[str, str | float | bool]) -> Facts:
        """Return the given facts, each as its own type, and the defaults of those not given.

        Raises ``bad_parameter`` for a fact that does not exist or has a wrong value.
        """
        known = {d.name: d for d in self.facts}
        for name in given:
            if name not in known:
                raise ParameterRefused(
                    f"There is no project fact {name!r}; `metes facts` and GET /v1/facts list them.",
                    suggestions=sorted(n for n in known if n.split("_")[0] == name.split("_")[0]),
                )
        defaults = {d.name: d.default for d in self.facts if d.default is not None}
        return Facts(defaults | {name: known[name].read(value) for name, value in given.items()})


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


def _filled(rule: Rule, filling: Mapping[str | None, TownEntry]) -> Rule:
    numbers = {
        name: replace(number, value=float(entry.value), citation=entry.citation, unverified=False)
        if number.value is None and (entry := filling.get(f"{rule.id}.{name}")) is not None
        else number
        for name, number in rule.numbers.items()
    }
    return replace(rule, numbers=numbers)

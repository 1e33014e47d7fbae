"""Law files and project facts as they are told: every rule with its numbers, citation, dates and how we read it."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from spatial.facts import FactDefinition
from spatial.model import Scalar
from spatial.rules.bylaw import Bylaw, Clock, LawKind, Rule


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", from_attributes=True)


class NumberTold(_Told):
    """A number of law; ``value`` null until a person enters it with a citation."""

    name: str
    value: float | None
    unit: str
    citation: str
    unverified: bool


class PolicyTold(_Told):
    """How we read an ambiguous text."""

    id: str
    question: str
    reading: str
    unverified: bool


class RuleTold(_Told):
    """One provision."""

    id: str
    title: str
    citation: str
    quote: str
    authority: str
    approval: str | None
    in_force_from: date
    in_force_to: date | None
    numbers: list[NumberTold]
    themes: list[str]
    facts: list[str]
    policies: list[str]
    url: str | None
    advisory: bool
    unverified: bool

    @classmethod
    def of(cls, rule: Rule) -> Self:
        """Return what is told of a rule."""
        same = {name: getattr(rule, name) for name in cls.model_fields if name not in {"numbers"}}
        lists = {name: list(same[name]) for name in ("themes", "facts", "policies")}
        return cls(**{**same, **lists}, numbers=[NumberTold.model_validate(n) for n in rule.numbers.values()])


class ExemptionTold(_Told):
    """An exemption an applicant may claim; a claim is recorded and never granted by us."""

    id: str
    title: str
    citation: str
    quote: str
    evidence: str
    rules: tuple[str, ...]


class ClockTold(_Told):
    """A deadline the law sets."""

    id: str
    what: str
    citation: str
    quote: str
    counted_from: tuple[str, ...]
    unverified: bool


class BylawSummary(_Told):
    """A law file in the list."""

    id: str
    title: str
    kind: LawKind
    citation: str
    url: str | None
    edition: str
    statewide: bool
    town: str | None
    rules: list[str]
    self: str

    @classmethod
    def of(cls, bylaw: Bylaw) -> Self:
        """Return what the list says of a law file."""
        return cls(**_summary(bylaw), rules=[rule.id for rule in bylaw.rules])


class BylawTold(_Told):
    """A law file in whole."""

    id: str
    title: str
    kind: LawKind
    citation: str
    url: str | None
    edition: str
    statewide: bool
    town: str | None
    rules: list[RuleTold]
    policies: list[PolicyTold]
    exemptions: list[ExemptionTold]
    clocks: list[ClockTold]
    notes: list[str]
    self: str

    @classmethod
    def of(cls, bylaw: Bylaw) -> Self:
        """Return what is told of a law file."""
        return cls(
            **_summary(bylaw),
            rules=[RuleTold.of(rule) for rule in bylaw.rules],
            policies=[PolicyTold.model_validate(policy) for policy in bylaw.policies],
            exemptions=[ExemptionTold.model_validate(one) for one in bylaw.exemptions],
            clocks=[_clock(one) for one in bylaw.clocks],
            notes=list(bylaw.notes),
        )


class FactTold(_Told):
    """A project fact: its unit and meaning, and the rules that ask for it."""

    name: str
    type: Literal["number", "text", "choice", "flag", "date"]
    unit: str
    meaning: str
    choices: list[str]
    several: bool
    default: Scalar
    minimum: float | None
    maximum: float | None
    example: str | None
    rules: list[str]

    @classmethod
    def of(cls, fact: FactDefinition, asked_by: tuple[str, ...]) -> Self:
        """Return what is told of a fact; ``asked_by`` are the rules that name it."""
        same = {name: getattr(fact, name) for name in cls.model_fields if name not in {"choices", "rules"}}
        rules = sorted({*fact.rules, *asked_by})
        return cls(**same, choices=list(fact.choices), rules=rules)


class Bylaws(_Told):
    """The law files we hold."""

    bylaws: list[BylawSummary]


class FactsTold(_Told):
    """The project facts we know."""

    facts: list[FactTold] = Field(description="In the order of their names.")


def _clock(clock: Clock) -> ClockTold:
    return ClockTold.model_validate(clock)


def _summary(bylaw: Bylaw) -> dict[str, Any]:
    names = ("id", "title", "kind", "citation", "url", "edition", "statewide", "town")
    return {**{name: getattr(bylaw, name) for name in names}, "self": f"/v1/bylaws/{bylaw.id}"}

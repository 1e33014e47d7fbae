"""The shape of a bylaw file. An unknown key is refused, and so is anything without its citation.

``tag`` says how far a source was followed: S the bylaw text itself, V a public source, I our own reading, K from
memory and not verified (shown in every answer that rests on it), ? looked for and not found (no value).
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from spatial.rules.bylaw import LawKind

Tag = Literal["S", "V", "I", "K", "?"]
Said = Annotated[str, Field(min_length=1)]
Id = Annotated[str, Field(pattern=r"^[a-z0-9-]+\.[a-z0-9_]+$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NumberFile(_Strict):
    """A number of law. One that was not found has no value and waits for a town's staff."""

    value: float | None = None
    unit: Said
    citation: Said
    tag: Tag = "S"
    policy: str | None = None
    themes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _known_or_not(self) -> Self:
        if (self.value is None) != (self.tag == "?"):
            raise ValueError("a number without a value is tagged '?', and no other is")
        if self.tag == "I" and self.policy is None:
            raise ValueError("our own reading ('I') names its policy")
        return self


class PolicyFile(_Strict):
    """How we read an ambiguous text."""

    id: Said
    question: Said
    reading: Said
    unverified: bool = False


class RuleFile(_Strict):
    """One provision. ``numbers_from`` shares the numbers of another rule of the file."""

    id: Id
    title: Said
    evaluate: Said
    citation: Said
    quote: Said
    tag: Literal["S", "V", "K"] = "S"
    authority: str | None = None
    approval: str | None = None
    in_force_from: date
    in_force_to: date | None = None
    themes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    options: dict[str, str] = {}
    next_steps: tuple[Said, ...] = ()
    ask_steps: tuple[Said, ...] = ()
    steps_yield_to: tuple[Id, ...] = ()
    steps_beside: tuple[Said, ...] = ()
    url: str | None = None
    advisory: bool = False
    numbers_from: str | None = None
    numbers: dict[str, NumberFile] = {}


class ExemptionFile(_Strict):
    """An exemption that may be claimed."""

    id: Id
    title: Said
    citation: Said
    quote: Said
    evidence: Said
    rules: tuple[str, ...] = Field(min_length=1)


class ProvisionFile(_Strict):
    """A legal text that stands behind the findings of some themes."""

    themes: tuple[str, ...] = Field(min_length=1)
    title: Said
    section: Said
    type: LawKind | None = None
    url: str | None = None
    authority: str | None = None


class StepFile(_Strict):
    """One count of a clock."""

    count: int = Field(gt=0)
    unit: Literal["days", "business_days", "weeks", "years", "hours"]
    direction: Literal["after", "before"]


class ClockFile(_Strict):
    """A deadline."""

    id: Id
    what: Said
    citation: Said
    quote: Said
    counted_from: tuple[str, ...] = Field(min_length=1)
    steps: tuple[StepFile, ...] = Field(min_length=1)
    rules: tuple[str, ...]
    roll: bool = False
    constructive: bool = False
    practical: Literal["office", "post_office", "business_mail"] | None = None
    policies: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    pieces_from: int | None = Field(default=None, gt=0)
    pieces_to: int | None = Field(default=None, gt=0)
    tag: Literal["S", "V", "K"] = "S"


class BylawFile(_Strict):
    """A whole bylaw file; it is either a town's or the state's."""

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    title: Said
    kind: LawKind
    citation: Said
    url: str | None = None
    town: str | None = None
    statewide: bool = False
    authority: Said
    notes: tuple[Said, ...] = ()
    policy: tuple[PolicyFile, ...] = ()
    rule: tuple[RuleFile, ...] = Field(min_length=1)
    exemption: tuple[ExemptionFile, ...] = ()
    provision: tuple[ProvisionFile, ...] = ()
    clock: tuple[ClockFile, ...] = ()

    @model_validator(mode="after")
    def _somebodys(self) -> Self:
        if self.statewide == (self.town is not None):
            raise ValueError("a bylaw file names its town or is statewide")
        return self

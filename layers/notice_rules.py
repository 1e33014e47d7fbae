"""The notice rules as data: one TOML file, read and refused when wrong."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from spatial.errors import Internal
from spatial.notice import Method, NoticeBook, NoticeRule
from spatial.rules.bylaw import Clock, ClockStep, Policy

NOTICE_RULES = Path(__file__).with_suffix(".toml")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _check_quote(quote: str, quoted_from: str | None, *, unverified: bool) -> None:
    """Refuse words given as the law's that were held against no copy of it and are not marked so."""
    if quote and not quoted_from and not unverified:
        raise ValueError("a quote names in quoted_from whose copy it was held against, or is marked unverified")


class _Policy(_Strict):
    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    reading: str = Field(min_length=1)
    unverified: bool = False


class _Step(_Strict):
    count: int = Field(ge=0)
    unit: Literal["days", "business_days", "weeks", "years", "hours"]
    direction: Literal["after", "before"]


class _Clock(_Strict):
    id: str = Field(min_length=1)
    what: str = Field(min_length=1)
    citation: str = Field(min_length=1)
    quote: str
    quoted_from: str | None = None
    counted_from: tuple[str, ...] = Field(min_length=1)
    steps: tuple[_Step, ...] = Field(min_length=1)
    unverified: bool = False

    @model_validator(mode="after")
    def _held_against_a_copy(self) -> Self:
        _check_quote(self.quote, self.quoted_from, unverified=self.unverified)
        return self

    def clock(self, rule_id: str) -> Clock:
        return Clock(
            id=self.id,
            what=self.what,
            citation=self.citation,
            quote=self.quote,
            counted_from=self.counted_from,
            steps=tuple(ClockStep(s.count, s.unit, s.direction) for s in self.steps),
            rules=(rule_id,),
            unverified=self.unverified,
        )


class _Rule(_Strict):
    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str = Field(min_length=1)
    citation: str = Field(min_length=1)
    quote: str
    authority: str = Field(min_length=1)
    within_ft: float | None = Field(default=None, gt=0)
    direct: bool = True
    opposite: bool = False
    opposite_reach_ft: float = Field(default=300.0, gt=0)
    opposite_over_water: bool = False
    second_ring_ft: float | None = Field(default=None, gt=0)
    required: bool = True
    methods: tuple[Method, ...] = ()
    how: str = Field(min_length=1)
    towns: tuple[str, ...] = ()
    bylaw: str | None = None
    policies: tuple[_Policy, ...] = ()
    clocks: tuple[_Clock, ...] = ()
    url: str | None = None
    quoted_from: str | None = None
    also_told: tuple[str, ...] = ()
    neighbouring_boards: str | None = None
    unverified: bool = False

    @model_validator(mode="after")
    def _names_somebody(self) -> Self:
        if self.required and not self.quote and self.id != "distance":
            raise ValueError("a rule that requires notice quotes its law")
        _check_quote(self.quote, self.quoted_from, unverified=self.unverified)
        return self

    def rule(self) -> NoticeRule:
        plain = self.model_dump(exclude={"policies", "clocks"})
        return NoticeRule(
            **plain,
            policies=tuple(Policy(p.id, p.question, p.reading, p.unverified) for p in self.policies),
            clocks=tuple(c.clock(self.id) for c in self.clocks),
        )


class _File(_Strict):
    rule: tuple[_Rule, ...]

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        ids = [r.id for r in self.rule]
        if len(ids) != len(set(ids)):
            raise ValueError("two rules have the same id")
        return self


def read_notice_rules(text: str) -> NoticeBook:
    """Return the rules a TOML text holds; raises ``Internal`` naming what is wrong, for the file is ours."""
    try:
        return NoticeBook(tuple(r.rule() for r in _File.model_validate(tomllib.loads(text)).rule))
    except (ValidationError, tomllib.TOMLDecodeError) as error:
        raise Internal(f"The notice rules cannot be read: {error}") from error


@lru_cache(maxsize=1)
def load_notice_rules() -> NoticeBook:
    """Return the notice rules we ship."""
    return read_notice_rules(NOTICE_RULES.read_text(encoding="utf-8"))

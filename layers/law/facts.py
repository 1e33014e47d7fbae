"""The project facts: one TOML table each. Which rules ask for a fact is computed from the bylaws, never written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from layers.law.reading import validated
from spatial.decide.dates import PIECES
from spatial.facts import FactDefinition
from spatial.rules.bylaw import Bylaw, Clock

FACTS = Path(__file__).parents[1] / "facts.toml"


class FactFile(BaseModel):
    """A fact as its file states it. ``everywhere``: every rule may ask for it; ``choices_from`` the exemptions."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    type: Literal["number", "text", "choice", "flag", "date"]
    unit: str
    meaning: str = Field(min_length=1)
    choices: tuple[str, ...] = ()
    choices_from: Literal["exemptions"] | None = None
    default: str | float | bool | None = None
    minimum: float | None = None
    maximum: float | None = None
    several: bool = False
    pattern: str | None = None
    example: str | None = None
    everywhere: bool = False
    not_before: tuple[str, ...] = ()
    step: str = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.type == "choice" and not (self.choices or self.choices_from):
            raise ValueError("a choice needs choices")
        if self.pattern and not (self.example and re.fullmatch(self.pattern, self.example, re.DOTALL)):
            raise ValueError("a pattern needs an example that matches it")
        return self

    def definition(self, bylaws: Sequence[Bylaw]) -> FactDefinition:
        """Return the fact in the words of the engine, with the rules and clocks that ask for it."""
        claims = tuple(e.id for b in bylaws for e in b.exemptions) if self.choices_from else ()
        return FactDefinition(
            name=self.name,
            type=self.type,
            unit=self.unit,
            meaning=self.meaning,
            choices=self.choices + claims,
            default=self.default,
            minimum=self.minimum,
            maximum=self.maximum,
            several=self.several,
            pattern=self.pattern,
            example=self.example,
            rules=self._asked_by(bylaws),
            not_before=self.not_before,
            step=self.step,
        )

    def _asked_by(self, bylaws: Sequence[Bylaw]) -> tuple[str, ...]:
        rules = [r.id for b in bylaws for r in b.rules if self.everywhere or self.name in r.facts]
        return (*rules, *(c.id for b in bylaws for c in b.clocks if self.name in _asked(c)))


class _FactsFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    fact: tuple[FactFile, ...]

    @model_validator(mode="after")
    def _once(self) -> Self:
        names = [f.name for f in self.fact]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise ValueError(f"defined twice: {', '.join(twice)}")
        dates = {f.name for f in self.fact if f.type == "date"}
        strange = {name for f in self.fact for name in f.not_before if {f.name, name} - dates}
        if strange:
            raise ValueError(f"not_before is for dates and names dates: {', '.join(sorted(strange))}")
        return self


def read_facts(path: Path) -> tuple[FactFile, ...]:
    """Return the facts of a file; raises ``internal`` with a sentence when the file is wrong."""
    return validated(_FactsFile, path).fact


def _asked(clock: Clock) -> tuple[str, ...]:
    pieces = (PIECES,) if (clock.pieces_from, clock.pieces_to) != (None, None) else ()
    board = ("approving_board",) if clock.boards else ()
    return (*clock.counted_from, *pieces, *board)

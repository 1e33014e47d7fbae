"""The project facts a rule may ask for: what they mean, and how a given one is read. Pure; no law.

A fact that was not given is unknown: it is never taken for zero, no, or none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from spatial.errors import ParameterRefused
from spatial.model import Scalar

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2199, 12, 31)
"""Days outside these are slips of the pen, and clocks counted from them may leave the calendar."""

MOST = 1e12
"""No amount of a project is larger; larger numbers add up to no number at all."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def read_day(text: str) -> date:
    """Return a day written ``YYYY-MM-DD`` from 1900 to 2199; anything else raises ValueError.

    >>> read_day("2026-11-30")
    datetime.date(2026, 11, 30)
    """
    day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    if day is None or not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(text)
    return day


@dataclass(frozen=True, slots=True)
class FactDefinition:
    """A project fact a rule may ask for: its type, unit and meaning.

    ``several`` lets a choice hold more than one word, comma between them. ``pattern`` is a regular expression
    a text must match whole, ``example`` one that does. ``rules`` are the rules and clocks that ask for it.
    ``not_before``: dates that come before this one, or on its day, where both are given. ``step``: how to learn it,
    in plain words, where that is not what the steps of every rule that asks for it say; else empty.
    """

    name: str
    type: Literal["number", "text", "choice", "flag", "date"]
    unit: str
    meaning: str
    choices: tuple[str, ...] = ()
    default: Scalar = None
    minimum: float | None = None
    maximum: float | None = None
    several: bool = False
    pattern: str | None = None
    example: str | None = None
    rules: tuple[str, ...] = ()
    not_before: tuple[str, ...] = ()
    step: str = ""

    def read(self, raw: Scalar) -> Scalar:
        """Return what was given as this fact's own type; a wrong one raises ``bad_parameter``.

        >>> FactDefinition("stored_fill_cuyd", "number", "cuyd", "fill stored").read("106.25")
        106.25
        """
        return _READERS[self.type](self, raw)


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


def _wrong(fact: FactDefinition, raw: Scalar, wanted: str) -> ParameterRefused:
    return ParameterRefused(f"The fact {fact.name} is {raw!r}, which is not {wanted}.", suggestions=fact.choices)


def _read_number(fact: FactDefinition, raw: Scalar) -> float:
    value = float(raw) if isinstance(raw, int | float) and not isinstance(raw, bool) else math.nan
    if isinstance(raw, str) and _NUMBER.fullmatch(raw.strip()):
        value = float(raw)
    if not math.isfinite(value):
        raise _wrong(fact, raw, f"a number ({fact.unit}); give digits and a decimal point only")
    if fact.minimum is not None and value < fact.minimum:
        raise _wrong(fact, raw, f"at least {fact.minimum:g} {fact.unit}")
    most = MOST if fact.maximum is None else fact.maximum
    if value > most:
        raise _wrong(fact, raw, f"at most {most:g} {fact.unit}")
    return value


def _read_text(fact: FactDefinition, raw: Scalar) -> str:
    text = str(raw).strip() if raw is not None else ""
    if not text or isinstance(raw, bool) or (fact.pattern and not re.fullmatch(fact.pattern, text, re.DOTALL)):
        raise _wrong(
            fact, raw, f"usable ({fact.meaning})" + (f"; for example {fact.example}" if fact.example else "")
        )
    return text


def _read_choice(fact: FactDefinition, raw: Scalar) -> str:
    words = [w.strip() for w in str(raw).split(",")] if fact.several else [str(raw).strip()]
    if any(word not in fact.choices for word in words):
        raise _wrong(fact, raw, f"one of {', '.join(fact.choices)}")
    return ",".join(words)


def _read_flag(fact: FactDefinition, raw: Scalar) -> bool:
    word = str(raw).strip().lower()
    if word not in {"true", "yes", "1", "false", "no", "0"}:
        raise _wrong(fact, raw, "yes or no")
    return word in {"true", "yes", "1"}


def _read_date(fact: FactDefinition, raw: Scalar) -> str:
    try:
        return read_day(str(raw)).isoformat()
    except ValueError:
        raise _wrong(fact, raw, "a date from 1900 to 2199, written YYYY-MM-DD") from None


_READERS: Mapping[str, Callable[[FactDefinition, Scalar], Scalar]] = {
    "number": _read_number,
    "text": _read_text,
    "choice": _read_choice,
    "flag": _read_flag,
    "date": _read_date,
}

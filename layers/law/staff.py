"""What a town's staff entered: ``DATA/towns/<slug>.toml``, tables ``[[entry]]`` and ``[[setback]]``.

A number or wording without a citation is refused; so is a name we do not know. The table ``[town]`` says which town
it is and is read elsewhere; here only that the bylaws it names are ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from layers.law.reading import validated
from layers.towns import TownBook
from spatial.errors import ParameterRefused
from spatial.rules.bylaw import Bylaw
from spatial.rules.town_entries import SetbackEntry, TownEntries, TownEntry

KNOWN = Path(__file__).parents[1] / "town_entries.toml"
Source = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Known(_Strict):
    name: str
    type: Literal["number", "text", "flag"]
    unit: str
    meaning: str
    fills: str | None = None
    minimum: float = 0.0
    maximum: float = 1e6


class _KnownFile(_Strict):
    entry: tuple[_Known, ...]


class _Entry(_Strict):
    name: str
    value: bool | float | str
    citation: Source
    entered_on: date


class _Setback(_Strict):
    district: str = Field(min_length=1)
    front_ft: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    side_ft: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    rear_ft: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    centerline_ft: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    citation: Source
    entered_on: date


class _TownTable(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    bylaws: tuple[str, ...] = ()
    slug: str | None = None


class _TownFile(_Strict):
    town: _TownTable | None = None
    entry: tuple[_Entry, ...] = ()
    setback: tuple[_Setback, ...] = ()


def read_town_entries(path: Path, bylaws: Sequence[Bylaw], towns: TownBook) -> TownEntries:
    """Return what staff entered for the town that the file's table ``[town]`` or its name says.

    Raises ``bad_parameter`` for an unknown name, a value of the wrong kind, a missing citation, a second entry, a
    bylaw that is none of ours, or a file of no town: these would silently bind nobody.
    """
    file = validated(_TownFile, path, ParameterRefused)
    _ours(file.town.bylaws if file.town else (), bylaws, path.name)
    known = {k.name: k for k in _known()}
    _once([e.name for e in file.entry], path.name)
    _once([f"setback {s.district}" for s in file.setback], path.name)
    return TownEntries(
        slug=_slug(path, file, towns),
        sha256=sha256(path.read_bytes()).hexdigest(),
        entries=tuple(_entry(given, known, bylaws, path.name) for given in file.entry),
        setbacks=tuple(SetbackEntry(**s.model_dump()) for s in file.setback),
    )


def _slug(path: Path, file: _TownFile, towns: TownBook) -> str:
    if file.town:
        return file.town.slug or path.stem
    try:
        return towns.find(path.stem).slug
    except ParameterRefused as unknown:
        raise ParameterRefused(
            f"The town file '{path.name}' is of no town we know; call it by a town's slug (dover.toml) or number "
            "(78.toml), or say in a table [town] which it is.",
            file=path.name,
            suggestions=unknown.suggestions,
        ) from unknown


@lru_cache(maxsize=1)
def _known() -> tuple[_Known, ...]:
    return validated(_KnownFile, KNOWN).entry


def _entry(given: _Entry, known: dict[str, _Known], bylaws: Sequence[Bylaw], file: str) -> TownEntry:
    definition = known.get(given.name)
    if definition is None:
        raise ParameterRefused(
            f"The town file '{file}' has an entry {given.name!r} that nothing asks for.",
            file=file,
            suggestions=sorted(known),
        )
    wrong = _wrong(given.value, definition)
    if wrong:
        raise ParameterRefused(
            f"The town file '{file}' gives {given.value!r} for {given.name}, {wrong}.", file=file
        )
    held = any(definition.fills == f"{r.id}.{n}" for b in bylaws for r in b.rules for n in r.numbers)
    fills = definition.fills if held else None
    return TownEntry(given.name, given.value, definition.unit, given.citation, given.entered_on, fills)


def _wrong(value: bool | float | str, known: _Known) -> str:
    """Return what is wrong with a value, to follow a comma; empty when it can be used."""
    kind = "flag" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"
    if kind != known.type:
        return f"which is a {known.type}"
    if isinstance(value, str):
        return "" if value.strip() else "which needs words"
    usable = kind == "flag" or (math.isfinite(value) and known.minimum <= value <= known.maximum)
    return "" if usable else f"which must be from {known.minimum:g} to {known.maximum:,.0f} {known.unit}"


def _once(names: Sequence[str], file: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ParameterRefused(f"The town file '{file}' has {name!r} twice; keep one.", file=file)


def _ours(named: Sequence[str], bylaws: Sequence[Bylaw], file: str) -> None:
    ids = sorted(bylaw.id for bylaw in bylaws)
    for name in named:
        if name not in ids:
            raise ParameterRefused(
                f"The town file '{file}' names the bylaw {name!r}, which we do not have; name one of ours or none.",
                file=file,
                suggestions=ids,
            )

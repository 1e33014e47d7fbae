"""Map: the agency's columns become ours, values listed, nulls told, and what stayed unknown is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layers.ingest.plausible import check_pattern
from layers.ingest.tables import Rows
from layers.manifest import Column
from layers.spec import FieldSpec, ValueType
from spatial.errors import FormatRefused, ParameterRefused
from spatial.model import Scalar

_SHOWN = 20
Held = NDArray[np.object_]


def map_columns(
    rows: Rows, fields: Mapping[str, FieldSpec], mapping: Mapping[str, str], *, demand: bool = True
) -> tuple[dict[str, Held], tuple[Column, ...]]:
    """Return our columns of a table and an account of where each came from.

    Parameters
    ----------
    rows
        The table as read.
    fields
        Our columns and the names they may have.
    mapping
        Ours → theirs, as staff gave it; other keys than ours are not looked at here (see ``check_mapping``).
    demand
        Refuse when a required column is missing.

    Raises
    ------
    FormatRefused
        ``bad_parameter`` a required column, or one that ``mapping`` names, is not in the file, or a value is not
        what its column must hold.
    """
    given = {_ours(name, fields): theirs for name, theirs in mapping.items()}
    held: dict[str, Held] = {}
    account: list[Column] = []
    for name, field in fields.items():
        source = _source(rows, name, field, given)
        if source is None and field.required and demand:
            raise _missing(rows, name, field)
        values = _read(rows, source, field)
        if source is not None:
            check_pattern(name, source, values.tolist(), field)
        held[name], unlisted = _listed(values, field)
        account.append(Column(name=name, read_from=source, unlisted=unlisted))
    _derive(held, fields)
    _unsure(held, fields)
    return held, tuple(c.model_copy(update={"empty": int(sum(v is None for v in held[c.name]))}) for c in account)


def check_mapping(mapping: Mapping[str, str], *tables: Mapping[str, FieldSpec]) -> None:
    """Refuse a mapping that names a column that is not ours."""
    known = sorted({name for fields in tables for name in fields})
    for name in mapping:
        if not any(_ours(name, fields) for fields in tables):
            raise ParameterRefused(
                f"The mapping names '{name}', which is none of this layer's columns: {', '.join(known)}.",
                suggestions=known,
            )


def _ours(name: str, fields: Mapping[str, FieldSpec]) -> str | None:
    wanted = name.casefold()
    return next((n for n, f in fields.items() if wanted == n or wanted in f.aliases), None)


def _source(rows: Rows, name: str, field: FieldSpec, given: Mapping[str | None, str]) -> str | None:
    if name in given:
        found = rows.column(given[name])
        if found is None:
            raise FormatRefused(
                f"The layer '{rows.name}' has no column '{given[name]}' to be '{name}'; "
                f"it has {', '.join(rows.columns)}.",
                code="bad_parameter",
                suggestions=tuple(rows.columns),
            )
        return found
    return next((c for c in (rows.column(theirs) for theirs in field.columns) if c is not None), None)


def _missing(rows: Rows, name: str, field: FieldSpec) -> FormatRefused:
    return FormatRefused(
        f"The layer '{rows.name}' has none of the columns {', '.join(field.columns)} for '{name}'; "
        f"say which it is with --map {name}=COLUMN, out of {', '.join(rows.columns)}.",
        code="bad_parameter",
        layer=rows.name,
        suggestions=tuple(rows.columns),
    )


def _read(rows: Rows, source: str | None, field: FieldSpec) -> Held:
    held = np.full(len(rows), None, dtype=object)
    if source is not None:
        nulls = {_value(n, field.type, frozenset()) for n in field.nulls}
        held[:] = [_value(v, field.type, nulls) for v in rows.columns[source].tolist()]
    return held


def _value(value: Any, kind: ValueType, nulls: Set[Scalar]) -> Scalar:
    text = _text(value)
    told: Scalar = text if text is None or kind == "text" else _number(text, whole=kind == "integer")
    return None if told in nulls else told


def _number(text: str, *, whole: bool) -> float | int | None:
    try:
        number = float(text)
    except ValueError:
        return None
    if not np.isfinite(number):
        return None
    return int(number) if whole else number


def _text(value: Any) -> str | None:
    """Return a value as text: 6064 for 6064.0, codes with their leading zeros, None for empty and not-a-number."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    text = " ".join(str(value).split())
    return text or None


def _listed(values: Held, field: FieldSpec) -> tuple[Held, dict[str, int]]:
    """Return the values in our words; what is not listed, and what is missing, is replaced as the field says."""
    if not field.accept and field.missing is None:
        return values, {}
    ours = {theirs.casefold(): word for word, listed in field.accept.items() for theirs in listed}
    unlisted: Counter[str] = Counter()
    held = np.empty(len(values), dtype=object)
    for i, value in enumerate(values.tolist()):
        if value is None:
            held[i] = field.missing if field.missing is not None else field.otherwise
            continue
        word = ours.get(str(value).casefold())
        if word is None and ours:
            unlisted[str(value)] += 1
            word = field.otherwise
        held[i] = value if word is None else word
    empty = int(sum(v is None for v in values.tolist()))
    told = dict(unlisted.most_common(_SHOWN))
    return held, {**told, **({"(empty)": empty} if empty else {})}


def _derive(held: dict[str, Held], fields: Mapping[str, FieldSpec]) -> None:
    for name, field in fields.items():
        if field.derive_from is None:
            continue
        words = {k.casefold(): v for k, v in field.derive.items()}
        source = held[field.derive_from]
        for i, value in enumerate(held[name]):
            if value is None and source[i] is not None:
                held[name][i] = words.get(str(source[i]).casefold())


def _unsure(held: dict[str, Held], fields: Mapping[str, FieldSpec]) -> None:
    """Put ``otherwise`` where another column says that this one says nothing."""
    for name, field in fields.items():
        for column, values in field.unsure_when.items():
            words = {value.casefold() for value in values}
            for i, value in enumerate(held.get(column, ())):
                if value is not None and str(value).casefold() in words:
                    held[name][i] = field.otherwise

"""Map: is a file what it is given as? What its columns and values say against it, by the specifications alone.

A wrong file that passes is worse than none: its silence would be read as "nothing there".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from layers.catalog import Catalog
from layers.ingest.tables import Rows
from layers.spec import FieldSpec, SelectSpec, Spec
from spatial.errors import FormatRefused
from spatial.model import Scalar

_SHOWN = 5


def check_marks(rows: Rows, spec: Spec, mapping: Mapping[str, str], catalog: Catalog) -> str | None:
    """Return a sentence when staff's mapping takes a file that carries another layer's marks; None when none does.

    A file that carries a mark of its own layer is not asked for others.

    Raises
    ------
    FormatRefused
        ``bad_parameter``: it carries a mark of another layer, or none of the columns this layer has, and no mapping
        says that it is this layer all the same.
    """
    carried = {mark: rows.column(mark) for one in catalog.specs.values() for mark in one.marks}
    found = {mark: column for mark, column in carried.items() if column is not None}
    if not found.keys().isdisjoint(spec.marks):
        return None
    others = [
        one
        for one in catalog.specs.values()
        if one.id not in spec.may_carry and not found.keys().isdisjoint(one.marks)
    ]
    if not others:
        _check_any(rows, spec, mapping)
        return None
    column = next(found[mark] for mark in others[0].marks if mark in found)
    named = " or ".join(one.id for one in others)
    said = f"The layer '{rows.name}' has the column {column}, as the layer {named} has"
    if mapping:
        return f"{said}; it was taken as '{spec.id}' because of the mapping."
    wanted = next(iter((*spec.required, *spec.fields)), "name")
    raise FormatRefused(
        f"{said}; add it as that, or say with --map {wanted}=COLUMN what makes it '{spec.id}'.",
        code="bad_parameter",
        layer=rows.name,
        suggestions=tuple(one.id for one in others),
    )


def _check_any(rows: Rows, spec: Spec, mapping: Mapping[str, str]) -> None:
    """Refuse a file that neither by a column nor by its name says it is this layer: any polygons would pass as it.

    Where a column is required its absence is refused anyway, in its own words.
    """
    names = [name for field in spec.fields.values() for name in field.columns]
    called = rows.name.casefold().startswith(tuple(word.casefold() for word in (spec.id, *spec.aliases)))
    if spec.any_columns or spec.required or mapping or called or any(rows.column(name) for name in names):
        return
    raise FormatRefused(
        f"The layer '{rows.name}' has none of the columns of '{spec.id}' ({', '.join(names)}) but "
        f"{', '.join(rows.columns) or 'none at all'}; if it is that layer, say which is which with --map.",
        code="bad_parameter",
        layer=rows.name,
        suggestions=tuple(rows.columns),
    )


def check_pattern(name: str, source: str, values: Sequence[Scalar], field: FieldSpec) -> None:
    """Refuse a column whose values do not look as the specification says; those that are not known are passed over.

    Raises
    ------
    FormatRefused
        ``bad_parameter``, with some of the values.
    """
    if field.pattern is None:
        return
    wrong = Counter(str(v) for v in values if v is not None and not re.fullmatch(field.pattern, str(v)))
    if not wrong:
        return
    shown = ", ".join(f"'{value}'" for value, _ in wrong.most_common(_SHOWN))
    shown += " ..." if len(wrong) > _SHOWN else ""
    raise FormatRefused(
        f"{wrong.total():,} of {len(values):,} values of the column '{source}' for '{name}' are not {field.looks}: "
        f"{shown}; add the file that has them, or name another column with --map.",
        code="bad_parameter",
    )


def other_kinds(rows: Rows, kept: NDArray[np.int64], spec: Spec, catalog: Catalog) -> str:
    """Return what the features of a mixed file are that a layer leaves out, and which layers take them; else empty.

    Parameters
    ----------
    kept
        Rows of the file that have become features.
    """
    if spec.select is None or (source := spec.select.column_of(rows.columns)) is None:
        return ""
    values = rows.columns[source][kept].tolist()
    counted = Counter(" ".join(str(v).split()) for v in values if not spec.select.takes(v))
    told = [
        f"{value} ({count:,}, {_takers(value, source, catalog)})" for value, count in counted.most_common(_SHOWN)
    ]
    more = f" and {len(counted) - _SHOWN:,} more" if len(counted) > _SHOWN else ""
    return f"{source} {', '.join(told)}{more}" if told else ""


def _takers(value: str, source: str, catalog: Catalog) -> str:
    selecting: list[tuple[str, SelectSpec]] = [(one.id, one.select) for one in catalog.specs.values() if one.select]
    takers = [name for name, select in selecting if select.column_of([source]) and select.takes(value)]
    return f"add the file as {' or '.join(takers)} too" if takers else "which no layer takes"


def refuse_none_of_this_kind(spec: Spec, kinds: str) -> FormatRefused:
    """Return the refusal of a file that holds features, and none of them this layer's."""
    return FormatRefused(
        f"No feature of the file is of the layer '{spec.id}': {kinds}; an edition of it would say that nothing is "
        "there.",
        code="no_features",
        layer=spec.id,
    )

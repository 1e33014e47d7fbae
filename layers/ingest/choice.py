"""Read: which table of a file holds the layer, and what a mapping may say about its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from layers.ingest.tables import Table
from layers.spec import Spec
from spatial.errors import FormatRefused, ParameterRefused

_TAXPAR = re.compile(r"^(M\d{3})?(L3_)?TaxPar(_POLY)?(_CY\d+_FY\d+)?$", re.IGNORECASE)
_ASSESS = re.compile(r"^(M\d{3})?(L3_)?Assess(_CY\d+_FY\d+)?$", re.IGNORECASE)
_KIND_WORDS = {"polygon": "Polygon", "line": "LineString", "point": "Point"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The table of features and, of parcels, that of the assessors' rows; ``level3``: by the MassGIS standard."""

    features: Table
    assess: Table | None = None
    level3: bool = False
    ignored: tuple[str, ...] = ()


def choose(tables: Sequence[Table], spec: Spec, asked: str | None) -> Chosen:
    """Return the table that holds the layer.

    Parameters
    ----------
    tables
        All of the file, at least one.
    spec
        The layer: Level 3 names are looked for in parcels, else its id and aliases, else its kind of geometry.
    asked
        The name staff gave; None to find it.

    Raises
    ------
    ParameterRefused, FormatRefused
        ``layer_unknown`` no table of that name; ``several_layers`` more than one fits; ``no_geometry`` none does.
    """
    if asked is not None:
        return _with_assess(_named(tables, asked), tables, spec)
    if spec.id == "parcels":
        taxpar = [t for t in tables if _TAXPAR.match(t.name) and t.geometry_type]
        if len(taxpar) == 1:
            return _with_assess(taxpar[0], tables, spec)
    return _with_assess(_fitting(tables, spec), tables, spec)


def the_only(tables: Sequence[Table], what: str) -> Table:
    """Return the one table of a file; raises ``FormatRefused`` (several_layers) when it holds more."""
    if len(tables) != 1:
        names = tuple(t.name for t in tables)
        raise FormatRefused(
            f"The file of {what} must hold one layer; it holds {', '.join(names)}.",
            code="several_layers",
            suggestions=names,
        )
    return tables[0]


def _named(tables: Sequence[Table], asked: str) -> Table:
    found = [t for t in tables if t.name.casefold() == asked.casefold()]
    if not found:
        names = tuple(t.name for t in tables)
        raise ParameterRefused(
            f"The file has no layer '{asked}'; it has {', '.join(names)}.", code="layer_unknown", suggestions=names
        )
    return found[0]


def _fitting(tables: Sequence[Table], spec: Spec) -> Table:
    shaped = [t for t in tables if t.geometry_type is not None]
    if not shaped:
        raise FormatRefused("The file holds tables but no shapes; a layer needs shapes.", code="no_geometry")
    known = {name.casefold() for name in (spec.id, *spec.aliases)}
    by_name = [t for t in shaped if t.name.casefold() in known]
    by_kind = [t for t in shaped if _may_hold(t, spec)] or shaped
    for candidates in (by_name, by_kind):
        if len(candidates) == 1:
            return candidates[0]
    names = tuple(t.name for t in by_kind)
    raise FormatRefused(
        f"The file holds several layers ({', '.join(names)}); name the one that is '{spec.id}' with --layer.",
        code="several_layers",
        suggestions=names,
    )


def _may_hold(table: Table, spec: Spec) -> bool:
    kind = table.geometry_type or ""
    wanted = [_KIND_WORDS[k] for k in (spec.kind, *spec.also) if k in _KIND_WORDS]
    return any(word in kind for word in wanted) or kind.startswith(("Unknown", "GeometryCollection"))


def _with_assess(features: Table, tables: Sequence[Table], spec: Spec) -> Chosen:
    if spec.id != "parcels":
        return Chosen(features, ignored=tuple(t.name for t in tables if t is not features and t.geometry_type))
    assess = [t for t in tables if _ASSESS.match(t.name)]
    ignored = tuple(t.name for t in tables if t is not features and t not in assess)
    level3 = bool(_TAXPAR.match(features.name))
    return Chosen(features, assess[0] if len(assess) == 1 else None, level3, ignored)

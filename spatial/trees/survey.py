"""Normalise: rows of a tree survey become trees, or are left out with a reason. Nothing is guessed. Pure.

A row without a usable diameter is left out and named, the others answer; a diameter no trunk has means that the
unit is wrong, so it refuses the whole survey.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely import Point

from spatial.errors import ParameterRefused
from spatial.model import Note, Scalar, SiteFeature
from spatial.trees.columns import Columns, columns_of, numbers, plain_name
from spatial.trees.model import Action, Tree
from spatial.units import m_from_ft

LARGEST_DBH_IN = 150.0
"""No trunk in Massachusetts comes near this (12.5 ft); a larger number is centimetres, millimetres or a slip."""
SAME_PLACE_FT = 0.1
SKIPPED = "null_geometry_skipped"
"""The note that reading leaves of a row without a place."""
_KEEP = ("keep", "kept", "retain", "retained", "save", "preserve", "protect", "remain")
_REMOVE = ("remove", "removed", "removal", "tree_removal", "cut", "fell", "take_down")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that is no tree to measure, and what to do about it; ``twice``: only the same tree once more."""

    id: str
    why: str
    twice: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The trees of a survey, the rows left out and what was changed or assumed."""

    trees: tuple[Tree, ...]
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def unusable(self) -> tuple[LeftOut, ...]:
        """The rows left out that may be trees nobody measured."""
        return tuple(x for x in self.left_out if not x.twice)


def unplaced(notes: Sequence[Note]) -> tuple[str, ...]:
    """Return what to call the rows that reading skipped for want of a place: they may be trees all the same.

    >>> unplaced([Note(SKIPPED, "Feature 6 has no geometry and was skipped.", "6")])
    ('row 6',)
    """
    return tuple(f"row {n.feature}" if n.feature else "further rows" for n in notes if n.code == SKIPPED)


def survey(features: Sequence[SiteFeature], *, nowhere: Sequence[str] = ()) -> Survey:
    """Return the trees among some features.

    Parameters
    ----------
    features
        Points in EPSG:26986 with the survey's columns as attributes; anything but a point is left out.
    nowhere
        What to call rows that came without a place; they are left out and told.

    Raises
    ------
    ParameterRefused
        No column holds diameters, a diameter is larger than any trunk, or no row at all can be used.
    """
    columns = columns_of(list(dict.fromkeys(name for f in features for name in f.attributes)))
    rows = [_row(f, columns) for f in features]
    trees, twice, notes = _without_twins(_named_apart([r for r in rows if isinstance(r, Tree)]))
    lost = (LeftOut(name, "it has no place; write lon and lat, or x and y with crs") for name in nowhere)
    left_out = [*(r for r in rows if isinstance(r, LeftOut)), *twice, *lost]
    if not trees:
        first = f" (the first, {left_out[0].id}: {left_out[0].why})" if left_out else ""
        raise ParameterRefused(f"None of the {len(features)} trees can be used{first}.")
    return Survey(tuple(trees), tuple(left_out), (*columns.notes(), *notes, *_counted(left_out)))


def _row(feature: SiteFeature, columns: Columns) -> Tree | LeftOut:
    name = _name(feature, columns)
    if not isinstance(feature.geometry, Point):
        return LeftOut(name, f"a {feature.geometry.geom_type} is no stem; draw a tree as one point")
    try:
        stems = _stems(feature.attributes, columns)
        lengths = _lengths(feature.attributes, columns)
    except ValueError as error:
        return LeftOut(name, f"{error}; write its diameter and lengths as numbers")
    if not stems:
        return LeftOut(name, "it has no diameter; measure its DBH in inches")
    if min(stems) <= 0.0:
        return LeftOut(name, f"its diameter is {min(stems):g}, which no trunk has; measure its DBH in inches")
    _refuse_giants(name, stems)
    return Tree(
        id=name,
        point=feature.geometry,
        stems_in=stems,
        action=_action(feature, columns),
        dripline_ft=lengths.get("dripline"),
        caliper_in=lengths.get("caliper"),
    )


def _name(feature: SiteFeature, columns: Columns) -> str:
    told = feature.attributes.get(columns.ids) if columns.ids else None
    return feature.id if told is None or not str(told).strip() else str(told).strip()


def _stems(attributes: Mapping[str, Scalar], columns: Columns) -> tuple[float, ...]:
    """Return the stems in the first column that says any; columns of several stems before those of one."""
    cells = ((attributes.get(name), factor) for name, factor in (*columns.stems, *columns.diameters))
    return next((found for value, factor in cells if (found := numbers(value, factor))), ())


def _lengths(attributes: Mapping[str, Scalar], columns: Columns) -> dict[str, float]:
    """Return the dripline and the caliper, as far as they are given and above 0."""
    found = {}
    for column, (word, factor) in columns.lengths.items():
        given = numbers(attributes.get(column), factor)
        if given and given[0] > 0.0:
            found[word] = given[0]
    return found


def _refuse_giants(name: str, stems: Sequence[float]) -> None:
    if max(stems) > LARGEST_DBH_IN:
        raise ParameterRefused(
            f"Tree {name} has a stem of {max(stems):g} inches, more than any trunk ({LARGEST_DBH_IN:g}); if these "
            "are centimetres name the column dbh_cm, millimetres dbh_mm, otherwise correct it.",
            feature=name,
        )


def _action(feature: SiteFeature, columns: Columns) -> Action | None:
    told = feature.attributes.get(columns.action) if columns.action else None
    word = plain_name(str(told if told is not None else feature.activity or ""))
    if word in _REMOVE:
        return "remove"
    return "keep" if word in _KEEP else None


def _named_apart(trees: Sequence[Tree]) -> list[Tree]:
    """Give trees that share a name one each: "7", "7#2"."""
    seen: Counter[str] = Counter()
    named = []
    for tree in trees:
        seen[tree.id] += 1
        named.append(tree if seen[tree.id] == 1 else replace(tree, id=f"{tree.id}#{seen[tree.id]}"))
    return named


def _without_twins(trees: Sequence[Tree]) -> tuple[list[Tree], list[LeftOut], list[Note]]:
    """Leave out a tree told twice, the same stems at one place; different stems at one place are kept and told."""
    dropped: dict[int, LeftOut] = {}
    notes: list[Note] = []
    for first, second in _pairs(trees):
        one, other = trees[first], trees[second]
        if first in dropped or second in dropped:
            continue
        if one.stems_in == other.stems_in:
            why = f"it stands where {one.id} stands and is as thick: one tree told twice"
            dropped[second] = LeftOut(other.id, why, twice=True)
            continue
        message = f"{one.id} and {other.id} stand at one place; both count. If they are one tree, give stems_in."
        notes.append(Note("stems_at_one_place", message, other.id))
    return [t for i, t in enumerate(trees) if i not in dropped], list(dropped.values()), notes


def _pairs(trees: Sequence[Tree]) -> list[tuple[int, int]]:
    if len(trees) < 2:
        return []
    points = np.array([t.point for t in trees], dtype=object)
    near = shapely.STRtree(points).query(points, predicate="dwithin", distance=m_from_ft(SAME_PLACE_FT))
    return sorted((int(a), int(b)) for a, b in near.T if a < b)


def _counted(left_out: Sequence[LeftOut]) -> list[Note]:
    if not left_out:
        return []
    rows = "1 row of the survey is" if len(left_out) == 1 else f"{len(left_out)} rows of the survey are"
    message = f"{rows} not in the answer; each is listed with its reason."
    return [Note("trees_left_out", message)]

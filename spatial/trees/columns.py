"""Normalise: which columns of a tree survey say what, and in which unit. Pure.

A column named for centimetres is converted; a column without a unit is inches, the unit of the bylaws.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spatial.errors import ParameterRefused
from spatial.model import Note, Scalar
from spatial.units import FOOT_M

CM_PER_IN = 2.54
UNITS_IN: Mapping[str, float] = {
    "": 1.0,
    "in": 1.0,
    "inch": 1.0,
    "inches": 1.0,
    "cm": 1.0 / CM_PER_IN,
    "mm": 0.1 / CM_PER_IN,
}
_UNIT = r"(?:_(in|inch|inches|cm|mm))?"
_DIAMETER = re.compile(rf"(?:dbh|diameter|diam|trunk_diameter|trunk_diam|diameter_at_breast_height){_UNIT}")
_STEMS = re.compile(rf"(?:stems|stem_diameters|multi_stems){_UNIT}")
_LENGTHS: Mapping[str, tuple[str, float]] = {
    "dripline_ft": ("dripline", 1.0),
    "dripline": ("dripline", 1.0),
    "dripline_radius_ft": ("dripline", 1.0),
    "canopy_radius_ft": ("dripline", 1.0),
    "dripline_m": ("dripline", 1.0 / FOOT_M),
    "canopy_radius_m": ("dripline", 1.0 / FOOT_M),
    "caliper_in": ("caliper", 1.0),
    "caliper": ("caliper", 1.0),
    "caliper_cm": ("caliper", 1.0 / CM_PER_IN),
}
_IDS = ("id", "tree_id", "treeid", "tree_no", "tag", "tree_tag", "site_id")
_ACTIONS = ("action", "disposition", "activity")


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns say what, named as in the survey, each with the factor that turns it into inches.

    ``diameters`` and ``stems`` are in the order they are looked at, inches first; ``lengths`` maps a column to what
    it measures (``dripline`` in feet, ``caliper`` in inches) and its factor.
    """

    diameters: tuple[tuple[str, float], ...]
    stems: tuple[tuple[str, float], ...]
    action: str | None
    ids: str | None
    lengths: Mapping[str, tuple[str, float]]

    def notes(self) -> list[Note]:
        """Return in words how each column of diameters was taken."""
        return [_unit_note(name, factor) for name, factor in (*self.diameters, *self.stems)]


def columns_of(names: Sequence[str]) -> Columns:
    """Return the meaning of a survey's columns.

    Raises
    ------
    ParameterRefused
        No column holds diameters.

    Examples
    --------
    >>> columns_of(["Tree ID", "DBH (cm)"]).diameters == (("DBH (cm)", 1 / 2.54),)
    True
    """
    plain = {plain_name(name): name for name in reversed(names)}
    diameters, stems = _matching(plain, _DIAMETER), _matching(plain, _STEMS)
    if not diameters and not stems:
        held = ", ".join(names[:20]) or "none"
        raise ParameterRefused(f"No column holds the trees' diameters; name it dbh_in or dbh_cm (columns: {held}).")
    return Columns(
        diameters=diameters,
        stems=stems,
        action=next((plain[n] for n in _ACTIONS if n in plain), None),
        ids=next((plain[n] for n in _IDS if n in plain), None),
        lengths={plain[n]: meaning for n, meaning in _LENGTHS.items() if n in plain},
    )


def plain_name(name: str) -> str:
    """Return a name in lower case with single underscores between its words.

    >>> plain_name(" DBH (cm) ")
    'dbh_cm'
    """
    return re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")


def _matching(plain: Mapping[str, str], pattern: re.Pattern[str]) -> tuple[tuple[str, float], ...]:
    """Return the columns of a kind with their units, inches before centimetres."""
    found = [(name, UNITS_IN[m.group(1) or ""]) for key, name in plain.items() if (m := pattern.fullmatch(key))]
    return tuple(sorted(found, key=lambda pair: -pair[1]))


def _unit_note(name: str, factor: float) -> Note:
    if factor == 1.0:
        return Note("dbh_inches", f"The column {name} is taken to hold inches.")
    return Note("dbh_converted", f"The column {name} was converted to inches by {factor:.6g}.")


def numbers(value: Scalar, factor: float) -> tuple[float, ...]:
    """Return the numbers in a cell, times a factor: one, or several as ``8, 6, 5`` or ``8+6+5``; blank gives none.

    Raises
    ------
    ValueError
        In words that fit after "tree 7:", when the cell holds something else.

    Examples
    --------
    >>> numbers("8+6+5", 1.0), numbers(None, 1.0)
    ((8.0, 6.0, 5.0), ())
    """
    if value is None or isinstance(value, bool):
        return ()
    cells = re.split(r"[+,;/\s]+", value.strip(" \"'")) if isinstance(value, str) else [value]
    return tuple(_number(cell) * factor for cell in cells if cell != "")


def _number(cell: str | float) -> float:
    try:
        number = float(cell)
    except ValueError:
        raise ValueError(f"{str(cell)[:20]!r} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{str(cell)[:20]!r} is not a number")
    return number

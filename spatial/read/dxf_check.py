"""Reading: what GDAL passes over in a drawing without a word: blocks that are not there, corners half there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from spatial.errors import FormatRefused, GeometryRefused
from spatial.model import Note

Groups = Sequence[tuple[str, str]]
_CURVES = frozenset({"ARC", "CIRCLE", "ELLIPSE", "SPLINE"})
_EXTERNAL = 4
"""Bit of a block's flags (group 70): its content is another file."""
_NAMED = 5


@dataclass(slots=True)
class Drawn:
    """What a drawing's text says of its items."""

    curved: bool = False
    placed: dict[str, None] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Say what was replaced, and what the drawing places without holding it."""
        found = []
        if self.curved:
            text = "Arcs, circles or bulges were replaced by chords of half a degree."
            found.append(Note("curve_linearised", text))
        missing = [name for name in self.placed if name not in self.held]
        if missing:
            named = ", ".join(repr(name[:40]) for name in missing[:_NAMED])
            more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
            text = f"The drawing places blocks that it does not hold ({named}{more}); what they show was not read."
            found.append(Note("block_missing", f"{text} Bind them into the drawing."))
        return tuple(found)


def check(text: str) -> Drawn:
    """Return what a drawing says of its items; line ends are single line feeds.

    Raises
    ------
    FormatRefused
        ``corrupt_file`` when a polyline has not the corners it says, or a corner lacks a coordinate.
    GeometryRefused
        ``bad_coordinates`` when a corner is not a finite number.
    """
    drawn = Drawn()
    for kind, groups in _items(text):
        drawn.curved = drawn.curved or kind in _CURVES
        if kind in _LOOKED_AT:
            _LOOKED_AT[kind](drawn, groups)
    return drawn


def _items(text: str) -> Iterator[tuple[str, Groups]]:
    """Yield every item with its groups: code and value stand on lines of their own, and code 0 begins an item."""
    lines = text.split("\n")
    codes, values = lines[::2], lines[1::2]
    starts = [n for n, code in enumerate(codes[: len(values)]) if code.strip() == "0"]
    for at, end in pairwise([*starts, len(values)]):
        kind = values[at].strip()
        groups = range(at + 1, end) if kind in _LOOKED_AT else ()
        yield kind, [(codes[n].strip(), values[n].strip()) for n in groups]


def _first(groups: Groups, wanted: str) -> str:
    return next((value for code, value in groups if code == wanted), "")


def _polyline(drawn: Drawn, groups: Groups) -> None:
    """The extrusion (210, 220, 230) has other codes, so 10 and 20 are corners only."""
    x, y = (sum(code == wanted for code, _ in groups) for wanted in ("10", "20"))
    said = _first(groups, "90")
    if x != y or (said.isdecimal() and int(said[:9]) != x):
        raise FormatRefused(
            f"The drawing is damaged: a polyline says it has {said[:9] or 'no'} corners and holds {x} x and {y} y; "
            "save it again.",
            code="corrupt_file",
        )
    _vertex(drawn, groups)


def _vertex(drawn: Drawn, groups: Groups) -> None:
    for code, value in groups:
        if code in ("10", "20") and not _is_finite(value):
            raise GeometryRefused(
                f"A polyline of the drawing has {value[:30]!r} where a coordinate of finite numbers should be; "
                "draw it again.",
                code="bad_coordinates",
            )
        drawn.curved = drawn.curved or (code == "42" and value.strip("-+0.") != "")


def _is_finite(value: str) -> bool:
    try:
        return abs(float(value)) < float("inf")
    except ValueError:
        return False


def _insert(drawn: Drawn, groups: Groups) -> None:
    drawn.placed.setdefault(_first(groups, "2").casefold())


def _block(drawn: Drawn, groups: Groups) -> None:
    flags = _first(groups, "70")
    if not (flags.isdecimal() and int(flags[:6]) & _EXTERNAL):
        drawn.held.add(_first(groups, "2").casefold())


_LOOKED_AT: dict[str, Callable[[Drawn, Groups], None]] = {
    "LWPOLYLINE": _polyline,
    "VERTEX": _vertex,
    "INSERT": _insert,
    "BLOCK": _block,
}

"""What the cells of a raster mean: which values count, in which unit heights are. Never guessed in silence."""

from __future__ import annotations

from collections.abc import Mapping

from layers.cells import Cells
from layers.manifest import Remark
from layers.spec import RasterSpec
from spatial.errors import FormatRefused, ParameterRefused
from spatial.units import FOOT_M, INTERNATIONAL_FOOT_M

UNITS: Mapping[str, float] = {"m": 1.0, "ft": FOOT_M, "international_ft": INTERNATIONAL_FOOT_M}
"""Metres in a unit of height, by the names staff may give (``--map unit=ft``)."""
SAID_UNITS: Mapping[str, str] = {
    "m": "m", "metre": "m", "meter": "m", "metres": "m", "meters": "m", "us survey foot": "ft", "foot_us": "ft",
    "ft_us": "ft", "us-ft": "ft", "ussurvey foot": "ft", "international foot": "international_ft",
}  # fmt: skip
"""What files call them; a bare "foot" may be either, so it is asked."""


def classes_of(
    said: Mapping[str, str], holds: RasterSpec, cells: Cells, *, name: str
) -> tuple[tuple[int, ...], tuple[Remark, ...]]:
    """Return which cell values count. None of them among the cells means that this is another kind of grid."""
    if holds.holds != "class":
        return (), ()
    asked = said.get("classes")
    classes = _numbers(asked) if asked else holds.classes
    held = cells.values
    if held is None or any(value != int(value) for value in held):
        raise FormatRefused(f"The cells of {name} are no classes: they hold too many or broken numbers.", file=name)
    if any(value in held for value in classes):
        return classes, ()
    told = ", ".join(f"{value:g}" for value in sorted(held)[:12])
    if asked is None:
        raise ParameterRefused(
            f"No cell of {name} holds {_words(classes)}, the class that counts; they hold {told}. Say which count: "
            "--map classes=N.",
            file=name,
        )
    remark = f"No cell holds {_words(classes)}, the classes given; the cells hold {told}. It will find nothing."
    return classes, (Remark(code="nothing_counts", message=remark),)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(sorted({int(word) for word in text.split(",")}))
    except ValueError:
        raise ParameterRefused(f"classes={text[:60]!r} are no whole numbers; write --map classes=1,2.") from None


def _words(classes: tuple[int, ...]) -> str:
    return " or ".join(map(str, classes))


def unit_of(said: Mapping[str, str], holds: RasterSpec, by_file: str) -> tuple[str | None, tuple[Remark, ...]]:
    """Return the unit of heights: as staff say, as the file says, else the specification's, with a remark."""
    if holds.holds != "height":
        return None, ()
    asked, written = said.get("unit"), by_file.strip().casefold()
    if asked is not None:
        if asked not in UNITS:
            raise ParameterRefused(f"unit={asked[:40]!r} is none of {', '.join(UNITS)}.")
        return asked, ()
    if written in SAID_UNITS:
        return SAID_UNITS[written], ()
    if written:
        raise ParameterRefused(
            f"The file says its heights are in {written[:40]!r}; say which unit: --map unit=m or ft."
        )
    assumed = f"The file does not say the unit of its heights; '{holds.unit}' was assumed, as the layer's are."
    return holds.unit, (Remark(code="unit_assumed", message=assumed),)

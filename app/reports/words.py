"""Numbers in a person's words. Rounding and spelling of units for the reader happen here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable

from spatial.measure.work import UNNAMED
from spatial.model import Scalar
from spatial.units import SQFT_PER_ACRE

UNIT_WORDS = {
    "sqft": "sq ft",
    "ft": "ft",
    "acre": "acres",
    "acres": "acres",
    "acft": "acre-feet",
    "cuyd": "cubic yards",
    "cuft": "cubic ft",
    "percent": "%",
    "in": "inches",
}
STATUS_WORDS = {
    "affected": "affected",
    "not_affected": "not affected",
    "none_mapped": "none mapped",
    "no_data": "map does not reach here",
    "not_checked": "not checked",
}
RELATION_WORDS = {
    "overlaps": "under part of the work",
    "within": "all of the work is inside",
    "contains": "wholly under the work",
    "touches": "touches the work",
    "near": "near the work",
    "none": "",
}
UNSAID = "not said, so counted as grading and clearing"
OF_BOTH = ("building", "paving", "storage")
"""Activities that count as grading and clearing, unless the work itself says otherwise."""
WHOLE_PERCENT = 100.0 - 1e-6
"""What reaches this is all of it: an overlay of the same ground leaves a trace of rounding."""
RESULT_WORDS = {
    "triggered": "TRIGGERED",
    "not_triggered": "not triggered",
    "indeterminate": "cannot be decided",
    "needs_input": "needs an answer from you",
}


def number(value: float) -> str:
    """Return a number with thousands separators and only the decimals it needs, at most two.

    >>> number(6600.0), number(0.2066), number(54.44)
    ('6,600', '0.21', '54.4')
    """
    size = abs(value)
    decimals = 0 if size >= 1_000 else 1 if size >= 10 else 2
    text = f"{value:,.{decimals}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if short == "-0" else short


def quantity(value: float, unit: str | None) -> str:
    """Return a number with its unit in words.

    >>> quantity(120.0, "cuyd"), quantity(22.5, "percent")
    ('120 cubic yards', '22.5 %')
    """
    return f"{number(value)} {UNIT_WORDS.get(unit or '', unit or '')}".strip()


def share(percent: float) -> str:
    """Return a share; one that is not nothing, or not all, never rounds to it.

    >>> share(22.5), share(0.0002), share(99.999), share(100.0)
    ('22.5 %', 'less than 0.01 %', 'more than 99.9 %', '100 %')
    """
    told = number(percent)
    if told == "0" and percent > 0.0:
        return "less than 0.01 %"
    return "more than 99.9 %" if told == "100" and percent < WHOLE_PERCENT else f"{told} %"


def activity(name: str) -> str:
    """Return what is done somewhere; what nobody said counts as the classes that thresholds are set for.

    >>> activity("tree_removal"), activity("unnamed")
    ('tree removal', 'not said, so counted as grading and clearing')
    """
    return UNSAID if name in ("", UNNAMED) else name.replace("_", " ")


def fact(value: Scalar) -> str:
    """Return a project fact as it is written after ``--fact``.

    >>> fact(True), fact(1.0), fact("none")
    ('yes', '1', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)


def classes(by_class: Iterable[tuple[str, float]], activities: Iterable[str]) -> str:
    """Return what the work counts as, where that is not what its activities are called; else empty.

    >>> classes([("grading", 6600.0), ("clearing", 5400.0)], ["building", "grading"])
    'grading 6,600 sq ft, clearing 5,400 sq ft; building counts as both unless the drawing says otherwise'
    """
    counted_as = ", ".join(f"{name} {quantity(sqft, 'sqft')}" for name, sqft in by_class)
    both = [activity(name) for name in activities if name in OF_BOTH]
    verb = "counts" if len(both) == 1 else "count"
    return f"{counted_as}; {' and '.join(both)} {verb} as both unless the drawing says otherwise" if both else ""


def area(area_sqft: float) -> str:
    """Return an area in square feet, from a tenth of an acre up with acres beside it.

    >>> area(9000.0), area(120.0)
    ('9,000 sq ft (0.21 acres)', '120 sq ft')
    """
    beside = f" ({quantity(area_sqft / SQFT_PER_ACRE, 'acres')})" if area_sqft >= SQFT_PER_ACRE / 10 else ""
    return f"{quantity(area_sqft, 'sqft')}{beside}"


def against(measured: float, threshold: float, unit: str | None) -> str:
    """Return what was measured beside the limit, and by how much it is over or under.

    A distance is a way off, not an amount: it lies inside the limit or beyond it.

    >>> against(6600.0, 5500.0, "sqft")
    '6,600 sq ft, limit 5,500 sq ft: 1,100 sq ft over'
    >>> against(60.0, 100.0, "ft")
    '60 ft away, limit 100 ft: 40 ft inside'
    """
    over = measured - threshold
    away = " away" if unit == "ft" else ""
    words = ("beyond", "inside") if unit == "ft" else ("over", "under")
    size = quantity(abs(over), unit)
    gap = "exactly at the limit" if number(abs(over)) == "0" else f"{size} {words[0] if over > 0 else words[1]}"
    return f"{quantity(measured, unit)}{away}, limit {quantity(threshold, unit)}: {gap}"


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> counted(1, "lot"), counted(3, "lot"), counted(2, "survey", "surveys")
    ('1 lot', '3 lots', '2 surveys')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def printable(text: str) -> str:
    r"""Return a text without control characters, so that a file name cannot steer a terminal.

    >>> printable("a\x1b[31mb")
    'a?[31mb'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)

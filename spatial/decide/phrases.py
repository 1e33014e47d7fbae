"""Numbers in a reason's sentence. The unrounded ones stand beside it in the determination's own fields."""

from __future__ import annotations

from collections.abc import Sequence

AT_THRESHOLD = " It lies at the threshold: the item says 'more than', the lead-in 'meet or exceed' (AMB-02)."


def sqft(value: float) -> str:
    """Return an area as a reader says it.

    >>> sqft(5499.754)
    '5,499.75 sq ft'
    """
    return f"{_short(value)} sq ft"


def feet(value: float) -> str:
    """Return a length as a reader says it.

    >>> feet(120)
    '120 ft'
    """
    return f"{_short(value)} ft"


def amount(value: float, unit: str) -> str:
    """Return a quantity with its unit.

    >>> amount(106.25, "cubic yards")
    '106.25 cubic yards'
    """
    return f"{value:,.2f} {unit}"


def listed(words: Sequence[str]) -> str:
    """Return words as a sentence lists them, each once.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    once = list(dict.fromkeys(words))
    return " and ".join([", ".join(once[:-1]), once[-1]]) if len(once) > 1 else "".join(once)


def _short(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")

"""Reading: lists of numbers to rings and lines, with every doubt said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial.errors import GeometryRefused

Coordinates = NDArray[np.float64]


def positions(values: object, feature: str) -> Coordinates:
    """Return an (n, 2) array of x and y; heights and measures are left out. No positions: (0, 2).

    Raises
    ------
    GeometryRefused
        ``bad_coordinates`` when something is no list of two or more finite numbers.
    """
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise bad(feature, values)
    rows = [_position(value, feature) for value in values]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def _position(value: object, feature: str) -> tuple[float, float]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) < 2:
        raise bad(feature, value)
    return number(value[0], feature), number(value[1], feature)


def number(value: object, feature: str) -> float:
    """Return a finite number; text, true and null are none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300:
        raise bad(feature, value)
    return float(value)


def bad(feature: str, value: Any) -> GeometryRefused:
    """Return the refusal of something that stands where coordinates should."""
    return GeometryRefused(
        f"Feature {feature} has {_shown(value)} where a coordinate of finite numbers should be; correct it.",
        code="bad_coordinates",
        feature=feature,
    )


def _shown(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"a list of {len(value)}"
    return repr(value)[:30]


def closed(ring: Coordinates) -> tuple[Coordinates, bool]:
    """Return the ring with its first position repeated at the end, and whether that had to be done."""
    if len(ring) == 0 or (ring[0] == ring[-1]).all():
        return ring, False
    return np.vstack([ring, ring[:1]]), True


def has_height(values: object) -> bool:
    """Return whether the first position of nested lists has more than two numbers."""
    while isinstance(values, list) and values and isinstance(values[0], list):
        values = values[0]
    return isinstance(values, list) and len(values) > 2 and not isinstance(values[0], list)

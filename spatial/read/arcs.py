"""Reading: Esri's curves to chords: circular arcs, elliptic arcs and Bezier curves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from spatial.errors import GeometryRefused
from spatial.read.positions import Coordinates, bad, positions

_STEP = math.radians(1.0)
"""A chord a degree: never farther from its arc than 4 hundred-thousandths of the radius."""
_BEZIER_STEPS = 64


def linearised(values: object, feature: str) -> Coordinates:
    """Return an (n, 2) array for an Esri curve path: positions and ``{"c": …}``, ``{"a": …}``, ``{"b": …}``.

    Raises
    ------
    GeometryRefused
        ``unsupported_geometry`` for a kind of curve that is not known; ``bad_coordinates`` for broken ones.
    """
    if not isinstance(values, Sequence) or isinstance(values, str) or not values or isinstance(values[0], dict):
        raise bad(feature, values)
    path = positions([values[0]], feature)
    for value in values[1:]:
        following = _curve(path[-1], value, feature) if isinstance(value, dict) else positions([value], feature)
        path = np.vstack([path, following])
    return path


def _curve(start: Coordinates, curve: dict[str, object], feature: str) -> Coordinates:
    for key, build in (("c", _three_point_arc), ("b", _bezier), ("a", _centred_arc)):
        if key in curve:
            definition = curve[key]
            if not isinstance(definition, list) or len(definition) < 2:
                raise bad(feature, definition)
            return build(start, definition, feature)
    raise GeometryRefused(
        f"Feature {feature} holds a kind of curve that is not known; densify it before export.",
        code="unsupported_geometry",
        feature=feature,
    )


def _three_point_arc(start: Coordinates, definition: list[object], feature: str) -> Coordinates:
    """An arc from the start over an interior position to an end; straight when the three are in line."""
    end, middle = positions(definition[:2], feature)
    centre = _centre(start, middle, end)
    if centre is None:
        return np.vstack([middle, end])
    first, over, last = (math.atan2(*(p - centre)[::-1]) for p in (start, middle, end))
    turn = (last - first) % math.tau
    if (over - first) % math.tau > turn:
        turn -= math.tau
    return _arc(centre, start, end, turn)


def _centre(a: Coordinates, b: Coordinates, c: Coordinates) -> Coordinates | None:
    ab, ac = b - a, c - a
    twice_area = 2.0 * (ab[0] * ac[1] - ab[1] * ac[0])
    if abs(twice_area) < 1e-9 * max(1.0, float(ab @ ab), float(ac @ ac)):
        return None
    x = (ac[1] * (ab @ ab) - ab[1] * (ac @ ac)) / twice_area
    y = (ab[0] * (ac @ ac) - ac[0] * (ab @ ab)) / twice_area
    centre: Coordinates = a + np.array([x, y])
    return centre


def _arc(centre: Coordinates, start: Coordinates, end: Coordinates, turn: float) -> Coordinates:
    radius = float(np.hypot(*(start - centre)))
    first = math.atan2(*(start - centre)[::-1])
    steps = max(2, math.ceil(abs(turn) / _STEP))
    angles = first + np.linspace(0.0, turn, steps + 1)[1:]
    path = centre + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    path[-1] = end
    return path


def _bezier(start: Coordinates, definition: list[object], feature: str) -> Coordinates:
    if len(definition) < 3:
        raise bad(feature, definition)
    end, one, two = positions(definition[:3], feature)
    t = np.linspace(0.0, 1.0, _BEZIER_STEPS + 1)[1:, None]
    path: Coordinates = (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * one + 3 * (1 - t) * t**2 * two + t**3 * end
    return path


def _centred_arc(start: Coordinates, definition: list[object], feature: str) -> Coordinates:
    """``[end, centre, minor, clockwise]`` is a circular arc; with rotation, axis and ratio it is elliptic."""
    end, centre = positions(definition[:2], feature)
    ratio = definition[6] if len(definition) > 6 else 1.0
    if not isinstance(ratio, int | float) or abs(ratio - 1.0) > 1e-9 or len(definition) < 4:
        raise GeometryRefused(
            f"Feature {feature} holds an elliptic arc; densify it before export.",
            code="unsupported_geometry",
            feature=feature,
        )
    first, last = (math.atan2(*(p - centre)[::-1]) for p in (start, end))
    turn = (last - first) % math.tau or math.tau
    clockwise = definition[3] in (1, True)
    return _arc(centre, start, end, turn - math.tau if clockwise else turn)

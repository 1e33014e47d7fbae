"""Reading: Esri JSON whose positions are steps on a grid (``transform``), put back into coordinates.

What an ArcGIS server answers when asked with ``quantizationParameters``: the first position of a ring or path
counts steps from the origin, each one after it from the one before. Read as numbers it would be another place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial.errors import FormatRefused, GeometryRefused
from spatial.read.json_text import JsonObject
from spatial.read.positions import Coordinates, bad, positions

_LISTS = ("rings", "paths")
_CURVES = ("curveRings", "curvePaths")


@dataclass(frozen=True, slots=True)
class Steps:
    """A grid: where it begins, and one step east and north, in units of the file's coordinate system."""

    origin: tuple[float, float]
    step: tuple[float, float]

    def place(self, counted: Coordinates) -> list[list[float]]:
        """Return positions counted in whole steps from the origin, as coordinates."""
        coordinates: list[list[float]] = (np.array(self.origin) + counted * np.array(self.step)).tolist()
        return coordinates


def steps_of(document: JsonObject) -> Steps | None:
    """Return the grid a feature set states; None when its coordinates are plain.

    Raises
    ------
    FormatRefused
        ``bad_json``: it states one that does not say where the grid begins or how wide its steps are.
    """
    stated = document.get("transform")
    if stated is None:
        return None
    if isinstance(stated, Mapping):
        corner, scale, origin = (
            stated.get("originPosition"),
            _pair(stated.get("scale")),
            _pair(stated.get("translate")),
        )
        if corner in ("upperLeft", "lowerLeft") and scale and origin and min(scale) > 0:
            return Steps(origin, (scale[0], -scale[1] if corner == "upperLeft" else scale[1]))
    raise FormatRefused(
        "The Esri JSON gives its coordinates as steps on a grid ('transform') and does not say which grid; "
        "export it without quantization.",
        code="bad_json",
    )


def _pair(value: object) -> tuple[float, float] | None:
    """Return the first two numbers of a list (a third is of heights); None for anything else."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) < 2:
        return None
    pair = [v for v in value[:2] if isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v)]
    return (float(pair[0]), float(pair[1])) if len(pair) == 2 else None


def placed(geometry: JsonObject, steps: Steps, feature: str) -> JsonObject:
    """Return an Esri geometry counted in steps as one in coordinates; its other members as they are.

    Raises
    ------
    GeometryRefused
        ``bad_coordinates``: a step is no whole number; ``unsupported_geometry``: it has curves, whose steps no
        document defines.
    """
    if any(name in geometry for name in _CURVES):
        raise GeometryRefused(
            f"Feature {feature} has true curves on a grid of steps; export it without quantization.",
            code="unsupported_geometry",
            feature=feature,
        )
    told: dict[str, Any] = dict(geometry)
    for name in _LISTS:
        if name in geometry:
            told[name] = [_path(path, steps, feature) for path in _listed(geometry[name], feature)]
    if "points" in geometry:
        told["points"] = _path(geometry["points"], steps, feature)
    if geometry.get("x") not in (None, "NaN"):
        ((told["x"], told["y"]),) = _path([[geometry["x"], geometry.get("y")]], steps, feature)
    return told


def _listed(value: object, feature: str) -> Sequence[object]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise bad(feature, value)
    return value


def _path(path: object, steps: Steps, feature: str) -> list[list[float]]:
    counted = positions(path, feature)
    if (counted != np.round(counted)).any():
        raise GeometryRefused(
            f"Feature {feature} has a position that is no whole number of steps on the grid the file states; "
            "export it without quantization.",
            code="bad_coordinates",
            feature=feature,
        )
    return steps.place(np.cumsum(counted, axis=0))

"""Normalise: what each feature is for, by its ``role`` and ``activity``, and which of its shapes count for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import shapely
from shapely import LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from spatial.errors import GeometryRefused, ParameterRefused
from spatial.model import Note, Reading, Role, SourceFeature
from spatial.read.raw import Purpose

ROLES: tuple[Role, ...] = ("disturbance", "delineation", "tree", "mitigation")
ACTIVITIES = (
    "grading",
    "clearing",
    "building",
    "paving",
    "storage",
    "tree_removal",
    "excavation",
    "filling",
    "stockpiling",
    "demolition",
    "utilities",
    "landscaping",
)
_SHOWN_ONE_BY_ONE = 10


@dataclass(frozen=True, slots=True, eq=False)
class Sorted:
    """A feature with the shapes that count for its role, still in the file's system."""

    source: SourceFeature
    geometry: BaseGeometry
    role: Role
    activity: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The features that count, and notes on what does not."""

    features: tuple[Sorted, ...]
    notes: tuple[Note, ...]


def sort_kinds(reading: Reading, purpose: Purpose) -> Kinds:
    """Return the features that count with role and activity; null shapes and other kinds of shape are told.

    Raises
    ------
    GeometryRefused
        ``no_polygon`` when a site has none.
    ParameterRefused
        ``bad_parameter`` for an unknown role.
    """
    kept: list[Sorted] = []
    notes = _Notes()
    for feature in reading.features:
        found = _sorted(feature, purpose, notes)
        if found is not None:
            kept.append(found)
    _check_any(kept, purpose, reading)
    return Kinds(tuple(kept), notes.told())


def _sorted(feature: SourceFeature, purpose: Purpose, notes: _Notes) -> Sorted | None:
    if feature.geometry is None or feature.geometry.is_empty:
        notes.null.append(feature.id)
        return None
    activity = _activity(feature, notes)
    role = _role(feature, activity, purpose)
    parts = _simple_parts(feature.geometry)
    wanted = _countable(role, activity, parts)
    notes.skip(feature.id, [p.geom_type for p in parts if not any(p is w for w in wanted)])
    if not wanted:
        return None
    return Sorted(feature, _joined(wanted), _final_role(role, wanted), activity)


def _attribute(feature: SourceFeature, name: str) -> str | None:
    for key, value in feature.attributes.items():
        if key.strip().lower() == name and value is not None and str(value).strip():
            return str(value).strip().lower().replace(" ", "_").replace("-", "_")
    return None


def _role(feature: SourceFeature, activity: str | None, purpose: Purpose) -> Role:
    word = _attribute(feature, "role")
    if word is None:
        is_tree = purpose == "trees" and feature.geometry is not None and "Point" in feature.geometry.geom_type
        return "tree" if is_tree or activity == "tree" else "disturbance"
    for role in ROLES:
        if word in (role, f"{role}s"):
            return role
    raise ParameterRefused(
        f"Feature {feature.id} has the role {word[:40]!r}; the roles known are {', '.join(ROLES)}.",
        feature=feature.id,
    )


def _activity(feature: SourceFeature, notes: _Notes) -> str | None:
    word = _attribute(feature, "activity")
    if word is not None and word not in ACTIVITIES:
        notes.unknown_activity(feature.id, word)
    return word


def _simple_parts(geometry: BaseGeometry) -> list[BaseGeometry]:
    """Return the points, lines and polygons of a geometry, collections in collections opened."""
    if geometry.geom_type != "GeometryCollection":
        return [part for part in shapely.get_parts(geometry).tolist() if not part.is_empty]
    return [simple for part in shapely.get_parts(geometry).tolist() for simple in _simple_parts(part)]


def _countable(role: Role, activity: str | None, parts: Sequence[BaseGeometry]) -> list[BaseGeometry]:
    """Return the parts that count: polygons; points of trees when there is no polygon; lines of a delineation."""
    polygons = [p for p in parts if p.geom_type == "Polygon"]
    if polygons or role == "mitigation":
        return polygons
    if role == "delineation":
        return [p for p in parts if p.geom_type in ("LineString", "LinearRing")]
    if role == "tree" or activity == "tree_removal":
        return [p for p in parts if p.geom_type == "Point"]
    return []


def _joined(parts: list[BaseGeometry]) -> BaseGeometry:
    """Return parts of one kind as one geometry."""
    if len(parts) == 1:
        return parts[0]
    polygons = [p for p in parts if isinstance(p, Polygon)]
    points = [p for p in parts if isinstance(p, Point)]
    lines = [p for p in parts if isinstance(p, LineString)]
    return MultiPolygon(polygons) if polygons else MultiPoint(points) if points else MultiLineString(lines)


def _final_role(role: Role, parts: Sequence[BaseGeometry]) -> Role:
    """A point whose activity is tree removal is a tree; a polygon of it is disturbance."""
    return "tree" if role == "disturbance" and parts[0].geom_type == "Point" else role


def _check_any(kept: Sequence[Sorted], purpose: Purpose, reading: Reading) -> None:
    if purpose == "trees":
        if not kept:
            raise GeometryRefused("The file holds no trees; send them as points.", code="no_geometry")
        return
    if not any(f.role == "disturbance" for f in kept):
        kinds = sorted({f.geometry.geom_type for f in reading.features if f.geometry is not None})
        raise GeometryRefused(
            f"The file holds no polygon of the work, only {', '.join(kinds)}; draw the limit of work as a polygon "
            "(in a drawing, as a closed polyline).",
            code="no_polygon",
        )


class _Notes:
    """What was left out, gathered and summed up so that a drawing of thousands of lines stays readable."""

    def __init__(self) -> None:
        self.null: list[str] = []
        self._skipped: list[tuple[str, str]] = []
        self._activities: dict[str, list[str]] = {}

    def skip(self, feature: str, kinds: Sequence[str]) -> None:
        for kind in dict.fromkeys(kinds):
            self._skipped.append((feature, kind))

    def unknown_activity(self, feature: str, word: str) -> None:
        self._activities.setdefault(word, []).append(feature)

    def told(self) -> tuple[Note, ...]:
        return (*self._null(), *self._non_polygons(), *self._unknown())

    def _null(self) -> list[Note]:
        shown = [
            Note("null_geometry_skipped", f"Feature {f} has no geometry and was skipped.", f) for f in self.null
        ]
        return _summed(shown, "null_geometry_skipped", "more features without geometry were skipped")

    def _non_polygons(self) -> list[Note]:
        notes = [
            Note("non_polygon_skipped", f"A {kind} of feature {feature} is no polygon and was skipped.", feature)
            for feature, kind in self._skipped
        ]
        return _summed(notes, "non_polygon_skipped", "more points or lines were skipped")

    def _unknown(self) -> list[Note]:
        return [
            Note(
                "activity_unknown",
                f"The activity {word[:40]!r} of {len(features)} feature(s) is not one that is known; it is kept "
                "and counts as grading and clearing both.",
                features[0],
            )
            for word, features in self._activities.items()
        ]


def _summed(notes: list[Note], code: str, rest: str) -> list[Note]:
    if len(notes) <= _SHOWN_ONE_BY_ONE:
        return notes
    return [*notes[:_SHOWN_ONE_BY_ONE], Note(code, f"{len(notes) - _SHOWN_ONE_BY_ONE} {rest}.")]

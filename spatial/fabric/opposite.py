"""Measure: which parcels lie directly opposite a lot on a way. Pure, no law.

Every stretch of a lot's frontage looks straight across the way it fronts on; the parcels that close that view are
opposite. Where a curved frontage bends outward the view fans out, so that no lot hides between two normals; at a
corner sharper than ``FAN_DEGREES`` it does not: the lot on the far corner of a crossing is near, not opposite.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from spatial.fabric import ParcelFabric
from spatial.fabric.ways import Ways, frontage, segments_of, unit_normals
from spatial.model import Area, Geometries
from spatial.units import m_from_ft

FAN_DEGREES = 45.0
"""A bend of the frontage up to this is a curve of the street, a sharper one a corner of the lot."""

SMOOTH_M = 0.02
"""Vertices of a frontage that bend it by less than this are one straight stretch."""

GRAZED_SQM = 0.01
"""A lot that enters a view by less than this only touches its edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Opposite:
    """Rows of the fabric directly opposite; ``unseen_ft`` the frontage from which no far side was found.

    ``looked_over`` is the ground of the ways in view, as far as it goes unbroken from the frontage.
    """

    rows: NDArray[np.int64]
    unseen_ft: float
    looked_over: BaseGeometry = field(default_factory=Polygon)


def directly_opposite(subject: Area, fabric: ParcelFabric, ways: Ways) -> Opposite:
    """Return the parcels across the ways a lot fronts on, straight over, whatever the width of the way.

    Parameters
    ----------
    subject
        The lot or lots, EPSG:26986.
    ways
        Found with the reach within which a far side is looked for (see :func:`spatial.fabric.ways.ways_near`).

    Returns
    -------
    Opposite
        Rows sorted, without ways that are drawn as parcels; none for a lot without frontage.
    """
    views = _views(subject, ways)
    if not len(views):
        return Opposite(np.empty(0, np.int64), 0.0)
    open_ground = np.asarray([_in_front(view, sill, ways) for view, sill in views], dtype=object)
    quads = np.asarray([view for view, _ in views], dtype=object)
    seen, rows = _closing(quads, open_ground, fabric, ways)
    blind = np.setdiff1d(np.flatnonzero(~shapely.is_empty(open_ground)), seen)
    unseen_m = sum(views[i][1].length for i in blind.tolist())
    return Opposite(np.unique(rows), unseen_m / m_from_ft(1.0), shapely.union_all(open_ground))


def _views(subject: Area, ways: Ways) -> list[tuple[Polygon, LineString]]:
    """Return a strip of view for each straight stretch of frontage and a fan for each gentle outward bend."""
    stretches = segments_of(frontage(subject, ways).simplify(SMOOTH_M))
    if not len(stretches):
        return []
    ends = shapely.get_coordinates(stretches).reshape(-1, 2, 2)
    out = _outward(stretches, subject) * m_from_ft(ways.reach_ft)
    strips = [_strip(a, b, o, o) for (a, b), o in zip(ends, out, strict=True)]
    fans = [
        _strip(ends[i, 1], ends[i + 1, 0], out[i], out[i + 1])
        for i in range(len(ends) - 1)
        if np.array_equal(ends[i, 1], ends[i + 1, 0]) and _bends_gently(out[i], out[i + 1])
    ]
    return strips + [f for f in fans if f[0].area > 0.0]


def _strip(
    a: NDArray[np.float64], b: NDArray[np.float64], far_a: NDArray[np.float64], far_b: NDArray[np.float64]
) -> tuple[Polygon, LineString]:
    return Polygon([a, b, b + far_b, a + far_a]), LineString([a, b])


def _bends_gently(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    cosine = float(np.dot(one, other) / (np.hypot(*one) * np.hypot(*other)))
    return bool(1e-9 < np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))) <= FAN_DEGREES)


def _outward(stretches: Geometries, subject: Area) -> NDArray[np.float64]:
    normals = unit_normals(stretches)
    middle = shapely.get_coordinates(stretches).reshape(-1, 2, 2).mean(axis=1)
    inside = shapely.contains_xy(subject, middle + 0.05 * normals)
    return normals * np.where(inside, -1.0, 1.0)[:, None]


def _in_front(view: Polygon, sill: LineString, ways: Ways) -> BaseGeometry:
    """Return the way in a view as far as it goes unbroken from the frontage."""
    parts = np.asarray(shapely.get_parts(shapely.intersection(view, ways.ground)))
    areas = parts[shapely.get_dimensions(parts) == 2]
    return shapely.union_all(areas[shapely.distance(areas, sill) <= m_from_ft(ways.accuracy_ft)])


def _closing(
    quads: Geometries, open_ground: Geometries, fabric: ParcelFabric, ways: Ways
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (view, parcel row) for every parcel that reaches into a view and borders the way in it."""
    view, piece = fabric.tree.query(quads, predicate="intersects")
    land = ~fabric.is_of(fabric.parent[piece], ways.types)
    view, piece = view[land], piece[land]
    rim = shapely.buffer(open_ground, m_from_ft(max(ways.accuracy_ft, 0.1)), quad_segs=2)
    reached = shapely.intersection(shapely.intersection(fabric.pieces[piece], quads[view]), rim[view])
    real = shapely.area(reached) > GRAZED_SQM
    return view[real], fabric.parent[piece][real]

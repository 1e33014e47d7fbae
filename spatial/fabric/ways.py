"""Measure: where the ways near a lot run, and what lies across them. Pure, no law.

Level 3 parcels draw few public ways: most are the ground no parcel covers. So a way is a ROW, PRIV_ROW or RAIL_ROW
polygon, or a gap between parcels wider than the parcels' accuracy; road centrelines, when given, tell which gaps
carry a road and which are perhaps a pond or a piece of the map that is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiLineString
from shapely.geometry.base import BaseGeometry

from spatial.fabric import ParcelFabric
from spatial.model import WAY_TYPES, Area, Geometries
from spatial.units import m_from_ft

WayKind = Literal["ROW", "PRIV_ROW", "RAIL_ROW", "WATER", "gap", "gap_without_road"]
WAYS_AND_WATER = WAY_TYPES | {"WATER"}
"""Parcel types one looks across where a law names owners opposite over water too."""
SLIGHT_FT = 0.05
"""A line of sight this near the edge of a way may only run along it; then the whole strip of sight is looked at."""

LEAST_SQM = 0.01
"""Gaps smaller than this are dust of the overlay; GEOS may turn their negative buffer into the whole window."""


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The ways near a lot: one polygon a row, its kind, and the LOC_ID it has (None for a gap).

    ``drawn`` is the union of the mapped ways, ``gaps`` that of the gaps which count; ``ground`` is all of them,
    gaps without a road too; none of the three has the lot itself. ``accuracy_ft`` is the width below which a gap
    is taken for a flaw of digitising; ``centreline`` the road lines nearby, None when no road layer was given;
    ``types`` the parcel types that were taken for ways.
    """

    polygons: Geometries
    kinds: NDArray[np.object_]
    loc_ids: NDArray[np.object_]
    drawn: BaseGeometry
    gaps: BaseGeometry
    ground: BaseGeometry
    accuracy_ft: float
    reach_ft: float
    centreline: BaseGeometry | None = None
    types: frozenset[str] = WAY_TYPES

    def __len__(self) -> int:
        return len(self.polygons)

    def of_kind(self, *kinds: WayKind) -> Geometries:
        """Return the polygons of some kinds; empty when there is none."""
        return self.polygons[np.isin(self.kinds.astype(str), kinds)]


def ways_near(
    subject: Area,
    fabric: ParcelFabric,
    *,
    reach_ft: float = 300.0,
    roads: Geometries | None = None,
    types: frozenset[str] = WAY_TYPES,
) -> Ways:
    """Return the ways at most ``reach_ft`` from a lot, cut to that neighbourhood.

    Slivers between parcels are opened away first: shrunk by half the accuracy and grown again.

    Parameters
    ----------
    subject
        The lot or lots, EPSG:26986.
    roads
        Road centrelines, EPSG:26986. None: every gap counts as a way. Given: a gap that no road runs through
        is kept as ``gap_without_road``.
    types
        Parcel types that count as ways; ``WAYS_AND_WATER`` where one looks across water too.
    """
    window = shapely.box(*shapely.buffer(shapely.box(*subject.bounds), m_from_ft(reach_ft)).bounds)
    inside = fabric.tree.query(window, predicate="intersects")
    pieces, parent = fabric.pieces[inside], fabric.parent[inside]
    accuracy_ft = float(fabric.accuracy_ft[parent].max()) if len(parent) else 0.0
    way = fabric.is_of(parent, types)
    centreline = _centreline(window, roads)
    # Cut before uniting: a union may have a hole of 1e-10 m2, and GEOS then overlays a window inside it wrongly.
    cut = _cut(np.concatenate([pieces, np.array([subject], dtype=object)]), window)
    mapped = _mapped(fabric, parent[way], cut[:-1][way])
    covered = shapely.union_all(cut)
    gaps = _gaps(window, covered, accuracy_ft, centreline)
    ground = shapely.difference(shapely.union_all(np.concatenate([mapped[0], gaps[0]])), subject)
    shapely.prepare(ground)
    return Ways(
        polygons=np.concatenate([mapped[0], gaps[0]]),
        kinds=np.concatenate([mapped[1], gaps[1]]),
        loc_ids=np.concatenate([mapped[2], np.full(len(gaps[0]), None, dtype=object)]),
        drawn=shapely.difference(shapely.union_all(mapped[0]), subject),
        gaps=shapely.union_all(gaps[0][gaps[1] == "gap"]),
        ground=ground,
        accuracy_ft=accuracy_ft,
        reach_ft=reach_ft,
        centreline=centreline,
        types=types,
    )


def _cut(shapes: Geometries, window: Area) -> Geometries:
    """Return the shapes cut to a box; those that lie inside it are passed through untouched."""
    low, high = np.array(window.bounds[:2]), np.array(window.bounds[2:])
    bounds = shapely.bounds(shapes)
    across = ((bounds[:, :2] < low) | (bounds[:, 2:] > high)).any(axis=1)
    out = shapes.copy()
    out[across] = shapely.intersection(shapes[across], window)
    return out


def _centreline(window: Area, roads: Geometries | None) -> BaseGeometry | None:
    if roads is None:
        return None
    return shapely.union_all(shapely.intersection(roads[shapely.intersects(roads, window)], window))


def _mapped(
    fabric: ParcelFabric, rows: NDArray[np.int64], pieces: Geometries
) -> tuple[Geometries, NDArray[np.object_], NDArray[np.object_]]:
    names = np.unique(rows)
    whole = np.empty(len(names), dtype=object)
    for i, row in enumerate(names):
        whole[i] = shapely.union_all(pieces[rows == row])
    return whole, fabric.poly_type[names], fabric.ids[names]


def _gaps(
    window: Area, covered: BaseGeometry, accuracy_ft: float, centreline: BaseGeometry | None
) -> tuple[Geometries, NDArray[np.object_]]:
    half_m = m_from_ft(accuracy_ft) / 2.0
    bare = np.asarray(shapely.get_parts(shapely.difference(window, covered)))
    bare = bare[shapely.area(bare) > max(np.pi * half_m**2, LEAST_SQM)]
    core = shapely.buffer(bare, -half_m, join_style="mitre")
    opened = shapely.intersection(shapely.buffer(core, half_m, join_style="mitre"), bare)
    wide = np.asarray(shapely.get_parts(shapely.union_all(opened)))
    kinds = np.full(len(wide), "gap", dtype=object)
    if centreline is not None:
        kinds[~shapely.intersects(wide, centreline)] = "gap_without_road"
    return wide, kinds


def across_way(subject: Area, parcel: BaseGeometry, ways: Ways) -> bool:
    """Tell whether the shortest way from a lot to a parcel crosses a way. False when they touch.

    A mapped way counts however narrow; a gap counts only where it is wider than the parcels' accuracy.
    """
    ends = np.array([subject, parcel], dtype=object)
    return bool(across_ways(ends[:1], ends[1:], ways)[0])


def across_ways(subjects: Geometries, parcels: Geometries, ways: Ways) -> NDArray[np.bool_]:
    """Tell it of many pairs at once (see :func:`across_way`); an empty array for none.

    Parameters
    ----------
    subjects
        For each parcel the lot, or the piece of it that is nearest.
    """
    if not len(parcels):
        return np.empty(0, dtype=bool)
    lines = np.asarray(shapely.shortest_line(subjects, parcels), dtype=object)
    surely = _crosses(lines, ways, -SLIGHT_FT)
    perhaps = _crosses(lines, ways, 0.0)
    for i in np.flatnonzero(surely != perhaps):
        surely[i] = _sees_across(subjects[i], parcels[i], ways)
    return surely


def _crosses(lines: Geometries, ways: Ways, grown_ft: float) -> NDArray[np.bool_]:
    drawn = shapely.buffer(ways.drawn, m_from_ft(grown_ft), quad_segs=1) if grown_ft else ways.drawn
    gaps = shapely.buffer(ways.gaps, m_from_ft(grown_ft), quad_segs=1) if grown_ft else ways.gaps
    narrowest_m = m_from_ft(max(ways.accuracy_ft + 2.0 * grown_ft, 0.0))
    crossed = _lengths_inside(lines, drawn) > 0.0
    crossed |= _lengths_inside(lines, gaps) > narrowest_m
    if ways.centreline is not None:
        crossed |= shapely.crosses(lines, ways.centreline)
    return np.asarray(crossed)


def _lengths_inside(lines: Geometries, ground: BaseGeometry) -> NDArray[np.float64]:
    """Return how much of each line lies in some ground; only lines that meet it are overlaid."""
    shapely.prepare(ground)
    inside = np.zeros(len(lines))
    met = shapely.intersects(ground, lines)
    inside[met] = shapely.length(shapely.intersection(lines[met], ground))
    return inside


def _sees_across(subject: BaseGeometry, parcel: BaseGeometry, ways: Ways) -> bool:
    """Tell whether most of the strip between two parallel sides is way."""
    reach_m = subject.distance(parcel) + m_from_ft(1.0)
    near = shapely.intersection(subject, shapely.buffer(parcel, reach_m))
    far = shapely.intersection(parcel, shapely.buffer(subject, reach_m))
    strip = shapely.convex_hull(near.union(far)).difference(subject).difference(parcel)
    way = ways.drawn.union(ways.gaps)
    return bool(strip.intersection(way).area > strip.area / 2.0)


def frontage(subject: Area, ways: Ways) -> MultiLineString:
    """Return the parts of a lot's boundary that lie along a way; empty when the lot is landlocked.

    A stretch fronts a way when the ground just outside it, one accuracy and a foot away, is way.
    """
    reach_m = m_from_ft(ways.accuracy_ft)
    along = shapely.intersection(subject.boundary, shapely.buffer(ways.ground, reach_m, quad_segs=4))
    segments = segments_of(along)
    if not len(segments):
        return MultiLineString()
    probes = outward_probes(segments, subject, reach_m + m_from_ft(1.0))
    kept = segments[shapely.intersects(ways.ground, probes)]
    merged = shapely.line_merge(MultiLineString(list(kept)))
    return MultiLineString([p for p in shapely.get_parts(merged) if isinstance(p, LineString)])


def segments_of(lines: BaseGeometry) -> Geometries:
    """Return the straight segments of some lines, in order; points and empties give none."""
    parts = [p for p in shapely.get_parts(lines) if isinstance(p, LineString) and p.length > 0.0]
    pairs = [np.stack([xy[:-1], xy[1:]], axis=1) for xy in (shapely.get_coordinates(p) for p in parts)]
    if not pairs:
        return np.empty(0, dtype=object)
    made = np.asarray(shapely.linestrings(np.concatenate(pairs)))
    return np.asarray(made[shapely.length(made) > 0.0])


def outward_probes(segments: Geometries, subject: Area, distance_m: float) -> Geometries:
    """Return a point beside the middle of each boundary segment, on the side away from the lot."""
    ends = shapely.get_coordinates(segments).reshape(-1, 2, 2)
    middle = ends.mean(axis=1)
    side = unit_normals(segments) * min(0.01, distance_m)
    inside = shapely.contains_xy(subject, middle + side)
    sign = np.where(inside, -1.0, 1.0)[:, None]
    return np.asarray(shapely.points(middle + unit_normals(segments) * sign * distance_m))


def unit_normals(segments: Geometries) -> NDArray[np.float64]:
    """Return the unit vector to the right of each segment, shape (n, 2)."""
    ends = shapely.get_coordinates(segments).reshape(-1, 2, 2)
    along = ends[:, 1] - ends[:, 0]
    right = np.column_stack([along[:, 1], -along[:, 0]])
    return right / np.hypot(right[:, 0], right[:, 1])[:, None]

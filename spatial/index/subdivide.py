"""Stage index, made beforehand: features cut small, so that no request meets a 100,000-vertex polygon.

Pieces carry the row of the feature they came from. Edges are the real boundary of polygons and nothing else: a
distance from inside a feature to its edge must never be the distance to a cut. Knows no layer and no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from spatial.dust import all_without_dust
from spatial.errors import Internal
from spatial.model import Geometries, Kind, Pieces

MAX_VERTICES = 256
EDGE_VERTICES = 64
"""Vertices in a piece of boundary: distances go over all of them, so they are cut smaller than areas."""

AREA_TOLERANCE = 1e-9
"""Largest relative difference between a polygon's area and the sum of its pieces."""

_DIMENSION = {"point": 0, "line": 1, "polygon": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Features cut small. ``edges`` is empty but for polygons."""

    pieces: Pieces
    edges: Pieces


def prepare(geometry: Geometries, kind: Kind, *, max_vertices: int = MAX_VERTICES) -> Prepared:
    """Return the same ground in pieces of at most ``max_vertices`` vertices, with the polygons' real boundaries.

    Holes of no size are filled first: they would empty overlays with the pieces.

    Parameters
    ----------
    geometry
        Valid features in EPSG:26986, one a row, single or multi-part; empty and None give no piece.
    kind
        What the features are; a part of another dimension is refused.
    max_vertices
        At least 16.

    Raises
    ------
    Internal
        A part is not of this kind or not valid, or the pieces' areas do not add up to the feature's.

    Examples
    --------
    >>> prepared = prepare(np.array([shapely.Point(0, 0).buffer(50, quad_segs=1000), None]), "polygon")
    >>> len(prepared.pieces.geometry) > 8, set(prepared.pieces.parent.tolist())
    (True, {0})
    """
    geometry, _ = all_without_dust(geometry)
    parts, parent = shapely.get_parts(geometry, return_index=True)
    drawn = ~shapely.is_empty(parts)
    parts, parent = parts[drawn], parent[drawn]
    _check_parts(parts, parent, kind)
    if kind == "point":
        return Prepared(Pieces(parts, parent.astype(np.int64)), _none())
    if kind == "line":
        return Prepared(_chopped(parts, parent, max_vertices), _none())
    pieces = _cut(parts, parent, max_vertices)
    _check_areas(geometry, pieces)
    rings, ring_part = shapely.get_rings(parts, return_index=True)
    return Prepared(pieces, _chopped(rings, parent[ring_part], EDGE_VERTICES))


def cut_small(geometry: BaseGeometry, max_vertices: int = MAX_VERTICES) -> list[BaseGeometry]:
    """Return a polygon or multipolygon as valid polygons of at most ``max_vertices``; empty gives none."""
    waiting = list(_polygons(geometry))
    done: list[BaseGeometry] = []
    while waiting:
        polygon = waiting.pop()
        if shapely.get_num_coordinates(polygon) <= max_vertices:
            done.append(polygon)
        else:
            waiting.extend(_halves(polygon))
    return done


def clipped(geometry: BaseGeometry, bounds: tuple[float, float, float, float]) -> BaseGeometry:
    """Return the part of a polygon or line inside a box; fast where the fast way is valid, exact everywhere."""
    try:
        fast = shapely.clip_by_rect(geometry, *bounds)
    except shapely.errors.GEOSException:
        # the fast way can leave a ring of three points, two of them one, and refuses its own work
        return shapely.intersection(geometry, shapely.box(*bounds))
    if shapely.is_valid(fast):
        return fast
    return shapely.intersection(geometry, shapely.box(*bounds))


def clipped_all(features: Geometries, bounds: tuple[float, float, float, float]) -> Geometries:
    """Return the parts of many features inside a box, as ``clipped`` does one; what lies outside is left out."""
    try:
        inside = shapely.clip_by_rect(features, *bounds)
    except shapely.errors.GEOSException:
        # one feature the fast way fails on fails them all; each by itself falls back alone
        inside = np.array([clipped(feature, bounds) for feature in features], dtype=object)
    bad = np.flatnonzero(~shapely.is_valid(inside))
    inside[bad] = shapely.intersection(features[bad], shapely.box(*bounds))
    return np.asarray(inside[~shapely.is_empty(inside)])


def _none() -> Pieces:
    return Pieces(np.empty(0, dtype=object), np.empty(0, dtype=np.int64))


def _check_parts(parts: Geometries, parent: NDArray[np.int64], kind: Kind) -> None:
    wrong = shapely.get_dimensions(parts) != _DIMENSION[kind]
    if wrong.any():
        found = parts[wrong][0].geom_type
        raise Internal(f"A {found} stands in a layer of {kind}s; normalise the layer before it is cut.")
    crossed = ~shapely.is_valid(parts)
    if crossed.any():
        reason = shapely.is_valid_reason(parts[crossed][0])
        raise Internal(f"Feature {parent[crossed][0]} is not valid ({reason}); repair it before it is cut.")


def _check_areas(geometry: Geometries, pieces: Pieces) -> None:
    whole = shapely.area(geometry)
    summed = np.bincount(pieces.parent, weights=shapely.area(pieces.geometry), minlength=len(geometry))
    off = np.abs(summed - np.nan_to_num(whole)) > AREA_TOLERANCE * np.nan_to_num(whole) + 1e-6
    if off.any():
        row = int(np.flatnonzero(off)[0])
        raise Internal(f"Feature {row} has {whole[row]} square metres, its pieces {summed[row]}; repair it first.")


def _cut(parts: Geometries, parent: NDArray[np.int64], max_vertices: int) -> Pieces:
    big = shapely.get_num_coordinates(parts) > max_vertices
    cut = [cut_small(part, max_vertices) for part in parts[big]]
    geometry = np.array([*parts[~big], *(piece for pieces in cut for piece in pieces)], dtype=object)
    rows = np.concatenate([parent[~big], np.repeat(parent[big], [len(pieces) for pieces in cut])])
    order = np.argsort(rows, kind="stable")
    return Pieces(geometry[order], rows[order].astype(np.int64))


def _polygons(geometry: BaseGeometry) -> Iterator[BaseGeometry]:
    """Yield the polygons of anything; a cut may leave lines and points where it only touched."""
    for part in shapely.get_parts(shapely.get_parts(geometry)):
        if part.geom_type == "Polygon" and not part.is_empty:
            yield part


def _halves(polygon: BaseGeometry) -> Iterator[BaseGeometry]:
    """Yield the polygons on both sides of the median vertex across the longer side of the bounds."""
    west, south, east, north = polygon.bounds
    xy = shapely.get_coordinates(polygon)
    if east - west >= north - south:
        middle = _between(float(np.median(xy[:, 0])), west, east)
        boxes = ((west, south, middle, north), (middle, south, east, north))
    else:
        middle = _between(float(np.median(xy[:, 1])), south, north)
        boxes = ((west, south, east, middle), (west, middle, east, north))
    halves = [clipped(polygon, box) for box in boxes]
    whole = polygon.area
    if not _sound(halves, whole):
        halves = [shapely.intersection(polygon, shapely.box(*box)) for box in boxes]
    for half in halves:
        yield from _polygons(half)


def _between(median: float, low: float, high: float) -> float:
    """Keep a cut off the ends, where one half would be the whole again."""
    tenth = (high - low) / 10.0
    return min(max(median, low + tenth), high - tenth)


def _sound(halves: list[BaseGeometry], whole: float) -> bool:
    both = sum(half.area for half in halves)
    return abs(both - whole) <= AREA_TOLERANCE * whole / 10.0 and all(half.is_valid for half in halves)


def _chopped(lines: Geometries, parent: NDArray[np.int64], max_vertices: int) -> Pieces:
    """Return lines and rings as runs of at most ``max_vertices``, each run beginning where the last one ended."""
    xy, line = shapely.get_coordinates(lines, return_index=True)
    if len(line) == 0:
        return _none()
    counts = np.bincount(line, minlength=len(lines))
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    place = np.arange(len(line)) - starts[line]
    step = max_vertices - 1
    run_of_line = np.maximum((counts - 2) // step + 1, 1)
    first_run = np.concatenate([[0], np.cumsum(run_of_line)[:-1]])
    run = first_run[line] + np.minimum(place // step, run_of_line[line] - 1)
    shared = (place % step == 0) & (place > 0) & (place // step < run_of_line[line])
    xy = np.concatenate([xy, xy[shared]])
    run = np.concatenate([run, run[shared] - 1])
    place = np.concatenate([place, place[shared]])
    order = np.lexsort((place, run))
    runs = shapely.linestrings(xy[order], indices=run[order])
    return Pieces(np.atleast_1d(np.asarray(runs, dtype=object)), np.repeat(parent, run_of_line).astype(np.int64))

"""Measure: the yards of a lot and what is left to build on, from classed lot lines and a district's depths. Pure.

A yard is the ground of the lot at most its depth from its lines. Front and rear yards run the full width of the lot
and side yards between them, so yards do not overlap and together with the envelope give back the lot. A line whose
class is unknown has the deepest yard it may have: what is left is the ground that can surely be built on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import shapely
from shapely import LineString, MultiLineString, Polygon

from spatial.model import Area, Geometries
from spatial.setbacks.lot_model import (
    PRECEDENCE,
    Depths,
    LineClass,
    LotLine,
    NoDisturb,
    Setbacks,
    Yard,
    YardName,
    ZoneTaken,
)
from spatial.units import m_from_ft, sqft_from_sqm

SEGMENTS = 64
"""Segments in a quarter of a rounded corner of a yard."""
YARD_OF: dict[LineClass, YardName] = {
    "front": "front",
    "exterior_side": "side",
    "interior_side": "side",
    "rear": "rear",
    "unknown": "unknown",
}
STREET_REACH_FT = 150.0
"""A street's centreline is looked for this far from the front line."""


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """The lines of one yard that share a depth. ``least_ft`` and ``depth_ft`` differ where a class is unknown."""

    yard: YardName
    lines: MultiLineString
    depth_ft: float
    least_ft: float


def lay_out(
    lot: Area,
    lines: Sequence[LotLine],
    depths: Depths,
    *,
    roads: Geometries | None = None,
    no_disturb: Sequence[NoDisturb] = (),
) -> Setbacks:
    """Return the yards and the envelope of a lot.

    Parameters
    ----------
    lot
        EPSG:26986.
    lines
        All its edges, classed.
    depths
        A depth that is None is named in ``needs``; then there is no envelope.
    roads
        Centrelines of roads in EPSG:26986, for towns that also measure the front from them; None: not loaded.
    no_disturb
        Ground beside resources that may not be disturbed, taken from what the yards leave.
    """
    found = strips(lines, depths)
    streets = _centrelines(lines, depths, roads)
    yards = _yards(lot, found, streets, depths)
    rest = _minus(lot, [y.area for y in yards])
    zones: list[ZoneTaken] = []
    for zone in no_disturb:
        taken = _polygons(shapely.intersection(rest, zone.area))
        zones.append(ZoneTaken(zone, sqft_from_sqm(taken.area), taken))
        rest = _minus(rest, [zone.area])
    missing = _needs(lines, depths, streets)
    return Setbacks(
        lot=lot,
        lines=tuple(lines),
        depths=depths,
        yards=tuple(yards),
        no_disturb=tuple(zones),
        envelope=None if any(n.endswith("_ft") for n in missing) else rest,
        needs=missing,
        centrelines=streets,
        notes=_notes(lines, depths, streets),
    )


def strips(lines: Sequence[LotLine], depths: Depths) -> tuple[Strip, ...]:
    """Return the lines of each yard with their depth; lines of which no depth is known are left out."""
    groups: dict[tuple[YardName, float, float], list[LineString]] = {}
    for line in lines:
        possible = [d for c in line.candidates if (d := depths.of(c)) is not None]
        if len(possible) == len(line.candidates) and possible:
            key = (YARD_OF[line.line_class], max(possible), min(possible))
            groups.setdefault(key, []).append(line.line)
    ordered = sorted(groups.items(), key=lambda item: (PRECEDENCE.index(item[0][0]), -item[0][1]))
    return tuple(Strip(yard, MultiLineString(ls), deep, least) for (yard, deep, least), ls in ordered)


def _yards(lot: Area, found: Iterable[Strip], streets: Sequence[LineString], depths: Depths) -> list[Yard]:
    yards: list[Yard] = []
    for strip in found:
        ground: shapely.Geometry = shapely.buffer(strip.lines, m_from_ft(strip.depth_ft), quad_segs=SEGMENTS)
        if strip.yard == "front" and streets and depths.centerline_ft is not None:
            ground = shapely.union(ground, _beside_streets(streets, depths.centerline_ft))
        area = _minus(_polygons(shapely.intersection(lot, ground)), [y.area for y in yards])
        yards.append(Yard(strip.yard, strip.depth_ft, sqft_from_sqm(area.area), area))
    return yards


def _beside_streets(streets: Sequence[LineString], depth_ft: float) -> Area:
    ground = shapely.buffer(MultiLineString(streets), m_from_ft(depth_ft), quad_segs=SEGMENTS)
    return cast("Area", ground)


def _centrelines(lines: Sequence[LotLine], depths: Depths, roads: Geometries | None) -> tuple[LineString, ...]:
    """Return the roads before the front lines, as far as a depth from a centreline is asked for."""
    fronts = [line.line for line in lines if line.line_class == "front"]
    if depths.centerline_ft is None or roads is None or not fronts:
        return ()
    near = shapely.buffer(MultiLineString(fronts), m_from_ft(STREET_REACH_FT), cap_style="flat")
    cut = shapely.get_parts(shapely.intersection(roads, near))
    return tuple(p for p in cut if isinstance(p, LineString) and p.length > 0.0)


def _needs(lines: Sequence[LotLine], depths: Depths, streets: Sequence[LineString]) -> tuple[str, ...]:
    """Return what is wanting: depths that nobody entered, the street's centreline, classes nobody can tell."""
    wanted: dict[LineClass, str] = {
        "front": "front_ft",
        "interior_side": "side_ft",
        "rear": "rear_ft",
        "exterior_side": "front_ft",
    }
    asked = {c for line in lines for c in line.candidates}
    depths_wanting = dict.fromkeys(wanted[c] for c in wanted if c in asked and depths.of(c) is None)
    centreline = depths.centerline_ft is not None and not streets and "front" in asked
    unknown = any(line.line_class == "unknown" for line in lines)
    others = {"street_centerline": centreline, "line_classes": unknown}
    return (*depths_wanting, *(name for name, wanting in others.items() if wanting))


def _notes(lines: Sequence[LotLine], depths: Depths, streets: Sequence[LineString]) -> tuple[str, ...]:
    classes = {line.line_class for line in lines}
    blind = depths.centerline_ft is not None and not streets and "front" in classes
    told = {
        f"The front is also measured {depths.centerline_ft or 0.0:g} ft from the street's centreline, which is not "
        "known here: the front yard may be deeper than drawn.": blind,
        "No line of this lot lies opposite its front, so it has no rear yard.": "rear" not in classes
        and "unknown" not in classes
        and bool(lines),
        "Line classes are found from the parcel map, and a corner lot may have two fronts: a person must confirm "
        "each line before a yard is relied on (our reading of yards along lot lines, AMB-27).": bool(lines),
    }
    return (*depths.notes, *(text for text, holds in told.items() if holds))


def _minus(area: Area, others: Iterable[Area]) -> Area:
    for other in others:
        area = _polygons(shapely.difference(area, other))
    return area


def _polygons(geometry: shapely.Geometry) -> Area:
    """Return only the ground of a result: an overlay may leave lines and points where shapes touch."""
    parts = [p for p in shapely.get_parts(geometry) if isinstance(p, Polygon) and not p.is_empty]
    if not parts:
        return Polygon()
    return parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts)


def envelope_parts(envelope: Area | None) -> int:
    """Return how many pieces of ground are left to build on; 0 when nothing is, or nobody knows.

    >>> envelope_parts(shapely.box(0, 0, 1, 1)), envelope_parts(None)
    (1, 0)
    """
    return 0 if envelope is None or envelope.is_empty else len(np.atleast_1d(shapely.get_parts(envelope)))

"""Measure: what lies beside a lot's boundary, stretch by stretch, with how sure we are that it is a way. Pure.

A mapped right of way is a way; a railroad and water are none. A gap between parcels is taken for a way where it is
as narrow as one and the loaded parcels cover it; a wider gap, a gap no road runs through and ground beyond the
loaded parcels are *perhaps* a way, and never taken for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import shapely
from shapely import LineString, STRtree
from shapely.geometry.base import BaseGeometry

from spatial.fabric import ParcelFabric
from spatial.fabric.ways import Ways, frontage, outward_probes, segments_of, ways_near
from spatial.model import Area
from spatial.setbacks.lot_model import Stretch
from spatial.units import ft_from_m, m_from_ft

WIDEST_WAY_FT = 150.0
"""A gap wider than this is perhaps water, or ground the map leaves out; no street here is as wide."""
PROBE_FT = 1.0
"""Sight begins this far outside the boundary."""
MAPPED = {
    "ROW": (True, "the mapped right of way"),
    "PRIV_ROW": (True, "the private way"),
    "RAIL_ROW": (False, "the railroad"),
}


def faces(lot: Area, fabric: ParcelFabric, *, roads: np.ndarray | None = None) -> tuple[Stretch, ...]:
    """Return the stretches of a lot's boundary that run along something other than a neighbour's land.

    Parameters
    ----------
    lot
        EPSG:26986; need not be a parcel of the fabric.
    roads
        Road centrelines in EPSG:26986; None: not loaded, then a narrow gap counts as a way.

    Returns
    -------
    tuple of Stretch
        Empty for a lot among neighbours only. Stretches of different kinds may overlap; the surest comes first.
    """
    ways = ways_near(lot, fabric, roads=roads)
    return (
        *(s for kind, (way, name) in MAPPED.items() for s in _along_mapped(lot, ways, kind, (way, name))),
        *_along_water(lot, fabric, ways),
        *_along_gaps(lot, fabric, ways, "gap"),
        *_along_gaps(lot, fabric, ways, "gap_without_road"),
    )


def _along_mapped(lot: Area, ways: Ways, kind: str, words: tuple[bool, str]) -> Iterator[Stretch]:
    for row in np.flatnonzero(ways.kinds == kind):
        loc_id = ways.loc_ids[row]
        for line in _frontage(lot, ways, ways.polygons[row]):
            yield Stretch(line, words[0], f"{words[1]} {loc_id}" if loc_id else words[1])


def _along_water(lot: Area, fabric: ParcelFabric, ways: Ways) -> Iterator[Stretch]:
    near = fabric.near(lot, ways.accuracy_ft + 1.0)
    for row in near.rows[fabric.poly_type[near.rows] == "WATER"]:
        for line in _frontage(lot, ways, fabric.geometry[row]):
            yield Stretch(line, False, f"the water {fabric.ids[row]}")


def _frontage(lot: Area, ways: Ways, ground: BaseGeometry) -> list[LineString]:
    outside = shapely.difference(ground, lot)
    return list(frontage(lot, replace(ways, ground=outside)).geoms) if not outside.is_empty else []


def _along_gaps(lot: Area, fabric: ParcelFabric, ways: Ways, kind: str) -> Iterator[Stretch]:
    for gap in ways.polygons[ways.kinds == kind]:
        banks = STRtree(segments_of(gap.boundary))
        for line in _frontage(lot, ways, gap):
            road = None if ways.centreline is None else kind == "gap" and _near_road(line, ways.centreline)
            yield _gap_stretch(line, lot, banks, fabric, road=road)


def _gap_stretch(
    line: LineString, lot: Area, banks: STRtree, fabric: ParcelFabric, *, road: bool | None
) -> Stretch:
    """Return what a gap is taken for; ``road``: whether a road runs through it, None when none is loaded."""
    reach_ft = WIDEST_WAY_FT + 100.0
    width_ft, covered = _width_and_cover(line, lot, banks, fabric.coverage, reach_ft=reach_ft)
    told = f"about {width_ft:.0f} ft" if width_ft < reach_ft else f"more than {reach_ft:.0f} ft"
    if not covered:
        return Stretch(line, None, "ground beyond the loaded parcels")
    if road is not None:
        words = "that a road runs through" if road else f"{told} wide that no loaded road runs through"
        return Stretch(line, road or None, f"a gap between parcels {words}")
    if width_ft > WIDEST_WAY_FT:
        return Stretch(line, None, f"a gap between parcels {told} wide, more than a street")
    return Stretch(line, True, f"a gap between parcels {told} wide, taken for a way")


def _near_road(line: LineString, centreline: BaseGeometry) -> bool:
    return bool(shapely.dwithin(line, centreline, m_from_ft(WIDEST_WAY_FT)))


def _width_and_cover(
    line: LineString, lot: Area, banks: STRtree, coverage: Area, *, reach_ft: float
) -> tuple[float, bool]:
    """Return the median width of a gap, looked at square to the boundary, and whether parcels cover it there."""
    segments = segments_of(shapely.segmentize(line, 15.0))
    far = outward_probes(segments, lot, m_from_ft(reach_ft))
    near = outward_probes(segments, lot, m_from_ft(PROBE_FT))
    ends = np.stack([shapely.get_coordinates(near), shapely.get_coordinates(far)], axis=1)
    sight = np.asarray(shapely.linestrings(ends))
    seen, bank = banks.query(sight, predicate="intersects")
    across = np.full(len(sight), m_from_ft(reach_ft - PROBE_FT))
    crossing = shapely.intersection(sight[seen], banks.geometries[bank])
    np.minimum.at(across, seen, shapely.distance(near[seen], crossing))
    covered = shapely.intersects(coverage, near)
    return float(np.median(ft_from_m(1.0) * across)) + PROBE_FT, bool(np.mean(covered) > 0.5)

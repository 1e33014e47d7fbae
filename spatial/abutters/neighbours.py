"""Measure: what lies around some land, parcel by parcel, as far as a notice rule looks. Decides nothing."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from spatial.fabric import ParcelFabric, nearest
from spatial.fabric.beyond import TownOutline
from spatial.fabric.land import Land
from spatial.fabric.opposite import Opposite, directly_opposite
from spatial.fabric.ways import WAYS_AND_WATER, Ways, across_ways, ways_near
from spatial.model import WAY_TYPES, Geometries
from spatial.notice import NoticeRule
from spatial.units import DISTANCE_TOLERANCE_FT, m_from_ft, sqft_from_sqm

TOUCHED_SQFT = 1.0
"""Work that overlaps a parcel by less than this only touches its line."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What else is known beside the parcels. Each None is unknown: said where it matters, never taken for none.

    ``assessed``: LOC_IDs that the tax list has a row for. ``towns``: outlines of all towns. ``roads``: centrelines.
    """

    assessed: Container[str] | None = None
    towns: Sequence[TownOutline] | None = None
    roads: Geometries | None = None


class Neighbour(NamedTuple):
    """One parcel near the land. ``direct``: it abuts; ``facing``: directly opposite; ``second``: abuts an abutter.

    ``worked_sqft``: how much of the work lies on it; ``barred``: why it is no property, None when it is.
    """

    row: int
    loc_id: str
    distance_ft: float
    accuracy_ft: float
    across_way: bool
    direct: bool
    facing: bool
    second: bool
    worked_sqft: float
    assessed: bool
    barred: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """All parcels near the land, and the feet of frontage from which no far side of the way was found.

    ``looked_over`` is the ground of the ways in view of the land, None when the rule does not look across ways;
    ``no_road_sqft`` the bare ground near the land that is no parcel and carries no road, 0 without a road layer.
    """

    parcels: tuple[Neighbour, ...]
    unseen_ft: float
    looked_over: BaseGeometry | None = None
    no_road_sqft: float = 0.0


def neighbours(land: Land, rule: NoticeRule, fabric: ParcelFabric, around: Surroundings) -> Neighbours:
    """Return the parcels a rule could name, those it leaves out included, the subject never.

    Parameters
    ----------
    land
        Made from the same fabric.
    """
    slack_ft = fabric.coarsest_ft
    reach_ft = max(rule.reach_ft, slack_ft)
    looks_ft = max(reach_ft, rule.opposite_reach_ft if rule.opposite else 0.0)
    ways = ways_near(land.ground, fabric, reach_ft=looks_ft, roads=around.roads)
    facing = _facing(land, rule, fabric, ways, roads=around.roads)
    seen = set(facing.rows.tolist()) if facing else set()
    shapes = _shapes(land, fabric, reach_ft + slack_ft, seen)
    ends = np.array(list(shapes.values()), dtype=object)
    lengths_ft, starts = nearest(land.ground, ends)
    distance_ft = dict(zip(shapes, lengths_ft.tolist(), strict=True))
    across = dict(zip(shapes, across_ways(starts, ends, ways).tolist(), strict=True))
    barred = {r: _barred(fabric, r, around.assessed) for r in distance_ft}
    land_rows = {r for r in distance_ft if barred[r] is None}
    direct = {r for r in land_rows if distance_ft[r] <= fabric.accuracy_ft[r] and not across[r]}
    second = _second_ring(rule, fabric, direct | (seen & land_rows), distance_ft)
    worked_sqft = _worked(land, fabric, [r for r in land_rows if distance_ft[r] == 0.0])
    found = tuple(
        Neighbour(
            row=r,
            loc_id=str(fabric.ids[r]),
            distance_ft=d,
            accuracy_ft=float(fabric.accuracy_ft[r]),
            across_way=across[r],
            direct=r in direct,
            facing=r in seen,
            second=r in second,
            worked_sqft=worked_sqft.get(r, 0.0),
            assessed=around.assessed is not None and fabric.ids[r] in around.assessed,
            barred=barred[r],
        )
        for r, d in distance_ft.items()
    )
    bare_sqft = _bare_sqft(land, ways, fabric, reach_ft)
    if facing is None:
        return Neighbours(found, 0.0, no_road_sqft=bare_sqft)
    return Neighbours(found, facing.unseen_ft, facing.looked_over, bare_sqft)


def _facing(
    land: Land, rule: NoticeRule, fabric: ParcelFabric, ways: Ways, *, roads: Geometries | None
) -> Opposite | None:
    """Return what lies directly opposite, over water too where the rule says so; None when no rule looks there."""
    if not rule.opposite:
        return None
    if rule.opposite_over_water and _has_water(land, fabric, ways.reach_ft):
        ways = ways_near(land.ground, fabric, reach_ft=ways.reach_ft, roads=roads, types=WAYS_AND_WATER)
    return directly_opposite(land.ground, fabric, ways)


def _has_water(land: Land, fabric: ParcelFabric, within_ft: float) -> bool:
    window = shapely.box(*shapely.buffer(shapely.box(*land.ground.bounds), m_from_ft(within_ft)).bounds)
    rows = fabric.parent[fabric.tree.query(window, predicate="intersects")]
    return bool(fabric.is_of(rows, WAYS_AND_WATER - WAY_TYPES).any())


def _bare_sqft(land: Land, ways: Ways, fabric: ParcelFabric, reach_ft: float) -> float:
    """Return the largest piece of covered ground near the land that is no parcel and that no road runs through."""
    bare = ways.of_kind("gap_without_road")
    if not len(bare):
        return 0.0
    near = shapely.intersection(bare[shapely.dwithin(bare, land.ground, m_from_ft(reach_ft))], fabric.coverage)
    return sqft_from_sqm(float(shapely.area(near).max(initial=0.0)))


def _shapes(land: Land, fabric: ParcelFabric, within_ft: float, also: Collection[int]) -> dict[int, BaseGeometry]:
    """Return the nearest piece of every near parcel, and the whole of those seen across a wider way."""
    near = fabric.near(land.ground, within_ft)
    found = {r: fabric.pieces[piece] for r, piece in zip(near.rows.tolist(), near.pieces.tolist(), strict=True)}
    found |= {r: fabric.geometry[r] for r in set(also) - set(found)}
    own = set(land.rows.tolist())
    return {r: shape for r, shape in found.items() if r not in own}


def _barred(fabric: ParcelFabric, row: int, assessed: Container[str] | None) -> str | None:
    """Return why a parcel is no property in the sense of notice, or None when it is."""
    known = assessed is not None and fabric.ids[row] in assessed
    if fabric.poly_type[row] == "ROW":
        return "public way" + ("; the tax list has a row for it, check with the Assessor" if known else "")
    if fabric.poly_type[row] == "WATER" and not known:
        return "water without an assessor's row; if it is privately owned the Assessor adds it"
    return None


def _second_ring(
    rule: NoticeRule, fabric: ParcelFabric, first: Collection[int], distance_ft: Mapping[int, float]
) -> set[int]:
    """Return the rows that abut one of the first ring and lie within the second distance of the land."""
    if rule.second_ring_ft is None or not first:
        return set()
    rings: NDArray[np.int64] = np.array(sorted(first), dtype=np.int64)
    found: set[int] = set()
    for row in rings.tolist():
        beside = fabric.near(fabric.geometry[row], fabric.coarsest_ft)
        found |= set(beside.rows[beside.distance_ft <= fabric.accuracy_ft[beside.rows]].tolist())
    limit_ft = rule.second_ring_ft + DISTANCE_TOLERANCE_FT
    return {r for r in found if distance_ft.get(r, np.inf) <= limit_ft} - set(first)


def _worked(land: Land, fabric: ParcelFabric, rows: Sequence[int]) -> dict[int, float]:
    """Return the square feet of work on each parcel that it does more than touch."""
    if land.work is None or not rows:
        return {}
    shared = shapely.area(shapely.intersection(fabric.geometry[list(rows)], land.work))
    areas = [sqft_from_sqm(a) for a in shared.tolist()]
    return {r: sqft for r, sqft in zip(rows, areas, strict=True) if sqft >= TOUCHED_SQFT}

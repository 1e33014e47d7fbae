"""The benchmark of abutters: ``cd tests && python -m benchmarks.abutters --parcels 240000 --lists 1000``.

Lists of random subjects by the engine, against geopandas buffer and sjoin. Some are held against the exact
distance of every parcel, and so is the buffer; how often it is wrong near the line is counted.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Sequence

import geopandas as gpd
import numpy as np
import shapely
from fabrics import edition

from layers.notice_rules import load_notice_rules
from spatial.abutters import abutters
from spatial.abutters.neighbours import Surroundings
from spatial.fabric import ParcelFabric, weave
from spatial.fabric.land import land_of
from spatial.model import Geometries, LayerFrame, Pieces
from spatial.units import FOOT_M, m_from_ft

LOT_FT, STREET_FT, BLOCK = 209.0, 50.0, 8
RIVAL_LISTS = 60
List = Callable[[int], set[str]]


def lots(count: int, seed: int = 2026) -> Geometries:
    """Return crooked four-sided lots of about an acre that share their corners, streets after every eighth."""
    side = math.ceil(math.sqrt(count))
    rng = np.random.default_rng(seed)
    steps = np.arange(side + 1) * LOT_FT + (np.arange(side + 1) // BLOCK) * STREET_FT
    west, south = np.meshgrid(steps[:-1], steps[:-1])
    low = np.stack([west.ravel(), south.ravel()], axis=1)[:count]
    nudge = rng.uniform(-12, 12, (side + 2, side + 2, 2))
    column, row = np.arange(count) % side, np.arange(count) // side
    corners = [
        low + np.array(at) * LOT_FT + nudge[row + at[1], column + at[0]] for at in ((0, 0), (1, 0), (1, 1), (0, 1))
    ]
    ring = np.stack([*corners, corners[0]], axis=1) * FOOT_M + np.array([190_000.0, 860_000.0])
    return np.asarray(shapely.polygons(ring))


def region(count: int) -> ParcelFabric:
    """Return the fabric of a region of so many lots."""
    geometry = lots(count)
    ids = np.array([f"F_{n}" for n in range(count)], dtype=object)
    empty = np.full(count, None, dtype=object)
    frame = LayerFrame(
        ref=edition("region"),
        kind="polygon",
        ids=ids,
        labels=ids,
        accuracy_ft=np.full(count, 5.0),
        attributes={"poly_type": np.full(count, "FEE", dtype=object), "town_id": empty},
        geometry=geometry,
        pieces=Pieces(geometry, np.arange(count)),
        edges=Pieces(geometry, np.arange(count)),
        coverage=shapely.box(*shapely.buffer(shapely.box(*shapely.total_bounds(geometry)), 5_000.0).bounds),
    )
    return weave([frame])


def ours(fabric: ParcelFabric, rule_id: str) -> List:
    """Return our list: distances, relations, ways, near misses, what is left out and why."""
    rule, around = load_notice_rules().rule(rule_id), Surroundings(assessed=frozenset())
    return lambda row: {
        a.loc_id for a in abutters(land_of(fabric, [str(fabric.ids[row])]), rule, fabric, around).abutters
    }


def rival(fabric: ParcelFabric) -> List:
    """Return the usual way: a buffer of the subject, joined to all parcels."""
    frame = gpd.GeoDataFrame({"id": fabric.ids}, geometry=fabric.geometry, crs="EPSG:26986")
    _ = frame.sindex

    def listed(row: int) -> set[str]:
        around = gpd.GeoDataFrame(geometry=frame.geometry.iloc[[row]].buffer(m_from_ft(100.0)), crs=frame.crs)
        return set(gpd.sjoin(frame, around, predicate="intersects")["id"]) - {str(fabric.ids[row])}

    return listed


def scan(fabric: ParcelFabric) -> List:
    """Return what measuring every parcel gives."""

    def listed(row: int) -> set[str]:
        near = shapely.distance(fabric.geometry[row], fabric.geometry) / FOOT_M <= 100.005
        return set(fabric.ids[near].tolist()) - {str(fabric.ids[row])}

    return listed


def timed(make: List, rows: Sequence[int]) -> list[float]:
    """Return the milliseconds of each list."""
    found = []
    for row in rows:
        start = time.perf_counter()
        make(row)
        found.append((time.perf_counter() - start) * 1_000.0)
    return found


def main() -> None:
    """Make the region, time the lists, count what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parcels", type=int, default=24_000)
    parser.add_argument("--lists", type=int, default=200)
    asked = parser.parse_args()
    fabric = region(asked.parcels)
    rows = np.random.default_rng(1).choice(len(fabric), asked.lists, replace=False).tolist()
    usual, exact, mine = rival(fabric), scan(fabric), ours(fabric, "distance")
    theirs = timed(usual, rows[:RIVAL_LISTS])
    print(
        f"{len(fabric):,} parcels, {asked.lists:,} lists; buffer, sjoin {statistics.median(theirs):.2f} ms a list"
    )
    for rule_id in ("distance", "lynnfield-320", "ma-40a-11"):
        spent = timed(ours(fabric, rule_id), rows)
        ratio = statistics.median(theirs) / statistics.median(spent)
        print(f"{rule_id:14} {statistics.median(spent):6.2f} ms, {sum(spent) / 1000:6.2f} s in all, {ratio:5.1f} x")
    sample = rows[:RIVAL_LISTS]
    wrong = sum(mine(row) != exact(row) for row in sample), sum(usual(row) != exact(row) for row in sample)
    print(f"not as measuring every parcel: ours {wrong[0]}, buffer {wrong[1]} of {len(sample)}")
    print(f"buffer at 99.6 to 100 ft off a corner: {missed():.0%} missed")


def missed(count: int = 2_000) -> float:
    """Return the share of points 99.6 to 100 ft off a lot's corner that a buffer of the usual kind misses."""
    rng = np.random.default_rng(7)
    around = shapely.buffer(shapely.box(0, 0, 200, 200), 100.0)
    angle, far = np.radians(rng.uniform(0, 90, count)), rng.uniform(99.6, 100.0, count)
    points = shapely.points(200 + far * np.cos(angle), 200 + far * np.sin(angle))
    return float(np.mean(~shapely.intersects(around, points)))


if __name__ == "__main__":
    main()

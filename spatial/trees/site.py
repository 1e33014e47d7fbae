"""Measure: the trees of a site together. Zones merged, the fence around them, what must be planted. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiLineString

from spatial.model import Area, Geometries
from spatial.trees import Ground, stem_centres, tree_zones
from spatial.trees.discs import drawn
from spatial.trees.merged_discs import merged_area
from spatial.trees.model import Duties, Mitigation, Place, SiteZones, Tree, TreePlan, TreeRules, TreeZone
from spatial.units import PERCENT, ft_from_m, m_from_ft, sqft_from_sqm

WHOLE_TREE_GRACE = 1e-9
"""Six trees of 2.5 in are enough for 15 in, whatever the last bit of the sum says."""


def tree_plan(
    trees: Sequence[Tree],
    rules: TreeRules,
    ground: Ground,
    *,
    places: Sequence[Place | None] | None = None,
    triggered: bool | None = None,
) -> TreePlan:
    """Return the whole answer for the trees of a site.

    Parameters
    ----------
    places
        Where each stem stands; None: no setbacks are known.
    triggered
        Whether the permit that tree duties hang on is triggered (AMB-34): False makes them advisory, None unknown.
    """
    zones = tree_zones(trees, rules, ground, places if places is not None else [None] * len(trees))
    drawings = _drawings([z.tree for z in zones], [z.radius_used_ft for z in zones])
    duties: Duties = "unknown" if triggered is None else "binding" if triggered else "advisory"
    return TreePlan(
        trees=zones,
        drawings=tuple(drawings),
        site=merge(zones, drawings, ground),
        mitigation=mitigation(zones, rules),
        duties=duties,
    )


def merge(zones: Sequence[TreeZone], drawings: Geometries, ground: Ground) -> SiteZones:
    """Return the merged zones of the trees that stay and are protected, or of which that is not known.

    The fence runs around the merged zone less the declared unavoidable encroachment.
    """
    staying = np.array([z.verdict != "removed" and z.protected is not False for z in zones], dtype=bool)
    zone = _union(drawings[staying])
    fenced = shapely.difference(zone, ground.unavoidable)
    fence = _lines(fenced.boundary)
    kept = [z for z, stays in zip(zones, staying, strict=True) if stays]
    zones_sqft = _merged_sqft([z.tree for z in kept], [z.radius_used_ft for z in kept])
    disturbed_sqft = min(sqft_from_sqm(shapely.intersection(zone, ground.work).area), zones_sqft)
    return SiteZones(
        zone=zone,
        fence=fence,
        zones_sqft=zones_sqft,
        zones_from_centre_sqft=_merged_sqft([z.tree for z in kept], [z.radius_ft for z in kept]),
        disturbed_sqft=disturbed_sqft,
        disturbed_percent=PERCENT * (disturbed_sqft / zones_sqft) if zones_sqft else 0.0,
        fence_ft=ft_from_m(fence.length),
        fence_off_lot_ft=None if ground.lot is None else ft_from_m(shapely.difference(fence, ground.lot).length),
        counts=_counts(zones),
    )


def _drawings(trees: Sequence[Tree], radii_ft: Sequence[float]) -> Geometries:
    radii: NDArray[np.float64] = m_from_ft(1.0) * np.array(radii_ft, dtype=np.float64)
    return drawn(stem_centres(trees), radii)


def _merged_sqft(trees: Sequence[Tree], radii_ft: Sequence[float]) -> float:
    radii: NDArray[np.float64] = m_from_ft(1.0) * np.array(radii_ft, dtype=np.float64)
    return sqft_from_sqm(merged_area(stem_centres(trees), radii))


def _union(discs: Geometries) -> Area:
    """Return the discs merged; those that touch no other are taken as they are."""
    one, other = shapely.STRtree(discs).query(discs, predicate="intersects")
    crowded = np.unique(one[one != other])
    joined = shapely.get_parts(shapely.union_all(discs[crowded]))
    return shapely.MultiPolygon([*joined, *np.delete(discs, crowded)])


def _lines(boundary: shapely.Geometry) -> MultiLineString:
    return MultiLineString([p for p in shapely.get_parts(boundary) if p.length > 0.0])


def _counts(zones: Sequence[TreeZone]) -> dict[str, int]:
    names = {True: "protected", False: "not_protected", None: "protection_unknown"}
    verdicts = Counter(str(z.verdict) for z in zones)
    return {"trees": len(zones), **verdicts, **Counter(names[z.protected] for z in zones)}


def mitigation(zones: Sequence[TreeZone], rules: TreeRules) -> Mitigation:
    """Return what removing protected trees asks for; a number nobody entered is in ``needs``, never guessed."""
    removed = [z for z in zones if z.verdict == "removed"]
    counted = math.fsum(z.tree.dbh_in for z in removed if z.protected)
    undecided = math.fsum(z.tree.dbh_in for z in removed if z.protected is None)
    ratio, rate = rules.replacement_in_per_in, rules.contribution_usd_per_in
    caliper = None if ratio is None else ratio * counted
    needs = {
        "protection": undecided > 0.0,
        "action": any("stem_in_work" in z.flags for z in zones),
        "replacement_ratio": ratio is None,
        "contribution_rate": rate is None,
    }
    return Mitigation(
        removed_dbh_in=counted,
        undecided_dbh_in=undecided,
        replacement_caliper_in=caliper,
        replacement_trees={} if caliper is None else {size: whole_trees(caliper, size) for size in rules.sizes_in},
        contribution_usd=None if rate is None else rate * counted,
        needs=tuple(name for name, wanting in needs.items() if wanting),
    )


def whole_trees(caliper_in: float, size_in: float) -> int:
    """Return how many trees of one size give at least a caliper.

    >>> whole_trees(14.75, 2.5), whole_trees(14.75, 2.0), whole_trees(0.0, 2.0)
    (6, 8, 0)
    """
    return math.ceil(caliper_in / size_in - WHOLE_TREE_GRACE)

"""Measure and judge: the protection zone of each tree, what the work takes of it, and whether the law protects it.

Pure. Zones are true circles and measured as such (:mod:`spatial.trees.discs`). Which yard a stem stands in is
told by the caller as a :class:`~spatial.trees.model.Place`; without one no tree is called unprotected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.model import Area, Certainty
from spatial.trees.discs import shared_area
from spatial.trees.model import OnPlan, Place, Tree, TreeRules, TreeZone, Verdict, ZoneReading
from spatial.units import PERCENT, ft_from_m, m_from_ft, sqft_from_sqm

NOTHING = shapely.Polygon()
DIAMETER_GRACE_IN = 1e-9
"""15.24 cm are 6 in, whatever the last bit of the division says."""
FROM_CENTRE = "radius measured from the centre of the stem"
FROM_FACE = "radius measured from the face of the trunk"


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The ground trees are measured against, EPSG:26986; empty ``work`` disturbs nothing, ``lot`` None: not given.

    ``unavoidable`` is the encroachment the applicant declares unavoidable; ``work_accuracy_ft`` how well the limit
    of work is known, ``lot_accuracy_ft`` the lot's lines.
    """

    work: Area = NOTHING
    unavoidable: Area = NOTHING
    lot: Area | None = None
    work_accuracy_ft: float = 1.0
    lot_accuracy_ft: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """Areas of every zone, square feet, one row a tree."""

    zone: NDArray[np.float64]
    work: NDArray[np.float64]
    unavoidable: NDArray[np.float64]
    avoidable: NDArray[np.float64]
    lot: NDArray[np.float64] | None


def radius_ft(tree: Tree, rules: TreeRules) -> float:
    """Return the zone's radius from the stem's centre by the formula, within its floor and cap.

    >>> radius_ft(Tree("1", shapely.Point(0, 0), (24.0,)), TreeRules(radius_ft_per_in=1.0))
    24.0
    """
    return min(max(tree.dbh_in * rules.radius_ft_per_in, rules.floor_ft), rules.cap_ft)


def radius_from_face_ft(tree: Tree, rules: TreeRules) -> float:
    """Return the same radius measured from the trunk's face, as a distance from the centre (AMB-33).

    >>> radius_from_face_ft(Tree("1", shapely.Point(0, 0), (24.0,)), TreeRules(radius_ft_per_in=1.0))
    25.0
    """
    return radius_ft(tree, rules) + tree.trunk_radius_ft


def radius_used_ft(tree: Tree, rules: TreeRules) -> float:
    """Return the radius that drives: the largest of both readings and the dripline, when one is given (AMB-25)."""
    return max(radius_from_face_ft(tree, rules), tree.dripline_ft or 0.0)


def tree_zones(
    trees: Sequence[Tree], rules: TreeRules, ground: Ground, places: Sequence[Place | None]
) -> tuple[TreeZone, ...]:
    """Return what is known of each tree, in the order given; empty for no trees.

    Parameters
    ----------
    trees
        Stems as points in EPSG:26986, each with a diameter above 0.
    places
        One a tree; None where no setbacks are known, then ``protected`` is None unless the tree is too small.
    """
    centres = stem_centres(trees)
    used = np.array([radius_used_ft(t, rules) for t in trees])
    plain = np.array([radius_ft(t, rules) for t in trees])
    face = np.array([radius_from_face_ft(t, rules) for t in trees])
    shares = _shares(centres, used, ground)
    by_centre = _shared_sqft(centres, plain, ground.work)
    by_face = _shared_sqft(centres, face, ground.work)
    gap_ft = _gap_to_work(centres, used, ground)
    return tuple(
        _zone(
            tree,
            rules,
            ground,
            places[i],
            shares=shares,
            row=i,
            gap_ft=float(gap_ft[i]),
            readings=(_reading(FROM_CENTRE, plain[i], by_centre[i]), _reading(FROM_FACE, face[i], by_face[i])),
        )
        for i, tree in enumerate(trees)
    )


def stem_centres(trees: Sequence[Tree]) -> NDArray[np.float64]:
    """Return the stems' centres, shape (n, 2)."""
    return shapely.get_coordinates([t.point for t in trees]).reshape(-1, 2)


def _shares(centres: NDArray[np.float64], radii_ft: NDArray[np.float64], ground: Ground) -> _Shares:
    def of(area: Area) -> NDArray[np.float64]:
        return _shared_sqft(centres, radii_ft, area)

    return _Shares(
        zone=np.pi * radii_ft**2,
        work=of(ground.work),
        unavoidable=of(ground.unavoidable),
        avoidable=of(cast("Area", shapely.difference(ground.work, ground.unavoidable))),
        lot=None if ground.lot is None else of(ground.lot),
    )


def _shared_sqft(centres: NDArray[np.float64], radii_ft: NDArray[np.float64], area: Area) -> NDArray[np.float64]:
    """Return the ground each zone shares with an area; metres made feet never make it more than the zone."""
    shared: NDArray[np.float64] = sqft_from_sqm(1.0) * shared_area(centres, m_from_ft(1.0) * radii_ft, area)
    return np.minimum(shared, np.pi * radii_ft**2)


def _gap_to_work(
    centres: NDArray[np.float64], radii_ft: NDArray[np.float64], ground: Ground
) -> NDArray[np.float64]:
    """Return how far the zone stays clear of the work; negative: the work reaches in; infinite: no work."""
    if ground.work.is_empty:
        return np.full(len(radii_ft), np.inf)
    return ft_from_m(1.0) * shapely.distance(ground.work, shapely.points(centres)) - radii_ft


def _reading(text: str, radius: float, disturbed: float) -> ZoneReading:
    zone = float(np.pi * radius**2)
    return ZoneReading("AMB-33", text, float(radius), zone, float(disturbed), PERCENT * (float(disturbed) / zone))


def _zone(
    tree: Tree,
    rules: TreeRules,
    ground: Ground,
    place: Place | None,
    *,
    shares: _Shares,
    row: int,
    gap_ft: float,
    readings: tuple[ZoneReading, ...],
) -> TreeZone:
    zone, disturbed = float(shares.zone[row]), float(shares.work[row])
    stem_in_work = gap_ft <= -radius_used_ft(tree, rules)
    protected, why = protection(tree, rules, place)
    return TreeZone(
        tree=tree,
        place=place,
        protected=protected,
        why=why,
        radius_ft=radius_ft(tree, rules),
        radius_from_face_ft=radius_from_face_ft(tree, rules),
        radius_used_ft=radius_used_ft(tree, rules),
        zone_sqft=zone,
        disturbed_sqft=disturbed,
        disturbed_percent=PERCENT * (disturbed / zone),
        retained_sqft=zone - float(shares.unavoidable[row]),
        avoidable_sqft=float(shares.avoidable[row]),
        off_lot_sqft=None if shares.lot is None else max(0.0, zone - float(shares.lot[row])),
        verdict=_verdict(tree, gap_ft),
        certainty=_certainty(tree, place, ground, gap_ft),
        on_plan=on_plan(tree, rules),
        readings=readings,
        flags=_flags(tree, place, stem_in_work=stem_in_work),
    )


def protection(tree: Tree, rules: TreeRules, place: Place | None) -> tuple[bool | None, str]:
    """Return whether a tree is protected, and why; None: cannot be told (AMB-24: any living tree of the size).

    >>> small = Tree("1", shapely.Point(0, 0), (5.9,))
    >>> protection(small, TreeRules(radius_ft_per_in=1.0, protected_dbh_in=6.0), None)
    (False, 'its 5.9 in DBH is under the 6 in from which a tree is protected')
    """
    least = rules.protected_dbh_in
    if least is None:
        return None, "no rule held here says from which diameter a tree is protected"
    if tree.dbh_in < least - DIAMETER_GRACE_IN:
        return False, f"its {tree.dbh_in:g} in DBH is under the {least:g} in from which a tree is protected"
    if place is None:
        return None, "the setbacks of this lot are not known, so nobody can say whether it stands in one"
    return place.inside, f"{tree.dbh_in:g} in DBH; {place.why}"


def on_plan(tree: Tree, rules: TreeRules) -> OnPlan | None:
    """Return whether a tree must be on the plan; None: no rule asks (AMB-22: caliper is larger than DBH)."""
    if rules.plan_caliper_in is None:
        return None
    if (tree.caliper_in or tree.dbh_in) >= rules.plan_caliper_in - DIAMETER_GRACE_IN:
        return "show"
    if tree.caliper_in is None and rules.plan_check_dbh_in is not None and tree.dbh_in >= rules.plan_check_dbh_in:
        return "check_caliper"
    return "not_required"


def _verdict(tree: Tree, gap_ft: float) -> Verdict:
    if tree.action == "remove":
        return "removed"
    return "impacted" if gap_ft < 0.0 else "keep"


def _certainty(tree: Tree, place: Place | None, ground: Ground, gap_ft: float) -> Certainty:
    """Return whether the verdict or the protection would flip if a line moved by its accuracy."""
    work_close = tree.action != "remove" and abs(gap_ft) <= ground.work_accuracy_ft
    margin = place.margin_ft if place is not None else None
    lot_close = margin is not None and margin <= ground.lot_accuracy_ft
    return "too_close_to_call" if work_close or lot_close else "certain"


def _flags(tree: Tree, place: Place | None, *, stem_in_work: bool) -> tuple[str, ...]:
    told = {
        "action_not_given": tree.action is None,
        "stem_in_work": stem_in_work and tree.action != "remove",
        "multi_stem_sum": len(tree.stems_in) > 1,
        "straddles_line": place is not None and place.straddles,
        "outside_lot": place is not None and not place.on_lot,
    }
    return tuple(flag for flag, holds in told.items() if holds)

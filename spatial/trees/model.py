"""The words of trees: a tree as surveyed, the numbers of law it is measured by, what comes back. Pure data.

Points and areas are EPSG:26986; lengths of trees are inches (diameter) and US survey feet (everything else).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from shapely import MultiLineString, Point, Polygon

from spatial.model import Area, Certainty, Note
from spatial.units import INCHES_PER_FOOT

Action = Literal["keep", "remove"]
Verdict = Literal["keep", "impacted", "removed"]
Duties = Literal["binding", "advisory", "unknown"]
OnPlan = Literal["show", "check_caliper", "not_required"]


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A tree as surveyed. ``action`` None: the survey does not say. ``caliper_in`` None: not measured."""

    id: str
    point: Point
    stems_in: tuple[float, ...]
    action: Action | None = None
    dripline_ft: float | None = None
    caliper_in: float | None = None

    @property
    def dbh_in(self) -> float:
        """Diameter at breast height; of several stems the sum, the conservative reading."""
        return math.fsum(self.stems_in)

    @property
    def dbh_rss_in(self) -> float:
        """Diameter of the one stem with the same cross-section (root of the sum of squares)."""
        return math.hypot(*self.stems_in)

    @property
    def trunk_radius_ft(self) -> float:
        """Distance from the stem's centre to the trunk's face."""
        return self.dbh_in / 2.0 / INCHES_PER_FOOT


@dataclass(frozen=True, slots=True)
class TreeRules:
    """Numbers of law for trees; every one comes from rule data. None: no rule holds that number.

    ``radius_ft_per_in`` feet of zone radius for an inch of DBH, ``floor_ft`` and ``cap_ft`` the least and largest
    radius so found; ``protected_dbh_in`` the least protected diameter; ``replacement_in_per_in`` inches of new
    caliper for an inch of DBH removed; ``contribution_usd_per_in`` dollars for an inch of DBH removed;
    ``plan_caliper_in`` the caliper to be shown on the plan, ``plan_check_dbh_in`` the DBH from which it may be met.
    """

    radius_ft_per_in: float
    floor_ft: float = 0.0
    cap_ft: float = math.inf
    protected_dbh_in: float | None = None
    replacement_in_per_in: float | None = None
    contribution_usd_per_in: float | None = None
    plan_caliper_in: float | None = None
    plan_check_dbh_in: float | None = None
    sizes_in: tuple[float, ...] = (2.0, 2.5)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stem stands on the lot.

    ``inside`` None: cannot be told (``why`` says for want of what). ``yards`` the yards it stands in, the one that
    takes precedence first. ``straddles``: the trunk stands across the line of a yard or of the lot. ``margin_ft``:
    how far the stem's centre is from the nearest line that decides, None when there is none.
    """

    inside: bool | None
    yards: tuple[str, ...]
    why: str
    straddles: bool = False
    on_lot: bool = True
    margin_ft: float | None = None


@dataclass(frozen=True, slots=True)
class ZoneReading:
    """One way to read the zone's radius (AMB-33) and what it gives."""

    policy: str
    text: str
    radius_ft: float
    zone_sqft: float
    disturbed_sqft: float
    disturbed_percent: float


@dataclass(frozen=True, slots=True, eq=False)
class TreeZone:
    """What is known of one tree: its zone, what the work takes of it, and whether the law protects it.

    ``retained_sqft`` is the zone less the declared unavoidable encroachment, the only way it may shrink (AMB-26);
    ``avoidable_sqft`` the work in the zone that nobody declared unavoidable; ``off_lot_sqft`` None without a lot.
    """

    tree: Tree
    place: Place | None
    protected: bool | None
    why: str
    radius_ft: float
    radius_from_face_ft: float
    radius_used_ft: float
    zone_sqft: float
    disturbed_sqft: float
    disturbed_percent: float
    retained_sqft: float
    avoidable_sqft: float
    off_lot_sqft: float | None
    verdict: Verdict
    certainty: Certainty
    on_plan: OnPlan | None
    readings: tuple[ZoneReading, ...]
    flags: tuple[str, ...] = ()

    @property
    def yard(self) -> str | None:
        """The yard that takes precedence, ``"unknown"`` when it cannot be told, None outside the yards."""
        if self.place is None or (self.place.inside is None and not self.place.yards):
            return "unknown"
        return self.place.yards[0] if self.place.yards else None


@dataclass(frozen=True, slots=True, eq=False)
class SiteZones:
    """The zones of the trees that stay, merged: ground under several zones counts once."""

    zone: Area
    fence: MultiLineString
    zones_sqft: float
    zones_from_centre_sqft: float
    disturbed_sqft: float
    disturbed_percent: float
    fence_ft: float
    fence_off_lot_ft: float | None
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mitigation:
    """What follows from removing protected trees; None where a number or an answer is wanting, named in ``needs``.

    ``undecided_dbh_in`` is the diameter of removed trees of which nobody can yet say whether they are protected.
    """

    removed_dbh_in: float
    undecided_dbh_in: float
    replacement_caliper_in: float | None
    replacement_trees: Mapping[float, int]
    contribution_usd: float | None
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TreePlan:
    """The whole answer for the trees of a site, unrounded; ``drawings`` has one disc a tree in the same order."""

    trees: tuple[TreeZone, ...]
    drawings: tuple[Polygon, ...]
    site: SiteZones
    mitigation: Mitigation
    duties: Duties
    notes: tuple[Note, ...] = ()

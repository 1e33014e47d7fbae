"""The words of lot lines and yards. Pure data; geometry in EPSG:26986, lengths in US survey feet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from shapely import LineString

from spatial.model import Area

LineClass = Literal["front", "rear", "interior_side", "exterior_side", "unknown"]
YardName = Literal["front", "side", "rear", "unknown"]
CornerRule = Literal["each_way_is_front", "one_front"]
ANY_CLASS: tuple[LineClass, ...] = ("front", "interior_side", "rear")
SIDE_OR_REAR: tuple[LineClass, ...] = ("interior_side", "rear")
PRECEDENCE: tuple[YardName, ...] = ("front", "rear", "side", "unknown")
"""Ground in two yards is drawn in the first of these: front and rear yards run the full width of a lot."""


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Part of a lot's boundary with something beside it.

    ``way`` True: a street or way; False: surely none (a railroad, water); None: perhaps a way. ``name`` says what
    it is in words that fit after "runs along".
    """

    line: LineString
    way: bool | None
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Override:
    """A reviewer's word on an edge, named by its id or by a line drawn along the boundary; who and why are kept."""

    edge: str | LineString
    line_class: LineClass
    why: str
    who: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What an edge can be, and why: one class, or several where nobody can tell."""

    candidates: tuple[LineClass, ...]
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class LotLine:
    """One edge of a lot, ground on its left. ``candidates`` are the classes it can have: one, unless it is unknown.

    ``found`` is the class found before any override.
    """

    id: str
    line: LineString
    line_class: LineClass
    candidates: tuple[LineClass, ...]
    why: str
    length_ft: float
    found: LineClass
    override: Override | None = None


@dataclass(frozen=True, slots=True)
class Depths:
    """A district's yards. None: nobody has entered the number, and it is not zero.

    ``centerline_ft`` is the distance from the street's centreline where the town tests that too, None where it does
    not; ``exterior_side_ft`` None: a side along a way is as deep as the front.
    """

    front_ft: float | None
    side_ft: float | None
    rear_ft: float | None
    centerline_ft: float | None = None
    exterior_side_ft: float | None = None
    district: str | None = None
    citation: str | None = None
    corner: CornerRule = "each_way_is_front"
    notes: tuple[str, ...] = ()

    def of(self, line_class: LineClass) -> float | None:
        """Return the depth of the yard along a line of a class; None when not known."""
        along_way = self.exterior_side_ft if self.exterior_side_ft is not None else self.front_ft
        by_class: Mapping[str, float | None] = {
            "front": self.front_ft,
            "exterior_side": along_way,
            "interior_side": self.side_ft,
            "rear": self.rear_ft,
        }
        return by_class.get(line_class)


@dataclass(frozen=True, slots=True, eq=False)
class NoDisturb:
    """Ground next to a resource that may not be disturbed, joined into the answer with its own citation."""

    name: str
    width_ft: float
    area: Area
    citation: str


@dataclass(frozen=True, slots=True, eq=False)
class Yard:
    """A yard as drawn: ground of the lot at most ``depth_ft`` from its lines. Yards do not overlap (PRECEDENCE)."""

    name: YardName
    depth_ft: float
    area_sqft: float
    area: Area


@dataclass(frozen=True, slots=True, eq=False)
class ZoneTaken:
    """What a no-disturb zone takes of the lot beside the yards."""

    zone: NoDisturb
    area_sqft: float
    area: Area


@dataclass(frozen=True, slots=True, eq=False)
class Setbacks:
    """Lot lines, yards and what is left to build on. ``envelope`` None: some depth is not known; it may be empty.

    Where a line's class is unknown the deepest yard it may have is drawn as ``unknown``, so that the envelope is
    the ground that can surely be built on. ``centrelines`` hold the street lines used for the double front test.
    """

    lot: Area
    lines: tuple[LotLine, ...]
    depths: Depths
    yards: tuple[Yard, ...]
    no_disturb: tuple[ZoneTaken, ...]
    envelope: Area | None
    needs: tuple[str, ...]
    centrelines: tuple[LineString, ...] = ()
    notes: tuple[str, ...] = ()

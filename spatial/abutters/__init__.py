"""Who must be told: neighbours measured → a notice rule decided, for one piece of land. Pure.

Distances are exact and from the property line of the land; nothing is buffered to decide. Every parcel that is left
out although it is near is said with the reason, and so is every piece of ground we cannot see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from spatial.abutters.neighbours import Neighbour, Neighbours, Surroundings, neighbours
from spatial.case import Caution
from spatial.errors import ParameterRefused
from spatial.fabric import ParcelFabric
from spatial.fabric.beyond import cautions_of_coverage
from spatial.fabric.land import Land
from spatial.model import EditionRef
from spatial.notice import NoticeRule
from spatial.units import DISTANCE_TOLERANCE_FT

LEAST_LOT_SQFT = 1000.0
"""Bare ground smaller than this is taken for an island of a street, not for a lot that the map lacks."""

AbutterRelation = Literal["direct", "across_way", "within", "directly_opposite", "abutter_to_abutter"]


@dataclass(frozen=True, slots=True)
class Abutter:
    """One parcel whose owner is to be told; ``clauses`` say what of the rule named it, ``row`` is the fabric's."""

    row: int
    loc_id: str
    map_par_id: str | None
    town_id: int | None
    site_address: str | None
    poly_type: str
    distance_ft: float
    relation: AbutterRelation
    clauses: tuple[str, ...]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A parcel beyond the line by less than the parcels' accuracy."""

    loc_id: str
    distance_ft: float


@dataclass(frozen=True, slots=True)
class Excluded:
    """A near parcel that is not on the list, and why."""

    loc_id: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Abutting:
    """The whole answer of geometry, before owners; every list nearest first, then by LOC_ID."""

    land: Land
    rule: NoticeRule
    abutters: tuple[Abutter, ...]
    near_misses: tuple[NearMiss, ...]
    excluded: tuple[Excluded, ...]
    warnings: tuple[Caution, ...]
    editions: tuple[EditionRef, ...]


def abutters(land: Land, rule: NoticeRule, fabric: ParcelFabric, around: Surroundings | None = None) -> Abutting:
    """Return every parcel a rule names around a piece of land, with relation, distance and reason.

    Parameters
    ----------
    land
        From :func:`spatial.fabric.land.land_of`, on the same fabric.
    around
        The tax list's LOC_IDs, towns and roads; what is None is said where it matters.

    Raises
    ------
    ParameterRefused
        ``bad_parameter`` when the rule's text requires no notice and no distance was asked for.
    """
    if not rule.required and rule.within_ft is None:
        raise ParameterRefused(f"{rule.how} (rules: ma-131-40, ma-40a-11; or a distance within_ft)")
    around = around or Surroundings()
    near = neighbours(land, rule, fabric, around)
    ordered = sorted(near.parcels, key=lambda n: (n.distance_ft, n.loc_id))
    listed = [n for n in ordered if n.barred is None and _clauses(n, rule)]
    named = {n.row for n in listed}
    others = [n for n in ordered if n.row not in named]
    return Abutting(
        land=land,
        rule=rule,
        abutters=tuple(_abutter(n, rule, fabric) for n in listed),
        near_misses=tuple(NearMiss(n.loc_id, n.distance_ft) for n in others if _nearly(n, rule)),
        excluded=_excluded(land, others, rule),
        warnings=(
            *_cautions(near, rule, around),
            *cautions_of_coverage(land.ground, fabric, rule.reach_ft, around.towns, view=near.looked_over),
        ),
        editions=fabric.editions,
    )


def _within(neighbour: Neighbour, limit_ft: float | None) -> bool:
    return limit_ft is not None and neighbour.distance_ft <= limit_ft + DISTANCE_TOLERANCE_FT


def _clauses(neighbour: Neighbour, rule: NoticeRule) -> tuple[str, ...]:
    """Return what of the rule names a parcel; empty when nothing does."""
    reasons = {
        f"within_{rule.within_ft or 0.0:g}_ft": _within(neighbour, rule.within_ft),
        "direct": rule.direct and neighbour.direct,
        "directly_opposite": rule.opposite and neighbour.facing,
        "abutter_to_abutter": neighbour.second,
    }
    return tuple(f"{rule.id}.{name}" for name, holds in reasons.items() if holds)


def _abutter(neighbour: Neighbour, rule: NoticeRule, fabric: ParcelFabric) -> Abutter:
    row = neighbour.row
    return Abutter(
        row=row,
        loc_id=neighbour.loc_id,
        map_par_id=fabric.map_par_id[row],
        town_id=fabric.town_id[row],
        site_address=fabric.site_address[row],
        poly_type=str(fabric.poly_type[row]),
        distance_ft=neighbour.distance_ft,
        relation=_relation(neighbour, rule),
        clauses=_clauses(neighbour, rule),
        flags=_flags(neighbour, rule, str(fabric.poly_type[row])),
    )


def _relation(neighbour: Neighbour, rule: NoticeRule) -> AbutterRelation:
    if neighbour.direct:
        return "direct"
    if _within(neighbour, rule.within_ft):
        return "across_way" if neighbour.across_way else "within"
    return "directly_opposite" if neighbour.facing else "abutter_to_abutter"


def _flags(neighbour: Neighbour, rule: NoticeRule, poly_type: str) -> tuple[str, ...]:
    beyond = neighbour.facing and not _within(neighbour, rule.within_ft)
    reasons = {
        "owner_to_be_determined_by_the_assessor": poly_type in ("PRIV_ROW", "RAIL_ROW") and not neighbour.assessed,
        "directly_opposite": neighbour.facing,
        "opposite_beyond_the_distance": rule.within_ft is not None and beyond,
        "work_touches_this_parcel": neighbour.worked_sqft > 0.0,
    }
    return tuple(name for name, holds in reasons.items() if holds)


def _nearly(neighbour: Neighbour, rule: NoticeRule) -> bool:
    beyond_ft = neighbour.distance_ft - rule.reach_ft
    return neighbour.barred is None and DISTANCE_TOLERANCE_FT < beyond_ft <= neighbour.accuracy_ft


def _excluded(land: Land, others: Sequence[Neighbour], rule: NoticeRule) -> tuple[Excluded, ...]:
    """Return the subject, and what lies within the outermost line and is not listed, with the reason."""
    inner = [n for n in others if _within(n, rule.reach_ft) or (n.facing and n.barred)]
    return (
        *(Excluded(loc_id, "subject land") for loc_id in land.loc_ids),
        *(Excluded(n.loc_id, n.barred or "abuts no abutter") for n in inner),
    )


def _cautions(near: Neighbours, rule: NoticeRule, around: Surroundings) -> tuple[Caution, ...]:
    """Return the sentences about work outside the subject, unseen far sides and an unknown tax list."""
    said = {
        "work_outside_subject": _work_outside(near),
        "far_side_not_found": _far_side(near, rule),
        "ground_without_parcel": _no_parcel(near),
        "way_with_tax_row": _taxed_ways(near, rule),
        "tax_list_unknown": "No tax list is loaded: which ways and waters have an owner of record is not known."
        if around.assessed is None
        else "",
        "no_notice_required": "" if rule.required else rule.how,
    }
    return tuple(Caution(code, text) for code, text in said.items() if text)


def _work_outside(near: Neighbours) -> str:
    named = sorted(f"{n.loc_id} ({n.worked_sqft:,.0f} sq ft)" for n in near.parcels if n.worked_sqft > 0.0)
    if not named:
        return ""
    return (
        f"The work touches {', '.join(named)}, not in the subject: its property line was not measured from. "
        "Add it to the subject, or the owners around it are missing."
    )


def _taxed_ways(near: Neighbours, rule: NoticeRule) -> str:
    named = sorted(n.loc_id for n in near.parcels if n.barred and n.assessed and _within(n, rule.reach_ft))
    if not named:
        return ""
    return (
        f"The tax list has an owner for {', '.join(named)}, drawn as a public way and so not on the list; if it is "
        "property the Assessor adds it."
    )


def _no_parcel(near: Neighbours) -> str:
    if near.no_road_sqft < LEAST_LOT_SQFT:
        return ""
    return (
        f"Near the land lie {near.no_road_sqft:,.0f} sq ft in one piece that are no parcel of the map and carry no "
        "road of the roads layer; a lot the map lacks may be there, look by hand."
    )


def _far_side(near: Neighbours, rule: NoticeRule) -> str:
    if near.unseen_ft < 1.0:
        return ""
    return (
        f"From {near.unseen_ft:,.0f} ft of frontage no parcel was found straight across the way"
        f"{' or water' if rule.opposite_over_water else ''} within {rule.opposite_reach_ft:g} ft; look for the "
        "owners directly opposite by hand."
    )

"""Measure: whether a ring around some land leaves the ground we hold parcels of, and into which towns. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from spatial.case import Caution
from spatial.fabric import ParcelFabric
from spatial.model import Area, Geometries
from spatial.units import DISTANCE_TOLERANCE_FT, m_from_ft


@dataclass(frozen=True, slots=True, eq=False)
class TownOutline:
    """A town as its boundary runs, EPSG:26986; ``accuracy_ft`` how well."""

    id: int
    name: str
    geometry: Area
    accuracy_ft: float = 13.9


def cautions_of_coverage(
    ground: Area,
    fabric: ParcelFabric,
    reach_ft: float,
    towns: Sequence[TownOutline] | None,
    *,
    view: BaseGeometry | None = None,
) -> tuple[Caution, ...]:
    """Return a sentence for each town whose assessor must be asked; none when all ground near is held.

    Parameters
    ----------
    reach_ft
        The distance of the rule; parcels this near outside the coverage could be on the list.
    towns
        Outlines of all towns; None when no such layer is loaded, which is said.
    view
        Ground looked over besides, as across a way or a river wider than the distance; None when there is none.
    """
    unseen = _unseen(ground, fabric, reach_ft)
    farther = view if view is None or unseen is None else shapely.difference(view, unseen)
    return (*_within_reach(ground, unseen, fabric, reach_ft, towns=towns), *_in_view(farther, fabric, towns))


def _within_reach(
    ground: Area,
    unseen: BaseGeometry | None,
    fabric: ParcelFabric,
    reach_ft: float,
    *,
    towns: Sequence[TownOutline] | None,
) -> tuple[Caution, ...]:
    if unseen is None:
        return ()
    if towns is None:
        return (
            Caution(
                "outside_loaded_parcels",
                f"The {reach_ft:g} ft around the land reach beyond the loaded parcels, and no towns layer is "
                "loaded to say whose they are; ask the assessors of the towns nearby.",
            ),
        )
    loaded = {int(t) for t in set(fabric.town_id.tolist()) if t is not None}
    named = [t for t in towns if _shares(t, unseen, ground, reach_ft)]
    others = [_ask(t, reach_ft) for t in named if t.id not in loaded]
    own = [_bare(t, reach_ft) for t in named if t.id in loaded and _is_wide(t, unseen)]
    return (*others, *own, *_of_nobody(unseen, named, ground, reach_ft))


def _in_view(
    view: BaseGeometry | None, fabric: ParcelFabric, towns: Sequence[TownOutline] | None
) -> tuple[Caution, ...]:
    """Return a sentence when one looks across a way or water onto ground that no parcel edition answers for."""
    if view is None or shapely.covers(fabric.coverage, view):
        return ()
    wide = _wide(shapely.get_parts(shapely.difference(view, fabric.coverage)), fabric)
    if not len(wide):
        return ()
    loaded = {int(t) for t in set(fabric.town_id.tolist()) if t is not None}
    others = [t for t in towns or () if t.id not in loaded and bool(shapely.intersects(t.geometry, wide).any())]
    whose = f"; ask the assessors of {', '.join(t.name for t in others)}" if others else "; look there by hand"
    return (
        Caution(
            "ask_other_town" if others else "outside_loaded_parcels",
            "Straight across a way or water the land faces ground of which no parcels are loaded: who is directly "
            f"opposite there is not known{whose}.",
        ),
    )


def _wide(parts: Geometries, fabric: ParcelFabric) -> Geometries:
    """Return the parts that are wider than the seam between two editions may be."""
    half_m = m_from_ft(fabric.coarsest_ft) / 2.0
    return np.asarray(parts[~shapely.is_empty(shapely.buffer(parts, -half_m, quad_segs=1))])


def _unseen(ground: Area, fabric: ParcelFabric, reach_ft: float) -> BaseGeometry | None:
    """Return the ground near the land that no parcel edition answers for, without slivers between two editions."""
    reach_m = m_from_ft(reach_ft + DISTANCE_TOLERANCE_FT)
    window = shapely.box(*shapely.buffer(shapely.box(*ground.bounds), reach_m).bounds)
    if shapely.covers(fabric.coverage, window):
        return None
    gone = np.asarray(shapely.get_parts(shapely.difference(window, fabric.coverage)))
    wide = _wide(gone, fabric)
    near = wide[shapely.dwithin(wide, ground, reach_m)]
    return shapely.union_all(near) if len(near) else None


def _shares(town: TownOutline, unseen: BaseGeometry, ground: Area, reach_ft: float) -> bool:
    if not shapely.intersects(town.geometry, unseen):
        return False
    part = shapely.intersection(town.geometry, unseen)
    return bool(
        shapely.area(part) > 1.0 and shapely.dwithin(part, ground, m_from_ft(reach_ft + DISTANCE_TOLERANCE_FT))
    )


def _is_wide(town: TownOutline, unseen: BaseGeometry) -> bool:
    """Tell bare ground of a loaded town from the two maps not agreeing on where the town ends."""
    part = shapely.intersection(town.geometry, unseen)
    return not shapely.buffer(part, -m_from_ft(town.accuracy_ft), quad_segs=1).is_empty


def _bare(town: TownOutline, reach_ft: float) -> Caution:
    return Caution(
        "outside_loaded_parcels",
        f"The {reach_ft:g} ft around the land reach onto ground of {town.name} that none of its parcels covers; "
        "look there by hand.",
    )


def _ask(town: TownOutline, reach_ft: float) -> Caution:
    return Caution(
        "ask_other_town",
        f"The {reach_ft:g} ft around the land reach into {town.name} (town {town.id}): its parcels are not loaded "
        f"there; a list certified by the assessors of {town.name} must be added.",
    )


def _of_nobody(
    unseen: BaseGeometry, named: Sequence[TownOutline], ground: Area, reach_ft: float
) -> tuple[Caution, ...]:
    """Return the sentence on unseen ground that is in no town, as beyond the line of the state.

    Beside a town that is named, less of it than the outlines' accuracy is their not agreeing.
    """
    rest = shapely.difference(unseen, shapely.union_all([t.geometry for t in named])) if named else unseen
    if named and shapely.buffer(rest, -m_from_ft(max(t.accuracy_ft for t in named)) / 2.0, quad_segs=1).is_empty:
        return ()
    if not shapely.dwithin(rest, ground, m_from_ft(reach_ft + DISTANCE_TOLERANCE_FT)):
        return ()
    return (
        Caution(
            "outside_loaded_parcels",
            f"The {reach_ft:g} ft around the land reach beyond the parcels that are loaded, onto ground that no "
            "town of the towns layer has, perhaps of another state; look there by hand.",
        ),
    )

"""The use case of neighbours: which parcels lie near one, how far and how they relate. Never whose they are."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from app.schemas.parcel import Neighbor, Neighbors
from layers.library import Snapshot
from layers.notice_rules import load_notice_rules
from spatial.abutters import Abutter, abutters
from spatial.abutters.neighbours import Surroundings
from spatial.errors import Unavailable
from spatial.fabric import ParcelFabric, weave
from spatial.fabric.beyond import TownOutline
from spatial.fabric.land import land_of
from spatial.model import LayerFrame
from spatial.notice import PLAIN_DISTANCE


def neighbors_of(snapshot: Snapshot, loc_id: str, within_ft: float) -> Neighbors:
    """Return the parcels within a distance of a parcel's lot line, nearest first; ways and the parcel itself not.

    Parameters
    ----------
    loc_id
        The parcel; ``parcel_unknown`` when no edition has it.
    within_ft
        US survey feet, exact: 100.00 ft is within 100, 100.01 ft is not.

    Raises
    ------
    ParameterRefused
        ``parcel_unknown``.
    Unavailable
        ``layer_unavailable`` when no parcels are loaded at all.
    """
    frames = snapshot.frame("parcels")
    if not frames:
        raise Unavailable("No parcels are loaded; ask the operator to add a town's parcels.", layer="parcels")
    fabric = _woven(frames)
    rule = replace(load_notice_rules().rule(PLAIN_DISTANCE), within_ft=within_ft, direct=False)
    found = abutters(land_of(fabric, [loc_id]), rule, fabric, _around(snapshot))
    beyond = [c for c in found.warnings if c.code in ("ask_other_town", "outside_loaded_parcels")]
    return Neighbors(
        loc_id=loc_id,
        within_ft=within_ft,
        complete=not beyond,
        warnings=[caution.message for caution in beyond],
        neighbors=sorted(map(_told, found.abutters), key=lambda one: (one.distance_ft, one.loc_id)),
    )


@lru_cache(maxsize=2)
def _woven(frames: tuple[LayerFrame, ...]) -> ParcelFabric:
    """Weave the parcels once an edition; frames are the same objects until an edition changes."""
    return weave(frames)


def _around(snapshot: Snapshot) -> Surroundings:
    roads = [frame.geometry for frame in snapshot.frame("roads")]
    return Surroundings(towns=_outlines(snapshot), roads=np.concatenate(roads) if roads else None)


def _outlines(snapshot: Snapshot) -> tuple[TownOutline, ...] | None:
    frames = snapshot.frame("towns")
    if not frames:
        return None
    return tuple(
        TownOutline(int(number), str(label), shape)
        for frame in frames
        for number, label, shape in zip(frame.attributes["town_id"], frame.labels, frame.geometry, strict=True)
    )


def _told(one: Abutter) -> Neighbor:
    return Neighbor(
        loc_id=one.loc_id,
        map_par_id=one.map_par_id,
        town_id=one.town_id,
        site_address=one.site_address,
        distance_ft=one.distance_ft,
        relation=one.relation,
    )

"""The use case of neighbours: which parcels lie near one, how far and how they relate. Never whose they are."""

from __future__ import annotations

from app.notices.ground import fabric_of, surroundings_of
from app.schemas.parcel import Neighbor, Neighbors
from layers.notice_rules import load_notice_rules
from layers.snapshot import Snapshot
from spatial.abutters import Abutter, abutters
from spatial.fabric.land import land_of
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
    fabric = fabric_of(snapshot)
    rule = load_notice_rules().rule(PLAIN_DISTANCE).exactly(within_ft)
    found = abutters(land_of(fabric, [loc_id]), rule, fabric, surroundings_of(snapshot, assessed=None))
    beyond = [c for c in found.warnings if c.code in ("ask_other_town", "outside_loaded_parcels")]
    return Neighbors(
        loc_id=loc_id,
        within_ft=within_ft,
        complete=not beyond,
        warnings=[caution.message for caution in beyond],
        neighbors=sorted(map(_told, found.abutters), key=lambda one: (one.distance_ft, one.loc_id)),
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

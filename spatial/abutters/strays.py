"""Measure: which LOC_IDs without a parcel point to a place near some land. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import shapely

from spatial.fabric.land import Land
from spatial.fabric.loc_ids import place_of
from spatial.units import m_from_ft


def near_places(land: Land, loc_ids: Iterable[str], within_ft: float) -> frozenset[str]:
    """Return the LOC_IDs whose point lies at most ``within_ft`` from the land; one that tells no place has none.

    The point is inside the parcel that had the id, so the parcel may reach nearer than its point.
    """
    places = {loc_id: place for loc_id in loc_ids if (place := place_of(loc_id)) is not None}
    return frozenset(i for i, place in places.items() if shapely.dwithin(place, land.ground, m_from_ft(within_ft)))

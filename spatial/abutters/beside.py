"""Measure: which towns abut a town. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import shapely

from spatial.fabric.beyond import TownOutline
from spatial.units import m_from_ft


def towns_beside(town_ids: Collection[int], towns: Sequence[TownOutline]) -> tuple[TownOutline, ...]:
    """Return the towns that abut some towns, in the order given; a corner touch abuts, the towns themselves do not.

    Two outlines abut when they are no farther apart than the accuracy of both.
    """
    ours = [t for t in towns if t.id in town_ids]
    return tuple(t for t in towns if t.id not in town_ids and any(_abut(t, own) for own in ours))


def _abut(one: TownOutline, other: TownOutline) -> bool:
    slack_m = m_from_ft(one.accuracy_ft + other.accuracy_ft)
    apart = shapely.distance(shapely.box(*one.geometry.bounds), shapely.box(*other.geometry.bounds)) > slack_m
    return not apart and bool(shapely.dwithin(one.geometry, other.geometry, slack_m))

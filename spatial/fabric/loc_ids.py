"""Measure: where a LOC_ID says its parcel lies. Pure.

MassGIS makes a LOC_ID from a point inside the parcel, in Mass. State Plane NAD83: ``F_`` in US survey feet, ``M_``
in metres. So a parcel of another edition, or a row of a tax list that meets no parcel, still tells a place.
"""

from __future__ import annotations

import re

from shapely import Point

from spatial.units import FOOT_M

_NAMED = re.compile(r"([FM])_(\d{4,7})_(\d{5,7})")


def place_of(loc_id: str) -> Point | None:
    """Return the point a LOC_ID is named after, EPSG:26986; None for an id of another making.

    The foot of a coordinate and of a length are the same here: the US survey foot.

    >>> place_of("M_237122_921037").coords[0], place_of("12-34") is None
    ((237122.0, 921037.0), True)
    """
    found = _NAMED.fullmatch(loc_id.strip().upper())
    if found is None:
        return None
    unit_m = FOOT_M if found[1] == "F" else 1.0
    return Point(int(found[2]) * unit_m, int(found[3]) * unit_m)

"""The subject of an abutters' list: which ground its property line encloses. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.dust import united
from spatial.errors import GeometryRefused, ParameterRefused
from spatial.fabric import ParcelFabric
from spatial.model import Area
from spatial.units import m_from_ft


@dataclass(frozen=True, slots=True, eq=False)
class Land:
    """The subject land: its parcels, its ground (EPSG:26986), and the work on it where that is known."""

    loc_ids: tuple[str, ...]
    rows: NDArray[np.int64]
    ground: Area
    work: Area | None = None


def land_of(fabric: ParcelFabric, loc_ids: Sequence[str], work: Area | None = None) -> Land:
    """Return the subject land made of parcels, of a drawn area, or of both.

    Parameters
    ----------
    loc_ids
        Parcels of the subject; with them, work that leaves them counts as land too.
    work
        The drawn area or the limit of work, EPSG:26986; alone it is the land, as for work in a street.

    Raises
    ------
    ParameterRefused
        ``parcel_unknown``, or ``bad_parameter`` when nothing is named.
    GeometryRefused
        ``degenerate_geometry`` when the ground has no area.
    """
    rows = fabric.rows_of(loc_ids)
    if not len(rows) and work is None:
        raise ParameterRefused("Name a parcel, a screening or a drawn area to list the abutters of.")
    shapes = [*fabric.geometry[rows], *([work] if work is not None else [])]
    ground = united(shapes)
    if ground.is_empty or ground.area == 0.0:
        raise GeometryRefused("The subject land has no area; draw a polygon.", code="degenerate_geometry")
    return Land(tuple(dict.fromkeys(loc_ids)), rows, ground, work)


def ring_around(ground: Area, within_ft: float) -> Area:
    """Return the ground with all that lies within a distance of it, to draw; never to decide who is inside.

    A quarter circle has 64 segments: the drawn line is at most 0.008 % short of the distance.
    """
    return cast("Area", shapely.buffer(ground, m_from_ft(within_ft), quad_segs=64))

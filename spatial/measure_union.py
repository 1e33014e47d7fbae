"""Stage measure: areas of unions. Overlapping features never count twice; slivers and touches are told apart.

The tolerances here are of measurement (how finely lines are digitised), not of law.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.model import Geometries
from spatial.units import FOOT_M, sqft_from_sqm

SLIVER_SQFT = 1.0
"""Shared ground smaller than this is digitising noise."""

SLIVER_WIDTH_FT = 0.1
"""Shared ground narrower than this is digitising noise."""

Floats = NDArray[np.float64]
Keys = NDArray[np.int64]


def union_area_m2(parts: Geometries, sizes_m2: Floats, owners: Keys) -> float:
    """Return the area of the union of parts whose own areas are known.

    Pieces of one feature (``owners``) never overlap, so only parts of different features are united, and only
    when their boxes share ground. No parts: 0.
    """
    total = float(sizes_m2.sum())
    if len(parts) < 2 or (owners == owners[0]).all() or not _boxes_share_ground(parts, owners):
        return total
    return float(shapely.union_all(parts).area)


def _boxes_share_ground(parts: Geometries, owners: Keys) -> bool:
    west, south, east, north = shapely.bounds(parts).T
    across = np.minimum(east[:, None], east) - np.maximum(west[:, None], west)
    along = np.minimum(north[:, None], north) - np.maximum(south[:, None], south)
    return bool(((across > 0) & (along > 0) & (owners[:, None] != owners)).any())


def is_sliver(parts: Geometries, sizes_m2: Floats, smaller_m2: float) -> bool:
    """Say whether shared ground is only digitising noise: under 1 sq ft, or nowhere 0.1 ft wide.

    Ground that is most of the work, or most of a feature (``smaller_m2``), is never noise, however small.
    """
    if sizes_m2.sum() >= smaller_m2 / 2.0:
        return False
    around_m = shapely.length(parts)
    wide = 2.0 * sizes_m2 >= SLIVER_WIDTH_FT * FOOT_M * around_m
    return sqft_from_sqm(float(sizes_m2[wide].sum())) < SLIVER_SQFT

"""Stage measure: areas of unions. Overlapping features never count twice; slivers and touches are told apart.

The tolerances here are of measurement (how finely lines are digitised), not of law.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import shapely
from shapely.geometry.base import BaseGeometry

from spatial.index.items import NOWHERE
from spatial.site import Bounds
from spatial.units import FOOT_M, sqft_from_sqm

SLIVER_SQFT = 1.0
"""Shared ground smaller than this is digitising noise."""

SLIVER_WIDTH_FT = 0.1
"""Shared ground narrower than this is digitising noise."""


def union_area_m2(by_feature: Sequence[Sequence[BaseGeometry]], sizes_m2: Sequence[float]) -> float:
    """Return the area of the union of features' parts whose own areas are known.

    Parameters
    ----------
    by_feature
        The parts of each feature; parts of one feature never overlap. Empty ones count for nothing.
    sizes_m2
        Area of each feature's parts together. Features are united only where their boxes share ground.

    Returns
    -------
    float
        Square metres; 0 without parts.

    Examples
    --------
    >>> union_area_m2([[shapely.box(0, 0, 2, 1)], [shapely.box(1, 0, 3, 1)]], [2.0, 2.0])
    3.0
    """
    boxes = [_bounds(parts) for parts in by_feature]
    meeting = {
        n for pair in combinations(range(len(boxes)), 2) if _share_ground(*(boxes[n] for n in pair)) for n in pair
    }
    if not meeting:
        return sum(sizes_m2)
    united = shapely.union_all([part for n in sorted(meeting) for part in by_feature[n]])
    return float(united.area) + sum(size for n, size in enumerate(sizes_m2) if n not in meeting)


def _bounds(parts: Sequence[BaseGeometry]) -> Bounds:
    """Return the box of some parts; of nothing but empty ones, NaN, which shares ground with nothing."""
    boxes = [part.bounds for part in parts if not part.is_empty]
    if not boxes:
        return NOWHERE
    west, south, east, north = zip(*boxes, strict=True)
    return min(west), min(south), max(east), max(north)


def _share_ground(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def is_sliver(parts: Sequence[BaseGeometry], sizes_m2: Sequence[float]) -> bool:
    """Say whether shared ground is so small or narrow that it may be digitising noise.

    Under 1 sq ft, or nowhere 0.1 ft wide. Whether it is most of something small is for the caller to ask.
    """
    narrow_m = SLIVER_WIDTH_FT * FOOT_M
    if sqft_from_sqm(sum(sizes_m2)) < SLIVER_SQFT:
        return True
    wide_m2 = sum(size for part, size in zip(parts, sizes_m2, strict=True) if 2.0 * size >= narrow_m * part.length)
    return sqft_from_sqm(wide_m2) < SLIVER_SQFT and sqft_from_sqm(_opened_m2(parts, narrow_m / 2.0)) < SLIVER_SQFT


def _opened_m2(parts: Sequence[BaseGeometry], half_m: float) -> float:
    """Return the area left when all that is narrower than twice a width is taken away, however long it is."""
    cores = shapely.buffer(parts, -half_m, join_style="mitre")
    return float(shapely.area(shapely.buffer(cores, half_m, join_style="mitre")).sum())

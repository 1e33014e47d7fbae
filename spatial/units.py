"""Units: metres inside, US survey feet outside (1 ft = 1200/3937 m exactly).

The foot is the one of EPSG:2249; the international foot differs by 2 parts in a million in length.
"""

from __future__ import annotations

FOOT_M = 1200.0 / 3937.0
"""Metres in a US survey foot."""

INTERNATIONAL_FOOT_M = 0.3048
"""Metres in an international foot."""

SQFT_PER_ACRE = 43_560.0
"""Square feet in an acre."""

CUFT_PER_CUYD = 27.0
"""Cubic feet in a cubic yard."""

INCHES_PER_FOOT = 12.0
"""Inches in a foot."""

GALLONS_PER_CUFT = 1728.0 / 231.0
"""US gallons in a cubic foot (231 cubic inches each)."""

PERCENT = 100.0
"""Hundredths in a whole."""

DISTANCE_TOLERANCE_FT = 0.005
"""Distances are compared with this much grace, so that 100.00 ft is within 100 ft and 100.01 ft is not."""

GRID_AREA_ERROR = 7e-5
"""Largest relative difference of planar EPSG:26986 area from area on the ellipsoid in the mainland zone."""


def ft_from_m(length_m: float) -> float:
    """Return feet for metres.

    >>> round(ft_from_m(30.48006096012192), 9)
    100.0
    """
    return length_m / FOOT_M


def m_from_ft(length_ft: float) -> float:
    """Return metres for feet.

    >>> round(m_from_ft(3937.0), 9)
    1200.0
    """
    return length_ft * FOOT_M


def sqft_from_sqm(area_sqm: float) -> float:
    """Return square feet for square metres.

    >>> round(sqft_from_sqm(1.0), 6)
    10.763867
    """
    return area_sqm / (FOOT_M * FOOT_M)


def sqm_from_sqft(area_sqft: float) -> float:
    """Return square metres for square feet.

    >>> round(sqm_from_sqft(10.763867361111111), 9)
    1.0
    """
    return area_sqft * FOOT_M * FOOT_M

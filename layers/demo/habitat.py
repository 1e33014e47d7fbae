"""Rare species habitat and vernal pools of the invented towns."""

from __future__ import annotations

from shapely import Point, box

from layers.demo.plan import Sheet

VERSION = "INVENTED 2026"


def draw_habitat() -> tuple[Sheet, ...]:
    """Return priority and estimated habitat (the second inside the first) and both kinds of vernal pools.

    The Doverbrook habitat lies 1,253 ft from the work on the sample site; the Lynnmere one 360 ft from the other.
    """
    priority = (box(5_200.0, 3_300.0, 5_900.0, 4_400.0), box(9_700.0, 2_700.0, 10_600.0, 4_200.0))
    estimated = (box(5_400.0, 3_400.0, 5_900.0, 4_300.0), box(9_900.0, 3_300.0, 10_500.0, 4_000.0))
    certified = (Point(2_200.0, 3_700.0), Point(10_200.0, 3_600.0))
    potential = (Point(2_600.0, 4_400.0), Point(7_800.0, 3_700.0))
    return (
        Sheet(
            "priority_habitat", "PRIHAB_POLY.shp", "Polygon", ("PRIHAB_ID", "VERSION"),
            (("PH 9001", VERSION), ("PH 9002", VERSION)), priority,
        ),
        Sheet(
            "estimated_habitat", "ESTHAB_POLY.shp", "Polygon", ("ESTHAB_ID", "VERSION"),
            (("EH 9001", VERSION), ("EH 9002", VERSION)), estimated,
        ),
        Sheet(
            "certified_vernal_pools", "CVP_PT.shp", "Point", ("CVP_NUM", "CRITERIA", "CERTIFIED"),
            ((99_001, "AMPHIBIAN", "20200401"), (99_002, "FAIRY SHRIMP", "20210415")), certified,
        ),
        Sheet("potential_vernal_pools", "PVP_PT.shp", "Point", ("PVP_NUMBER",), ((99_101,), (99_102,)), potential),
    )  # fmt: skip

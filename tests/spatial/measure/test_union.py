"""Areas of unions: what overlaps counts once, what is empty counts for nothing, what lies apart is only added."""

from __future__ import annotations

import pytest
import shapely

from spatial.measure.union import union_area_m2

NOTHING = shapely.Polygon()
WEST, MIDDLE, FAR = shapely.box(0, 0, 2, 1), shapely.box(1, 0, 3, 1), shapely.box(8, 0, 9, 4)


@pytest.mark.parametrize(
    ("by_feature", "sizes", "area"),
    [
        ([], [], 0.0),
        ([[WEST]], [2.0], 2.0),
        ([[NOTHING], [NOTHING]], [0.0, 0.0], 0.0),
        ([[WEST], [MIDDLE]], [2.0, 2.0], 3.0),
        ([[NOTHING, WEST], [MIDDLE]], [2.0, 2.0], 3.0),
        ([[WEST], [FAR], [MIDDLE]], [2.0, 4.0, 2.0], 7.0),
        ([[WEST], [shapely.box(2, 0, 3, 1)]], [2.0, 1.0], 3.0),
    ],
)
def test_ground_counts_once(by_feature: list[list[shapely.Polygon]], sizes: list[float], area: float) -> None:
    assert union_area_m2(by_feature, sizes) == pytest.approx(area, rel=1e-12)

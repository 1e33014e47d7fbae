"""The nearest of many: the same as measuring all, whatever lies where, and nothing beyond the limit."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.index.items import FIRST_LOOK_M, LOOK_FARTHER, Part
from spatial.site import Ground

PLACES = st.integers(-2_000, 2_000)
BOXES = st.lists(st.tuples(PLACES, PLACES, st.integers(1, 900), st.integers(1, 900)), min_size=1, max_size=30)
SITE = shapely.Polygon([(0, 0), (40, 5), (30, 35), (-5, 20)])


def part_of(*geometries: shapely.Geometry) -> Part:
    held = np.array(geometries, dtype=object)
    return Part(held, np.arange(len(held)))


@settings(max_examples=150, deadline=None)
@given(BOXES, st.floats(1.0, 4_000.0))
def test_the_nearest_is_the_least_of_all_distances(boxes: list[tuple[int, int, int, int]], within_m: float) -> None:
    slants = [shapely.Polygon([(x, y), (x + w, y), (x + w, y + h)]) for x, y, w, h in boxes]
    least = float(shapely.distance(SITE, slants).min())
    found = part_of(*slants).nearest_m(Ground(SITE), within_m)
    assert found == (pytest.approx(least, abs=1e-9) if least <= within_m else None)


@pytest.mark.parametrize("away_m", [0.5, FIRST_LOOK_M, FIRST_LOOK_M + 1.0, FIRST_LOOK_M * LOOK_FARTHER, 50_000.0])
def test_without_a_limit_the_only_one_is_found_wherever_it_is(away_m: float) -> None:
    assert part_of(shapely.Point(40 + away_m, 5)).nearest_m(Ground(SITE), math.inf) == pytest.approx(away_m)


def test_one_exactly_at_the_limit_is_within_it() -> None:
    part = part_of(shapely.Point(540, 5), shapely.Point(0, 9_000))
    assert part.nearest_m(Ground(SITE), 500.0) == 500.0
    assert part.nearest_m(Ground(SITE), 499.999) is None


def test_a_corner_of_the_look_that_is_farther_than_its_side_does_not_win() -> None:
    inside_the_box, nearer_beyond_it = shapely.Point(139, 134), shapely.Point(-106, 20)
    found = part_of(inside_the_box, nearer_beyond_it).nearest_m(Ground(SITE), math.inf)
    assert found == pytest.approx(101.0)


def test_nothing_has_no_nearest() -> None:
    assert part_of().nearest_m(Ground(SITE), 100.0) is None

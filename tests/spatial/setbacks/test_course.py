"""A line walked by distance: places, parts and neighbours along it."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from spatial.setbacks.course import Course, Ring

SQUARE = Course(shapely.LineString([(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)]))


@pytest.mark.parametrize(("at", "point"), [(0, (0, 0)), (5, (5, 0)), (15, (10, 5)), (45, (5, 0)), (-5, (0, 5))])
def test_places_along_a_ring(at, point):
    assert SQUARE.points(np.array([float(at)]))[0].tolist() == pytest.approx(point)


@pytest.mark.parametrize(
    ("start", "end", "wkt"),
    [
        (5.0, 15.0, "LINESTRING (5 0, 10 0, 10 5)"),
        (10.0, 20.0, "LINESTRING (10 0, 10 10)"),
        (35.0, 5.0, "LINESTRING (0 5, 0 0, 5 0)"),
        (30.0, 0.0, "LINESTRING (0 10, 0 0)"),
        (0.0, 0.0, "LINESTRING (0 0, 10 0, 10 10, 0 10, 0 0)"),
        (40.0, 5.0, "LINESTRING (0 0, 5 0)"),
    ],
)
def test_parts_of_a_ring(start, end, wkt):
    assert shapely.equals_exact(SQUARE.part(start, end), shapely.from_wkt(wkt))


def test_distances_of_places_and_the_whole_length():
    assert SQUARE.length == 40.0
    assert SQUARE.locate(np.array([[10.0, 4.0], [0.0, 9.0]])).tolist() == [14.0, 31.0]


@given(st.lists(st.floats(0.01, 39.9), min_size=2, max_size=8, unique=True))
def test_parts_give_back_the_ring(breaks):
    at = sorted(breaks)
    parts = [SQUARE.part(a, b) for a, b in zip(at, [*at[1:], at[0]], strict=True)]
    assert sum(p.length for p in parts) == pytest.approx(40.0)
    assert shapely.union_all(parts).length == pytest.approx(40.0)


def test_a_ring_knows_its_neighbours_over_its_start():
    ring = Ring(40.0)
    assert not ring.has_near(1.0, 5.0)
    for at in (39.0, 20.0):
        ring.keep(at)
    assert ring.kept == [20.0, 39.0]
    assert ring.has_near(1.0, 2.0) and ring.has_near(21.0, 1.0) and not ring.has_near(10.0, 5.0)

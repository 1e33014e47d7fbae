"""Rings to polygons by nesting."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import LinearRing, MultiPolygon, Polygon

from spatial.errors import GeometryRefused
from spatial.read.ring_nesting import nest


def square(x: float, y: float, side: float, *, turned: bool = False) -> LinearRing:
    ring = shapely.box(x, y, x + side, y + side).exterior
    return LinearRing(ring.coords[::-1]) if turned else LinearRing(ring.coords)


def test_none_one_and_two_apart() -> None:
    assert nest([]).is_empty
    assert nest([square(0, 0, 2)]).area == 4
    assert isinstance(nest([square(0, 0, 2), square(5, 0, 1)]), MultiPolygon)


@given(st.permutations(range(5)), st.lists(st.booleans(), min_size=5, max_size=5))
def test_shell_hole_island_pond_and_a_stranger_in_any_order_and_direction(
    order: list[int], turns: list[bool]
) -> None:
    """Squares of 100, 60, 30 and 10 in each other and one of 5 outside: 10000 - 3600 + 900 - 100 + 25."""
    rings = [
        square(0, 0, 100, turned=turns[0]),
        square(20, 20, 60, turned=turns[1]),
        square(30, 30, 30, turned=turns[2]),
        square(40, 40, 10, turned=turns[3]),
        square(200, 0, 5, turned=turns[4]),
    ]
    found = nest([rings[i] for i in order])
    assert found.area == 7_225
    assert shapely.is_valid(found)


def test_a_hole_that_touches_its_shell_is_a_hole() -> None:
    found = nest([square(0, 0, 10), LinearRing([(0, 5), (5, 2), (5, 8), (0, 5)])])
    assert isinstance(found, Polygon)
    assert found.area == 100 - 15


def test_rings_that_cross_stay_apart_and_equal_rings_cancel() -> None:
    assert len(nest([square(0, 0, 10), square(5, 5, 10)]).geoms) == 2
    assert nest([square(0, 0, 10), square(0, 0, 10, turned=True)]).area == 0


def test_a_ring_that_crosses_itself_inside_a_shell_is_its_hole() -> None:
    bow_tie = LinearRing([(2, 2), (4, 4), (4, 2), (2, 4), (2, 2)])
    assert len(nest([square(0, 0, 10), bow_tie]).interiors) == 1


def test_too_many_rings_are_refused() -> None:
    with pytest.raises(GeometryRefused) as caught:
        nest([square(i, 0, 0.5) for i in range(4)], most=3)
    assert caught.value.code == "too_complex"

"""Discs against the closed forms of geometry, and the law that parts add up."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from spatial.trees.discs import directed_edges, drawn, shared_area
from spatial.trees.merged_discs import merged_area


def one(x: float, y: float, radius: float, area) -> float:
    return float(shared_area(np.array([[x, y]]), np.array([radius]), area)[0])


def segment(radius: float, apothem: float) -> float:
    """The part of a disc beyond a chord, by the textbook."""
    return radius**2 * math.acos(apothem / radius) - apothem * math.sqrt(radius**2 - apothem**2)


@pytest.mark.parametrize("apothem", [0.0, 0.1, 15.0, 23.9999])
def test_a_straight_line_cuts_the_segment_of_the_textbook(apothem):
    work = shapely.box(apothem, -100, 100, 100)
    assert one(0, 0, 24.0, work) == pytest.approx(segment(24.0, apothem), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize(
    ("area", "expected"),
    [
        (shapely.box(-50, -50, 50, 50), math.pi * 100),
        (shapely.box(-1, -1, 1, 1), 4.0),
        (shapely.box(0, 0, 50, 50), math.pi * 25),
        (shapely.box(10, -5, 50, 5), 0.0),
        (shapely.box(20, 20, 50, 50), 0.0),
        (shapely.Polygon(), 0.0),
        (shapely.box(-50, -50, 50, 50).difference(shapely.box(-1, -1, 1, 1)), math.pi * 100 - 4.0),
        (shapely.box(-50, -50, 50, 50).difference(shapely.box(-11, -11, 11, 11)), 0.0),
        (shapely.MultiPolygon([shapely.box(-2, -2, -1, 2), shapely.box(1, -2, 2, 2)]), 8.0),
    ],
    ids=["inside", "swallowed", "corner", "touch", "apart", "empty", "hole", "in_a_hole", "two_parts"],
)
def test_a_disc_of_ten_shares(area, expected):
    assert one(0, 0, 10.0, area) == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_winding_of_the_ground_does_not_matter():
    ring = [(0, 0), (30, 0), (30, 7), (0, 9)]
    assert one(3, 4, 12, shapely.Polygon(ring)) == pytest.approx(one(3, 4, 12, shapely.Polygon(ring[::-1])))


def test_many_discs_are_measured_in_their_own_row():
    work = shapely.box(0, -100, 100, 100)
    centres = np.array([[-30.0, 0.0], [-15.0, 0.0], [40.0, 0.0], [5.0, 5.0]])
    radii = np.array([24.0, 24.0, 24.0, 0.0])
    got = shared_area(centres, radii, work)
    assert got == pytest.approx([0.0, segment(24, 15), math.pi * 576, 0.0])
    assert shared_area(np.empty((0, 2)), np.empty(0), work).shape == (0,)


@given(
    x=st.floats(-20, 20),
    y=st.floats(-20, 20),
    radius=st.floats(0.1, 30),
    cut=st.floats(-15, 15),
)
def test_two_parts_of_the_ground_share_what_the_whole_shares(x, y, radius, cut):
    whole = shapely.box(-16, -9, 16, 11)
    left, right = shapely.box(-16, -9, cut, 11), shapely.box(cut, -9, 16, 11)
    parts = one(x, y, radius, left) + one(x, y, radius, right)
    assert parts == pytest.approx(one(x, y, radius, whole), rel=1e-9, abs=1e-9)


@given(x=st.floats(-20, 20), y=st.floats(-20, 20), radius=st.floats(0.1, 30))
def test_the_exact_share_is_that_of_a_very_fine_drawing(x, y, radius):
    ground = shapely.Polygon([(0, 0), (20, 3), (12, 8), (19, 19), (2, 15)], [[(5, 5), (8, 5), (8, 9)]])
    fine = shapely.Point(x, y).buffer(radius, quad_segs=2000).intersection(ground).area
    assert one(x, y, radius, ground) == pytest.approx(fine, rel=1e-5, abs=1e-4)


def test_far_from_the_origin_nothing_is_lost():
    work = shapely.box(230_015, 890_000, 231_000, 891_000)
    assert one(230_000, 890_500, 24.0, work) == pytest.approx(segment(24.0, 15.0), rel=1e-9)


def test_a_drawing_has_the_area_of_the_disc_and_hugs_the_circle():
    centres, radii = np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([24.0, 6.0])
    drawings = drawn(centres, radii)
    assert shapely.area(drawings) == pytest.approx(math.pi * radii**2, rel=1e-12)
    assert shapely.get_num_coordinates(drawings).tolist() == [257, 257]
    reach = np.hypot(*(shapely.get_coordinates(drawings[0]) - centres[0]).T)
    assert np.abs(reach / 24.0 - 1.0).max() < 1e-4
    assert len(drawn(np.empty((0, 2)), np.empty(0))) == 0


def test_edges_keep_the_ground_on_their_left():
    assert directed_edges(shapely.box(0, 0, 2, 1)).shape == (4, 4)
    clockwise = shapely.Polygon([(0, 0), (0, 1), (2, 1), (2, 0)])
    x0, y0, x1, y1 = directed_edges(clockwise).T
    assert np.sum(x0 * y1 - x1 * y0) / 2 == pytest.approx(2.0)


def lens(r: float, s: float, d: float) -> float:
    """What two discs share, by the textbook."""
    first = r**2 * math.acos((d**2 + r**2 - s**2) / (2 * d * r))
    second = s**2 * math.acos((d**2 + s**2 - r**2) / (2 * d * s))
    return first + second - 0.5 * math.sqrt((-d + r + s) * (d + r - s) * (d - r + s) * (d + r + s))


@pytest.mark.parametrize(
    ("discs", "expected"),
    [
        ([], 0.0),
        ([(0, 0, 24)], math.pi * 576),
        ([(0, 0, 24), (20, 0, 18)], math.pi * (576 + 324) - lens(24, 18, 20)),
        ([(0, 0, 24), (100, 0, 18)], math.pi * (576 + 324)),
        ([(0, 0, 24), (42, 0, 18)], math.pi * (576 + 324)),
        ([(0, 0, 24), (3, 4, 18)], math.pi * 576),
        ([(0, 0, 24), (6, 0, 18)], math.pi * 576),
        ([(0, 0, 24), (0, 0, 24), (0, 0, 24)], math.pi * 576),
        ([(0, 0, 5), (0, 0, 24), (9, 9, 0)], math.pi * 576),
    ],
    ids=["none", "one", "lens", "apart", "touch", "inside", "inside_touching", "thrice", "concentric"],
)
def test_discs_merged(discs, expected):
    rows = np.array(discs, dtype=float).reshape(-1, 3)
    assert merged_area(rows[:, :2] + [218_000.0, 888_000.0], rows[:, 2]) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.tuples(st.floats(-20, 20), st.floats(-20, 20), st.floats(0.5, 15)), min_size=1, max_size=8))
def test_merged_discs_have_the_area_of_their_very_fine_drawing(discs):
    rows = np.array(discs)
    fine = shapely.union_all(shapely.buffer(shapely.points(rows[:, :2]), rows[:, 2], quad_segs=1000)).area
    assert merged_area(rows[:, :2], rows[:, 2]) == pytest.approx(fine, rel=2e-6)

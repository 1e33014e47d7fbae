"""Rings mended to valid ground, every change told in words and square feet."""

from __future__ import annotations

import lots
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon
from site_readings import area_sqft, feet, notes, reading, refused

from spatial.errors import GeometryRefused
from spatial.normalise import normalise
from spatial.normalise.crossings import more_crossings_than
from spatial.normalise.mending import drawn_area_sqft
from spatial.normalise.spikes import without_spikes
from spatial.units import sqft_from_sqm


def test_a_bow_tie_becomes_its_two_triangles_and_the_change_is_told() -> None:
    site = normalise(reading(feet((0, 0), (200, 300), (200, 0), (0, 300), (0, 0))))
    assert area_sqft(site) == pytest.approx(30_000)
    assert shapely.get_num_geometries(site.area) == 2
    (note,) = notes(site, "geometry_repaired")
    assert "self-intersection" in note.message
    assert "+30,000.00 sq ft to 30,000.00" in note.message
    assert note.feature == "1"


def test_a_spike_of_no_width_is_taken_off_whether_the_ring_is_valid_or_not() -> None:
    flat = normalise(reading(feet((0, 0), (0, 300), (200, 300), (300, 300), (200, 300), (200, 0), (0, 0))))
    thin = normalise(reading(feet((0, 0), (0, 300), (200, 300), (300, 300.004), (200, 300.004), (200, 0), (0, 0))))
    for site in (flat, thin):
        assert area_sqft(site) == pytest.approx(60_000, abs=1)
        assert site.area.bounds[2] == pytest.approx(lots.LOT.bounds[2], abs=0.01)
        assert notes(site, "geometry_repaired")


def test_a_crack_of_no_width_is_closed() -> None:
    cracked = feet((0, 0), (0, 300), (200, 300), (200, 150.002), (50, 150.001), (200, 150), (200, 0), (0, 0))
    site = normalise(reading(cracked))
    assert len(site.area.exterior.coords) <= 7
    assert area_sqft(site) == pytest.approx(60_000, abs=1)


def test_a_narrow_strip_of_real_ground_is_kept() -> None:
    strip = feet((0, 0), (0, 300), (0.5, 300), (0.5, 0), (0, 0))
    assert without_spikes(strip) == (strip, 0)
    wedge = feet((0, 0), (100, 0.5), (0, 1), (0, 0))
    assert without_spikes(wedge)[1] == 0


def test_a_hole_outside_its_shell_is_taken_as_ground_and_told() -> None:
    """Leaving ground out could hide a wetland; counting it is on the safe side, and is said."""
    stray = Polygon(lots.LOT.exterior, [lots.box_ft(900).exterior])
    site = normalise(reading(stray))
    assert area_sqft(site) == pytest.approx(120_000)
    assert "+120,000.00 sq ft to 120,000.00" in notes(site, "geometry_repaired")[0].message


def test_parts_that_overlap_count_once() -> None:
    twice = MultiPolygon([lots.LOT, lots.box_ft(100)])
    site = normalise(reading(twice))
    assert area_sqft(site) == pytest.approx(90_000)
    assert "-30,000.00 sq ft to 90,000.00" in notes(site, "geometry_repaired")[0].message


def test_a_scribble_is_refused_at_once_and_a_tangle_within_limits_is_mended() -> None:
    rng = np.random.default_rng(7)
    scribble = Polygon(np.array(lots.CENTROID) + rng.uniform(-50, 50, (500, 2)))
    assert refused(reading(scribble)).code == "too_complex"
    star = Polygon(
        [(lots.WEST_M + 30 * np.cos(a), lots.SOUTH_M + 30 * np.sin(a)) for a in np.arange(5) * 4 * np.pi / 5]
    )
    assert normalise(reading(star)).area.area > 0
    assert more_crossings_than(star, 4)
    assert not more_crossings_than(star, 5)


def test_the_area_as_drawn_of_a_ring_and_its_hole() -> None:
    holed = shapely.difference(lots.LOT, lots.box_ft(50, 50, 100, 100))
    assert drawn_area_sqft(holed) == pytest.approx(50_000)
    assert drawn_area_sqft(shapely.reverse(holed)) == pytest.approx(50_000)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=3, max_size=14))
def test_any_ring_is_valid_after_mending_and_never_larger_than_its_hull(corners: list[tuple[int, int]]) -> None:
    ring = feet(*corners)
    try:
        site = normalise(reading(ring))
    except GeometryRefused as error:
        assert error.code == "degenerate_geometry"
        assert sqft_from_sqm(shapely.convex_hull(ring).area) < 1600
        return
    assert shapely.is_valid(site.area)
    assert len(site.features) == 1
    assert site.area.area <= shapely.convex_hull(ring).area * (1 + 1e-9)
    if shapely.is_valid(ring):
        assert site.area.area == pytest.approx(ring.area, abs=0.02)

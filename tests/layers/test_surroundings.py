"""What is drawn around a site: rings as the edition has them, cut at the frame, and the ground no map covers."""

from __future__ import annotations

from math import asin, pi, sqrt

import pytest
import shapely
from shapely.geometry.base import BaseGeometry
from shapes import box, frame, theme

from layers.surroundings import AROUND_FT, beyond, frame_around, rings_in, shapes_in
from spatial.index import IndexedFrame
from spatial.model import LayerFrame
from spatial.units import m_from_ft, sqft_from_sqm

POND = box(0, 0, 200, 200)
BANDS = (25.0, 50.0)
BUFFER = theme("buffer_zone", "wetlands", within_ft=50, bands_ft=BANDS)
AROUND = frame_around([POND])


def edition(*features: BaseGeometry, made: bool = True, **more: object) -> IndexedFrame:
    zones = {"buffer_zone": BANDS} if made else None
    opened: LayerFrame = frame("wetlands", features, zones=zones, **more)  # type: ignore[arg-type]
    return IndexedFrame(opened)


def sqft(geometry: BaseGeometry) -> float:
    return sqft_from_sqm(geometry.area)


def test_the_frame_is_the_box_of_the_work_and_the_ground_near_it() -> None:
    more = m_from_ft(AROUND_FT)
    west, south, east, north = POND.bounds
    assert AROUND.bounds == pytest.approx([west - more, south - more, east + more, north + more])


@pytest.mark.parametrize("made", [True, False], ids=["as in the edition", "made for the picture"])
def test_rings_are_net_nested_and_each_one_shape(made: bool) -> None:
    near, far = rings_in([edition(POND, made=made)], BUFFER, AROUND)
    assert (near.from_ft, near.to_ft, far.from_ft, far.to_ft) == (0.0, 25.0, 25.0, 50.0)
    assert sqft(near.geometry) == pytest.approx(4 * 200 * 25 + pi * 25**2, abs=1.0)
    assert sqft(far.geometry) == pytest.approx(4 * 200 * 25 + pi * (50**2 - 25**2), abs=2.0)
    assert near.geometry.geom_type == "Polygon"
    assert shapely.intersection(near.geometry, POND).area == pytest.approx(0.0, abs=1e-6)


def test_rings_are_cut_at_the_frame() -> None:
    window = box(-100, 50, 100, 150)
    near, far = rings_in([edition(POND)], BUFFER, window)
    assert [sqft(one.geometry) for one in (near, far)] == pytest.approx([2500.0, 2500.0], abs=0.01)


def test_near_the_end_of_one_map_rings_go_on_over_the_next() -> None:
    """Rings made beforehand end with the ground of their edition: across the line they would look like dry land."""
    west, east = box(-5_000, -5_000, 210, 5_000), box(210, -5_000, 5_000, 5_000)
    here, there = edition(POND, coverage=west), edition(box(900, 0, 950, 50), coverage=east, part="lynnfield")
    (near, _) = rings_in([here, there], BUFFER, frame_around([POND]))
    corner = pi * 25**2 / 4 - (5 * sqrt(25**2 - 10**2) + 25**2 / 2 * asin(10 / 25))
    assert sqft(shapely.intersection(near.geometry, east)) == pytest.approx(200 * 15 + 2 * corner, abs=0.5)


def test_ground_that_no_edition_covers_is_told_and_none_where_all_is_covered() -> None:
    half = edition(POND, coverage=box(-5_000, -5_000, 100, 5_000))
    assert sqft(beyond([half], box(0, 0, 200, 100))) == pytest.approx(10_000.0, abs=0.01)
    assert beyond([edition(POND)], AROUND).is_empty
    assert beyond([], AROUND).equals(AROUND)


def test_shapes_are_those_the_theme_asks_for_cut_where_the_frame_ends() -> None:
    long = box(150, -9_000, 160, 9_000)
    opened = edition(POND, long, box(5_000, 0, 5_010, 10), attributes={"sfha": ["T", "T", "T"]})
    shapes = list(shapes_in(opened, BUFFER, AROUND))
    assert [(one.id, one.cut) for one in shapes] == [("wetlands-0", False), ("wetlands-1", True)]
    assert sqft(shapes[1].geometry) == pytest.approx(10 * (200 + 2 * AROUND_FT), abs=0.1)
    only = theme("buffer_zone", "wetlands", bands_ft=BANDS, where={"sfha": ("F",)})
    assert list(shapes_in(opened, only, AROUND)) == []


def test_nothing_near_and_nothing_asked_give_no_rings() -> None:
    assert rings_in([edition(box(9_000, 0, 9_010, 10))], BUFFER, AROUND) == ()
    assert rings_in([], BUFFER, AROUND) == ()
    assert rings_in([edition(POND)], theme("wetlands"), AROUND) == ()

"""What counts as the site and what not: kinds, roles, doubles, sizes."""

from __future__ import annotations

from typing import Any

import lots
import pytest
import shapely
import shapely.affinity
from shapely import Polygon
from site_readings import area_sqft, feet, notes, reading, refused

from spatial.errors import ParameterRefused
from spatial.normalise import normalise
from spatial.read.limits import ReadLimits


def test_null_empty_and_other_shapes_are_skipped_and_each_is_told() -> None:
    site = normalise(
        reading(
            None,
            lots.LOT,
            Polygon(),
            lots.LOT.centroid,
            shapely.GeometryCollection([lots.box_ft(500), lots.LOT.exterior]),
        )
    )
    assert [f.id for f in site.features] == ["2", "5"]
    assert [n.feature for n in notes(site, "null_geometry_skipped")] == ["1", "3"]
    assert [n.feature for n in notes(site, "non_polygon_skipped")] == ["4", "5"]
    assert area_sqft(site) == pytest.approx(120_000)


def test_thousands_of_lines_are_summed_up() -> None:
    site = normalise(reading(lots.LOT, *[lots.LOT.exterior] * 500))
    told = notes(site, "non_polygon_skipped")
    assert (len(told), told[-1].message.split()[0]) == (11, "490")


def test_roles_and_activities_are_read_whatever_their_case() -> None:
    point = lots.LOT.centroid
    site = normalise(
        reading(
            lots.LOT,
            lots.LOT.exterior,
            point,
            shapely.MultiPoint([point, (point.x + 1, point.y)]),
            lots.box_ft(500),
            attributes=(
                {"ACTIVITY": "Tree Removal"},
                {"Role": "Delineation", "by": "A. Botanist", "on": "2026-05-01"},
                {"role": "tree"},
                {"activity": "tree-removal"},
                {"role": "mitigation", "activity": None},
            ),
        )
    )
    assert [(f.role, f.activity) for f in site.features] == [
        ("disturbance", "tree_removal"),
        ("delineation", None),
        ("tree", None),
        ("tree", "tree_removal"),
        ("mitigation", None),
    ]
    assert site.tree_points == 2
    assert area_sqft(site) == pytest.approx(60_000)
    assert site.features[1].attributes["by"] == "A. Botanist"


def test_an_unknown_role_is_refused_and_an_unknown_activity_kept_and_told() -> None:
    error = refused(reading(lots.LOT, attributes=({"role": "wetland"},)))
    assert isinstance(error, ParameterRefused)
    assert "delineation" in error.detail
    site = normalise(reading(lots.LOT, attributes=({"activity": "Blasting"},)))
    assert site.features[0].activity == "blasting"
    assert "grading and clearing both" in notes(site, "activity_unknown")[0].message


@pytest.mark.parametrize("shape", [lots.LOT.exterior, lots.LOT.centroid])
def test_lines_and_points_alone_are_no_site(shape: Any) -> None:
    assert refused(reading(shape)).code == "no_polygon"
    assert refused(reading(lots.LOT, attributes=({"role": "mitigation"},))).code == "no_polygon"


def test_doubles_and_overlaps_are_told_and_counted_once() -> None:
    site = normalise(reading(lots.LOT, shapely.reverse(lots.LOT), lots.box_ft(100)))
    assert area_sqft(site) == pytest.approx(90_000)
    assert [n.feature for n in notes(site, "duplicate_features")] == ["2"]
    assert "90,000.00 sq ft" in notes(site, "overlapping_features")[0].message


def test_neighbours_that_only_touch_do_not_overlap() -> None:
    assert not notes(normalise(reading(lots.LOT, lots.box_ft(200))), "overlapping_features")


def test_a_lot_without_area_is_refused_alone_and_skipped_beside_others() -> None:
    flat = feet((0, 0), (10, 0), (20, 0), (0, 0))
    assert refused(reading(flat)).code == "degenerate_geometry"
    site = normalise(reading(flat, lots.LOT))
    assert [n.feature for n in notes(site, "degenerate_feature_skipped")] == ["1"]


def test_a_site_larger_than_the_limit_is_too_large_and_one_at_it_is_not() -> None:
    acre = feet((0, 0), (0, 208.71), (208.71, 208.71), (208.71, 0), (0, 0))
    assert refused(reading(acre), limits=ReadLimits(site_acres=0.99)).code == "too_large"
    normalise(reading(acre), limits=ReadLimits(site_acres=1.01))


def comb(teeth: int) -> shapely.Polygon:
    """Teeth 0.5 ft wide and 1,000 ft long, 0.5 ft apart, on a bar 1 ft wide."""
    tops = [(n + x, y) for n in range(teeth) for x, y in ((0, 1_001), (0.5, 1_001), (0.5, 1), (1, 1))]
    return feet((0, 0), *((0, 1), *tops), (teeth, 0), (0, 0))


def test_ground_that_is_mostly_boundary_is_refused_and_many_sheds_or_a_long_trail_are_not() -> None:
    """1,000 teeth: 2,000,000 ft around 501,000 sq ft, 2,800 times the side of its square."""
    error = refused(reading(comb(1_000)))
    assert error.code == "too_complex"
    assert error.detail == (
        "The site has 4,004 corners and a boundary of 2,002,002 ft around 501,000 sq ft, which is no limit of "
        "work; draw it plainly and send it again."
    )
    assert refused(reading(comb(1_000)), limits=ReadLimits(outline=2_700)).code == "too_complex"
    normalise(reading(comb(1_000)), limits=ReadLimits(outline=2_900))
    normalise(reading(comb(400)))
    shed = feet((0, 0), (0, 9), (9, 9), (9, 0), (0, 0))
    sheds = shapely.MultiPolygon([shapely.affinity.translate(shed, n * 6.0) for n in range(5_000)])
    normalise(reading(sheds))
    trail = shapely.LineString([(217_500 + n, 888_000 + n % 2) for n in range(20_000)]).buffer(0.5)
    normalise(reading(trail))

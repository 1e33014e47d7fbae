from __future__ import annotations

import numpy as np
import pytest
import shapely
from layer_files import X, Y, box_ft
from pyproj import CRS
from shapely.geometry.base import BaseGeometry

from layers.ingest.mend import mend, moved, source_crs
from layers.ingest.tables import Rows
from spatial.errors import CrsRefused, GeometryRefused
from spatial.units import FOOT_M

WORKING = CRS("EPSG:26986")


def rows(*shapes: BaseGeometry | None, crs: str | None = "EPSG:26986", driver: str = "GPKG") -> Rows:
    return Rows("layer", driver, crs, {}, np.array([*shapes, None], dtype=object)[:-1])


def mended(*shapes: BaseGeometry | None, kinds=("polygon",)):
    table = rows(*shapes)
    return mend(table, source_crs(table, None), kinds)


def test_shapes_in_the_working_system_are_not_touched() -> None:
    square = box_ft(0, 0, 10, 10)
    assert moved(np.array([square]), WORKING)[0] is square


def test_state_plane_feet_become_metres_by_the_survey_foot() -> None:
    feet = shapely.box(700_000, 2_900_000, 700_100, 2_900_100)
    (there,) = moved(np.array([feet]), CRS("EPSG:2249"))
    assert there.area == pytest.approx(10_000 * FOOT_M**2, rel=1e-9)
    # the false easting of EPSG:2249 is rounded to 656,166.667 ft: a tenth of a millimetre
    assert there.bounds[0] == pytest.approx(700_000 * FOOT_M, abs=2e-4)


def test_international_feet_are_told_from_survey_feet() -> None:
    wkt = CRS("EPSG:2249").to_wkt("WKT1_ESRI").replace("Foot_US", "Foot").replace("0.304800609601219", "0.3048")
    feet = shapely.box(700_000, 2_900_000, 700_100, 2_900_100)
    (there,) = moved(np.array([feet]), CRS.from_wkt(wkt))
    assert there.area == pytest.approx(10_000 * 0.3048**2, rel=1e-9)


@pytest.mark.parametrize("driver", ["GeoJSON", "TopoJSON", "LIBKML"])
def test_formats_of_longitude_and_latitude_say_so_themselves(driver: str) -> None:
    found = source_crs(rows(crs=None, driver=driver), None)
    assert (found.name, found.source) == ("EPSG:4326", "format")


def test_an_unknown_system_is_refused_with_what_to_say() -> None:
    with pytest.raises(CrsRefused) as caught:
        source_crs(rows(crs=None), None)
    assert caught.value.code == "crs_missing"
    assert "EPSG:26986" in caught.value.suggestions


def test_a_declared_system_is_believed_where_the_file_is_silent() -> None:
    found = source_crs(rows(crs=None), "EPSG:2249")
    assert (found.name, found.source) == ("EPSG:2249", "declared")


def test_a_declared_system_against_the_file_is_refused() -> None:
    with pytest.raises(CrsRefused, match="EPSG:26986, not EPSG:2249"):
        source_crs(rows(), "EPSG:2249")


def test_a_declared_system_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CrsRefused, match="EPSG:1"):
        source_crs(rows(crs=None), "EPSG:1")


def test_a_bowtie_is_repaired_counted_and_its_area_told() -> None:
    side = 100 * FOOT_M
    bowtie = shapely.Polygon([(X, Y), (X + side, Y + side), (X + side, Y), (X, Y + side)])
    found = mended(bowtie, box_ft(200, 0, 300, 100))
    (repair,) = found.repaired
    # two triangles of 100 ft by 50 ft; the signed area of the bowtie was 0
    assert (repair.reason, repair.count) == ("self-intersection", 1)
    assert repair.area_change_sqft == pytest.approx(5_000, rel=1e-9)
    assert found.geometry[0].is_valid
    assert found.geometry[0].area / FOOT_M**2 == pytest.approx(5_000, rel=1e-9)


def test_changes_of_several_repairs_are_summed_and_the_largest_told() -> None:
    def bowtie(west: float, size: float) -> shapely.Polygon:
        x, s = X + west * FOOT_M, size * FOOT_M
        return shapely.Polygon([(x, Y), (x + s, Y + s), (x + s, Y), (x, Y + s)])

    (repair,) = mended(bowtie(0, 100), bowtie(500, 10)).repaired
    assert repair.count == 2
    assert repair.area_change_sqft == pytest.approx(5_050, rel=1e-9)
    assert repair.largest_change_sqft == pytest.approx(5_000, rel=1e-9)


def test_null_and_empty_shapes_are_dropped_with_a_count() -> None:
    found = mended(None, shapely.Polygon(), box_ft(0, 0, 1, 1))
    assert [(d.reason, d.count) for d in found.dropped] == [("no shape (null or empty)", 2)]
    assert found.rows.tolist() == [2]


def test_other_kinds_of_shapes_are_dropped_with_a_reason() -> None:
    line = shapely.LineString([(X, Y), (X + 5, Y)])
    found = mended(line, shapely.Point(X, Y), box_ft(0, 0, 1, 1), line)
    assert {(d.reason, d.count) for d in found.dropped} == {
        ("LineString where polygons are wanted", 2),
        ("Point where polygons are wanted", 1),
    }


def test_the_odd_parts_of_a_collection_are_left_out_and_told() -> None:
    both = shapely.GeometryCollection([box_ft(0, 0, 10, 10), shapely.Point(X, Y)])
    found = mended(both)
    assert found.geometry[0].equals(box_ft(0, 0, 10, 10))
    assert (found.repaired[0].count, found.repaired[0].area_change_sqft) == (1, 0.0)
    assert found.dropped == []


def test_a_multi_part_shape_of_one_part_is_that_part() -> None:
    square, other = box_ft(0, 0, 10, 10), box_ft(20, 0, 30, 10)
    found = mended(shapely.MultiPolygon([square]), shapely.MultiPolygon([square, other]))
    assert [g.geom_type for g in found.geometry] == ["Polygon", "MultiPolygon"]


def test_a_layer_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(GeometryRefused, match="no polygons"):
        mended(shapely.Point(X, Y))


def test_lakes_beside_rivers_are_taken_as_their_own_kind() -> None:
    found = mended(box_ft(0, 0, 1, 1), kinds=("line", "polygon"))
    assert found.kind == "polygon"


def test_clockwise_rings_are_turned() -> None:
    square = shapely.Polygon([(X, Y), (X, Y + 5), (X + 5, Y + 5), (X + 5, Y)])
    assert not square.exterior.is_ccw
    assert mended(square).geometry[0].exterior.is_ccw


def test_ground_outside_massachusetts_is_refused() -> None:
    with pytest.raises(GeometryRefused, match="1 of 2 shapes lie outside Massachusetts") as caught:
        mended(box_ft(0, 0, 1, 1), shapely.box(900_000, 0, 900_100, 100))
    assert caught.value.code == "outside_area"


def test_a_file_without_features_is_no_error_here() -> None:
    assert len(mended().geometry) == 0


def test_holes_of_no_size_are_filled_and_said() -> None:
    speck = [(X + 5.0, Y + 5.0), (X + 5.0 + 1e-4, Y + 5.0), (X + 5.0, Y + 5.0 + 1e-4)]
    pond = [(X + 1.0, Y + 1.0), (X + 2.0, Y + 1.0), (X + 2.0, Y + 2.0)]
    square = shapely.Polygon(box_ft(0, 0, 100, 100).exterior, [speck, pond])
    made = mended(square, box_ft(200, 0, 210, 10))
    assert [len(g.interiors) for g in made.geometry] == [1, 0]
    (said,) = made.repaired
    assert (said.reason, said.count) == ("holes of no size filled", 1)
    assert said.area_change_sqft == pytest.approx(5e-9 / FOOT_M**2, rel=0.2)


def test_of_two_kinds_that_count_none_is_left_out() -> None:
    brook = shapely.LineString([(X, Y), (X + 30.0, Y)])
    with pytest.raises(GeometryRefused) as caught:
        mended(brook, box_ft(0, 0, 10, 10), kinds=("line", "polygon"))
    assert caught.value.code == "mixed_geometry"
    assert mended(brook, kinds=("line", "polygon")).kind == "line"
    assert mended(box_ft(0, 0, 10, 10), kinds=("line", "polygon")).kind == "polygon"

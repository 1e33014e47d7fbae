"""From a reading to a submission: placed, plane, valid, and every change said."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import lots
import numpy as np
import pyogrio.raw
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import CRS
from shapely import MultiPolygon, Polygon

from spatial.crs import reproject
from spatial.crs_fit import declared, looks_like, name_of, on_islands, on_mainland
from spatial.errors import CrsRefused, GeometryRefused, MetesError, ParameterRefused
from spatial.model import Note, Reading, SourceFeature, Submission
from spatial.normalise import inspect, normalise
from spatial.normalise.crossings import more_crossings_than
from spatial.normalise.mending import drawn_area_sqft
from spatial.normalise.spikes import without_spikes
from spatial.read.limits import ReadLimits
from spatial.units import FOOT_M, sqft_from_sqm


def reading(*shapes: Any, crs: str = "EPSG:26986", attributes: tuple[dict[str, Any], ...] = ()) -> Reading:
    """A reading of shapes given in ``crs``."""
    rows = [
        SourceFeature(str(i), shape, attributes[i - 1] if attributes else {}) for i, shape in enumerate(shapes, 1)
    ]
    return Reading("geojson", "GeoJSON", CRS(crs), name_of(CRS(crs)), "file", "x", ("x",), (), tuple(rows))


def feet(*corners: tuple[float, float]) -> Polygon:
    """A polygon by feet from the lot's corner."""
    return Polygon([(lots.WEST_M + x * FOOT_M, lots.SOUTH_M + y * FOOT_M) for x, y in corners])


def notes(site: Submission, code: str) -> list[Note]:
    return [note for note in site.notes if note.code == code]


def area_sqft(site: Submission) -> float:
    return sqft_from_sqm(site.area.area)


def refused(read: Reading, **options: Any) -> MetesError:
    with pytest.raises(MetesError) as caught:
        normalise(read, **options)
    return caught.value


# ------------------------------------------------------------------------------------------------ mending


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


# ------------------------------------------------------------------------------------- what counts, what not


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


# ------------------------------------------------------------------------------------------------ placing


def labelled(numbers_in: str, label: str, *, swap: bool = False) -> Reading:
    shape = lots.moved(lots.LOT, numbers_in)
    return reading(shapely.transform(shape, lambda xy: xy[:, ::-1]) if swap else shape, crs=label)


@pytest.mark.parametrize(
    ("numbers_in", "label", "looks"),
    [
        ("EPSG:2249", "EPSG:26986", "EPSG:2249"),
        ("EPSG:26986", "EPSG:2249", "EPSG:26986"),
        ("EPSG:3857", "EPSG:4326", "EPSG:3857"),
        ("EPSG:4326", "EPSG:26986", "EPSG:4326"),
        ("EPSG:4326", "EPSG:3857", "EPSG:4326"),
        ("EPSG:26919", "EPSG:26986", "EPSG:26919"),
        ("EPSG:26919", "EPSG:26918", "EPSG:26919"),
        ("EPSG:26786", "EPSG:2249", "EPSG:26786"),
    ],
)
def test_numbers_that_do_not_fit_their_label_are_refused_with_what_they_look_like(
    numbers_in: str, label: str, looks: str
) -> None:
    error = refused(labelled(numbers_in, label))
    assert error.code == "outside_area"
    assert looks in error.suggestions
    assert looks in error.detail or error.suggestions.index(looks) > 1
    assert error.position is not None


@pytest.mark.parametrize("code", ["EPSG:4326", "EPSG:26986", "EPSG:2249", "EPSG:3857"])
def test_exchanged_axes_are_named_and_not_exchanged_back(code: str) -> None:
    error = refused(labelled(code, code, swap=True))
    assert (error.code, "swapped" in error.detail) == ("axes_swapped", True)


def test_a_longitude_without_its_sign() -> None:
    shape = shapely.transform(lots.moved(lots.LOT, "EPSG:4326"), lambda xy: xy * (-1, 1))
    assert "minus sign" in refused(reading(shape, crs="EPSG:4326")).detail


@pytest.mark.parametrize(("lon", "lat"), [(-70.60, 41.38), (-70.06, 41.28), (-70.80, 41.45)])
def test_the_islands_are_refused_with_a_sentence(lon: float, lat: float) -> None:
    error = refused(reading(shapely.box(lon, lat, lon + 0.001, lat + 0.001), crs="EPSG:4269"))
    assert (error.code, "Island zone" in error.detail) == ("outside_area", True)


@pytest.mark.parametrize(
    ("place", "lon", "lat"),
    [
        ("Nashua", -71.46, 42.77),
        ("Providence", -71.41, 41.82),
        ("Hartford", -72.68, 41.76),
        ("Albany", -73.75, 42.65),
    ],
)
def test_the_neighbours_of_massachusetts_are_not_massachusetts(place: str, lon: float, lat: float) -> None:
    assert refused(reading(shapely.box(lon, lat, lon + 0.001, lat + 0.001), crs="EPSG:4326")).code == "outside_area"


@pytest.mark.parametrize(
    ("place", "lon", "lat"),
    [
        ("Provincetown", -70.19, 42.05),
        ("Williamstown", -73.20, 42.71),
        ("Salisbury", -70.82, 42.85),
        ("Woods Hole", -70.67, 41.527),
        ("Fall River", -71.15, 41.70),
        ("Seekonk", -71.33, 41.80),
        ("Southwick", -72.77, 42.05),
        ("Rockport", -70.60, 42.65),
    ],
)
def test_the_corners_of_massachusetts_are(place: str, lon: float, lat: float) -> None:
    normalise(reading(shapely.box(lon, lat, lon + 0.001, lat + 0.001), crs="EPSG:4326"))


def test_one_feature_elsewhere_refuses_the_whole_and_is_named() -> None:
    far = shapely.transform(lots.LOT, lambda xy: xy + np.array([500_000.0, 0.0]))
    assert refused(reading(lots.LOT, far)).feature == "2"


@pytest.mark.parametrize("code", ["EPSG:26987", "EPSG:2250", "EPSG:6490", "102687"])
def test_the_island_zone_cannot_be_declared(code: str) -> None:
    with pytest.raises(CrsRefused) as caught:
        declared(code)
    assert (caught.value.code, "Mainland" in caught.value.detail) == ("outside_area", True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "26986;DROP",
        "http://127.0.0.1:9/epsg.wkt",
        "+proj=longlat +nadgrids=/etc/passwd",
        "EPSG:9999999",
        "EPSG:32633",
        "x" * 5000,
        'GEOGCS["a"]',
    ],
)
def test_only_listed_systems_can_be_declared(text: str) -> None:
    with pytest.raises(CrsRefused) as caught:
        declared(text)
    assert caught.value.code == "crs_unknown"
    assert len(caught.value.detail) < 200
    assert "EPSG:26986" in caught.value.suggestions


@pytest.mark.parametrize(
    ("text", "name"), [("epsg:2249", "EPSG:2249"), ("26986", "EPSG:26986"), (" EPSG:102100 ", "EPSG:3857")]
)
def test_a_system_may_be_declared_in_the_words_people_use(text: str, name: str) -> None:
    assert name_of(declared(text)) == name


def test_international_feet_are_not_survey_feet() -> None:
    assert name_of(lots.INTERNATIONAL_FEET) == "custom"
    shape = shapely.box(713_581.25, 2_913_380.0, 713_781.25, 2_913_680.0)
    survey = normalise(reading(shape, crs="EPSG:2249")).area.centroid
    as_read = Reading(
        "a", "b", lots.INTERNATIONAL_FEET, "custom", "file", "x", ("x",), (), (SourceFeature("1", shape, {}),)
    )
    assert survey.distance(normalise(as_read).area.centroid) == pytest.approx(1.83, abs=0.01)


def test_nad27_is_moved_by_its_published_shift_and_never_by_none() -> None:
    """-8, 160, 176 m between the ellipsoids: at Dover some 44 m east and 3 m south of the same numbers in NAD83."""
    corner = shapely.Point(-71.28, 42.24)
    old, new = reproject(corner, "EPSG:4267"), reproject(corner, "EPSG:4269")
    assert old.x - new.x == pytest.approx(43.8, abs=0.2)
    assert old.y - new.y == pytest.approx(-2.7, abs=0.2)
    plane = reproject(corner, "EPSG:4267", "EPSG:26786")
    assert reproject(plane, "EPSG:26786").distance(old) < 0.001
    site = normalise(reading(lots.moved(lots.LOT, "EPSG:26986"), crs="EPSG:26986"))
    assert site.accuracy_ft == 0.0


def test_a_claimed_parcel_orders_what_is_proposed() -> None:
    """Numbers that fit two systems: the one that lands on the parcel comes first."""
    numbers = shapely.get_coordinates(lots.moved(lots.LOT, "EPSG:26919"))
    assert looks_like(numbers)[0] == "EPSG:26919"
    nad27 = lots.moved_from(shapely.Polygon(numbers), "EPSG:26719").buffer(1)
    assert looks_like(numbers, nad27)[0] in ("EPSG:26719", "EPSG:26919")
    assert looks_like(np.array([[1e9, 1e9]])) == ()
    assert looks_like(np.empty((0, 2))) == ()


def test_the_outlines_take_no_infinite_place() -> None:
    nowhere = np.array([[np.inf, np.inf], [np.nan, 1.0]])
    assert not on_mainland(nowhere).any()
    assert not on_islands(nowhere).any()


# ---------------------------------------------------------------------------------------------- inspection


def test_the_account_of_a_reading() -> None:
    holed = shapely.difference(lots.LOT, lots.box_ft(50, 100, 100, 100))
    read = reading(
        lots.moved(holed, "EPSG:2249"), crs="EPSG:2249", attributes=({"OWN_ZIP": 2030, "activity": "paving"},)
    )
    seen = inspect(read, normalise(read))
    assert (seen.crs, seen.crs_title) == ("EPSG:2249", "NAD83 / Massachusetts Mainland, US survey feet")
    assert seen.area_sqft == pytest.approx(50_000, abs=0.01)
    assert seen.centroid_26986 == pytest.approx(lots.CENTROID, abs=0.01)
    (feature,) = seen.features
    assert (feature.parts, feature.holes, feature.has_z, feature.activity) == (1, 1, False, "paving")
    assert feature.values == {"OWN_ZIP": "02030", "activity": "paving"}


def test_only_a_thousand_features_are_shown() -> None:
    read = reading(*[lots.box_ft(i * 10, 0, 9, 9) for i in range(1_001)])
    seen = inspect(read, normalise(read))
    assert (seen.n_features, len(seen.features)) == (1_001, 1_000)


@pytest.mark.shared
def test_shared_towns_fit_the_outline() -> None:
    """Every mainland town of the real layer lies in the outline of the mainland, the islands outside it."""
    shared = Path(os.environ.get("METES_SHARED") or Path(__file__).parents[3] / "shared")
    path = shared / "cases/real/dev/r31/maSP.zip"
    _, _, geometry, fields = pyogrio.raw.read(f"/vsizip/{path}", columns=["TOWN"])
    islands = {"AQUINNAH", "CHILMARK", "EDGARTOWN", "GOSNOLD", "OAK BLUFFS", "TISBURY", "WEST TISBURY", "NANTUCKET"}
    for name, shape in zip(fields[0], shapely.from_wkb(geometry), strict=True):
        coordinates = shapely.get_coordinates(shape)
        assert on_islands(coordinates).mean() > 0.9 if name in islands else on_mainland(coordinates).all(), name


def test_json_of_notes_is_plain() -> None:
    site = normalise(reading(feet((0, 0), (200, 300), (200, 0), (0, 300), (0, 0))))
    json.dumps([note.message for note in site.notes], allow_nan=False)

"""Where the numbers lie: labels that do not fit, axes, zones, datums; nothing guessed."""

from __future__ import annotations

from pathlib import Path

import lots
import numpy as np
import pyogrio.raw
import pytest
import shapely
from site_readings import reading, refused

from spatial.crs import reproject
from spatial.crs_fit import looks_like, on_islands, on_mainland
from spatial.crs_names import declared, name_of
from spatial.errors import CrsRefused
from spatial.model import Reading, SourceFeature
from spatial.normalise import normalise


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


@pytest.mark.shared
def test_shared_towns_fit_the_outline(shared: Path) -> None:
    """Every mainland town of the real layer lies in the outline of the mainland, the islands outside it."""
    path = shared / "cases/real/dev/r31/maSP.zip"
    _, _, geometry, fields = pyogrio.raw.read(f"/vsizip/{path}", columns=["TOWN"])
    islands = {"AQUINNAH", "CHILMARK", "EDGARTOWN", "GOSNOLD", "OAK BLUFFS", "TISBURY", "WEST TISBURY", "NANTUCKET"}
    for name, shape in zip(fields[0], shapely.from_wkb(geometry), strict=True):
        coordinates = shapely.get_coordinates(shape)
        assert on_islands(coordinates).mean() > 0.9 if name in islands else on_mainland(coordinates).all(), name

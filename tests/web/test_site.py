"""How work comes to the page: drawn, typed, a whole lot, a file; what cannot be work is told at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import geopandas
import pytest
from app_service import without
from browsing import RED, Served, count_of, drop, kept, screened, seen, whole
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LOT = "F_443712_2965268"


def test_a_polygon_is_drawn_edited_and_screened_with_its_activity(opened: Open, served: Served) -> None:
    page = opened(f"/?screening={kept(served)}")
    expect(page.locator("#work-in-words")).to_be_visible()
    page.get_by_role("button", name="Draw a polygon").click()
    box = page.locator("#map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for dx, dy in ((-60, -60), (60, -60), (60, 60), (-60, 60), (-60, 60)):
        page.mouse.move(x + dx, y + dy)
        page.mouse.click(x + dx, y + dy)
        page.wait_for_timeout(60)
    expect(page.get_by_label("Polygon 1: what is done there")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_label("Polygon 1: what is done there").select_option("clearing")
    told = screened(page, served)
    assert [a["activity"] for a in told["disturbance"]["by_activity"]] == ["clearing"]
    drawn = told["disturbance"]["area_sqft"]

    page.get_by_role("button", name="Move corners").click()
    expect(page.get_by_role("button", name="Move corners")).to_have_attribute("aria-pressed", "true")
    page.get_by_text("Corners by keyboard").click()
    corners = page.get_by_label(re.compile("Corners of Polygon 1"))
    lines = corners.input_value().split("\n")
    assert len(lines) == 4
    corners.fill("\n".join(lines[:3]))
    page.get_by_role("button", name="Take these corners").click()
    told = screened(page, served)
    assert told["disturbance"]["area_sqft"] == pytest.approx(drawn / 2, rel=0.02)
    expect(page.locator("#work-in-words")).to_contain_text(f"{whole(told['disturbance']['area_sqft'])} sq ft")
    assert [a["activity"] for a in told["disturbance"]["by_activity"]] == ["clearing"]


def test_a_click_on_the_map_chooses_the_parcel_under_it(opened: Open, served: Served) -> None:
    page = opened(f"/?screening={kept(served)}")
    expect(page.locator("#work-in-words")).to_be_visible()
    page.wait_for_timeout(500)
    page.locator("#map").click()
    expect(page.get_by_label("Parcels chosen")).to_contain_text("408 MILL ST")
    page.get_by_role("button", name="Remove 408 MILL ST").click()
    expect(page.get_by_label("Parcels chosen")).not_to_contain_text("408 MILL ST")


def test_a_whole_lot_and_typed_corners_are_work_without_a_pointer(opened: Open, served: Served) -> None:
    page = opened("/")
    page.get_by_label("Address, map and lot, or LOC_ID").fill(LOT)
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("408 MILL ST")).press("Enter")
    expect(page.get_by_label("Parcels chosen")).to_contain_text("408 MILL ST")
    page.get_by_role("button", name="The whole lot").press("Enter")
    expect(page.get_by_label("Polygons drawn")).to_contain_text("Polygon 1")
    page.get_by_text("Type the corners instead").press("Enter")
    typed = page.get_by_label("One corner a line: longitude, latitude")
    typed.fill("-72.28, 42.38")
    page.get_by_role("button", name="Add this polygon").press("Enter")
    expect(page.locator("#notice")).to_contain_text("at least three lines")
    page.get_by_role("button", name="Screen this work").press("Enter")
    expect(page.locator("#notice")).to_have_text("Done. The answer follows.")
    told = served.says(f"/v1/screenings/{page.url.rpartition('=')[2]}")
    lot = served.says(f"/v1/parcels/{LOT}")
    assert (told["disturbance"]["area_sqft"], lot["area_sqft"]) == (40_000.0, 40_000.0)
    assert [one["disturbed_percent"] for one in told["parcels"]] == [100.0]
    assert told["disturbance"]["outside_parcels_sqft"] == 0.0
    expect(page.locator("#work-in-words")).to_contain_text(f"{whole(told['disturbance']['area_sqft'])} sq ft")


def test_typed_corners_that_cannot_be_meant_are_told_at_once_in_their_own_numbers(opened: Open) -> None:
    page = opened("/")
    page.get_by_text("Type the corners instead").press("Enter")
    typed = page.get_by_label("One corner a line: longitude, latitude")
    for corners, said in (
        ("-72.28, 42.38\n42.381, -72.28\n42.38, -72.279", "Line 2, 42.381, -72.28, is latitude before longitude"),
        ("72.28, 42.38\n72.28, 42.39\n72.27, 42.38", "Longitude in Massachusetts is negative: -72.28, 42.38"),
        ("443712, 2965268\n443812, 2965268\n443812, 2965368", "Line 1, 443712, 2965268, is not in degrees"),
        ("-75, 42.38\n-75, 42.39\n-75.1, 42.38", "is not in Massachusetts"),
    ):
        typed.fill(corners)
        page.get_by_role("button", name="Add this polygon").press("Enter")
        expect(page.locator("#notice")).to_contain_text(said)
        expect(page.get_by_label("Polygons drawn")).not_to_contain_text("Polygon 1")
    typed.fill("-72.28, 42.38\n-72.28, 42.381\n-72.279, 42.38")
    page.get_by_role("button", name="Add this polygon").press("Enter")
    expect(page.get_by_label("Polygons drawn")).to_contain_text("Polygon 1")


def test_a_refused_file_says_why_and_what_would_help(opened: Open, served: Served) -> None:
    page = opened("/", map_drawn=False)
    drop(page, {"name": "plan.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 a plan on paper"})
    refused = page.locator("#reading .bad")
    expect(refused).to_contain_text("unsupported_format")
    expect(refused.locator("strong")).to_contain_text(re.compile("shapefile|GeoJSON"))
    expect(page.get_by_role("button", name="Screen this work")).to_be_disabled()
    expect(page.locator("#map")).to_contain_text("Everything else works")


def test_a_file_without_a_coordinate_system_takes_a_declared_one(opened: Open, served: Served) -> None:
    page = opened("/", map_drawn=False)
    bare = without(served.sample("mill-street-2249.zip").read_bytes(), ".prj")
    drop(page, {"name": "site.zip", "mimeType": "application/zip", "buffer": bare})
    expect(page.locator("#reading .bad")).to_contain_text("crs_missing")
    expect(page.locator("#reading .bad")).to_contain_text("Choose below which it is.")
    expect(page.locator("#reading .bad")).not_to_contain_text("--crs")
    expect(page.get_by_label("Coordinate system of the file")).to_have_value("")
    page.get_by_label("Coordinate system of the file").select_option("EPSG:2249")
    page.get_by_role("button", name="Read it again so").click()
    expect(page.locator("#reading .good")).to_contain_text("as you declare")
    expect(page.locator("#reading .good")).to_contain_text("9,000 sq ft")
    told = screened(page, served)
    assert told["input"]["crs_source"] == "declared"
    assert told["disturbance"]["area_sqft"] == pytest.approx(9000.0, abs=0.1)


def test_a_file_with_two_layers_takes_the_one_that_is_chosen(opened: Open, served: Served, tmp_path: Path) -> None:
    frame = geopandas.read_file(served.sample("mill-street.geojson"))
    both = tmp_path / "both.gpkg"
    frame.to_file(both, layer="site")
    frame.head(1).to_file(both, layer="shed")
    page = opened("/", map_drawn=False)
    drop(page, both)
    expect(page.locator("#reading .bad")).to_contain_text("several_layers")
    page.get_by_label("Layer in the file").select_option("shed")
    page.get_by_role("button", name="Read it again so").click()
    expect(page.locator("#reading .good")).to_contain_text("3,000 sq ft")
    told = screened(page, served)
    assert (told["input"]["layer"], told["input"]["n_features"]) == ("shed", 1)


def test_a_file_is_seen_in_its_place_before_it_is_screened(opened: Open, served: Served) -> None:
    page = opened("/")
    assert count_of(page, RED) == 0
    drop(page, served.sample("mill-street.geojson"))
    expect(page.locator("#reading .good")).to_contain_text("The dashed box on the map is where it lies.")
    assert seen(page, RED, 200)

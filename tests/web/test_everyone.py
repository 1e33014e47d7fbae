"""For everyone: axe finds nothing serious, a phone shows it all, keys reach it all, nothing sent is markup."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browsing import PHONE, Served, grave
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
PAGES = ("/", "/abutters", "/layers", "/docs")


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious_on_a_page_as_it_opens(path: str, opened: Open, axe: str) -> None:
    page = opened(path, map_drawn=path != "/docs")
    if path == "/docs":
        page.locator(".swagger-ui .opblock").first.wait_for()
    assert grave(page, axe) == []


def test_axe_finds_nothing_serious_on_an_answer_with_everything_open(
    opened: Open, served: Served, axe: str
) -> None:
    page = opened("/", PHONE, map_drawn=False)
    page.get_by_label("Drop or choose a file").set_input_files(served.sample("mill-street.geojson"))
    expect(page.locator("#reading .good")).to_be_visible()
    page.get_by_role("button", name="Screen this work").click()
    expect(page.locator("#work-in-words")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.get_by_role("button", name="Lay out the lot").click()
    expect(page.locator("#lot-answer table").first).to_be_visible()
    assert grave(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_axe_finds_nothing_serious_on_a_list(opened: Open, served: Served, axe: str) -> None:
    page = opened("/abutters", PHONE)
    page.get_by_label("Your key").fill(served.key("staff"))
    page.keyboard.press("Enter")
    page.get_by_label("Address, map and lot, or LOC_ID").fill("408 mill st")
    page.keyboard.press("Enter")
    page.locator("#found button").first.press("Enter")
    expect(page.get_by_label("Parcels chosen")).to_contain_text("408 MILL ST")
    page.get_by_label("Distance, ft").fill("300")
    page.keyboard.press("Enter")
    expect(page.locator("#abutters")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert grave(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.parametrize("path", PAGES[:3])
def test_a_phone_shows_a_page_without_scrolling_sideways(path: str, opened: Open) -> None:
    page = opened(path, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_the_keyboard_reaches_the_question_first_and_a_place_is_seen(opened: Open) -> None:
    page = opened("/", map_drawn=False)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the question")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Address, map and lot, or LOC_ID")).to_be_focused()
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert outline == "3px"


def test_names_of_files_and_features_are_text_and_never_markup(opened: Open, served: Served) -> None:
    page = opened("/", map_drawn=False)
    name = "<img src=x onerror=document.title=1>.geojson"
    content = served.sample("mill-street.geojson").read_bytes().replace(b'"grading"', b'"<b>grading</b>"')
    page.get_by_label("Drop or choose a file").set_input_files(
        [{"name": name, "mimeType": "application/geo+json", "buffer": content}]
    )
    expect(page.locator("#reading")).to_contain_text("<b>grading</b>")
    page.get_by_role("button", name="Screen this work").click()
    expect(page.locator("#work-in-words")).to_be_visible()
    page.get_by_text("What this rests on").click()
    expect(page.locator("#answer")).to_contain_text("<img src=x")
    assert page.locator("#reading b, #answer img").count() == 0
    assert page.title() == "Screen a site – Metes"

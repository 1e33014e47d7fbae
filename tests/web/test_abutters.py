"""The staff page: with a key to a list, its labels and its seal; without one to nothing at all."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import Served, seen
from playwright.sync_api import Page, expect
from pypdf import PdfReader

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
RING = (163, 37, 27)


def sign_in(page: Page, key: str) -> None:
    page.get_by_label("Your key").fill(key)
    page.get_by_role("button", name="Use it").click()


def pick(page: Page, address: str) -> None:
    page.get_by_label("Address, map and lot, or LOC_ID").fill(address)
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile(address.upper())).click()
    expect(page.get_by_label("Parcels chosen")).to_contain_text(address.upper())


def test_staff_make_a_list_review_it_take_labels_and_the_assessor_certifies(opened: Open, served: Served) -> None:
    page = opened("/abutters")
    sign_in(page, served.key("staff"))
    expect(page.locator("#signed")).to_contain_text("accepted (staff)")
    pick(page, "408 mill st")
    page.get_by_label("Rule", exact=True).select_option("lynnfield-320")
    page.get_by_label("Filed on").fill("2026-12-01")
    page.get_by_label("Hearing on").fill("2027-01-20")
    page.clock.set_fixed_time("2027-01-19T12:00:00-05:00")
    page.get_by_role("button", name="Make the list").click()
    expect(page.locator("#notice")).to_have_text("The list is made.")

    list_id = page.url.rpartition("=")[2]
    rows = page.locator("#abutters tbody tr")
    counts = re.match(r"(\d+) parcels, (\d+) owners, (\d+) letters", page.locator("#counts").inner_text())
    assert counts is not None
    assert rows.count() == int(counts[1])
    expect(rows.first).to_contain_text(re.compile(r"\d+(\.\d+)? ft|0 ft"))
    expect(page.locator("#answer")).to_contain_text("2027-01")
    expect(page.get_by_role("row").filter(has_text="Mail the notices")).to_contain_text("this day is over")
    assert seen(page, RING, 300)

    page.get_by_label("Sheet").select_option("5161")
    page.get_by_label("First free label").fill("3")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Labels (PDF)").click()
    labels = PdfReader(io.BytesIO(Path(saved.value.path()).read_bytes()))
    printed = "\n".join(leaf.extract_text() for leaf in labels.pages)
    owner = rows.first.locator("strong").first.inner_text()
    assert owner.split()[0] in printed

    page.get_by_role("button", name="I have reviewed it").click()
    expect(page.get_by_role("heading", name="List: reviewed")).to_be_visible()
    certify(page)
    expect(page.locator("#notice .bad")).to_contain_text("needs the role assessor")
    expect(page.get_by_role("heading", name="List: reviewed")).to_be_visible()

    page.reload()
    expect(page.get_by_role("heading", name="List: reviewed")).to_be_visible()
    sign_in(page, served.key("assessor"))
    expect(page.locator("#signed")).to_contain_text("accepted (assessor)")
    certify(page)
    expect(page.get_by_role("heading", name="List: certified")).to_be_visible()
    expect(page.locator("#answer")).to_contain_text("Certified by Ann Example, Assessor, on 2026-11-30")
    expect(page.locator("#certify")).to_have_count(0)
    page.get_by_role("button", name="What has changed since").click()
    expect(page.locator("#notice")).to_contain_text("Nothing has changed since the list was made.")
    page.get_by_label(re.compile("Article number")).first.fill("9407 1118 9956 0000 0000 01")
    page.get_by_label("Mailed on").fill("2099-12-02")
    page.get_by_role("button", name="Report them as mailed").click()
    expect(page.locator("#notice .bad")).to_contain_text("cannot be mailed on 2099-12-02, a day to come")
    expect(page.locator("#notice .bad")).to_be_in_viewport()
    page.get_by_label("Mailed on").fill("2026-11-29")
    page.get_by_role("button", name="Report them as mailed").click()
    expect(page.locator("#answer")).to_contain_text("Every letter is reported as mailed.")
    page.get_by_label("Reported for").select_option("2026-11-29")
    page.get_by_label("The day it was").fill("2026-11-30")
    page.get_by_role("button", name="Correct the day").click()
    expect(page.get_by_label("Reported for")).to_contain_text("2026-11-30")
    with page.expect_download() as sworn:
        page.get_by_role("button", name="Affidavit of service").click()
    sheet = PdfReader(io.BytesIO(Path(sworn.value.path()).read_bytes())).pages[0].extract_text()
    assert "9407 1118 9956 0000 0000 01" in sheet
    assert "2026-11-30" in sheet
    assert "2026-11-29" not in sheet

    other = opened("/abutters")
    sign_in(other, served.key("staff"))
    other.get_by_text("Open a list made before").click()
    other.get_by_label("Its number").fill(list_id)
    other.get_by_role("button", name="Open", exact=True).click()
    expect(other.get_by_role("heading", name="List: certified")).to_be_visible()


def test_a_list_is_found_among_those_made_before_and_another_certified_one_takes_its_place(
    opened: Open, served: Served
) -> None:
    page = opened("/abutters")
    sign_in(page, served.key("assessor"))
    pick(page, "408 mill st")
    page.get_by_label("Hearing on").fill("2026-12-20")
    draft = make_by(page, "lynnfield-320")
    successor = make_by(page, "ma-131-40")
    page.get_by_role("button", name="I have reviewed it").click()
    expect(page.get_by_role("heading", name="List: reviewed")).to_be_visible()
    certify(page, on="2099-01-01")
    expect(page.locator("#notice .bad")).to_contain_text(
        "cannot be certified on a day to come (2099-01-01; today is"
    )
    expect(page.locator("#notice .bad")).to_be_in_viewport()
    certify(page)
    expect(page.get_by_role("heading", name="List: certified")).to_be_visible()

    page.get_by_text("Open a list made before").click()
    made = page.get_by_label("Lists made before").get_by_role("button")
    expect(made.nth(1)).to_contain_text("408 MILL ST: draft, lynnfield-320")
    made.nth(1).click()
    expect(page).to_have_url(re.compile(draft))
    expect(page.get_by_role("heading", name="List: draft")).to_be_visible()
    expect(page.locator("#mail-by")).to_have_text(
        "Mail by 2026-12-12, the last day in practice; the last day by law is 2026-12-13, "
        "when letters are not taken in."
    )
    expect(page.get_by_role("row").filter(has_text="Mail the notices")).to_contain_text("2026-12-13 is a Sunday.")
    expect(page.locator("#answer")).to_contain_text("The hearing is on 2026-12-20, which is a Sunday")
    expect(page.get_by_role("heading", name="To know: told, and no answer is asked")).to_be_visible()
    page.get_by_text("Stop using this list").click()
    page.get_by_label("List that takes its place").select_option(successor)
    page.get_by_label("Why it is no longer used").fill("asked under the other law")
    page.get_by_role("button", name="Mark it as superseded").click()
    expect(page.get_by_role("heading", name="List: superseded")).to_be_visible()
    expect(page.locator("#answer")).to_contain_text(f"List {successor} takes its place: asked under the other law.")
    page.get_by_role("button", name="Labels (PDF)").click()
    expect(page.locator("#notice .bad")).to_contain_text(f"SUPERSEDED by list {successor}")
    page.get_by_label("Print them all the same").check()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Labels (PDF)").click()
    leaf = PdfReader(io.BytesIO(Path(saved.value.path()).read_bytes())).pages[0].extract_text()
    assert "SUPERSEDED by list" in leaf


def make_by(page: Page, rule: str) -> str:
    """Make a list of the chosen land by a rule, and return its id."""
    before = page.url
    page.get_by_label("Rule", exact=True).select_option(rule)
    page.get_by_role("button", name="Make the list").click()
    expect(page).not_to_have_url(before)
    expect(page.locator("#notice")).to_have_text("The list is made.")
    return page.url.rpartition("=")[2]


def certify(page: Page, on: str = "2026-11-30") -> None:
    form = page.locator("#certify")
    form.get_by_label("Name").fill("Ann Example")
    form.get_by_label("Title").fill("Assessor")
    form.get_by_label("On", exact=True).fill(on)
    despite = form.get_by_label("Why it is certified")
    if despite.count():
        despite.fill("The invented tax list is the only one.")
    form.get_by_role("button", name="Certify this list").click()


def test_a_wrong_key_is_refused_in_words_and_forgotten(opened: Open, served: Served) -> None:
    page = opened("/abutters")
    expect(page.get_by_role("button", name="Give your key first")).to_be_disabled()
    sign_in(page, "metes_0_wrong")
    expect(page.locator("#notice .bad")).to_contain_text("not known or was revoked")
    sign_in(page, served.key("portal"))
    expect(page.locator("#notice .bad")).to_contain_text("role portal")
    pick(page, "408 mill st")
    expect(page.get_by_role("button", name="Give your key first")).to_be_disabled()
    assert page.evaluate("sessionStorage.getItem('key')") is None


def test_work_of_a_screening_can_be_the_land_and_owners_never_reach_the_public_page(
    opened: Open, served: Served
) -> None:
    page = opened("/", map_drawn=False)
    page.get_by_label("Drop or choose a file").set_input_files(served.sample("quarry-road.geojson"))
    expect(page.locator("#reading .good")).to_be_visible()
    page.get_by_role("button", name="Screen this work").click()
    expect(page.locator("#work-in-words")).to_be_visible()
    page.get_by_role("link", name="Abutters of this work").click()
    sign_in(page, served.key("staff"))
    expect(page.get_by_label("Parcels chosen")).to_contain_text("The work of screening")
    page.get_by_label("Distance, ft").fill("100")
    page.get_by_role("button", name="Make the list").click()
    expect(page.get_by_role("heading", name="List: draft")).to_be_visible()
    names = page.locator("#abutters strong").all_inner_texts()
    assert names
    address = page.url

    stranger = opened(address.removeprefix(served.url))
    stranger.wait_for_timeout(500)
    assert not any(name in stranger.content() for name in names)
    expect(stranger.get_by_role("button", name="Give your key first")).to_be_disabled()

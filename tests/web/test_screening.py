"""A newcomer's way through the first page, and what they see against what the service says."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import BLUE, GREEN, RED, Served, count_of, drop, grave, kept, screened, seen, whole
from playwright.sync_api import Page, expect
from pypdf import PdfReader

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LOT = "F_443712_2965268"
ORANGE = (194, 87, 26)
"""How the rings of a buffer zone are outlined."""


def test_a_newcomer_searches_drops_a_file_reads_the_answer_and_takes_the_report(
    opened: Open, served: Served
) -> None:
    page = opened("/")
    page.get_by_label("Address, map and lot, or LOC_ID").fill("408 mill")
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("408 MILL ST")).click()
    expect(page.get_by_label("Parcels chosen")).to_contain_text("408 MILL ST")
    before = count_of(page, RED)

    drop(page, served.sample("mill-street.zip"))
    reading = page.locator("#reading")
    expect(reading).to_contain_text("EPSG:26986")
    expect(reading).to_contain_text("9,000 sq ft")
    expect(reading).to_contain_text("Features overlap")
    expect(reading.get_by_role("row")).to_have_count(4)

    told = screened(page, served)
    assert told["parcels"][0]["loc_id"] == LOT
    expect(page.locator("#work-in-words")).to_contain_text(f"{whole(told['disturbance']['area_sqft'])} sq ft")
    expect(page.locator("#work-in-words")).to_contain_text("Doverbrook (invented)")
    triggered = [d for d in told["determinations"] if d["result"] == "triggered" and not d["advisory"]]
    expect(page.get_by_label("In short")).to_contain_text(f"{len(triggered)} rules triggered")
    grade = page.locator('[data-rule="dover-159.grade_change"]')
    expect(grade).to_contain_text("6,600 sq ft measured, threshold 5,500 sq ft: 1,100 sq ft over.")
    expect(page.locator('[data-rule="dover-159.clearing"]')).to_contain_text("Not triggered, too close to call")
    expect(page.locator("#under")).to_contain_text("40 ft from leaving the 100 ft zone")
    assert before == 0
    assert seen(page, RED, 400)

    with page.expect_download() as saved:
        page.get_by_role("link", name="Report (PDF)").click()
    paper = PdfReader(io.BytesIO(Path(saved.value.path()).read_bytes()))
    text = "\n".join(leaf.extract_text() for leaf in paper.pages)
    assert told["id"] in text
    assert "1,100 sq ft over" in text


def test_groups_stand_in_order_and_a_finding_lights_up_on_the_map(opened: Open, served: Served) -> None:
    page = opened("/")
    drop(page, served.sample("quarry-road.geojson"))
    expect(page.locator("#reading .good")).to_be_visible()
    told = screened(page, served)
    order = page.locator("[data-group]").evaluate_all("all => all.map(one => one.dataset.group)")
    assert order == [name for name in ("affected", "close", "unknown", "none", "clear", "ground") if name in order]
    hits = [f for f in told["findings"] if f["status"] == "affected" and f["theme"] not in ("huc10", "huc12")]
    affected = [f for f in hits if f["theme"] not in ("slope", "impervious")]
    expect(page.locator('[data-group="ground"] .card')).to_have_count(len(hits) - len(affected))
    expect(page.locator('[data-group="affected"] .card')).to_have_count(len(affected))
    flood = next(f for f in affected if f["theme"] == "floodplain")
    card = page.locator('.card[data-theme="floodplain"]')
    expect(card).to_contain_text(f"{whole(flood['disturbance_sqft'])} sq ft")
    assert count_of(page, BLUE) == 0
    card.get_by_role("button", name="Show on the map").click()
    assert seen(page, BLUE, 200)
    expect(card).to_have_class(re.compile("lit"))


def test_law_text_and_how_it_is_read_stand_under_a_rule_with_a_link(opened: Open, served: Served) -> None:
    page = opened("/")
    drop(page, served.sample("mill-street.geojson"))
    expect(page.locator("#reading .good")).to_be_visible()
    screened(page, served)
    rule = page.locator('[data-rule="dover-159.resource_area"]')
    rule.get_by_text("The text, and how it is read").click()
    expect(rule.locator("blockquote")).to_contain_text("Protected Buffer Zones")
    expect(rule.locator("details a")).to_have_attribute("href", re.compile("ecode360.com"))
    policy = next(p for p in served.says("/v1/bylaws/dover-159")["policies"] if p["id"] == "AMB-07")
    expect(rule).to_contain_text(policy["reading"])


def test_a_shared_link_shows_the_answer_and_takes_facts_after_a_reload(opened: Open, served: Served) -> None:
    page = opened("/")
    drop(page, served.sample("mill-street.geojson"))
    expect(page.locator("#reading .good")).to_be_visible()
    first = screened(page, served)
    fill = next(d for d in first["determinations"] if d["rule"] == "dover-159.fill_storage")
    assert fill["result"] == "needs_input"

    other = opened(page.url.removeprefix(served.url))
    expect(other.locator("#work-in-words")).to_contain_text("9,000 sq ft")
    other.get_by_text("What the rules ask").click()
    other.get_by_label(re.compile("Fill and excavate stored")).fill("120")
    other.get_by_role("button", name="Screen again with these").click()
    expect(other.locator("#notice")).to_have_text("Done. The answer follows.")
    expect(other.locator('[data-rule="dover-159.fill_storage"]')).to_contain_text("20 cu yd over")

    other.reload()
    expect(other.locator('[data-rule="dover-159.fill_storage"]')).to_contain_text("20 cu yd over")
    assert other.url != page.url
    other.get_by_text("What the rules ask").click()
    said = other.get_by_role("group", name="You said").get_by_label(re.compile("Fill and excavate stored"))
    expect(said).to_have_value("120")
    said.fill("")
    other.get_by_role("button", name="Screen again with these").click()
    expect(other.locator('[data-rule="dover-159.fill_storage"]')).to_contain_text("Needs an answer")


def test_a_layer_that_is_not_checked_is_never_shown_as_clear(opened: Open, served: Served) -> None:
    page = opened("/", map_drawn=False)
    drop(page, served.sample("mill-street.geojson"))
    expect(page.locator("#reading .good")).to_be_visible()
    told = screened(page, served)
    finding = next(f for f in told["findings"] if f["layer"]["id"] == "iwpa")
    assert finding["status"] == "not_checked"
    card = page.locator('[data-group="unknown"] .card[data-layer="iwpa"]')
    expect(card).to_contain_text("Not checked")
    expect(card).to_contain_text("no edition is loaded")
    page.locator("summary", has_text="All of it as a table").click()
    row = page.locator("#as-table").get_by_role("row").filter(has_text=finding["title"])
    expect(row).to_contain_text("Not checked")


def test_what_is_unknown_for_one_reason_is_gathered_and_each_thing_named(opened: Open, served: Served) -> None:
    page = opened("/", map_drawn=False)
    findings = served.says(f"/v1/screenings/{kept(served)}")["findings"]
    for one in findings:
        one["status"], one["why"] = "not_checked", f"{one['title']} was not checked: no edition is loaded."
    said = page.evaluate(
        """findings => import("/static/js/findings.js").then(({ grouped, findingGroups }) => {
            const groups = findingGroups(grouped(findings), () => {}).filter(Boolean);
            return groups.map(one => [one.dataset.group, one.querySelectorAll(".card").length, one.textContent]);
        })""",
        findings,
    )
    ((group, cards, words),) = said
    assert (group, cards) == ("unknown", 1)
    assert "No edition is loaded." in words
    assert all(one["title"] in words for one in findings)


def test_setbacks_and_trees_of_the_lot_are_told_and_drawn(opened: Open, served: Served) -> None:
    page = opened("/")
    drop(page, served.sample("mill-street.geojson"))
    expect(page.locator("#reading .good")).to_be_visible()
    screened(page, served)
    page.get_by_text("Setbacks and trees of a lot").click()
    for name, feet in (("Front, ft", "40"), ("Side, ft", "20"), ("Rear, ft", "20")):
        page.get_by_label(name).fill(feet)
    lot = served.says(f"/v1/parcels/{LOT}")["geometry"]["coordinates"][0]
    lon, lat = (sum(place[i] for place in lot[:-1]) / (len(lot) - 1) for i in (0, 1))
    oak = {"type": "Feature", "properties": {"id": "oak 1", "dbh_in": 24, "action": "keep"}}
    oak["geometry"] = {"type": "Point", "coordinates": [lon, lat]}
    trees = json.dumps({"type": "FeatureCollection", "features": [oak]}).encode()
    before = count_of(page, GREEN)
    page.get_by_label(re.compile("Trees")).set_input_files(
        [{"name": "trees.geojson", "mimeType": "application/geo+json", "buffer": trees}]
    )
    page.get_by_role("button", name="Lay out the lot").click()
    expect(page.locator("#notice")).to_have_text("The lot is laid out and drawn on the map.")
    expect(page.locator("#lot-answer")).to_contain_text("oak 1")
    expect(page.locator("#lot-answer")).to_contain_text("25 ft")
    assert seen(page, GREEN, before + 200)


def test_rules_read_onto_another_towns_ground_are_named_as_such_above_the_answer(
    opened: Open, served: Served
) -> None:
    mill = served.sample("mill-street.geojson").read_bytes()
    told = served.says("/v1/screenings?town=lynnmere", mill)
    page = opened(f"/?screening={told['id']}")
    words = page.locator("#work-in-words")
    expect(words).to_contain_text("in Doverbrook (invented), by the rules of Lynnmere (invented) as asked")
    open_rules = sum(d["result"] in ("indeterminate", "needs_input") for d in told["determinations"])
    expect(page.locator("#rules-open")).to_contain_text(f"{open_rules} rules not decided yet")


def test_nothing_triggered_is_no_all_clear_and_little_work_is_not_none(opened: Open, served: Served) -> None:
    """A shed far from all water: no rule is triggered, and most of them cannot be decided."""
    page = opened("/")
    west, south, east, north = served.says("/v1/page")["bounds"]
    lots = served.says(f"/v1/parcels?limit=1000&bbox={west},{south},{east},{north}")["parcels"]
    lot = next(one["loc_id"] for one in lots if one["site_address"] == "120 BACK ST")
    ring = served.says(f"/v1/parcels/{lot}")["geometry"]["coordinates"][0][:-1]
    x, y = (sum(place[i] for place in ring) / len(ring) for i in (0, 1))
    corners = [(x, y), (x + 4e-5, y), (x + 4e-5, y + 3e-5), (x, y + 3e-5)]
    page.get_by_text("Type the corners instead").click()
    page.get_by_label("One corner a line").fill("\n".join(f"{lon:.7f}, {lat:.7f}" for lon, lat in corners))
    page.get_by_role("button", name="Add this polygon").click()
    told = screened(page, served)
    results = [one["result"] for one in told["determinations"] if not one["advisory"]]
    assert "triggered" not in results
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("No rule is triggered by what the maps show. That is no all-clear.")
    expect(verdict).to_contain_text("cannot be decided yet")
    expect(page.locator("#work-in-words")).not_to_contain_text("acres")
    assert "measured" not in page.get_by_label("What the maps show").inner_text().lower()
    assert page.locator('[data-group="affected"] .card').count() == 0


def test_the_fiscal_year_of_the_lots_stands_with_what_an_answer_rests_on(opened: Open, served: Served) -> None:
    page = opened(f"/?screening={kept(served)}", map_drawn=False)
    page.get_by_text("What this rests on").click()
    basis = page.locator("details", has_text="What this rests on")
    expect(basis).to_contain_text(
        re.compile(r"parcels \(doverbrook\), edition \S+, fiscal year 2026, added \d{4}-")
    )


def test_on_paper_no_rule_and_no_map_is_folded_away(opened: Open, served: Served) -> None:
    page = opened(f"/?screening={kept(served)}", map_drawn=False)
    folded = page.locator('[data-group="clear"] .card').first
    expect(page.locator("#verdict")).to_be_visible()
    expect(folded).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(folded).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(folded).to_be_hidden()


def test_what_lies_around_is_drawn_under_the_answers_own_words_and_what_is_unknown_is_named(
    opened: Open, served: Served, axe: str
) -> None:
    page = opened(f"/?screening={kept(served)}")
    around = page.locator("#around")
    buffer = around.get_by_label(re.compile("Buffer zone of a mapped wetland"))
    expect(buffer).to_be_checked()
    words = around.locator("label", has_text="Buffer zone of a mapped wetland")
    expect(words).to_contain_text("(Affected; nearest 60 ft away)")
    expect(words).to_contain_text("150–200 ft")
    expect(around).to_contain_text("Distances and areas are those of the answer, not of the drawing.")
    expect(around).to_contain_text("a blank does not mean that nothing is there")
    expect(around).to_contain_text("Interim wellhead protection area (Not checked)")
    expect(page.locator("summary", has_text="On the map (")).to_contain_text("unknown or not drawn")
    assert grave(page, axe) == []
    assert seen(page, ORANGE, 300)
    buffer.press("Space")
    expect(buffer).not_to_be_checked()
    page.wait_for_timeout(300)
    assert count_of(page, ORANGE) == 0


def test_a_delineations_word_is_no_all_clear_on_the_page(opened: Open, served: Served) -> None:
    word = "A. Walker found wetland 10 ft from the work, 2026"
    mill = served.sample("mill-street.geojson").read_bytes()
    told = served.says(f"/v1/screenings?delineation={word.replace(' ', '%20')}", mill)
    page = opened(f"/?screening={told['id']}")
    counts = told["summary"]
    assert counts["rules_on_delineation"] > 0 and counts["maps_on_delineation"] > 0
    rules, maps = counts["rules_on_delineation"], counts["maps_on_delineation"]
    expect(page.locator("#verdict")).to_contain_text(f"{rules} rules and {maps} maps are answered by the word of a")
    wetland = page.locator('[data-group="delineated"] .card[data-theme="wetlands"]')
    expect(wetland).to_contain_text("Not affected, by a delineation's word")
    expect(wetland).to_contain_text("any distance told is the map's")
    expect(wetland).to_contain_text("Nearest on the map")
    expect(page.locator("#around")).to_contain_text("by a delineation's word; on the map nearest")
    assert page.locator('[data-group="clear"] .card[data-theme="wetlands"]').count() == 0
    ruled = page.locator('[data-rule="ma-310cmr10.resource_area"]')
    expect(ruled).to_be_visible()
    expect(ruled).to_contain_text("Not triggered, by a delineation's word")
    expect(page.locator("#answer")).to_contain_text("it will be measured")


def test_the_page_counts_what_the_service_counted(opened: Open, served: Served) -> None:
    told = served.says("/v1/screenings", served.sample("mill-street.geojson").read_bytes())
    page = opened(f"/?screening={told['id']}")
    rules, maps = told["summary"]["rules_too_close"], told["summary"]["maps_too_close"]
    expect(page.locator("#verdict")).to_contain_text(f"{rules} rules and {maps} maps are too close to call.")
    expect(page.locator("#too-close")).to_contain_text(f"{rules + maps} too close to call")
    expect(page.locator("#marked-close")).to_contain_text("Clearing of existing vegetation")
    expect(page.locator("#not-looked-at")).to_contain_text("Title 5")
    label = page.locator("#around label", has_text=re.compile(r"^Mapped wetland"))
    expect(label).to_contain_text("(Mapped 60 ft away; none within reach is mapped)")
    expect(label.get_by_role("checkbox")).to_be_checked()

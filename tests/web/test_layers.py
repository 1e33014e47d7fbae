"""What is loaded and what is not, in words and on the map."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browsing import Served, pixels
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def test_every_layer_is_told_with_its_state_edition_and_coverage(opened: Open, served: Served) -> None:
    page = opened("/layers")
    layers = served.says("/v1/layers")["layers"]
    cards = page.locator("article[data-layer]")
    expect(cards).to_have_count(len(layers))
    missing = page.locator('article[data-layer="iwpa"]')
    expect(missing).to_contain_text("Not loaded")
    expect(missing).to_contain_text('Everything asked of it answers "not checked".')
    expect(missing.get_by_role("button")).to_have_count(0)
    damaged = page.locator('article[data-layer="zone2"]')
    expect(damaged).to_contain_text("Failed")
    expect(damaged).to_contain_text("roll back or add it again")
    expect(page.locator(".sum")).to_contain_text("1 failed")
    wetlands = next(layer for layer in layers if layer["id"] == "wetlands")
    card = page.locator('article[data-layer="wetlands"]')
    expect(card).to_contain_text("Ready")
    expect(card).to_contain_text(wetlands["editions"][0]["edition"])
    expect(card).to_contain_text("Known to miss things the law protects.")
    expect(page.locator('article[data-layer="parcels"]')).to_contain_text(
        re.compile(r"fiscal year 2026, added \d{4}-")
    )
    before = pixels(page)
    card.get_by_role("button", name="Show what it covers: MassDEP wetlands").click()
    expect(page.locator("#notice")).to_contain_text("MassDEP wetlands: what it covers is drawn on the map.")
    page.wait_for_timeout(300)
    assert (pixels(page) != before).any(axis=-1).sum() > 1000

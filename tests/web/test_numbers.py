"""How the pages say a margin: worked out by hand, asked of the page's own script in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

CASES: list[tuple[str, dict[str, Any], str | None]] = [
    ("marginInWords", {"measured": 5812, "threshold": 5500, "unit": "sqft"}, "312 sq ft over"),
    ("marginInWords", {"measured": 5400, "threshold": 5500, "unit": "sqft"}, "100 sq ft under"),
    (
        "marginInWords",
        {"measured": 5500, "threshold": 5500, "unit": "sqft"},
        "exactly at the threshold, which counts as reaching it",
    ),
    ("marginInWords", {"measured": 86, "threshold": 100, "unit": "ft"}, "14 ft inside the 100 ft line"),
    ("marginInWords", {"measured": 260, "threshold": 200, "unit": "ft"}, "60 ft beyond the 200 ft line"),
    ("marginInWords", {"measured": 25, "threshold": 0, "unit": "ft"}, "25 ft away"),
    ("marginInWords", {"measured": 0, "threshold": 0, "unit": "ft"}, "under the work"),
    ("marginInWords", {"measured": None, "threshold": 100, "unit": "ft"}, None),
    (
        "wayUnder",
        {"result": "triggered", "measured": 86, "threshold": 100, "unit": "ft"},
        "14 ft from leaving the 100 ft zone",
    ),
    (
        "wayUnder",
        {"result": "triggered", "measured": 5812, "threshold": 5500, "unit": "sqft"},
        "312 sq ft over; with that much less, and a little, it is under",
    ),
    (
        "wayUnder",
        {"result": "triggered", "measured": 0, "threshold": 0, "unit": "ft"},
        "work lies on it; it would have to leave it",
    ),
    ("wayUnder", {"result": "not_triggered", "measured": 5400, "threshold": 5500, "unit": "sqft"}, None),
    (
        "measuredInWords",
        {"measured": 60, "threshold": 150, "unit": "ft"},
        "60 ft away, reach 150 ft: 90 ft inside the 150 ft line.",
    ),
]
AMOUNTS = [([6600, "sqft"], "6,600 sq ft"), ([0.2066, "acres"], "0.21 acres"), ([22.5, "percent"], "22.5 %")]
AMOUNTS += [([0.0028, "acres"], "less than 0.01 acres"), ([0.005, "ft"], "0.01 ft")]
AMOUNTS += [([None, "ft"], "–"), ([0, "ft"], "0 ft"), ([54.444, ""], "54.44"), ([3768.5, "sqft"], "3,769 sq ft")]


def test_margins_and_amounts_are_said_in_words(opened: Callable[..., Page]) -> None:
    page = opened("/layers", map_drawn=False)
    ask = "([name, words]) => import('/static/js/numbers.js').then(module => module[name](...words))"
    for name, rule, said in CASES:
        assert page.evaluate(ask, [name, [rule]]) == said
    for words, said in AMOUNTS:
        assert page.evaluate(ask, ["amount", words]) == said

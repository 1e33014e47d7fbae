"""The day of an edition in words: the publisher's own, then when it came, fetched or given by hand."""

from __future__ import annotations

from datetime import date

import pytest

from app.reports.dated import dated

DAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("published", "retrieved", "url", "told"),
    [
        (None, None, None, ()),
        ("FY2016", "2026-11-30", None, ("fiscal year 2016", "added 2026-11-30")),
        (
            "2025-04",
            "2026-11-29",
            "https://gis.example/w.zip",
            ("published 2025-04", "fetched 2026-11-29 (1 day ago)"),
        ),
        (None, "2016-11-30", None, ("added 2016-11-30 (3,652 days ago)",)),
        ("FY2016", None, None, ("fiscal year 2016",)),
    ],
)
def test_what_is_known_is_told_and_nothing_else(
    published: str | None, retrieved: str | None, url: str | None, told: tuple[str, ...]
) -> None:
    assert dated(published, retrieved, url, on=DAY) == told


def test_without_a_day_to_count_from_nothing_is_counted() -> None:
    assert dated(None, "2016-11-30", "https://gis.example/w.zip") == ("fetched 2016-11-30",)

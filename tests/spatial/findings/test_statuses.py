"""The five statuses: what silence means, and when it means nothing."""

from __future__ import annotations

from datetime import date

import pytest
import shapely
from findings_asked import ask
from shapes import WORK, box, disc, frame, theme

from spatial.findings import Asking


def test_an_absent_layer_is_not_checked_and_says_why() -> None:
    gone = theme("wetlands")
    (found,) = ask([], gone, absent={"wetlands": "the last import failed"})
    assert (found.status, found.edition, found.nearest_ft) == ("not_checked", None, None)
    assert "the last import failed" in found.why
    (unsaid,) = ask([], gone)
    assert "no edition of the layer wetlands is loaded" in unsaid.why


@pytest.mark.parametrize(("complete", "status"), [(True, "not_affected"), (False, "none_mapped")])
def test_an_empty_edition_that_covers_is_an_honest_negative(complete: bool, status: str) -> None:
    (found,) = ask(frame("floodplain", [], complete=complete))
    assert (found.status, found.coverage, found.certainty) == (status, "full", "certain")
    assert found.nearest_ft is None


@pytest.mark.parametrize(
    ("coverage", "within", "status", "held"),
    [
        (box(-500, -500, 800, 700), 500, "not_affected", "full"),
        (box(-499.9, -500, 800, 700), 500, "no_data", "partial"),
        (box(0, 0, 300, 200), 0, "not_affected", "full"),
        (box(0, 0, 299, 200), 0, "no_data", "partial"),
        (box(1000, 1000, 2000, 2000), 0, "no_data", "none"),
    ],
)
def test_coverage_must_hold_the_site_grown_by_the_reach(
    coverage: shapely.Geometry, within: float, status: str, held: str
) -> None:
    (found,) = ask(frame("habitat", [], coverage=coverage), theme("habitat", within_ft=within))
    assert (found.status, found.coverage) == (status, held)


def test_a_round_coverage_is_asked_exactly() -> None:
    """The corners of the grown box lie outside, the ground within reach does not."""
    round_town = disc(150, 100, 780.5)
    (held,) = ask(frame("habitat", [], coverage=round_town), theme("habitat", within_ft=600))
    (missed,) = ask(frame("habitat", [], coverage=disc(150, 100, 779.5)), theme("habitat", within_ft=600))
    assert (held.coverage, missed.coverage) == ("full", "partial")


def test_a_hit_is_affected_whatever_is_missing_around_it() -> None:
    (found,) = ask(
        frame(
            "habitat",
            [box(0, 0, 100, 100)],
            coverage=box(0, 0, 50, 50),
            complete=False,
            retrieved="1999-01-01",
            stale_after_days=10,
        ),
        theme("habitat", within_ft=500),
    )
    assert (found.status, found.coverage) == ("affected", "partial")
    assert "covers only part" in found.why
    assert "stale" in found.why and "a hit stands" in found.why


def test_two_towns_cover_together() -> None:
    west = frame("wetlands", [], coverage=box(-900, -900, 150, 900), part="dover")
    east = frame("wetlands", [], coverage=box(150, -900, 900, 900), part="natick")
    assert ask([west], theme("wetlands", within_ft=100))[0].status == "no_data"
    assert ask([west, east], theme("wetlands", within_ft=100))[0].status == "not_affected"


@pytest.mark.parametrize(
    ("on", "allowed", "status"),
    [
        (date(2026, 10, 11), False, "not_affected"),
        (date(2026, 10, 12), False, "not_checked"),
        (date(2026, 10, 12), True, "not_affected"),
    ],
)
def test_a_stale_layer_is_not_checked_unless_allowed(on: date, allowed: bool, status: str) -> None:
    (found,) = ask(frame("habitat", [], stale_after_days=10), asking=Asking(on, allow_stale=allowed))
    assert found.status == status


@pytest.mark.parametrize(("seam", "status"), [(350, "not_checked"), (401, "not_affected")])
def test_a_stale_edition_next_door_counts_as_far_as_the_theme_reaches(seam: float, status: str) -> None:
    fresh = frame("floodplain", [], coverage=box(-900, -900, seam, 900), part="dover", stale_after_days=400)
    old = frame(
        "floodplain",
        [],
        coverage=box(seam, -900, 900, 900),
        part="natick",
        stale_after_days=400,
        retrieved="2020-01-01",
    )
    (found,) = ask([fresh, old], theme("floodplain", reach_ft=100))
    assert found.status == status


def test_a_stale_edition_under_a_fresh_one_is_not_needed() -> None:
    town = frame("floodplain", [], coverage=box(-900, -900, 900, 900), part="dover", stale_after_days=400)
    state = frame("floodplain", [], stale_after_days=400, retrieved="2020-01-01")
    for order in ([town, state], [state, town]):
        (found,) = ask(order, theme("floodplain", reach_ft=100))
        assert found.status == "not_affected"


def test_findings_are_worst_first_within_the_order_of_themes() -> None:
    calm = frame("ponds", [])
    hit = frame("wetlands", [WORK])
    themes = (theme("buffer_zone", "ponds"), theme("buffer_zone", "wetlands"), theme("floodplain", "wetlands"))
    assert [(f.theme, f.layer_id) for f in ask([calm, hit], *themes)] == [
        ("buffer_zone", "wetlands"),
        ("buffer_zone", "ponds"),
        ("floodplain", "wetlands"),
    ]

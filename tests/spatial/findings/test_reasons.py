"""The words of a finding where nobody may read a negative into it: no edition here, a column left open."""

from __future__ import annotations

import pytest
from findings_asked import ask
from shapes import box, frame, theme

from spatial.findings.reasons import called

EAST = 300
"""The east side of the work, feet."""


@pytest.mark.parametrize(("gap_ft", "said"), [(1_000, "1,000 ft away"), (10_560, "2.0 miles away")])
def test_where_no_edition_covers_the_site_none_is_named_as_if_it_did(gap_ft: int, said: str) -> None:
    elsewhere = box(EAST + gap_ft, 0, EAST + gap_ft + 500, 200)
    (found,) = ask(frame("wetlands", [], coverage=elsewhere, part="amherst", edition="2026-01"))
    assert (found.status, found.coverage, found.edition) == ("no_data", "none", None)
    assert "what is loaded does not cover this place" in found.why
    assert found.why.endswith(f"(amherst) ends {said}.")
    assert "2026-01" not in found.why and "none is mapped" not in found.why


def test_of_several_editions_elsewhere_the_nearest_is_told() -> None:
    far = frame("wetlands", [], coverage=box(9_000, 0, 9_500, 200), part="hadley")
    near = frame("wetlands", [], coverage=box(EAST + 400, 0, EAST + 900, 200), part="amherst")
    (found,) = ask([far, near])
    assert "(amherst) ends 400 ft away" in found.why


def test_an_edition_that_shows_something_near_is_named_though_it_does_not_cover_the_work() -> None:
    (found,) = ask(
        frame("wetlands", [box(EAST + 100, 0, EAST + 200, 200)], coverage=box(EAST + 80, 0, 900, 200)),
        theme("wetlands", within_ft=50),
    )
    assert (found.status, found.coverage) == ("no_data", "none")
    assert found.edition is not None
    assert "100.00 ft from the work" in found.why


def test_where_an_edition_covers_a_part_the_silence_reaches_only_so_far() -> None:
    (found,) = ask(frame("wetlands", [], coverage=box(-900, -900, 150, 900)))
    assert (found.status, found.coverage) == ("no_data", "partial")
    assert "as far as the map goes" in found.why


@pytest.mark.parametrize(("category", "told"), [("unknown", True), ("5", False)])
def test_a_feature_that_counts_because_the_map_is_silent_is_not_told_as_the_maps_own_word(
    category: str, told: bool
) -> None:
    river = frame("waters", [box(EAST + 50, 0, EAST + 90, 200)], attributes={"category": [category]})
    asked = theme("waters", within_ft=200, where={"category": ("5", "unknown")}, report=("category",))
    (found,) = ask(river, asked)
    assert found.status == "affected"
    assert ("category not given" in found.why) == told


def test_an_id_made_from_a_shape_is_no_name() -> None:
    assert (called("g11659af3bc"), called("PH 2084"), called("gravel pit")) == ("", "PH 2084", "gravel pit")
    (found,) = ask(frame("zone2", [box(-900, -900, 900, 900)], ids=["g11659af3bc"]))
    assert "a feature without a name" in found.why

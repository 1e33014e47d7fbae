"""How sure a finding is: margins, accuracies, depth."""

from __future__ import annotations

import pytest
from findings_asked import ask, site
from shapes import ON, box, disc, frame, theme

from spatial.findings import Asking


@pytest.mark.parametrize(
    ("gap", "accuracy", "within", "status", "certainty"),
    [
        (120, 33.3, 100, "not_affected", "too_close_to_call"),  # TD-09, 1:12,000
        (120, 13.9, 100, "not_affected", "certain"),  # TD-09, 1:5,000
        (120, 33.3, 150, "affected", "too_close_to_call"),  # TD-09, Ch. 263
        (499.9, 41.7, 500, "affected", "too_close_to_call"),  # TL-08
        (500.0, 41.7, 500, "affected", "too_close_to_call"),
        (500.1, 41.7, 500, "not_affected", "too_close_to_call"),
        (100, 1.0, 500, "affected", "certain"),
        (541.6, 41.7, 500, "not_affected", "too_close_to_call"),
        (541.8, 41.7, 500, "not_affected", "certain"),
        (5000, 41.7, 500, "not_affected", "certain"),
    ],
)
def test_near_misses_and_near_hits(gap: float, accuracy: float, within: float, status: str, certainty: str) -> None:
    (found,) = ask(
        frame("habitat", [box(300 + gap, 0, 400 + gap, 200)], accuracy_ft=[accuracy]),
        theme("habitat", within_ft=within),
    )
    assert (found.status, found.certainty) == (status, certainty)
    assert found.margin_ft == pytest.approx(abs(gap - within), abs=1e-6)
    assert found.nearest_ft == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize(
    ("depth", "certainty"), [(20, "too_close_to_call"), (33, "too_close_to_call"), (34, "certain")]
)
def test_a_hit_is_as_sure_as_it_is_deep(depth: float, certainty: str) -> None:
    (found,) = ask(frame("wetlands", [box(300 - depth, -500, 900, 700)], accuracy_ft=[33.3]))
    assert (found.status, found.certainty) == ("affected", certainty)
    assert found.margin_ft == pytest.approx(depth, abs=1e-6)


def test_a_features_own_accuracy_beats_the_layers() -> None:
    (found,) = ask(frame("wetlands", [box(280, -500, 900, 700)], accuracy_ft=[13.9]))
    assert found.certainty == "certain"


def test_a_small_wetland_in_the_middle_of_the_work_is_certain() -> None:
    (found,) = ask(frame("wetlands", [box(145, 95, 155, 105)], accuracy_ft=[33.3]))
    assert (found.status, found.certainty, found.relation) == ("affected", "certain", "contains")


def test_the_limit_of_work_may_be_the_less_exact() -> None:
    (found,) = ask(frame("wetlands", [box(310, 0, 400, 200)]), asking=Asking(ON, work_accuracy_ft=15.0))
    assert (found.status, found.certainty) == ("not_affected", "too_close_to_call")


def test_depth_is_never_measured_to_a_cut() -> None:
    """A site deep inside a parent of many pieces is as deep as the real edge is far, wherever the cuts run."""
    parent = disc(0, 0, 5_000, quad_segs=2_000)
    (found,) = ask(frame("floodplain", [parent], accuracy_ft=[40.0]), at=site(box(0, 0, 20, 20)))
    assert (found.certainty, found.relation) == ("certain", "within")
    assert found.margin_ft is not None and 4_971 < found.margin_ft <= 5_000

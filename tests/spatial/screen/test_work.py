"""The work by class of activity."""

from __future__ import annotations

import pytest
from questions import named, parcels, question, stack
from shapes import box, submission

from spatial.screen import measure


@pytest.mark.parametrize(
    ("activity", "classes"),
    [
        ("grading", {"grading"}),
        ("clearing", {"clearing"}),
        ("tree_removal", {"clearing"}),
        ("building", {"grading", "clearing"}),
        ("paving", {"grading", "clearing"}),
        ("storage", {"grading", "clearing"}),
        (None, {"grading", "clearing"}),
        ("blasting", {"grading", "clearing"}),
    ],
)
def test_activities_have_their_classes(activity: str | None, classes: set[str]) -> None:
    case, _ = measure(question(submission(features=[named(activity, box(0, 0, 100, 50))])), stack(parcels()))
    assert case.disturbance.by_class_sqft == {name: pytest.approx(5_000) for name in classes}
    assert case.lots[0].by_class_sqft == {name: pytest.approx(5_000) for name in classes}
    assert set(case.disturbance.by_activity_sqft) == {activity or "unnamed"}


@pytest.mark.parametrize(
    ("said", "classes"),
    [("clearing", {"clearing"}), ("Grading, clearing", {"grading", "clearing"}), ("?", {"grading", "clearing"})],
)
def test_a_feature_may_say_what_it_counts_as(said: str, classes: set[str]) -> None:
    feature = named("storage", box(0, 0, 100, 50), counts_as=said)
    case, _ = measure(question(submission(features=[feature])), stack(parcels()))
    assert set(case.disturbance.by_class_sqft) == classes


def test_each_class_is_the_union_of_its_own_work() -> None:
    """TD-04 and TD-01: overlapping grades count once; grading and clearing are not added."""
    work = submission(
        features=[
            named("grading", box(0, 0, 100, 30)),
            named("grading", box(0, 20, 100, 50)),
            named("clearing", box(0, 40, 100, 90)),
        ]
    )
    case, _ = measure(question(work), stack(parcels()))
    assert case.disturbance.by_class_sqft == {"grading": pytest.approx(5_000), "clearing": pytest.approx(5_000)}
    assert case.disturbance.area_sqft == pytest.approx(9_000)
    assert case.disturbance.by_class_perimeter_ft == {"grading": pytest.approx(300), "clearing": pytest.approx(300)}


def test_tree_points_are_counted_never_cleared() -> None:
    case, _ = measure(question(submission(box(0, 0, 10, 10), tree_points=7)), stack(parcels()))
    assert case.disturbance.tree_points == 7

"""What each layer says of the work, in which figures; and which of its features a theme asks for."""

from __future__ import annotations

import pytest
import shapely
from findings_asked import ABSOLUTE_SQFT, ask, site
from shapes import DISTANCE_FT, EVERYWHERE, ON, SHAPES, WORK, box, frame, line, point, theme

from spatial.findings import Asking, find
from spatial.index import LayerStack


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("max_vertices", [16, 256])
def test_shared_ground_is_as_drawn(name: str, max_vertices: int) -> None:
    shape, shared = SHAPES[name]
    (found,) = ask(frame("floodplain", [shape], max_vertices=max_vertices))
    assert found.disturbance_sqft == pytest.approx(shared, abs=ABSOLUTE_SQFT)
    assert found.percent_of_disturbance == pytest.approx(shared / 600.0, abs=1e-5)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("within", [0.0, 50.0, 100.0, 107.0])
def test_nearest_and_status_follow_the_distance(name: str, within: float) -> None:
    (found,) = ask(frame("floodplain", [SHAPES[name][0]]), theme("floodplain", within_ft=within))
    shared = SHAPES[name][1] >= 1.0
    near = within > 0 and DISTANCE_FT[name] <= within
    assert found.nearest_ft == pytest.approx(DISTANCE_FT[name], abs=1e-6)
    assert found.status == ("affected" if shared or near else "not_affected")


RELATIONS = {
    "inside": "contains",
    "half": "overlaps",
    "all": "within",
    "same": "within",
    "touch_edge": "touches",
    "touch_corner": "touches",
    "sliver": "touches",
    "hole_around": "none",
    "hole_inside": "overlaps",
    "triangle": "contains",
    "far_100": "none",
}


@pytest.mark.parametrize(("name", "relation"), RELATIONS.items())
def test_relation_is_named(name: str, relation: str) -> None:
    (found,) = ask(frame("floodplain", [SHAPES[name][0]]))
    assert found.relation == relation


@pytest.mark.parametrize("name", ["touch_edge", "touch_corner", "sliver"])
def test_a_touch_is_no_hit_but_too_close_to_call(name: str) -> None:
    (found,) = ask(frame("floodplain", [SHAPES[name][0]]))
    assert (found.status, found.certainty) == ("not_affected", "too_close_to_call")
    assert found.margin_ft == 0.0


def test_a_sliver_is_said_and_measured() -> None:
    (found,) = ask(frame("floodplain", [SHAPES["sliver"][0]]))
    assert found.disturbance_sqft == pytest.approx(0.2, abs=1e-4)
    assert "0.200 sq ft" in found.why
    assert found.features[0].overlap_sqft == 0.0


def test_small_work_wholly_inside_is_no_sliver() -> None:
    (found,) = ask(frame("floodplain", [SHAPES["all"][0]]), at=site(box(10, 10, 10.5, 10.5)))
    assert (found.status, found.relation) == ("affected", "within")


def test_a_small_feature_wholly_inside_is_no_sliver() -> None:
    (found,) = ask(frame("floodplain", [box(100, 100, 100.5, 100.5)]))
    assert (found.status, found.relation) == ("affected", "contains")


def test_overlapping_features_count_once() -> None:
    (found,) = ask(frame("floodplain", [box(0, 0, 150, 200), box(75, 0, 225, 200)]))
    assert found.disturbance_sqft == pytest.approx(45_000, abs=ABSOLUTE_SQFT)
    assert found.percent_of_disturbance == pytest.approx(75.0)
    assert sorted(round(f.overlap_sqft) for f in found.features) == [30_000, 30_000]


def test_overlapping_editions_count_once() -> None:
    west = frame("floodplain", [box(0, 0, 150, 200)], part="dover")
    east = frame("floodplain", [box(75, 0, 225, 200)], part="natick")
    (found,) = ask([west, east])
    assert found.disturbance_sqft == pytest.approx(45_000, abs=ABSOLUTE_SQFT)


def test_overlapping_features_count_once_on_a_lot_that_only_part_of_one_reaches() -> None:
    two_parts = shapely.MultiPolygon([box(0, 0, 50, 200), box(200, 0, 300, 200)])
    (found,) = ask(
        frame("floodplain", [two_parts, box(200, 0, 300, 200)]),
        at=site(WORK, box(0, 0, 150, 300), box(150, 0, 300, 300)),
    )
    assert [s.disturbance_sqft for s in found.by_parcel] == pytest.approx([10_000, 20_000], abs=ABSOLUTE_SQFT)
    assert found.disturbance_sqft == pytest.approx(30_000, abs=ABSOLUTE_SQFT)


def test_lots_and_work_are_crossed() -> None:
    (found,) = ask(
        frame("floodplain", [box(50, 0, 250, 400)]),
        at=site(WORK, box(0, 0, 150, 300), box(150, 0, 300, 300)),
    )
    assert [(round(s.disturbance_sqft), round(s.parcel_sqft)) for s in found.by_parcel] == [
        (20_000, 30_000),
        (20_000, 30_000),
    ]
    assert found.parcel_sqft == pytest.approx(60_000, abs=ABSOLUTE_SQFT)
    assert found.percent_of_parcel == pytest.approx(60_000 / 900)


def test_lines_have_length_and_points_are_counted() -> None:
    stream = frame("streams", [line((-100, 100), (400, 100))], kind="line")
    pools = frame("pools", [point(10, 10), point(290, 190), point(0, 50), point(500, 500)], kind="point")
    along, counted = ask([stream, pools])
    assert (along.length_ft, along.status, along.disturbance_sqft) == (pytest.approx(300), "affected", None)
    assert (counted.count, counted.status, counted.relation) == (2, "affected", "contains")


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("line", line((0, -50), (0, 300))), ("point", point(0, 50)), ("line", line((-50, 250), (0, 200)))],
)
def test_along_or_on_the_limit_of_work_is_a_touch(kind: str, shape: shapely.Geometry) -> None:
    (found,) = ask(frame("streams", [shape], kind=kind))  # type: ignore[arg-type]
    assert (found.relation, found.status, found.certainty) == ("touches", "not_affected", "too_close_to_call")


# ------------------------------------------------------------------------------------------------ what a theme asks


def test_a_theme_asks_only_for_what_counts() -> None:
    held = frame(
        "floodplain",
        [box(0, 0, 100, 200), box(100, 0, 300, 200), box(400, 0, 500, 200)],
        attributes={"sfha": ["F", "T", "F"], "zone": ["X", "AE", "D"]},
    )
    (found,) = ask(held, theme("floodplain", where={"sfha": ("T",)}, report=("zone",)))
    assert found.disturbance_sqft == pytest.approx(40_000, abs=ABSOLUTE_SQFT)
    assert [dict(f.attributes) for f in found.features] == [{"zone": "AE"}]
    (nothing,) = ask(held, theme("floodplain", where={"sfha": ("V",)}))
    assert (nothing.status, nothing.nearest_ft) == ("not_affected", None)


@pytest.mark.parametrize("column", [{"sfha": [None]}, {"sfha": [""]}, {"zone": ["AE"]}])
def test_what_is_not_known_to_be_otherwise_counts(column: dict[str, list[str | None]]) -> None:
    held = frame("floodplain", [WORK], attributes=column)
    (found,) = ask(held, theme("floodplain", where={"sfha": ("T",)}))
    assert found.status == "affected"


def test_the_nearest_of_the_kind_asked_for_is_named_up_to_a_mile() -> None:
    held = frame(
        "streams", [box(310, 0, 320, 200), box(2_300, 0, 2_400, 200)], attributes={"perennial": ["no", "yes"]}
    )
    (found,) = ask(held, theme("streams", where={"perennial": ("yes",)}, within_ft=200))
    assert found.nearest_ft == pytest.approx(2_000, abs=1e-5)
    (far,) = ask(frame("streams", [box(300 + 5_281, 0, 6_000, 200)]))
    assert far.nearest_ft is None and "within a mile" in far.why


def test_shares_of_watersheds_add_up() -> None:
    held = frame("huc12", [box(-900, -900, 120, 900), box(120, -900, 900, 900)], ids=["HUC-A", "HUC-B"])
    (found,) = ask(held, theme("huc12", share=True))
    shares = {f.id: 100 * f.overlap_sqft / 60_000 for f in found.features}
    assert shares == {"HUC-A": pytest.approx(40.0), "HUC-B": pytest.approx(60.0)}
    assert sum(shares.values()) == pytest.approx(100.0, abs=1e-9)
    assert found.status == "affected"


# ------------------------------------------------------------------------------------------------ the stack


def test_a_swap_keeps_the_trees_of_what_stayed() -> None:
    kept, old, new = frame("floodplain", [WORK]), frame("wetlands", []), frame("wetlands", [WORK])
    themes = (theme("floodplain"), theme("wetlands"))
    before = LayerStack.build([kept, old], themes, {})
    assert [f.status for f in find(site(), before, Asking(ON))] == ["affected", "not_affected"]
    after = LayerStack.build([kept, new], themes, {}, previous=before)
    assert after.frames_of("floodplain")[0] is before.frames_of("floodplain")[0]
    assert after.frames_of("wetlands")[0] is not before.frames_of("wetlands")[0]
    assert [f.status for f in find(site(), after, Asking(ON))] == ["affected", "affected"]
    assert [f.status for f in find(site(), before, Asking(ON))] == ["affected", "not_affected"]


def test_a_layer_without_any_frame_or_theme_answers_nothing() -> None:
    empty = LayerStack.build((), (), {})
    assert (empty.refs(), empty.frames_of("wetlands"), find(site(), empty, Asking(ON))) == ((), (), ())


def test_the_stack_asks_only_layers_with_a_question() -> None:
    stack = LayerStack.build([frame("roads", [WORK]), frame("wetlands", [WORK])], (theme("wetlands"),), {})
    assert [ref.layer_id for ref in stack.refs()] == ["wetlands"]
    assert EVERYWHERE.covers(WORK)


@pytest.mark.parametrize("side_ft", [0.61 * n for n in range(1, 60)])
def test_work_wholly_inside_is_a_hundred_percent_and_never_more(side_ft: float) -> None:
    """A hundred times an area, divided by the area, is more than a hundred for one area in fifteen."""
    stack = LayerStack.build([frame("floodplain", [EVERYWHERE])], [theme("floodplain")], {})
    work = box(0, 0, side_ft, side_ft * 1.7)
    (found,) = find(site(work), stack, Asking(ON))
    assert (found.percent_of_disturbance, found.relation) == (100.0, "within")

"""What each layer says of the work: the five statuses, how sure, and with which figures."""

from __future__ import annotations

from datetime import date

import pytest
import shapely
from shapes import (
    DISTANCE_FT,
    EVERYWHERE,
    ON,
    SHAPES,
    WORK,
    box,
    disc,
    frame,
    line,
    point,
    theme,
)

from spatial.case import Finding
from spatial.findings import Asking, find
from spatial.index import LayerStack
from spatial.model import LayerFrame, Theme
from spatial.site import Ground, LotGround, Site

ABSOLUTE_SQFT = 0.01


def site(work: shapely.Geometry = WORK, *lots: shapely.Geometry) -> Site:
    ground = Ground(work)
    made = [
        LotGround(f"L{n}", Ground(lot), work if lot.covers(work) else lot.intersection(work))
        for n, lot in enumerate(lots)
    ]
    return Site(ground, tuple(made))


def ask(
    frames: LayerFrame | list[LayerFrame],
    *themes: Theme,
    at: Site | None = None,
    asking: Asking | None = None,
    absent: dict[str, str] | None = None,
) -> tuple[Finding, ...]:
    every = frames if isinstance(frames, list) else [frames]
    asked = themes or tuple(theme(name) for name in dict.fromkeys(f.ref.layer_id for f in every))
    stack = LayerStack.build(every, asked, absent or {})
    return find(at or site(), stack, asking or Asking(ON))


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


# ------------------------------------------------------------------------------------------------ certainty


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


# ------------------------------------------------------------------------------------------------ the five statuses


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


# ------------------------------------------------------------------------------------------------ zones

BANDS = (25.0, 50.0, 100.0, 150.0, 200.0)


@pytest.mark.parametrize("made", ["before", "here"])
def test_net_zones_add_up_to_the_whole(made: str) -> None:
    """A pond 30 ft west of the work: strips of 200 ft height, no corner within them."""
    pond = box(-130, -400, -30, 600)
    zones = {"buffer_zone": BANDS} if made == "before" else None
    (found,) = ask(
        frame("wetlands", [pond], zones=zones, coverage=box(-1_000, -1_000, 1_000, 1_200)),
        theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS),
        at=site(WORK, box(-50, 0, 300, 200)),
    )
    got = {(z.from_ft, z.to_ft): (z.disturbance_sqft, z.parcel_sqft) for z in found.zones}
    expected = {
        (0, 0): (0, 20 * 200),
        (0, 25): (0, 25 * 200),
        (25, 50): (20 * 200, 25 * 200),
        (50, 100): (50 * 200, 50 * 200),
        (100, 150): (50 * 200, 50 * 200),
        (150, 200): (50 * 200, 50 * 200),
    }
    assert got.keys() == expected.keys()
    for band, areas in expected.items():
        assert got[band] == pytest.approx(areas, abs=ABSOLUTE_SQFT)


def test_zones_of_two_editions_count_ground_once() -> None:
    one = frame(
        "wetlands",
        [box(-40, -400, -30, 600)],
        zones={"buffer_zone": BANDS},
        part="dover",
        coverage=box(-1_000, -1_000, 1_000, 1_200),
    )
    two = frame(
        "wetlands",
        [box(-45, -400, -30, 600)],
        zones={"buffer_zone": BANDS},
        part="natick",
        coverage=box(-1_000, -1_000, 1_000, 1_200),
    )
    (found,) = ask([one, two], theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS))
    assert [round(z.disturbance_sqft, 2) for z in found.zones] == [0, 0, 4_000, 10_000, 10_000, 10_000]


def test_rings_that_end_at_the_town_line_are_made_whole() -> None:
    """A pond of one town 30 ft from a site that reaches into the next: its rings do not end at the line."""
    west = frame(
        "wetlands",
        [box(-130, -400, -30, 600)],
        zones={"buffer_zone": BANDS},
        part="dover",
        coverage=box(-1_000, -1_000, 40, 1_200),
    )
    east = frame(
        "wetlands", [], zones={"buffer_zone": BANDS}, part="natick", coverage=box(40, -1_000, 1_000, 1_200)
    )
    (found,) = ask([west, east], theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS))
    assert [round(z.disturbance_sqft) for z in found.zones] == [0, 0, 4_000, 10_000, 10_000, 10_000]


def test_no_zones_where_nothing_is_near() -> None:
    (found,) = ask(
        frame("wetlands", [box(900, 0, 1_000, 200)]),
        theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS),
    )
    assert (found.zones, found.status) == ((), "not_affected")


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

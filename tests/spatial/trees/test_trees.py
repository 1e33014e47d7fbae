"""Tree-protection zones against the worked examples of the bylaw and the closed forms of geometry."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from spatial.trees import Ground, on_plan, protection, radius_used_ft, tree_zones
from spatial.trees.facts import tree_facts
from spatial.trees.model import Place, Tree, TreeRules
from spatial.trees.site import tree_plan, whole_trees
from spatial.trees.survey import LeftOut
from spatial.units import m_from_ft

DOVER = TreeRules(
    radius_ft_per_in=1.0, protected_dbh_in=6.0, replacement_in_per_in=0.5, contribution_usd_per_in=None
)
LYNNFIELD = TreeRules(radius_ft_per_in=1.0, plan_caliper_in=12.0, plan_check_dbh_in=10.5)
ORIGIN_M = (218_000.0, 888_000.0)
INSIDE = Place(True, ("front",), "it stands in the front yard", margin_ft=9.0)
OUTSIDE = Place(False, (), "it stands in no yard", margin_ft=9.0)
CASES = tomllib.loads((Path(__file__).parents[2] / "cases" / "trees.toml").read_text())["case"]


def at(x_ft: float, y_ft: float) -> shapely.Point:
    return shapely.Point(ORIGIN_M[0] + m_from_ft(x_ft), ORIGIN_M[1] + m_from_ft(y_ft))


def tree(*stems: float, x: float = 0.0, y: float = 0.0, **more) -> Tree:
    return Tree(more.pop("id", "1"), at(x, y), stems, **{"action": "keep", **more})


def beyond(x_ft: float, x_end_ft: float = 500.0) -> shapely.Polygon:
    """Work east of a straight north-south line."""
    west, south = shapely.get_coordinates(at(x_ft, -500.0))[0]
    east, north = shapely.get_coordinates(at(x_end_ft, 500.0))[0]
    return shapely.box(west, south, east, north)


def judge(one: Tree, work=None, place: Place | None = INSIDE, **ground):
    here = Ground(work=work if work is not None else shapely.Polygon(), **ground)
    return tree_zones([one], DOVER, here, [place])[0]


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_a_worked_example_comes_out(case):
    trees = [
        Tree(str(i), at(*t.get("at_ft", [0.0, 0.0])), tuple(t["stems_in"]), t.get("action", "keep"))
        for i, t in enumerate(case["trees"])
    ]
    places = [INSIDE if t.get("in_setback", True) else OUTSIDE for t in case["trees"]]
    work = beyond(case["work_east_of_ft"]) if "work_east_of_ft" in case else shapely.Polygon()
    plan = tree_plan(trees, DOVER, Ground(work=work, unavoidable=work), places=places)
    first, got = plan.trees[0], {}
    got["radius_ft"], got["radius_from_face_ft"] = first.radius_ft, first.radius_from_face_ft
    got["zone_from_centre_sqft"], got["zone_sqft"] = first.readings[0].zone_sqft, first.zone_sqft
    got["disturbed_from_centre_sqft"] = first.readings[0].disturbed_sqft
    got["disturbed_from_centre_percent"] = first.readings[0].disturbed_percent
    got["retained_from_centre_sqft"] = first.readings[0].zone_sqft - first.readings[0].disturbed_sqft
    got["disturbed_sqft"], got["disturbed_percent"] = first.disturbed_sqft, first.disturbed_percent
    got["merged_from_centre_sqft"] = plan.site.zones_from_centre_sqft
    got["dbh_in"], got["dbh_rss_in"] = first.tree.dbh_in, first.tree.dbh_rss_in
    got["largest_in"] = max(first.tree.stems_in)
    got["removed_dbh_in"] = plan.mitigation.removed_dbh_in
    got["replacement_caliper_in"] = plan.mitigation.replacement_caliper_in
    got["trees_2in"], got["trees_2_5in"] = (plan.mitigation.replacement_trees[s] for s in (2.0, 2.5))
    got["protected"] = first.protected
    for name, value in case["expected"].items():
        assert got[name] == pytest.approx(value, abs=case.get("abs", 0.006)), name


@pytest.mark.parametrize("dbh", [6.0, 14.5, 24.0, 36.0])
def test_areas_are_those_of_true_circles(dbh):
    zone = judge(tree(dbh))
    assert zone.readings[0].zone_sqft == pytest.approx(math.pi * dbh**2, rel=1e-12)
    assert zone.zone_sqft == pytest.approx(math.pi * (dbh + dbh / 24) ** 2, rel=1e-12)


def test_the_dripline_drives_when_it_is_larger_and_only_then():
    assert radius_used_ft(tree(24, dripline_ft=30.0), DOVER) == 30.0
    assert radius_used_ft(tree(24, dripline_ft=24.5), DOVER) == 25.0


@pytest.mark.parametrize(("dbh", "radius"), [(2.0, 8.0), (12.0, 12.0), (40.0, 30.0)])
def test_floor_and_cap_of_the_rule_hold(dbh, radius):
    rules = TreeRules(radius_ft_per_in=1.0, floor_ft=8.0, cap_ft=30.0)
    zone = tree_zones([tree(dbh)], rules, Ground(), [None])[0]
    assert (zone.radius_ft, zone.radius_from_face_ft) == (radius, radius + dbh / 24)


def test_verdicts():
    assert judge(tree(24), beyond(26)).verdict == "keep"
    assert judge(tree(24), beyond(25)).verdict == "keep"
    assert judge(tree(24), beyond(24.9)).verdict == "impacted"
    assert judge(tree(24, action="remove"), beyond(26)).verdict == "removed"
    assert judge(tree(24)).verdict == "keep"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [(23.0, "certain"), (24.5, "too_close_to_call"), (25.5, "too_close_to_call"), (27.0, "certain")],
)
def test_a_verdict_that_would_flip_with_the_limit_of_work_is_too_close(line, certainty):
    assert judge(tree(24), beyond(line), work_accuracy_ft=1.0).certainty == certainty


def test_a_stem_near_the_yard_line_is_too_close_when_the_lot_is_drawn_that_roughly():
    near = Place(False, (), "", margin_ft=4.0)
    assert judge(tree(24), place=near, lot_accuracy_ft=5.0).certainty == "too_close_to_call"
    assert judge(tree(24), place=near, lot_accuracy_ft=3.0).certainty == "certain"


def test_only_declared_encroachment_shrinks_the_zone_and_by_subtraction():
    zone = judge(tree(24), beyond(15), unavoidable=beyond(20))
    full = judge(tree(24), beyond(20))
    assert zone.retained_sqft == pytest.approx(zone.zone_sqft - full.disturbed_sqft)
    assert zone.avoidable_sqft == pytest.approx(zone.disturbed_sqft - full.disturbed_sqft)
    assert judge(tree(24), beyond(15)).retained_sqft == pytest.approx(math.pi * 625)


def test_roots_off_the_lot_are_told_and_the_zone_is_not_clipped():
    zone = judge(tree(24), lot=beyond(0))
    assert zone.off_lot_sqft == pytest.approx(zone.zone_sqft / 2)
    assert zone.zone_sqft == pytest.approx(math.pi * 625)
    assert judge(tree(24)).off_lot_sqft is None


def test_what_makes_a_tree_protected():
    assert protection(tree(6.0), DOVER, INSIDE)[0] is True
    assert protection(tree(15.24 / 2.54), DOVER, INSIDE)[0] is True
    assert protection(tree(5.99), DOVER, INSIDE)[0] is False
    assert protection(tree(30), DOVER, OUTSIDE)[0] is False
    unknown, why = protection(tree(30), DOVER, None)
    assert unknown is None and "setbacks" in why
    assert protection(tree(30), LYNNFIELD, INSIDE)[0] is None


def test_without_setbacks_no_tree_of_size_is_called_unprotected():
    zone = judge(tree(8), place=None)
    assert (zone.protected, zone.yard) == (None, "unknown")
    assert (judge(tree(8), place=OUTSIDE).yard, judge(tree(8)).yard) == (None, "front")


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ({"dbh": 12.0}, "show"),
        ({"dbh": 11.99}, "check_caliper"),
        ({"dbh": 10.5}, "check_caliper"),
        ({"dbh": 10.49}, "not_required"),
        ({"dbh": 11.0, "caliper_in": 12.0}, "show"),
        ({"dbh": 11.0, "caliper_in": 11.9}, "not_required"),
    ],
)
def test_which_trees_lynnfield_wants_on_the_plan(given, answer):
    assert on_plan(tree(given["dbh"], caliper_in=given.get("caliper_in")), LYNNFIELD) == answer
    assert on_plan(tree(12), DOVER) is None


def test_flags_say_what_a_reader_must_see():
    assert judge(tree(8, 6, action=None), beyond(-1)).flags == (
        "action_not_given",
        "stem_in_work",
        "multi_stem_sum",
    )
    assert judge(tree(8, action="remove"), beyond(-1)).flags == ()
    out = Place(False, (), "it stands off the lot", straddles=True, on_lot=False)
    assert judge(tree(8), place=out).flags == ("straddles_line", "outside_lot")


def test_overlapping_zones_count_once_and_removed_or_unprotected_trees_have_none():
    keep, removed, small = tree(24), tree(24, x=200, action="remove"), tree(5, x=300)
    plan = tree_plan([keep, keep, removed, small], DOVER, Ground(work=beyond(0)), places=[INSIDE] * 4)
    assert plan.site.zones_sqft == pytest.approx(math.pi * 625, rel=1e-9)
    assert plan.site.disturbed_percent == pytest.approx(50.0, rel=1e-6)
    assert plan.site.fence_ft == pytest.approx(2 * math.pi * 25, rel=1e-4)
    assert plan.site.counts == {
        "trees": 4, "impacted": 3, "removed": 1, "protected": 3, "not_protected": 1
    }  # fmt: skip
    assert len(plan.drawings) == 4


@pytest.mark.parametrize("dbh_in", [6.5, 7.0, 10.5, 13.5])
def test_a_zone_wholly_in_the_work_is_100_percent_in_it_and_no_more(dbh_in):
    plan = tree_plan([tree(dbh_in)], DOVER, Ground(work=beyond(-500)), places=[INSIDE])
    (zone,) = plan.trees
    shares = (zone.disturbed_percent, plan.site.disturbed_percent, *(r.disturbed_percent for r in zone.readings))
    assert max(shares) <= 100.0 and shares == pytest.approx((100.0,) * 4, abs=1e-9)
    assert zone.retained_sqft == zone.zone_sqft


def test_the_fence_gives_way_to_declared_encroachment_and_knows_the_lot():
    ground = Ground(work=beyond(0), unavoidable=beyond(0), lot=beyond(-500, 0))
    site = tree_plan([tree(24)], DOVER, ground, places=[INSIDE]).site
    assert site.fence_ft == pytest.approx(math.pi * 25 + 50, rel=1e-4)
    assert site.fence_off_lot_ft == pytest.approx(0.0, abs=1e-6)
    assert tree_plan([tree(24)], DOVER, Ground()).site.fence_off_lot_ft is None


def test_no_trees_give_an_empty_plan():
    plan = tree_plan([], DOVER, Ground(work=beyond(0)))
    assert plan.trees == () and plan.site.zones_sqft == 0.0 and plan.site.fence_ft == 0.0
    assert plan.mitigation.removed_dbh_in == 0.0 and plan.site.disturbed_percent == 0.0


def test_mitigation_names_what_it_lacks():
    trees = [tree(10, action="remove"), tree(8, action="remove"), tree(20, x=100, action=None)]
    mitigation = tree_plan(trees, DOVER, Ground(work=beyond(90)), places=[INSIDE, None, INSIDE]).mitigation
    assert (mitigation.removed_dbh_in, mitigation.undecided_dbh_in) == (10.0, 8.0)
    assert mitigation.needs == ("protection", "action", "contribution_rate")
    rated = TreeRules(radius_ft_per_in=1.0, protected_dbh_in=6.0, contribution_usd_per_in=350.0)
    without_ratio = tree_plan(trees[:1], rated, Ground(), places=[INSIDE]).mitigation
    assert without_ratio.contribution_usd == 3500.0
    assert (without_ratio.replacement_caliper_in, dict(without_ratio.replacement_trees)) == (None, {})
    assert without_ratio.needs == ("replacement_ratio",)


@pytest.mark.parametrize(("caliper", "size", "count"), [(15.0, 2.5, 6), (15.01, 2.5, 7), (0.1 * 3 / 0.1, 3.0, 1)])
def test_part_of_a_tree_is_a_tree(caliper, size, count):
    assert whole_trees(caliper, size) == count


@pytest.mark.parametrize(("triggered", "duties"), [(True, "binding"), (False, "advisory"), (None, "unknown")])
def test_duties_hang_on_the_permit(triggered, duties):
    assert tree_plan([tree(24)], DOVER, Ground(), triggered=triggered).duties == duties


@given(
    dbh=st.floats(1, 60),
    x=st.floats(-80, 80),
    turn=st.floats(0, 2 * math.pi),
    shift=st.tuples(st.floats(-5000, 5000), st.floats(-5000, 5000)),
)
def test_moving_and_turning_everything_changes_no_figure(dbh, x, turn, shift):
    work = beyond(0, 60)
    stem = tree(dbh, x=x, y=7.0)
    cos, sin = math.cos(turn), math.sin(turn)

    def moved(xy: np.ndarray) -> np.ndarray:
        away = xy - np.array(ORIGIN_M)
        return away @ np.array([[cos, sin], [-sin, cos]]) + np.array(ORIGIN_M) + np.array(shift)

    there = Tree("1", shapely.transform(stem.point, moved), stem.stems_in, "keep")
    here, gone = judge(stem, work), judge(there, shapely.transform(work, moved))
    assert gone.disturbed_sqft == pytest.approx(here.disturbed_sqft, rel=1e-6, abs=1e-4)
    assert gone.zone_sqft == here.zone_sqft


def test_facts_for_a_screening_leave_the_unknown_unsaid():
    kept, removed = tree(24), tree(10, x=90, action="remove")
    known = tree_plan([kept, removed], DOVER, Ground(), places=[INSIDE, INSIDE])
    assert tree_facts(known) == {
        "removed_protected_dbh_in": 10.0, "retained_protected_trees": 1.0, "largest_tree_dbh_in": 24.0
    }  # fmt: skip
    half = tree_plan([kept, removed], DOVER, Ground(), places=[None, INSIDE])
    assert tree_facts(half) == {"removed_protected_dbh_in": 10.0, "largest_tree_dbh_in": 24.0}
    assert tree_facts(tree_plan([], DOVER, Ground())) == {
        "removed_protected_dbh_in": 0.0,
        "retained_protected_trees": 0.0,
    }


def test_a_tree_nobody_measured_leaves_what_it_may_change_unsaid():
    """It may be large enough for the plan, unless another is already."""
    lost = (LeftOut("x", "it has no diameter"),)
    lynnfield = replace(DOVER, plan_caliper_in=12.0, plan_check_dbh_in=10.5)
    small, large = tree(8, action="remove"), tree(14, x=90)
    one = tree_plan([small], lynnfield, Ground(), places=[INSIDE])
    assert tree_facts(one) == {
        "removed_protected_dbh_in": 8.0, "retained_protected_trees": 0.0, "largest_tree_dbh_in": 8.0
    }  # fmt: skip
    assert tree_facts(one, lost) == {}
    both = tree_plan([small, large], lynnfield, Ground(), places=[INSIDE, INSIDE])
    assert tree_facts(both, lost) == {"largest_tree_dbh_in": 14.0}


def test_a_stem_in_the_work_leaves_open_what_is_removed_until_somebody_says():
    ground = Ground(work=beyond(-60, 120))
    for action, is_open in ((None, True), ("keep", False), ("remove", False)):
        plan = tree_plan([tree(24, action=action)], DOVER, ground, places=[INSIDE])
        assert ("removed_protected_dbh_in" not in tree_facts(plan)) == is_open
    small = tree_plan([tree(4, action=None)], DOVER, ground, places=[INSIDE])
    assert tree_facts(small)["removed_protected_dbh_in"] == 0.0, "no tree of this size is protected"

"""Ways to an answer of no that nobody may take: each was once open, or would be the easiest to open again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import shapely
from shapes import EVERYWHERE, ON, box, frame, line, point, polygon, submission

from layers.catalog import load_specs
from layers.law import load_law
from spatial.case import Finding
from spatial.index import LayerStack
from spatial.measure.union import is_sliver
from spatial.model import LayerFrame, SiteFeature, Submission, Town
from spatial.question import Question
from spatial.rules.determination import Determination, Screening
from spatial.screen import screen

DOVER = Town(78, "dover", "Dover", ("dover-159", "dover-181"))
LYNNFIELD = Town(164, "lynnfield", "Lynnfield", ("lynnfield-320",))
TOWNS = {town.id: town for town in (DOVER, LYNNFIELD)}
LAW, CATALOG = load_law(None), load_specs()
WORK = box(0, 0, 60, 60)
"""Work of 3,600 sq ft: less than 5,500, more than a quarter of a lot of 10,000."""
WET = frame("wetlands", [box(10, 10, 40, 40)], complete=False)


def lots(shapes: Mapping[str, shapely.Geometry], coverage: shapely.Geometry = EVERYWHERE) -> LayerFrame:
    return frame(
        "parcels", list(shapes.values()), ids=list(shapes), coverage=coverage, accuracy_ft=[5.0] * len(shapes)
    )


def asked(
    work: Submission, *frames: LayerFrame, town: Town = DOVER, work_accuracy_ft: float = 1.0, **facts: Any
) -> Screening:
    """Ask with every layer of the catalogue loaded and empty but for those given."""
    own = {f.ref.layer_id for f in frames}
    empty = [
        frame(s.id, [], kind=s.kind, complete=s.complete)  # type: ignore[arg-type]
        for s in CATALOG.specs.values()
        if s.kind in {"polygon", "line", "point"} and s.themes and s.id not in own
    ]
    question = Question(work, (), town, LAW.check_facts(facts), ON, TOWNS, work_accuracy_ft=work_accuracy_ft)
    return screen(question, LayerStack.build([*empty, *frames], CATALOG.themes, {}), LAW)


def rule(answer: Screening, rule_id: str) -> Determination:
    return next(d for d in answer.determinations if d.rule == rule_id)


def finding(answer: Screening, theme: str, layer_id: str | None = None) -> Finding:
    return next(f for f in answer.case.findings_of(theme) if f.layer_id == (layer_id or theme))


# --------------------------------------------------------------------------------- lots that nobody knows


@pytest.mark.parametrize("rule_id", ["dover-159.grade_change", "dover-159.clearing"])
@pytest.mark.parametrize("parcels", [(), (lots({"FAR": box(500, 0, 600, 100)}, box(500, 0, 600, 100)),)])
def test_a_share_of_a_lot_nobody_holds_is_not_ruled_out(rule_id: str, parcels: Sequence[LayerFrame]) -> None:
    answer = rule(asked(submission(WORK), *parcels), rule_id)
    assert (answer.result, answer.needs) == ("needs_input", ("lot_area_sqft",))
    assert answer.measured == pytest.approx(3_600.0, abs=0.01)
    small = rule(asked(submission(WORK), *parcels, lot_area_sqft=10_000), rule_id)
    assert (small.result, small.threshold) == ("triggered", 2_500.0)
    large = rule(asked(submission(WORK), *parcels, lot_area_sqft=40_000), rule_id)
    assert (large.result, large.threshold) == ("not_triggered", 5_500.0)


def test_a_lot_nobody_holds_asks_for_its_area_and_not_for_a_drawing() -> None:
    steps = asked(submission(WORK)).next_steps
    asks = [step.text for step in steps if "dover-159.grade_change" in step.because]
    assert asks == [next(fact.step for fact in LAW.facts if fact.name == "lot_area_sqft")]


def test_work_that_leaves_the_loaded_parcels_is_not_ruled_out() -> None:
    held = lots({"A": box(0, 0, 200, 200)}, box(0, 0, 200, 200))
    work = submission(box(-60, 0, 60, 30))
    answer = asked(work, held)
    assert answer.case.disturbance.unheld_sqft == pytest.approx(1_800.0, abs=0.01)
    assert rule(answer, "dover-159.grade_change").result == "indeterminate"


def test_ground_without_a_lot_inside_loaded_parcels_has_the_fixed_area_alone() -> None:
    street = asked(submission(WORK), lots({"A": box(100, 0, 300, 200)}))
    assert street.case.disturbance.unheld_sqft == 0.0
    assert rule(street, "dover-159.grade_change").result == "not_triggered"


def test_a_class_without_work_needs_no_lot() -> None:
    cleared = submission(features=[SiteFeature("1", WORK, {}, activity="clearing")])
    answer = asked(cleared)
    assert rule(answer, "dover-159.grade_change").result == "not_triggered"
    assert rule(answer, "dover-159.clearing").result == "needs_input"


def test_what_lies_on_an_unknown_lot_is_not_known() -> None:
    answer = rule(asked(submission(WORK), town=LYNNFIELD), "lynnfield-320.floodplain_on_plan")
    assert answer.result == "indeterminate"
    beyond = lots({"A": box(-100, -100, 2_000, 100)})
    flood = frame("floodplain", [], coverage=box(-1_000, -1_000, 1_000, 1_000))
    partly = rule(asked(submission(WORK), beyond, flood, town=LYNNFIELD), "lynnfield-320.floodplain_on_plan")
    assert partly.result == "indeterminate"
    whole = rule(
        asked(submission(WORK), lots({"A": WORK}), flood, town=LYNNFIELD), "lynnfield-320.floodplain_on_plan"
    )
    assert whole.result == "not_triggered"


def test_a_plan_said_to_be_smaller_than_its_part_does_not_make_it_certain() -> None:
    almost = submission(box(0, 0, 208.5, 208.7))
    answer = rule(
        asked(
            almost,
            lots({"A": box(-500, -500, 500, 500)}),
            town=LYNNFIELD,
            common_plan="Elm Street",
            common_plan_sqft=100,
        ),
        "lynnfield-320.land_disturbance",
    )
    assert (answer.result, answer.certainty) == ("not_triggered", "too_close_to_call")
    assert answer.measured == pytest.approx(43_513.95, abs=0.1)


# ----------------------------------------------------------------------------------------------- slivers


def along(bite_ft: float, length_ft: float = 2_000.0) -> tuple[shapely.Geometry, shapely.Geometry]:
    """Return work and ground that share a boundary drawn twice, 0.03 ft apart, and one square bite."""
    east = np.linspace(0.0, length_ft, 61)
    drawn = [(x, 100 + 0.03 * (-1) ** n) for n, x in enumerate(east.tolist())]
    ground = polygon([*drawn, (length_ft, 300), (0, 300)])
    bite = [(1_000 + bite_ft, 100), (1_000 + bite_ft, 100 + bite_ft), (1_000, 100 + bite_ft), (1_000, 100)]
    return polygon([(0, 0), (length_ft, 0), (length_ft, 100), *bite, (0, 100)]), ground


@pytest.mark.parametrize(("bite_ft", "status"), [(6.0, "affected"), (1.5, "affected"), (0.0, "not_affected")])
def test_a_bite_is_not_lost_among_slivers(bite_ft: float, status: str) -> None:
    work, ground = along(bite_ft)
    found = finding(asked(submission(work), frame("floodplain", [ground])), "floodplain")
    assert found.status == status


def test_a_sliver_is_what_is_nowhere_wide() -> None:
    strip, square = box(0, 0, 1_000, 0.09), box(0, 0, 1.2, 1.2)
    assert is_sliver([strip], [strip.area])
    assert not is_sliver([square], [square.area])
    together = shapely.union(strip, square)
    assert not is_sliver([together], [together.area])


# ------------------------------------------------------------------------------------------ delineations


def flagged(shape: shapely.Geometry, **said: str) -> SiteFeature:
    return SiteFeature("flag", shape, said, role="delineation")


@pytest.mark.parametrize(
    "flag",
    [
        flagged(box(100, 100, 140, 140)),
        flagged(line((100, 100), (140, 100))),
        flagged(point(100, 100), by="A. Walker", on="2026-05-14"),
        flagged(box(150, 100, 190, 140), by="A. Walker", on="2026-05-14"),
        flagged(line((150, 0), (150, 100)), by="A. Walker", on="2026-05-14"),
        flagged(box(500, 500, 540, 540), by="A. Walker", on="2026-05-14"),
    ],
    ids=["nobody's area", "nobody's line", "a point", "area beside the lot", "line on its line", "another lot's"],
)
def test_what_delineates_no_lot_takes_nothing_off_the_map(flag: SiteFeature) -> None:
    answer = asked(submission(WORK, features=[flag]), lots({"A": box(-50, -50, 150, 150)}), WET)
    assert finding(answer, "wetlands").status == "affected"
    assert rule(answer, "ma-310cmr10.resource_area").result == "triggered"


def test_a_delineation_that_takes_nothing_away_lifts_nothing_either() -> None:
    answer = asked(
        submission(WORK, features=[flagged(box(100, 100, 140, 140))]), lots({"A": box(-50, -50, 150, 150)})
    )
    assert finding(answer, "wetlands").status == "none_mapped"
    assert rule(answer, "ma-310cmr10.resource_area").result == "needs_input"


@pytest.mark.parametrize("said", [{"by": "A. Walker"}, {"on": "2026-05-14"}, {"orad": "246-0512"}])
def test_a_delineation_somebody_stands_for_is_the_wetland_on_its_lot(said: dict[str, str]) -> None:
    flag = flagged(box(100, 100, 140, 140), **said)
    answer = asked(submission(WORK, features=[flag]), lots({"A": box(-50, -50, 150, 150)}), WET)
    assert finding(answer, "wetlands").status == "not_affected"
    assert next(iter(said.values())) in finding(answer, "wetlands").why


def test_an_open_line_says_which_side_it_was_taken_for() -> None:
    flag = flagged(line((100, -40), (100, 140)), by="A. Walker")
    answer = asked(submission(WORK, features=[flag]), lots({"A": box(-50, -50, 150, 150)}))
    assert "the work is taken to lie on the dry one" in finding(answer, "wetlands").why


@pytest.mark.parametrize(("west", "status"), [(-4.0, "not_affected"), (-40.0, "none_mapped")])
def test_a_delineated_lot_says_nothing_of_work_beyond_it(west: float, status: str) -> None:
    """Lot lines are good to 5 ft here."""
    work = box(west, 0, 60, 60)
    flag = flagged(box(100, 100, 140, 140), by="A. Walker")
    answer = asked(submission(work, features=[flag]), lots({"A": box(0, 0, 150, 150)}))
    assert finding(answer, "wetlands").status == status


# --------------------------------------------------------------------------------- reaches and trees


def test_a_rule_that_reaches_beyond_what_was_looked_at_is_not_answered() -> None:
    """Pools are looked for within 500 ft; with 600 ft allowed for the pool itself, the ground beyond is unknown."""
    pool = frame("certified_vernal_pools", [point(1_300, 30)], kind="point", coverage=box(-600, -600, 660, 660))
    answer = asked(submission(WORK), pool, pool_radius_ft=600, delineation="A. Walker, 2026-05-14")
    assert rule(answer, "ma-310cmr10.vernal_pool").result == "indeterminate"


def test_trees_without_a_canopy_may_make_an_acre() -> None:
    cut = submission(WORK, tree_points=3)
    held = lots({"A": box(-500, -500, 500, 500)})
    open_ = rule(asked(cut, held, town=LYNNFIELD), "lynnfield-320.land_disturbance")
    assert (open_.result, open_.needs) == ("needs_input", ("canopy_cleared_sqft",))
    acre = rule(asked(cut, held, town=LYNNFIELD, canopy_cleared_sqft=40_000), "lynnfield-320.land_disturbance")
    assert (acre.result, acre.measured) == ("triggered", pytest.approx(43_600.0, abs=0.01))
    less = rule(asked(cut, held, town=LYNNFIELD, canopy_cleared_sqft=900), "lynnfield-320.land_disturbance")
    assert (less.result, less.measured) == ("not_triggered", pytest.approx(4_500.0, abs=0.01))
    plan = {"common_plan": "Elm Street", "common_plan_sqft": 50_000}
    part = rule(asked(cut, held, town=LYNNFIELD, **plan), "lynnfield-320.land_disturbance")
    assert part.result == "triggered"

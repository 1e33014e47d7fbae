"""The whole question: law, watersheds, and that nothing depends on where the site lies."""

from __future__ import annotations

from dataclasses import replace

import pytest
import shapely
from questions import LOTS, WETLAND_THEMES, parcels, question, stack
from shapes import box, frame, line, point, submission, theme, turned

from layers.law import load_law
from spatial.index import LayerStack
from spatial.model import SiteFeature
from spatial.screen import measure, screen

# ------------------------------------------------------------------------------------------------ law


def test_the_answer_decides_by_what_was_measured() -> None:
    """TD-02 made whole: 9,800 sq ft on a lot of 39,000 assessed reach 25 % of it, 5,500 sq ft the sooner."""
    held = stack(parcels(), frame("wetlands", [], complete=False))
    answer = screen(question(submission(box(0, 0, 100, 98))), held, load_law(None))
    results = {d.rule: d.result for d in answer.determinations}
    assert results["dover-159.grade_change"] == "triggered"
    assert results["dover-159.clearing"] == "triggered"
    assert answer.next_steps


# ------------------------------------------------------------------------------------------------ watersheds


def test_watersheds_and_what_lies_downstream() -> None:
    huc12 = frame(
        "huc12",
        [box(-900, -900, 120, 900), box(120, -900, 900, 900), box(900, -900, 1_900, 900)],
        attributes={
            "code": ["010900010101", "010900010102", "010900010103"],
            "name": ["Upper", "Middle", "Lower"],
            "to_code": ["010900010102", "010900010103", "OCEAN"],
        },
    )
    impaired = frame(
        "impaired_waters",
        [line((1_000, 0), (1_500, 0)), line((0, 500), (50, 500)), line((1_000, 9), (1_500, 9))],
        kind="line",
        attributes={
            "unit_id": ["MA72-07", "MA72-01", "MA72-09"],
            "name": ["Charles", "Brook", "Clean"],
            "category": ["5", "4A", "2"],
            "causes": ["Phosphorus", None, None],
            "tmdl": ["yes", None, None],
        },
    )
    themes = (
        theme("huc12", share=True, report=("code", "name", "to_code")),
        theme("impaired_waters", where={"category": ("4A", "5")}, within_ft=200),
    )
    held = LayerStack.build((huc12, impaired), themes, {})
    case, _ = measure(question(submission(box(0, 0, 300, 200))), held)
    assert [(w.code, w.percent) for w in case.watersheds] == [
        ("010900010102", pytest.approx(60.0)),
        ("010900010101", pytest.approx(40.0)),
    ]
    assert case.downstream is not None
    assert [(d.unit_id, d.huc12, d.steps) for d in case.downstream] == [
        ("MA72-01", "010900010101", 0),
        ("MA72-07", "010900010103", 1),
    ]
    alone, _ = measure(question(submission(box(0, 0, 300, 200))), LayerStack.build((huc12,), themes, {}))
    assert alone.downstream is None


def test_a_proposed_mitigation_has_its_watershed() -> None:
    huc12 = frame("huc12", [box(-900, -900, 900, 900)], attributes={"code": ["01"], "name": ["Upper"]})
    place = SiteFeature("m", point(10, 10), {}, role="mitigation")
    held = LayerStack.build((huc12,), (theme("huc12", share=True),), {})
    case, _ = measure(question(submission(box(0, 0, 300, 200), features=[place])), held)
    assert [(w.code, w.percent) for w in case.mitigation] == [("01", 100.0)]


# ------------------------------------------------------------------------------------------------ invariance


@pytest.mark.parametrize(
    ("degrees", "east", "north"), [(0, 731.3, -202.7), (33.3, 0, 0), (90, 12.5, 7), (211, -900, 1_500)]
)
def test_moving_and_turning_everything_changes_nothing(degrees: float, east: float, north: float) -> None:
    def at(shape: shapely.Geometry) -> shapely.Geometry:
        return turned(shape, degrees, east, north)

    def seen(move: bool) -> list[float]:
        put = at if move else (lambda shape: shape)
        lots = {name: put(shape) for name, shape in LOTS.items()}
        wet = frame("wetlands", [put(box(-80, 20, 60, 190)), put(box(280, 50, 500, 150))])
        held = LayerStack.build((parcels(lots), wet), WETLAND_THEMES, {})
        case, _ = measure(question(submission(put(box(50, 50, 300, 150)))), held)
        areas = [v for f in case.findings for v in (f.disturbance_sqft, f.parcel_sqft, f.nearest_ft, f.margin_ft)]
        zones = [v for f in case.findings for z in f.zones for v in (z.disturbance_sqft, z.parcel_sqft)]
        return [v or 0.0 for v in (*areas, *zones, *(lot.disturbed_sqft for lot in case.lots))]

    assert seen(True) == pytest.approx(seen(False), rel=1e-6, abs=0.01)


def test_work_is_never_exacter_than_its_coordinate_system() -> None:
    """A drawing in NAD27 is good to 33 ft: ground 20 ft away is too close to call then, whatever is stated."""
    work = submission(box(0, 0, 60, 60))
    coarse = replace(work, accuracy_ft=33.0)
    held = stack(frame("priority_habitat", [box(80, 0, 200, 60)], accuracy_ft=[5.0]))
    [sure], [doubted] = (measure(question(one), held)[0].findings for one in (work, coarse))
    assert (sure.status, sure.certainty) == ("not_affected", "certain")
    assert (doubted.status, doubted.certainty) == ("not_affected", "too_close_to_call")
    assert question(coarse).facts_judged.number("work_accuracy_ft") == 33.0
    assert question(replace(work, accuracy_ft=0.5)).facts_judged.number("work_accuracy_ft") is None

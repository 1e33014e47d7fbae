"""What editions cover and what follows for the law: half a site, two editions over each other, a town line."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
import shapely
from layer_files import ON, add, box_ft, town_file, wetlands, write

from layers.library import Library
from spatial.case import Finding
from spatial.facts import Facts
from spatial.model import SiteFeature, Submission
from spatial.question import Question
from spatial.rules.determination import Determination, Screening
from spatial.screen import screen

LINE = 5_000.0
"""Feet east of the corner where Dover ends and Lynnfield, its neighbour for the test, begins."""
TOWNS = [
    (78, "DOVER", box_ft(0, 0, LINE, 5_000)),
    (164, "LYNNFIELD", box_ft(LINE, 0, 10_000, 5_000)),
]
ACROSS = box_ft(LINE - 200, 2_000, LINE + 200, 2_200)
"""80,000 sq ft of work, half in each town."""
FAR = box_ft(9_000, 4_500, 9_050, 4_550)
RESOURCE = "ma-310cmr10.resource_area"
HABITAT = "ma-321cmr10.priority_habitat"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    made = Library(tmp_path / "data")
    add(made, "towns", town_file(tmp_path / "towns.geojson", TOWNS))
    return made


def screened(library: Library, work: shapely.Polygon, *, on: date = ON, allow_stale: bool = False) -> Screening:
    snapshot = library.snapshot()
    site = Submission((SiteFeature("1", work, {}),), work)
    question = Question(site, (), None, Facts({}), on, snapshot.towns.by_id, allow_stale=allow_stale)
    return screen(question, snapshot.stack, snapshot.law)


def finding(told: Screening, theme: str, layer: str | None = None) -> Finding:
    (found,) = [f for f in told.case.findings_of(theme) if layer in (None, f.layer_id)]
    return found


def rule(told: Screening, name: str) -> Determination:
    return next(d for d in told.determinations if d.rule == name)


def habitat(path: Path, *shapes: shapely.Polygon) -> Path:
    return write(
        path, shapes, {"PRIHAB_ID": [f"PH {n}" for n in range(len(shapes))], "VERSION": ["15"] * len(shapes)}
    )


# ------------------------------------------------------------------------------------------------ half covered


def test_half_a_site_without_a_hit_is_no_data_and_its_rule_cannot_be_decided(
    library: Library, tmp_path: Path
) -> None:
    add(library, "priority_habitat", habitat(tmp_path / "h.geojson", box_ft(0, 0, 50, 50)), covers="town:dover")
    told = screened(library, ACROSS)
    found = finding(told, "priority_habitat")
    assert (found.status, found.coverage) == ("no_data", "partial")
    assert "covers only part of the work" in found.why
    assert rule(told, HABITAT).result == "indeterminate"


def test_half_a_site_with_a_hit_is_affected_and_its_rule_triggered(library: Library, tmp_path: Path) -> None:
    path = habitat(tmp_path / "h.geojson", box_ft(LINE - 300, 2_000, LINE - 100, 2_200))
    add(library, "priority_habitat", path, covers="town:dover")
    told = screened(library, ACROSS)
    found = finding(told, "priority_habitat")
    assert (found.status, found.coverage) == ("affected", "partial")
    assert found.disturbance_sqft == pytest.approx(100 * 200, abs=0.05)
    assert "what lies beyond it is unknown" in found.why
    assert rule(told, HABITAT).result == "triggered"


def test_whole_coverage_lets_the_rule_be_not_triggered(library: Library, tmp_path: Path) -> None:
    path = habitat(tmp_path / "h.geojson", FAR)
    add(library, "priority_habitat", path, covers="state")
    told = screened(library, ACROSS)
    assert (finding(told, "priority_habitat").status, finding(told, "priority_habitat").coverage) == (
        "not_affected",
        "full",
    )
    assert rule(told, HABITAT).result == "not_triggered"


@pytest.mark.parametrize(("gap", "coverage"), [(501, "full"), (499, "partial")])
def test_ground_must_be_covered_as_far_as_the_rule_looks(
    library: Library, tmp_path: Path, gap: float, coverage: str
) -> None:
    """Priority habitat is looked for 500 ft around; the coverage ends ``gap`` ft east of the work."""
    add(library, "priority_habitat", habitat(tmp_path / "h.geojson", box_ft(0, 0, 50, 50)), covers="town:dover")
    work = box_ft(LINE - gap - 100, 2_000, LINE - gap, 2_100)
    assert finding(screened(library, work), "priority_habitat").coverage == coverage


# ---------------------------------------------------------------------------------- editions over each other


def test_the_editions_of_two_towns_answer_for_the_whole_site(library: Library, tmp_path: Path) -> None:
    for slug, shape in (("dover", box_ft(0, 0, 50, 50)), ("lynnfield", FAR)):
        add(library, "priority_habitat", habitat(tmp_path / f"{slug}.geojson", shape), covers=f"town:{slug}")
    found = finding(screened(library, ACROSS), "priority_habitat")
    assert (found.status, found.coverage) == ("not_affected", "full")


def test_a_shape_that_both_editions_hold_counts_once(library: Library, tmp_path: Path) -> None:
    """A swamp on the line, drawn in both towns' files; their coverages overlap by 400 ft."""
    swamp = box_ft(LINE - 50, 1_900, LINE + 50, 2_100)
    west = write(tmp_path / "west.geojson", [box_ft(0, 0, LINE + 200, 5_000)], {"n": [1]})
    east = write(tmp_path / "east.geojson", [box_ft(LINE - 200, 0, 10_000, 5_000)], {"n": [1]})
    add(library, "wetlands", wetlands(tmp_path / "w.geojson", [swamp]), covers=str(west))
    add(library, "wetlands", wetlands(tmp_path / "e.geojson", [swamp, FAR]), covers=str(east))
    told = screened(library, ACROSS)
    found = finding(told, "wetlands")
    assert (found.status, found.coverage) == ("affected", "full")
    assert found.disturbance_sqft == pytest.approx(100 * 100, abs=0.05)
    assert found.percent_of_disturbance == pytest.approx(12.5, abs=1e-4)
    zones = finding(told, "buffer_zone", "wetlands").zones
    assert sum(z.disturbance_sqft for z in zones) <= 80_000 + 0.1


# ------------------------------------------------------------------------------------------------ a town line


def test_work_across_a_town_line_is_judged_by_both_towns(library: Library) -> None:
    told = screened(library, ACROSS)
    bylaws = {bylaw.id for bylaw in told.bylaws}
    assert {"dover-159", "lynnfield-320", "ma-310cmr10"} <= bylaws
    assert {d.rule.partition(".")[0] for d in told.determinations} >= {"dover-159", "lynnfield-320", "ma-310cmr10"}


def test_work_in_one_town_is_judged_by_that_town_only(library: Library) -> None:
    told = screened(library, box_ft(100, 100, 200, 200))
    assert told.case.town is not None
    assert told.case.town.slug == "dover"
    assert "lynnfield-320" not in {bylaw.id for bylaw in told.bylaws}


# ------------------------------------------------------------------------------------------------ stale


@pytest.mark.parametrize(
    ("swamp", "allow_stale", "status", "result"),
    [
        (FAR, False, "not_checked", "indeterminate"),
        (FAR, True, "none_mapped", "needs_input"),
        (box_ft(LINE - 100, 2_050, LINE, 2_150), False, "affected", "triggered"),
    ],
)
def test_a_stale_layer_counts_only_where_it_hits(
    library: Library, tmp_path: Path, swamp: shapely.Polygon, allow_stale: bool, status: str, result: str
) -> None:
    made = add(library, "wetlands", wetlands(tmp_path / "w.geojson", [swamp]), covers="state")
    assert made.stale_after_days is not None
    late = ON + timedelta(days=made.stale_after_days + 1)
    fresh = screened(library, ACROSS, on=late - timedelta(days=1), allow_stale=allow_stale)
    assert finding(fresh, "wetlands").status in ("none_mapped", "affected")
    told = screened(library, ACROSS, on=late, allow_stale=allow_stale)
    assert finding(told, "wetlands").status == status
    assert "is stale" in finding(told, "wetlands").why
    for others in ("streams", "water_bodies", "floodplain"):
        assert all(f.status == "not_checked" for f in told.case.findings if f.layer_id == others)
    if result != "needs_input":
        assert rule(told, RESOURCE).result == result

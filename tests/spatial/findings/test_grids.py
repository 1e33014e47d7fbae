"""Rasters under a site: exact shares, cells without data, several editions, staleness, the flood beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
import shapely
from pyproj import CRS
from shapes import CORNER_M, ON, box, frame, submission, theme

from layers.law import load_law
from spatial.case import Finding
from spatial.facts import Facts
from spatial.grid import Grid, GridFrame
from spatial.index import LayerStack
from spatial.model import EditionRef, Submission, Theme, Town
from spatial.question import Question
from spatial.screen import measure, screen
from spatial.units import FOOT_M

CELL_FT = 10.0
IMPERVIOUS = Theme("impervious", "Existing impervious surface", "impervious", 0.0)
SLOPE = Theme("slope", "Slope of the ground", "elevation", 0.0)
LYNNFIELD = Town(164, "lynnfield", "Lynnfield", ("lynnfield-320",))
LAW = load_law(None)


def ref(layer_id: str, **how: object) -> EditionRef:
    made = EditionRef(layer_id, "state", "2026-11-01", layer_id, "00", 5.0, True, retrieved="2026-11-01")
    return replace(made, **how)  # type: ignore[arg-type]


def grid(values: np.ndarray, valid: np.ndarray | None = None, *, west: float = 0.0, south: float = 0.0) -> Grid:
    """Return cells of 10 ft whose south-west corner is given in feet."""
    known = np.ones(values.shape, dtype=bool) if valid is None else valid
    size = CELL_FT * FOOT_M
    left, low = CORNER_M[0] + west * FOOT_M, CORNER_M[1] + south * FOOT_M
    return Grid(values.astype(float), known, left, low + values.shape[0] * size, size, size, CRS("EPSG:26986"))


def cover(rows: Sequence[str], *, west: float = 0.0, south: float = 0.0, **how: object) -> GridFrame:
    """Return land cover drawn north to south: ``#`` impervious, ``.`` other, a blank without data."""
    cells = np.array([[ord(c) for c in row] for row in rows])
    made = grid(np.where(cells == ord("#"), 2, 1), cells != ord(" "), west=west, south=south)
    east, north = west + CELL_FT * len(rows[0]), south + CELL_FT * len(rows)
    return GridFrame(ref("impervious", **how), box(west, south, east, north), made, (2,))  # type: ignore[arg-type]


def field(share: int) -> list[str]:
    """Return 100 x 100 ft of which the west ``share`` columns of ten are impervious."""
    return ["#" * share + "." * (10 - share)] * 10


def ground(values: np.ndarray, **how: object) -> GridFrame:
    """Return elevation in metres over the ground that the cells span."""
    rows, columns = values.shape
    area = box(0, 0, CELL_FT * columns, CELL_FT * rows)
    return GridFrame(ref("elevation", **how), area, grid(values))  # type: ignore[arg-type]


def question(work: Submission, *frames: GridFrame, on: date = ON, stale: bool = False, **facts: object) -> Question:
    grids: dict[str, tuple[GridFrame, ...]] = {}
    for one in frames:
        grids[one.ref.layer_id] = (*grids.get(one.ref.layer_id, ()), one)
    given = LAW.check_facts(facts) if facts else Facts({})  # type: ignore[arg-type]
    return Question(work, (), LYNNFIELD, given, on, {164: LYNNFIELD}, allow_stale=stale, grids=grids)


def asked(question_: Question, *themes: Theme) -> tuple[Finding, ...]:
    case, _ = measure(question_, LayerStack.build([], themes, {}))
    return case.findings


def impervious(work: Submission, *frames: GridFrame, **how: object) -> Finding:
    (found,) = asked(question(work, *frames, **how), IMPERVIOUS)  # type: ignore[arg-type]
    return found


# ------------------------------------------------------------------------------------------------ shares


def test_the_share_inside_the_limit_of_work_is_exact() -> None:
    """Work x 15 to 65: 15 of its 50 ft are over the 30 ft of pavement."""
    found = impervious(submission(box(15, 20, 65, 60)), cover(field(3)))
    assert (found.status, found.relation, found.coverage) == ("affected", "overlaps", "full")
    assert found.disturbance_sqft == pytest.approx(15 * 40, abs=1e-4)
    assert found.percent_of_disturbance == pytest.approx(30.0, abs=1e-6)
    assert found.grid is not None
    assert found.grid.at_most_percent == pytest.approx(30.0, abs=1e-6)
    assert found.why == "Existing impervious surface: 600 sq ft, 30.00 % of the work."


def test_cells_without_data_make_the_share_a_range() -> None:
    rows = ["###...    "] * 10
    found = impervious(submission(box(0, 0, 100, 50)), cover(rows))
    assert (found.status, found.coverage) == ("affected", "partial")
    assert found.grid is not None
    assert (found.percent_of_disturbance, found.grid.at_most_percent) == pytest.approx((30.0, 70.0))
    assert found.grid.unknown_percent == pytest.approx(40.0)
    assert "between 1,500 and 3,500 sq ft, 30.00 to 70.00 % of the work" in found.why


def test_none_seen_on_ground_partly_unknown_is_no_answer() -> None:
    found = impervious(submission(box(0, 0, 100, 50)), cover([".......   "] * 10))
    assert (found.status, found.coverage, found.disturbance_sqft) == ("no_data", "partial", None)
    assert "has no data for 30.00 % of the work: nothing seen on the rest means nothing" in found.why


@pytest.mark.parametrize(("west", "status"), [(50, "not_affected"), (36, "not_affected"), (34, "not_affected")])
def test_none_under_the_work_is_an_honest_negative(west: float, status: str) -> None:
    """Pavement ends at x 30; the map is good to 5 ft: nearer than that the answer could be the other one."""
    found = impervious(submission(box(west, 20, 80, 60)), cover(field(3)))
    assert (found.status, found.disturbance_sqft) == (status, 0.0)
    assert found.certainty == ("certain" if west > 35 else "too_close_to_call")


def test_a_hit_that_the_accuracy_could_undo_is_too_close_to_call() -> None:
    assert impervious(submission(box(27, 20, 80, 60)), cover(field(3))).certainty == "too_close_to_call"
    assert impervious(submission(box(20, 20, 80, 60)), cover(field(3))).certainty == "certain"


def test_no_edition_is_not_checked_and_one_elsewhere_has_no_data() -> None:
    work = submission(box(0, 0, 50, 50))
    assert impervious(work).status == "not_checked"
    found = impervious(work, cover(field(3), west=500))
    assert (found.status, found.coverage, found.disturbance_sqft) == ("no_data", "none", None)
    assert "does not cover this place" in found.why


def test_half_outside_is_partial() -> None:
    work = submission(box(50, 0, 150, 50))
    assert (impervious(work, cover(field(3))).status, impervious(work, cover(field(3))).coverage) == (
        "no_data",
        "partial",
    )
    found = impervious(work, cover(field(7)))
    assert (found.status, found.coverage) == ("affected", "partial")
    assert found.grid is not None
    assert (found.percent_of_disturbance, found.grid.at_most_percent) == pytest.approx((20.0, 70.0))


def test_overlapping_editions_of_two_towns_count_ground_once() -> None:
    """Work x 50 to 150. The first town's raster ends at 100; the second's begins at 80 and is paved to 120."""
    first, second = cover(field(0), part="dover"), cover(field(4), west=80, part="natick")
    found = impervious(submission(box(50, 0, 150, 50)), first, second)
    assert (found.status, found.coverage) == ("affected", "full")
    assert found.disturbance_sqft == pytest.approx(20 * 50, abs=1e-4)
    found = impervious(submission(box(50, 0, 150, 50)), second, first)
    assert found.disturbance_sqft == pytest.approx(40 * 50, abs=1e-4)


def test_a_raster_that_cannot_be_read_is_not_checked() -> None:
    broken = replace(cover(field(3)), grid=None, trouble="the edition is damaged")
    found = impervious(submission(box(0, 0, 50, 50)), broken)
    assert found.status == "not_checked"
    assert "could not be read: the edition is damaged." in found.why


@pytest.mark.parametrize(("work", "stale", "status"), [
    (box(50, 0, 90, 50), False, "not_checked"),
    (box(50, 0, 90, 50), True, "not_affected"),
    (box(10, 0, 90, 50), False, "affected"),
])  # fmt: skip
def test_a_stale_raster_answers_only_with_a_hit(work: shapely.Geometry, stale: bool, status: str) -> None:
    old = cover(field(3), stale_after_days=30)
    found = impervious(submission(work), old, on=ON + timedelta(days=60), stale=stale)
    assert found.status == status
    assert "is stale: 89 days old" in found.why


def test_a_stale_raster_under_a_fresh_one_is_not_needed() -> None:
    old = cover(field(3), stale_after_days=30, edition="old")
    fresh = cover(field(0), edition="fresh")
    found = impervious(submission(box(50, 0, 90, 50)), fresh, old, on=ON + timedelta(days=60))
    assert found.edition is not None
    assert (found.status, found.edition.edition) == ("not_affected", "fresh")


# ------------------------------------------------------------------------------------------------ slope


def plane(percent: float) -> np.ndarray:
    """Return ground rising to the east by so many percent, 100 m at the west edge of the first cell's centre."""
    return 100.0 + np.tile(np.arange(12.0) * CELL_FT * FOOT_M * percent / 100.0, (12, 1))


def test_a_plane_has_its_slope_and_the_heights_of_its_cells() -> None:
    (found,) = asked(question(submission(box(20, 20, 60, 60)), ground(plane(8.0))), SLOPE)
    assert (found.status, found.coverage, found.relation) == ("affected", "full", "within")
    told = found.grid
    assert told is not None
    slopes = (told.slope_mean_percent, told.slope_p90_percent, told.slope_max_percent)
    assert slopes == pytest.approx((8.0, 8.0, 8.0))
    low = 100.0 / FOOT_M + 2 * CELL_FT * 0.08
    assert (told.elevation_min_ft, told.elevation_max_ft) == pytest.approx((low, low + 3 * CELL_FT * 0.08))
    assert "8.0 % on average" in found.why


def test_the_rim_of_the_grid_has_no_slope_and_is_said() -> None:
    (found,) = asked(question(submission(box(0, 20, 40, 60)), ground(plane(8.0))), SLOPE)
    assert (found.status, found.coverage) == ("affected", "partial")
    assert found.grid is not None
    assert found.grid.unknown_percent == pytest.approx(25.0)


def test_ground_stands_beside_the_flood_elevation_and_nothing_is_concluded() -> None:
    flood = frame(
        "floodplain", [box(0, 0, 50, 120)], ids=["1"], attributes={"zone": ["AE"], "static_bfe_ft": [330.5]}
    )
    themes = (replace(theme("floodplain"), report=("zone", "static_bfe_ft")), SLOPE)
    asked_ = question(submission(box(20, 20, 60, 60)), ground(plane(0.0)))
    case, _ = measure(asked_, LayerStack.build([flood], themes, {}))
    found = case.findings_of("floodplain")[0]
    assert found.status == "affected"
    assert "flood elevation is 330.5 ft" in found.why
    assert "the ground lies between 328.1 and 328.1 ft" in found.why
    assert "only when both are of one vertical datum" in found.why


# ------------------------------------------------------------------------------------------------ law


def standard(work: Submission, *frames: GridFrame, **facts: object) -> tuple[str, tuple[str, ...]]:
    told = screen(question(work, *frames, **facts), LayerStack.build([], (IMPERVIOUS,), {}), LAW)  # type: ignore[arg-type]
    found = next(d for d in told.determinations if d.rule == "lynnfield-320.new_or_redevelopment")
    assert found.result == "triggered"
    return found.why, found.needs


def acres(share: int) -> GridFrame:
    """Return 500 x 200 ft of cover, over an acre with its margin, the west ``share`` tenths impervious."""
    return cover(["#" * (5 * share) + "." * (50 - 5 * share)] * 20)


ACRE = submission(box(10, 10, 490, 190))


def test_a_map_without_cover_makes_new_development() -> None:
    why, needs = standard(ACRE, acres(0), impervious_after_sqft=20_000)
    assert "The map shows no impervious cover inside the limit of work: new development." in why
    assert needs == ()


def test_a_map_with_cover_asks_and_the_stricter_drives() -> None:
    why, needs = standard(ACRE, acres(5), impervious_after_sqft=20_000)
    assert "The map shows 43,200 sq ft of 86,400 sq ft" in why
    assert "New development: remove 90 %" in why
    assert needs == ("impervious_before_sqft", "development_kind")


def test_a_map_alone_never_lifts_the_stricter_standard() -> None:
    why, needs = standard(ACRE, acres(10), impervious_after_sqft=20_000)
    assert "a map is a baseline only" in why
    assert "development_kind" in needs


def test_what_is_stated_wins_and_both_are_shown() -> None:
    why, _ = standard(ACRE, acres(5), impervious_before_sqft=0, impervious_after_sqft=20_000)
    assert "No impervious cover exists inside the limit of work." in why
    assert "The map shows 43,200 sq ft; the figure stated is used." in why


def test_without_a_map_or_a_figure_it_is_asked() -> None:
    why, needs = standard(ACRE, impervious_after_sqft=20_000)
    assert "is not known" in why
    assert needs == ("impervious_before_sqft",)

"""A delineation stands in the place of the map, on its own lot."""

from __future__ import annotations

import pytest
import shapely
from questions import WETLAND_THEMES, parcels, question
from shapes import box, frame, line, submission

from spatial.index import LayerStack
from spatial.model import SiteFeature
from spatial.screen import measure

FLAGS = {"by": "PWS 123", "on": "2026-05-04", "orad": "123-456"}


def flagged(*shapes: shapely.Geometry) -> list[SiteFeature]:
    return [SiteFeature(f"d{n}", shape, FLAGS, role="delineation") for n, shape in enumerate(shapes)]


def wetlands(*shapes: shapely.Geometry) -> LayerStack:
    mapped = frame("wetlands", shapes, complete=False, accuracy_ft=[33.3] * len(shapes))
    return LayerStack.build((parcels(), mapped), WETLAND_THEMES, {})


def test_a_delineated_area_replaces_the_map_on_its_lot() -> None:
    held = wetlands(box(0, 0, 60, 200))
    work = box(50, 50, 150, 150)
    before, _ = measure(question(submission(work)), held)
    assert before.findings[0].status == "affected"
    after, _ = measure(question(submission(work, features=flagged(box(0, 0, 20, 200)))), held)
    wet, buffer = after.findings
    assert (wet.status, wet.certainty, wet.nearest_ft) == ("not_affected", "certain", pytest.approx(30))
    assert (buffer.status, buffer.nearest_ft) == ("affected", pytest.approx(30))
    assert [round(z.disturbance_sqft) for z in buffer.zones] == [0, 2_000, 5_000]
    assert wet.delineation and "PWS 123, 2026-05-04, 123-456" in wet.delineation
    assert wet.delineation in wet.why
    assert wet.edition is not None and wet.edition.part == "delineation"


def test_off_the_delineated_lot_the_map_still_speaks() -> None:
    held = wetlands(box(150, 0, 400, 200))
    case, _ = measure(question(submission(box(50, 50, 120, 150), features=flagged(box(0, 0, 20, 200)))), held)
    buffer = next(f for f in case.findings if f.theme == "buffer_zone")
    assert sorted(round(f.nearest_ft) for f in buffer.features) == [30, 80]


def test_a_closed_line_is_an_area_and_an_open_one_an_edge() -> None:
    held = wetlands(box(0, 0, 60, 200))
    work = box(50, 50, 150, 150)
    ring = line((0, 0), (20, 0), (20, 200), (0, 200), (0, 0))
    closed, _ = measure(question(submission(work, features=flagged(ring))), held)
    assert (closed.findings[0].status, closed.findings[0].nearest_ft) == ("not_affected", pytest.approx(30))
    open_line, _ = measure(question(submission(work, features=flagged(line((20, -10), (20, 210))))), held)
    assert open_line.findings[0].status == "affected"
    assert open_line.findings[0].certainty == "too_close_to_call"


def test_a_delineation_stated_as_a_fact_lifts_what_is_not_mapped() -> None:
    held = wetlands(box(900, 0, 950, 50))
    work = submission(box(50, 50, 150, 150))
    assert measure(question(work), held)[0].findings[0].status == "none_mapped"
    stated, _ = measure(question(work, delineation="ORAD 123-456 of 2026-05-04"), held)
    assert stated.findings[0].status == "not_affected"
    assert "ORAD 123-456" in stated.findings[0].why


def test_a_delineation_elsewhere_takes_nothing_away() -> None:
    held = wetlands(box(0, 0, 60, 200))
    work = box(50, 50, 150, 150)
    case, _ = measure(question(submission(work, features=flagged(box(250, 0, 260, 200)))), held)
    assert case.findings[0].status == "affected"

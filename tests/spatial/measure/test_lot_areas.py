"""What is known of lots beforehand: right by hand, the same as measured when asked, and never of other editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import shapely
from benchmarks.layout import THEMES, open_region
from benchmarks.region import make_region, make_work
from shapes import EVERYWHERE, LOT, ON, box, edition, frame, theme

from spatial.case import Case, Finding
from spatial.facts import Facts
from spatial.index import LayerStack
from spatial.index.known import LotAreas
from spatial.measure.lot_areas import lot_areas
from spatial.model import LayerFrame, SiteFeature, Submission, Theme
from spatial.question import Question
from spatial.screen import measure

BANDS = (25.0, 50.0)
ASKED = (theme("wetlands"), theme("buffer_zone", "wetlands", within_ft=50, bands_ft=BANDS))
NEXT_LOT, STREET = box(200, 0, 400, 200), box(0, 200, 400, 250)
POND = box(-100, 0, 150, 200)
"""Three quarters of the lot are wetland: 30,000 sq ft; the next 25 ft are 5,000, the 25 after, to its line, too."""


def parcels(coverage: shapely.Geometry = EVERYWHERE, *, edition_of: str = "2026-01") -> LayerFrame:
    kinds = {"poly_type": ["FEE", "FEE", "ROW"], "town_id": [78, 78, 78]}
    lots, ids = [LOT, NEXT_LOT, STREET], ["A", "B", "W"]
    return frame("parcels", lots, ids=ids, attributes=kinds, coverage=coverage, edition=edition_of)


def wetlands(*shapes: shapely.Geometry, coverage: shapely.Geometry = EVERYWHERE, **ref: object) -> LayerFrame:
    return frame("wetlands", shapes, coverage=coverage, zones={"buffer_zone": BANDS}, **ref)


def known_of(frames: Sequence[LayerFrame], themes: Sequence[Theme] = ASKED) -> list[LotAreas]:
    stack = LayerStack.build(frames, themes, {})
    return [
        lot_areas(indexed, layer)
        for indexed in stack.frames_of("parcels")
        for layer in stack.layers.values()
        if layer.themes
    ]


def ask(work: shapely.Geometry, stack: LayerStack) -> Case:
    submission = Submission((SiteFeature("1", work, {}),), work)
    return measure(Question(submission, (), None, Facts({}), ON, {}), stack)[0]


def same(one: Case, other: Case) -> None:
    assert one.lots == other.lots
    assert len(one.findings) == len(other.findings) > 0
    for mine, theirs in zip(one.findings, other.findings, strict=True):
        assert areas_of(mine) == pytest.approx(areas_of(theirs), abs=1e-6, rel=1e-12, nan_ok=True)
        assert without_lot_areas(mine) == without_lot_areas(theirs)


def areas_of(finding: Finding) -> list[float]:
    by_lot = [share.parcel_sqft for share in finding.by_parcel]
    return [finding.parcel_sqft or 0.0, *by_lot, *(zone.parcel_sqft for zone in finding.zones)]


def without_lot_areas(finding: Finding) -> Finding:
    return replace(
        finding,
        parcel_sqft=None,
        percent_of_parcel=None,
        by_parcel=tuple(replace(share, parcel_sqft=0.0) for share in finding.by_parcel),
        zones=tuple(replace(zone, parcel_sqft=0.0) for zone in finding.zones),
    )


def test_areas_are_those_drawn() -> None:
    (areas,) = known_of([parcels(), wetlands(POND)])
    assert areas.keys == (
        ("wetlands", "wetlands", 0.0),
        ("buffer_zone", "wetlands", 0.0),
        ("buffer_zone", "wetlands", 25.0),
        ("buffer_zone", "wetlands", 50.0),
    )
    assert areas.sqft[0] == pytest.approx([30_000, 30_000, 5_000, 5_000], abs=0.01)
    assert areas.sqft[1] == pytest.approx([0, 0, 0, 0], abs=0.01)
    assert areas.of(0) == areas.sqft[0].tolist()


def test_overlapping_features_count_once() -> None:
    (areas,) = known_of([parcels(), wetlands(POND, box(100, 0, 150, 200))])
    assert areas.sqft[0] == pytest.approx([30_000, 30_000, 5_000, 5_000], abs=0.01)


def test_ways_are_no_lots_and_are_not_known() -> None:
    (areas,) = known_of([parcels(), wetlands(POND)])
    assert np.isnan(areas.sqft[2]).all()
    assert areas.of(2) is None


@pytest.mark.parametrize(
    "others",
    [
        pytest.param([wetlands(POND, coverage=box(-500, -500, 100, 500))], id="lot leaves the ground"),
        pytest.param(
            [
                wetlands(POND, coverage=box(-500, -500, 230, 500), part="west"),
                wetlands(box(260, 0, 400, 200), coverage=box(230, -500, 900, 500), part="east"),
            ],
            id="another edition within reach",
        ),
        pytest.param(
            [
                wetlands(POND, coverage=box(-500, -500, 300, 500), part="west"),
                wetlands(box(205, 0, 215, 200), coverage=box(600, -500, 900, 500), part="east"),
            ],
            id="a feature that another edition draws beyond its ground",
        ),
    ],
)
def test_a_lot_that_one_edition_does_not_answer_for_alone_is_measured_when_asked(others: list[LayerFrame]) -> None:
    frames = [parcels(), *others]
    (areas,) = known_of(frames)
    assert areas.of(0) is None
    work = box(120, 20, 190, 90)
    same(
        ask(work, LayerStack.build(frames, ASKED, {}, lot_areas=[areas])),
        ask(work, LayerStack.build(frames, ASKED, {})),
    )


def test_a_ring_on_the_lot_of_a_feature_beyond_its_ground_counts_though_the_work_is_far_from_it() -> None:
    """The feature lies 5 ft east of the lot: 20 ft of its first ring and 25 ft of its second, 200 ft long."""
    west = wetlands(coverage=box(-500, -500, 300, 500), part="west")
    strip = box(205, 0, 215, 200)
    east = wetlands(strip, coverage=box(600, -500, 900, 500), part="east")
    for work in (box(140, 20, 190, 90), box(20, 20, 60, 60)):
        found = ask(work, LayerStack.build([parcels(), west, east], ASKED, {})).findings
        (zone,) = (finding for finding in found if finding.theme == "buffer_zone")
        assert [z.parcel_sqft for z in zone.zones] == pytest.approx([0.0, 4_000.0, 5_000.0], abs=0.5)


def test_each_of_two_editions_knows_its_own_lots() -> None:
    west = wetlands(POND, coverage=box(-500, -500, 200, 500), part="west")
    far_east = wetlands(box(390, 0, 400, 200), coverage=box(300, -500, 900, 500), part="east")
    frames = [parcels(), west, far_east]
    (areas,) = known_of(frames)
    assert areas.of(0) == pytest.approx([30_000, 30_000, 5_000, 5_000], abs=0.01)
    assert areas.of(1) is None, "it reaches over the ground that neither answers for"


def test_a_layer_of_another_town_is_known_to_share_nothing() -> None:
    """Or no lot of a town would be known as soon as a layer of its neighbour is loaded."""
    elsewhere = wetlands(box(5_000, 0, 5_100, 200), coverage=box(4_000, -500, 6_000, 500))
    (areas,) = known_of([parcels(), elsewhere])
    assert areas.sqft[:2].tolist() == [[0.0] * 4] * 2
    frames = [parcels(), elsewhere]
    found = ask(box(20, 20, 60, 60), LayerStack.build(frames, ASKED, {}, lot_areas=[areas])).findings
    assert [(f.status, f.parcel_sqft) for f in found] == [("no_data", None)] * 2


def test_a_feature_beyond_its_own_ground_leaves_the_lot_near_it_to_be_measured() -> None:
    (areas,) = known_of([parcels(), wetlands(POND, coverage=box(4_000, -500, 6_000, 500))])
    assert (areas.of(0), areas.of(1)) == (None, None), "the second lot lies 50 ft from the pond"


def test_what_is_known_is_looked_up() -> None:
    frames = [parcels(), wetlands(POND)]
    (areas,) = known_of(frames)
    told = replace(areas, sqft=np.full_like(areas.sqft, 7.0))
    (wet, zone) = ask(box(20, 20, 60, 60), LayerStack.build(frames, ASKED, {}, lot_areas=[told])).findings
    assert (wet.parcel_sqft, wet.disturbance_sqft) == (7.0, pytest.approx(1_600.0, abs=0.01))
    assert [z.parcel_sqft for z in zone.zones] == [7.0, 7.0, 7.0]


@pytest.mark.parametrize(
    "frames",
    [
        pytest.param([parcels(edition_of="2026-02"), wetlands(POND)], id="parcels"),
        pytest.param([parcels(), wetlands(POND, edition="2026-02")], id="layer"),
        pytest.param([parcels(), wetlands(POND, part="west"), wetlands(POND, part="east")], id="parts"),
    ],
)
def test_areas_of_other_editions_are_never_used(frames: list[LayerFrame]) -> None:
    (areas,) = known_of([parcels(), wetlands(POND)])
    told = replace(areas, sqft=np.full_like(areas.sqft, 7.0))
    (wet, _) = ask(box(20, 20, 60, 60), LayerStack.build(frames, ASKED, {}, lot_areas=[told])).findings
    assert wet.parcel_sqft == pytest.approx(30_000, abs=0.01)


def test_one_layer_without_areas_leaves_all_to_be_measured() -> None:
    themes = (*ASKED, theme("acec"))
    frames = [parcels(), wetlands(POND), frame("acec", [LOT])]
    wet, acec = known_of(frames, themes)
    told = [replace(wet, sqft=np.full_like(wet.sqft, 7.0))]
    found = ask(box(20, 20, 60, 60), LayerStack.build(frames, themes, {}, lot_areas=told)).findings
    assert [f.parcel_sqft for f in found] == pytest.approx([30_000, 30_000, 40_000], abs=0.01)
    both = LayerStack.build(frames, themes, {}, lot_areas=[acec, *told])
    assert [f.parcel_sqft for f in ask(box(20, 20, 60, 60), both).findings] == pytest.approx(
        [7, 7, 40_000], abs=0.01
    )


def test_lines_and_points_have_only_rings() -> None:
    themes = (theme("vernal_pools", "pools", within_ft=50, bands_ft=BANDS),)
    pool = frame("pools", [shapely.centroid(LOT)], kind="point", zones={"vernal_pools": BANDS})
    (areas,) = known_of([parcels(), pool], themes)
    inner, outer = np.pi * 25**2, np.pi * (50**2 - 25**2)
    assert areas.sqft[0] == pytest.approx([0.0, inner, outer], rel=2e-4)
    stack = LayerStack.build([parcels(), pool], themes, {}, lot_areas=[areas])
    (found,) = ask(box(20, 20, 60, 60), stack).findings
    assert found.parcel_sqft is None
    assert [z.parcel_sqft for z in found.zones] == pytest.approx([0.0, inner, outer], rel=2e-4)


def test_no_parcels_and_no_layers_know_nothing() -> None:
    assert lot_areas(*_empty()).sqft.shape == (0, 4)


def _empty() -> tuple[object, object]:
    stack = LayerStack.build([frame("parcels", []), wetlands(POND)], ASKED, {})
    return stack.frames_of("parcels")[0], stack.layers["wetlands"]


def test_looked_up_or_measured_the_answer_is_the_same() -> None:
    """200 sites of an invented region, some on several lots: every figure and sentence, but for the last digits."""
    region = make_region(0.001, seed=8)
    frames = open_region(region)
    known = known_of(frames, THEMES)
    assert sum(areas.of(row) is not None for areas in known for row in range(len(areas.sqft))) > 1_000
    live, told = LayerStack.build(frames, THEMES, {}), LayerStack.build(frames, THEMES, {}, lot_areas=known)
    several = 0
    for work in make_work(region, 200, seed=21):
        one = ask(work, told)
        several += len(one.lots) > 1
        same(one, ask(work, live))
    assert several > 20


def test_refs_tell_editions_apart() -> None:
    assert edition("wetlands") == edition("wetlands") != edition("wetlands", edition="2026-02")

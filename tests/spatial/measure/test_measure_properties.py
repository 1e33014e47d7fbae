"""What must hold for any layer and any work: parts add up, unions count once, cut or whole gives the same."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapes import ON, disc, drawn, frame, theme

from spatial.case import Finding
from spatial.findings import Asking, find
from spatial.index import LayerStack
from spatial.site import Ground, LotGround, Site
from spatial.units import FOOT_M, sqft_from_sqm

BANDS = (25.0, 50.0, 100.0, 150.0, 200.0)
THEMES = (theme("wetlands"), theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS))
COVERAGE = shapely.box(216_000, 885_000, 219_000, 888_000)


def ponds(seed: int, count: int) -> list[shapely.Geometry]:
    """Overlapping discs and crooked ponds on 2,000 by 2,000 ft, one with islands."""
    rng = np.random.default_rng(seed)
    round_ones = [disc(*rng.uniform(0, 2_000, 2), rng.uniform(5, 120), quad_segs=24) for _ in range(count)]
    turn = np.linspace(0, 2 * np.pi, 900, endpoint=False)
    reach = 400 * (1 + 0.3 * np.sin(5 * turn) + 0.05 * np.sin(41 * turn))
    lake = shapely.Polygon(np.column_stack([1_000 + reach * np.cos(turn), 1_000 + reach * np.sin(turn)]))
    islands = shapely.union_all([shapely.Point(*p).buffer(15) for p in rng.uniform(900, 1_100, (6, 2))])
    return [*round_ones, drawn(shapely.difference(lake, islands))]


SHAPES = ponds(5, 60)
WHOLE = LayerStack.build([frame("wetlands", SHAPES, coverage=COVERAGE, max_vertices=10**9)], THEMES[:1], {})
CUT = LayerStack.build(
    [frame("wetlands", SHAPES, coverage=COVERAGE, max_vertices=32, zones={"buffer_zone": BANDS})], THEMES, {}
)
BARE = LayerStack.build([frame("wetlands", SHAPES, coverage=COVERAGE)], THEMES[1:], {})
UNION = shapely.union_all(SHAPES)


def ask(work: shapely.Geometry, stack: LayerStack) -> tuple[Finding, ...]:
    lot = shapely.box(*work.bounds).buffer(7)
    return find(Site(Ground(work), (LotGround("L", Ground(lot), work),)), stack, Asking(ON))


def figures(found: tuple[Finding, ...]) -> list[float]:
    areas = [v or 0.0 for f in found for v in (f.disturbance_sqft, f.parcel_sqft, f.nearest_ft)]
    return [*areas, *(f.overlap_sqft for f in sorted(found[0].features, key=lambda f: f.id))]


works = st.builds(
    lambda x, y, width, height, degrees: shapely.affinity.rotate(
        drawn(shapely.box(x, y, x + width, y + height)), degrees
    ),
    st.floats(-300, 2_300),
    st.floats(-300, 2_300),
    st.floats(2, 500),
    st.floats(2, 500),
    st.floats(0, 90),
)


@settings(max_examples=250, deadline=None)
@given(works)
def test_cut_or_whole_gives_the_same(work: shapely.Geometry) -> None:
    cut, whole = ask(work, CUT)[:1], ask(work, WHOLE)
    assert figures(cut) == pytest.approx(figures(whole), rel=1e-6, abs=0.01)
    assert [f.status for f in cut] == [f.status for f in whole]
    assert [f.relation for f in cut] == [f.relation for f in whole]


@settings(max_examples=250, deadline=None)
@given(works)
def test_shared_ground_is_that_of_the_union_and_distance_that_of_the_nearest(work: shapely.Geometry) -> None:
    found, _ = ask(work, CUT)
    assert found.disturbance_sqft == pytest.approx(
        sqft_from_sqm(shapely.intersection(work, UNION).area), rel=1e-6, abs=0.01
    )
    assert found.nearest_ft == pytest.approx(work.distance(UNION) / FOOT_M, abs=1e-6)
    assert (found.percent_of_disturbance or 0.0) <= 100.0


@settings(max_examples=50, deadline=None)
@given(works)
def test_zones_add_up_to_the_ground_within_reach(work: shapely.Geometry) -> None:
    _, buffer = ask(work, CUT)
    within = shapely.intersection(UNION.buffer(200 * FOOT_M, quad_segs=64), work).area
    assert sum(z.disturbance_sqft for z in buffer.zones) == pytest.approx(sqft_from_sqm(within), rel=1e-5, abs=1.0)
    (made_here,) = ask(work, BARE)
    assert [z.disturbance_sqft for z in buffer.zones] == pytest.approx(
        [z.disturbance_sqft for z in made_here.zones], rel=1e-5, abs=1.0
    )


@settings(max_examples=300, deadline=None)
@given(works)
def test_sureness_never_hides_a_flip(work: shapely.Geometry) -> None:
    """What is called certain stays so when all the map moves by its accuracy, any way."""
    accuracy_ft = 1.0
    found, _ = ask(work, CUT)
    if found.certainty == "certain":
        for degrees in range(0, 360, 45):
            east, north = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
            moved = shapely.affinity.translate(work, east * accuracy_ft * FOOT_M, north * accuracy_ft * FOOT_M)
            shared = sqft_from_sqm(shapely.intersection(moved, UNION).area)
            assert (shared > 0.0) == (found.status == "affected")

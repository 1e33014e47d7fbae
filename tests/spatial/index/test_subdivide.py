"""Cut small, the same ground: areas, boundaries and answers do not change, and edges are never cuts."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapes import HOLED, LOT, SHAPES, box, disc, drawn, line, point, polygon

from spatial.errors import Internal
from spatial.index.items import Part
from spatial.index.rings import rings
from spatial.index.subdivide import clipped, clipped_all, cut_small, prepare
from spatial.measure.depth import depth_ft
from spatial.measure.union import union_area_m2
from spatial.site import Ground
from spatial.units import FOOT_M, sqft_from_sqm


def star(points: int, radius: float, seed: int, holes: int = 0) -> shapely.Geometry:
    """A crooked ring of many vertices about the corner, in feet, with small square holes."""
    rng = np.random.default_rng(seed)
    turn = np.linspace(0, 2 * np.pi, points, endpoint=False)
    waves = sum(rng.uniform(0, 0.12) * np.sin(k * turn + rng.uniform(0, 6)) for k in (3, 7, 19))
    reach = radius * (1 + waves)
    shell = np.column_stack([reach * np.cos(turn), reach * np.sin(turn)])
    corners = rng.uniform(-radius / 3, radius / 3, (holes, 2))
    cuts = [shapely.box(x, y, x + radius / 60, y + radius / 60) for x, y in corners]
    return drawn(shapely.difference(shapely.Polygon(shell), shapely.union_all(cuts)))


def features(*shapes: shapely.Geometry) -> np.ndarray:
    held = np.empty(len(shapes), dtype=object)
    held[:] = shapes
    return held


@pytest.mark.parametrize("max_vertices", [16, 64, 256])
@pytest.mark.parametrize(("vertices", "holes"), [(30, 0), (300, 0), (3_000, 40), (40_000, 200)])
def test_pieces_are_small_and_add_up(vertices: int, holes: int, max_vertices: int) -> None:
    whole = star(vertices, 3_000, seed=vertices, holes=holes)
    pieces = prepare(features(whole), "polygon", max_vertices=max_vertices).pieces
    assert shapely.get_num_coordinates(pieces.geometry).max() <= max_vertices
    assert shapely.is_valid(pieces.geometry).all()
    assert shapely.area(pieces.geometry).sum() == pytest.approx(whole.area, rel=1e-10)
    assert set(pieces.parent.tolist()) == {0}


def test_edges_are_the_real_boundary_and_nothing_else() -> None:
    whole = star(5_000, 3_000, seed=4, holes=30)
    edges = prepare(features(whole), "polygon").edges
    assert shapely.get_num_coordinates(edges.geometry).max() <= 64
    assert shapely.length(edges.geometry).sum() == pytest.approx(whole.length, rel=1e-12)
    assert shapely.distance(edges.geometry, whole.boundary).max() == 0.0
    assert len(np.unique(shapely.get_coordinates(edges.geometry), axis=0)) == len(
        np.unique(shapely.get_coordinates(whole), axis=0)
    )


def test_rows_are_kept_and_nothing_gives_nothing() -> None:
    held = features(HOLED, None, shapely.Polygon(), shapely.MultiPolygon([LOT, box(300, 0, 400, 100)]))
    prepared = prepare(held, "polygon")
    assert prepared.pieces.parent.tolist() == [0, 3, 3]
    assert sorted(set(prepared.edges.parent.tolist())) == [0, 3]
    none = prepare(np.empty(0, dtype=object), "polygon")
    assert (len(none.pieces.geometry), len(none.edges.geometry)) == (0, 0)


def test_lines_are_chopped_and_keep_their_length() -> None:
    path = line(*[(x, 50 * np.sin(x / 40)) for x in range(2_000)])
    pieces = prepare(features(path, None, line((0, 0), (1, 1))), "line", max_vertices=100).pieces
    assert shapely.get_num_coordinates(pieces.geometry).max() <= 100
    assert shapely.length(pieces.geometry[pieces.parent == 0]).sum() == pytest.approx(path.length)
    assert set(pieces.parent.tolist()) == {0, 2}


@pytest.mark.parametrize("count", [2, 3, 15, 16, 17, 31, 32, 46, 47])
def test_a_line_of_any_length_is_whole(count: int) -> None:
    path = line(*[(10.0 * n, float(n % 3)) for n in range(count)])
    pieces = prepare(features(path), "line", max_vertices=16).pieces.geometry
    merged = shapely.line_merge(shapely.union_all(pieces))
    assert shapely.equals(merged, path)


def test_points_stay_points_and_edges_are_none() -> None:
    prepared = prepare(features(point(0, 0), shapely.MultiPoint([(1, 1), (2, 2)])), "point")
    assert prepared.pieces.parent.tolist() == [0, 1, 1]
    assert len(prepared.edges.geometry) == 0


def test_another_kind_is_our_own_fault() -> None:
    with pytest.raises(Internal, match="LineString stands in a layer of polygons"):
        prepare(features(line((0, 0), (1, 1))), "polygon")


def test_a_crossed_polygon_must_be_repaired_first() -> None:
    bow_tie = polygon([(0, 0), (100, 100), (100, 0), (0, 100)])
    with pytest.raises(Internal, match="Self-intersection"):
        prepare(features(LOT, bow_tie), "polygon")


def test_cutting_leaves_no_lines_or_points_behind() -> None:
    comb = polygon(
        [(0, 0), *((x, 90 * (n % 2)) for n, x in enumerate(range(0, 4_000, 4))), (4_000, 0), (2_000, -50)]
    )
    pieces = cut_small(comb.buffer(0), 32)
    assert {p.geom_type for p in pieces} == {"Polygon"}


# ------------------------------------------------------------------------------------------------ whole = cut

WHOLE = star(6_000, 2_000, seed=11, holes=60)
CUT = prepare(features(WHOLE), "polygon", max_vertices=64)
PIECES, EDGES = Part(CUT.pieces.geometry, CUT.pieces.parent), Part(CUT.edges.geometry, CUT.edges.parent)


@settings(max_examples=400, deadline=None)
@given(st.floats(-2_400, 2_400), st.floats(-2_400, 2_400), st.floats(1, 700), st.floats(0, 360))
def test_a_cut_feature_answers_as_the_whole_one(x: float, y: float, size: float, degrees: float) -> None:
    work = shapely.affinity.rotate(box(x, y, x + size, y + size / 2), degrees)
    met = PIECES.geometry[PIECES.tree.query(work)]
    shared = shapely.intersection(met, work)
    area = union_area_m2([list(shared)], [shapely.area(shared).sum()])
    assert sqft_from_sqm(area) == pytest.approx(
        sqft_from_sqm(shapely.intersection(WHOLE, work).area), rel=1e-6, abs=0.01
    )
    _, distance = PIECES.tree.query_nearest(work, return_distance=True, all_matches=False)
    assert distance[0] / FOOT_M == pytest.approx(work.distance(WHOLE) / FOOT_M, abs=1e-6)


@settings(max_examples=300, deadline=None)
@given(st.floats(-1_200, 1_200), st.floats(-1_200, 1_200))
def test_from_inside_the_nearest_edge_is_real(x: float, y: float) -> None:
    work = box(x, y, x + 4, y + 4)
    _, distance = EDGES.tree.query_nearest(work, return_distance=True, all_matches=False)
    assert distance[0] == pytest.approx(work.distance(WHOLE.boundary), abs=1e-9)
    inside = shapely.intersection(WHOLE, work)
    if inside.area > 0:
        assert depth_ft(Ground(work), [inside], EDGES, enough_ft=30) * FOOT_M >= distance[0] - 1e-9


# ------------------------------------------------------------------------------------------------ rings

BANDS = (25.0, 50.0, 100.0, 150.0, 200.0)


@pytest.mark.parametrize("name", ["inside", "half", "triangle", "touch_corner", "hole_around"])
def test_rings_are_net_and_add_up(name: str) -> None:
    shape, window = SHAPES[name][0], box(-700, -700, 900, 900)
    made = rings(features(shape), BANDS, window=window)
    inner = shape.area
    for low, high in zip((0.0, *BANDS), BANDS, strict=False):
        outer = shape.buffer(high * FOOT_M, quad_segs=64).area
        mine = made.geometry[(made.to_ft == high) & (made.from_ft == low)]
        assert sqft_from_sqm(shapely.area(mine).sum()) == pytest.approx(sqft_from_sqm(outer - inner), abs=0.05)
        inner = outer
    assert shapely.get_num_coordinates(made.geometry).max() <= 256


def test_the_zone_of_a_small_wetland_has_its_round_corners() -> None:
    """ovl-05: 100 ft around a 20 ft square: 20 x 20 and 4 x 20 x 100 and a disc, less than 10 sq ft off."""
    made = rings(features(box(0, 0, 20, 20)), (100.0,), window=box(-500, -500, 500, 500))
    exact = 4 * 20 * 100 + np.pi * 100**2
    assert sqft_from_sqm(shapely.area(made.geometry).sum()) == pytest.approx(exact, abs=10)


def test_many_features_are_ringed_cell_by_cell_as_one_union_would_be() -> None:
    rng = np.random.default_rng(3)
    shapes = [disc(*rng.uniform(0, 2_500, 2), rng.uniform(5, 90), quad_segs=16) for _ in range(160)]
    window = box(-300, -300, 2_800, 2_800)
    made = rings(features(*shapes), BANDS, window=window)
    union = shapely.union_all(shapes)
    inner = union.intersection(window).area
    for band in BANDS:
        outer = union.buffer(band * FOOT_M, quad_segs=64).intersection(window).area
        got = shapely.area(made.geometry[made.to_ft == band]).sum()
        assert sqft_from_sqm(got) == pytest.approx(sqft_from_sqm(outer - inner), rel=1e-4, abs=1.0)
        inner = outer
    overlap = sum(shapely.area(made.geometry)) - shapely.union_all(made.geometry).area
    assert sqft_from_sqm(overlap) == pytest.approx(0, abs=0.01)


def test_rings_of_lines_points_and_of_nothing() -> None:
    window = box(-500, -500, 500, 500)
    path = rings(features(line((0, 0), (100, 0))), (50.0,), window=window)
    assert sqft_from_sqm(shapely.area(path.geometry).sum()) == pytest.approx(100 * 100 + np.pi * 2_500, abs=5)
    pool = rings(features(point(0, 0), None), (50.0, 100.0), window=window)
    assert sqft_from_sqm(shapely.area(pool.geometry).sum()) == pytest.approx(np.pi * 10_000, abs=10)
    assert len(rings(np.empty(0, dtype=object), (50.0,), window=window).geometry) == 0
    assert len(rings(features(point(0, 0)), (), window=window).geometry) == 0
    assert len(rings(features(point(0, 0)), (50.0,), window=box(300, 300, 400, 400)).geometry) == 0


# found among real potential vernal pools: the fast cut meets its own corner twice and GEOS refuses the ring it made
PINCHED = shapely.Polygon(
    [
        (119470.41493156856, 902709.3113362556),
        (119566.02172397611, 902992.9758736575),
        (119589.97077369536, 902813.3661059962),
        (119590.31708705013, 902813.3103837055),
        (119585.699640235, 902847.4566461771),
        (119601.21076112626, 902732.7510899712),
    ]
)
PINCHING = (119381.99766895367, 902820.0768398277, 119606.8365375864, 902992.9758736575)


def test_a_cut_that_geos_refuses_is_made_the_slow_way() -> None:
    with pytest.raises(shapely.errors.GEOSException):
        shapely.clip_by_rect(PINCHED, *PINCHING)  # if this ever passes, the fallback is no longer needed
    cut = clipped(PINCHED, PINCHING)
    assert cut.is_valid
    assert cut.area == pytest.approx(PINCHED.area - clipped(PINCHED, (*PINCHED.bounds[:3], PINCHING[1])).area)


def test_one_feature_that_cannot_be_cut_fast_does_not_stop_its_layer() -> None:
    other = shapely.transform(PINCHED, lambda xy: xy - (10.0, 0.0))
    inside = clipped_all(features(PINCHED, other), PINCHING)
    wanted = shapely.intersection(features(PINCHED, other), shapely.box(*PINCHING))
    assert shapely.area(inside) == pytest.approx(shapely.area(wanted))

from __future__ import annotations

import pytest
import shapely
from fabrics import box, fabric, feet

from spatial.fabric import ParcelFabric
from spatial.fabric.opposite import directly_opposite
from spatial.fabric.ways import ways_near

SUBJECT = box(0, 0, 200, 200)
SIDES = {"S": SUBJECT, "L": box(-200, 0, 0, 200), "R": box(200, 0, 400, 200), "B": box(-200, 200, 400, 400)}


def seen(lots: ParcelFabric, subject: shapely.Polygon = SUBJECT, reach_ft: float = 300.0) -> set[str]:
    found = directly_opposite(subject, lots, ways_near(subject, lots, reach_ft=reach_ft))
    return set(lots.ids[found.rows]) - {"S"}


@pytest.mark.parametrize("mapped", [True, False])
def test_across_a_wide_way(mapped: bool) -> None:
    lots = {**SIDES, "O": box(-200, -400, 400, -120), "Q": box(400, -400, 700, -120)}
    lots |= {"W": box(-200, -120, 400, 0)} if mapped else {}
    assert seen(fabric(lots, {"W": "ROW"})) == {"O"}


def test_two_lots_share_the_view_and_the_diagonal_ones_are_out_of_it() -> None:
    lots = {**SIDES, "O1": box(-100, -200, 90, -50), "O2": box(90, -200, 200, -50)}
    lots |= {"D1": box(-300, -200, -100, -50), "D2": box(200, -200, 400, -50)}
    assert seen(fabric(lots)) == {"O1", "O2"}


def test_a_second_row_is_not_opposite() -> None:
    lots = {**SIDES, "O": box(-200, -150, 400, -50), "P": box(-200, -280, 400, -150)}
    assert seen(fabric(lots)) == {"O"}


def test_across_a_private_way_and_a_railroad() -> None:
    lots = {**SIDES, "O": box(-200, -200, 400, -50), "W": box(-200, -25, 400, 0), "X": box(-200, -50, 400, -25)}
    assert seen(fabric(lots, {"W": "PRIV_ROW", "X": "RAIL_ROW"})) == {"O"}


def test_a_corner_lot_looks_across_both_streets_but_not_at_the_far_corner() -> None:
    lots = {"S": SUBJECT, "R": box(200, 0, 400, 200), "B": box(0, 200, 400, 400)}
    lots |= {"O": box(0, -200, 400, -50), "W": box(-200, 0, -50, 400), "K": box(-200, -200, -50, -50)}
    assert seen(fabric(lots)) == {"O", "W"}


def test_a_curved_frontage_fans_out() -> None:
    disc = feet(shapely.Point(0, 0).buffer(100, quad_segs=4))
    ring = feet(
        shapely.Point(0, 0).buffer(300, quad_segs=64).difference(shapely.Point(0, 0).buffer(160, quad_segs=64))
    )
    wedge = feet(shapely.Polygon([(0, 0), (400, 70), (400, 90)]))
    lots = fabric({"S": disc, "N": ring.intersection(wedge), "O": ring.difference(wedge)})
    assert seen(lots, disc) == {"N", "O"}


def test_a_landlocked_lot_sees_nobody() -> None:
    lots = fabric({**SIDES, "O": box(-200, -200, 400, 0)})
    assert seen(lots) == set()


def test_frontage_without_a_far_side_is_told_in_feet() -> None:
    lots = fabric(SIDES)
    found = directly_opposite(SUBJECT, lots, ways_near(SUBJECT, lots))
    assert set(lots.ids[found.rows]) <= {"S"}
    assert found.unseen_ft == pytest.approx(200.0, abs=0.01)


def test_slivers_of_digitising_do_not_blind_the_view() -> None:
    lots = {**SIDES, "W": box(-200, -48, 400, -2), "O": box(-200, -200, 400, -50)}
    assert seen(fabric(lots, {"W": "ROW"})) == {"O"}

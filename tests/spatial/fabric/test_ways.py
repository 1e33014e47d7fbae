from __future__ import annotations

import numpy as np
import pytest
import shapely
from fabrics import box, fabric, feet

from spatial.fabric.ways import across_way, frontage, ways_near

SUBJECT = box(0, 0, 200, 200)
LEFT, RIGHT, BACK = box(-200, 0, 0, 200), box(200, 0, 400, 200), box(-200, 200, 400, 400)
OPPOSITE = box(-200, -250, 400, -50)
STREET = box(-200, -50, 400, 0)
LOTS = {"S": SUBJECT, "L": LEFT, "R": RIGHT, "B": BACK, "O": OPPOSITE}


@pytest.mark.parametrize("kind", ["ROW", "PRIV_ROW", "RAIL_ROW"])
def test_a_mapped_way_lies_between(kind: str) -> None:
    ways = ways_near(SUBJECT, fabric({**LOTS, "W": STREET}, {"W": kind}))
    assert list(ways.of_kind(kind)) != []
    assert across_way(SUBJECT, OPPOSITE, ways)
    assert not across_way(SUBJECT, LEFT, ways)


def test_a_gap_between_parcels_is_a_way() -> None:
    ways = ways_near(SUBJECT, fabric(LOTS))
    assert set(ways.kinds) == {"gap"}
    assert across_way(SUBJECT, OPPOSITE, ways)


@pytest.mark.parametrize(("gap_ft", "is_way"), [(4.9, False), (5.1, True)])
def test_a_gap_narrower_than_the_parcels_accuracy_is_a_flaw_of_digitising(gap_ft: float, is_way: bool) -> None:
    neighbour = box(200 + gap_ft, 0, 400, 200)
    ways = ways_near(SUBJECT, fabric({**LOTS, "R": neighbour}))
    assert across_way(SUBJECT, neighbour, ways) is is_way


def test_a_narrow_mapped_way_counts_however_narrow() -> None:
    lots = {**LOTS, "W": box(200, 0, 203, 200), "R": box(203, 0, 400, 200)}
    ways = ways_near(SUBJECT, fabric(lots, {"W": "PRIV_ROW"}))
    assert across_way(SUBJECT, lots["R"], ways)


def test_roads_tell_a_street_from_a_pond() -> None:
    lots = {"S": SUBJECT, "L": LEFT, "R": RIGHT, "O": OPPOSITE, "P": box(-200, 320, 400, 500)}
    block = box(-400, 200, -200, 320), box(400, 200, 600, 320)
    lots |= {"E": block[0], "F": block[1], "D": box(-300, -50, -200, 200), "G": box(400, -50, 500, 200)}
    road = np.array([feet(shapely.LineString([(-200, -25), (400, -25)]))], dtype=object)
    ways = ways_near(SUBJECT, fabric(lots), roads=road)
    assert across_way(SUBJECT, OPPOSITE, ways)
    assert not across_way(SUBJECT, lots["P"], ways)
    assert "gap_without_road" in set(ways.kinds)


def test_a_centreline_across_lots_is_a_way_though_no_gap_is_drawn() -> None:
    behind = box(0, 210, 200, 400)
    strip = box(0, 200, 200, 210)
    road = np.array([feet(shapely.LineString([(-50, 205), (250, 205)]))], dtype=object)
    lots = fabric({"S": SUBJECT, "E": strip, "B": behind})
    assert across_way(SUBJECT, behind, ways_near(SUBJECT, lots, roads=road))
    assert not across_way(SUBJECT, behind, ways_near(SUBJECT, lots))


def test_frontage_is_the_side_on_the_street_without_the_stubs() -> None:
    front = frontage(SUBJECT, ways_near(SUBJECT, fabric({**LOTS, "W": STREET}, {"W": "ROW"})))
    assert front.length / shapely.length(feet(shapely.LineString([(0, 0), (1, 0)]))) == pytest.approx(200.0)


def test_a_corner_lot_fronts_on_two_sides() -> None:
    lots = {"S": SUBJECT, "B": BACK, "R": RIGHT, "O": OPPOSITE, "K": box(-400, -250, -40, 400)}
    front = frontage(SUBJECT, ways_near(SUBJECT, fabric({**lots, "B": box(0, 200, 400, 400)})))
    assert shapely.length(front) == pytest.approx(400 * 1200 / 3937, rel=1e-3)


def test_a_landlocked_lot_has_no_frontage() -> None:
    lots = {"S": SUBJECT, "L": LEFT, "R": RIGHT, "B": BACK, "O": box(-200, -200, 400, 0)}
    assert frontage(SUBJECT, ways_near(SUBJECT, fabric(lots), reach_ft=300.0)).is_empty


def test_parcels_that_touch_are_not_across_a_way() -> None:
    corner = box(200, 200, 300, 300)
    assert not across_way(SUBJECT, corner, ways_near(SUBJECT, fabric({"S": SUBJECT, "C": corner})))

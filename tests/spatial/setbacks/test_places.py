"""In which yard a stem stands: the centre decides, a straddling trunk is flagged, and the unknown stays unknown."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from fabrics import feet
from spatial_lots import LOTS

from spatial.setbacks import lay_out
from spatial.setbacks.lot_model import Depths
from spatial.setbacks.places import places
from spatial.trees.model import Place, Tree

DEPTHS = Depths(front_ft=40.0, side_ft=20.0, rear_ft=30.0)
ROAD = np.array([feet(shapely.LineString([(-300, -25), (400, -25)]))], dtype=object)


def stand(x: float, y: float, *, name: str = "square", depths: Depths = DEPTHS, dbh: float = 12.0, **more) -> Place:
    lot = LOTS[name]
    setbacks = lay_out(lot.area, lot.lines(), depths, **more)
    return places([Tree("1", feet(shapely.Point(x, y)), (dbh,), "keep")], setbacks)[0]


@pytest.mark.parametrize(
    ("x", "y", "yards"),
    [
        (50, 10, ("front",)),
        (10, 80, ("side",)),
        (50, 140, ("rear",)),
        (50, 80, ()),
        (5, 5, ("front", "side")),
        (95, 145, ("rear", "side")),
        (50, 39.0, ("front",)),
        (50, 41.0, ()),
    ],
)
def test_a_stem_stands_in_every_yard_it_is_near_enough_to(x, y, yards):
    place = stand(x, y)
    assert (place.yards, place.inside, place.straddles) == (yards, bool(yards), False)


@pytest.mark.parametrize(
    ("y", "inside", "straddles"),
    [(39.4, True, False), (39.6, True, True), (40.0, True, True), (40.4, True, True), (40.6, False, False)],
)
def test_a_trunk_across_the_line_of_a_yard_counts_as_inside_and_is_flagged(y, inside, straddles):
    place = stand(50, y, dbh=12.0)
    assert (place.inside, place.straddles) == (inside, straddles)


def test_a_trunk_across_the_lot_line_stands_on_both_lots():
    place = stand(50, -0.3)
    assert (place.inside, place.on_lot, place.straddles) == (True, False, True)
    inside = stand(50, 0.3)
    assert (inside.inside, inside.on_lot, inside.straddles) == (True, True, True)


def test_a_tree_off_the_lot_is_said_to_be():
    place = stand(50, -10)
    assert (place.inside, place.on_lot, place.yards) == (False, False, ())
    assert "10.0 ft off the lot" in place.why and place.margin_ft == pytest.approx(10.0)


def test_margins_are_to_the_nearest_line_that_decides():
    assert stand(50, 45).margin_ft == pytest.approx(5.0)
    assert stand(50, 3).margin_ft == pytest.approx(3.0)


def test_near_a_line_of_unknown_class_the_least_yard_is_sure_and_the_deepest_perhaps():
    assert stand(15, 100, name="corner").inside is True
    assert stand(15, 100, name="corner").yards == ("unknown",)
    doubtful = stand(25, 100, name="corner")
    assert doubtful.inside is None and "20 or up to 30 ft" in doubtful.why
    assert stand(35, 100, name="corner").inside is False


def test_without_depths_nothing_is_outside():
    place = stand(50, 80, depths=Depths(None, None, None))
    assert place.inside is None and "not known" in place.why
    partly = Depths(40.0, None, None)
    assert stand(50, 10, depths=partly).inside is True
    assert stand(50, 80, depths=partly).inside is None


def test_the_street_s_centreline_counts_too():
    twice = Depths(40.0, 20.0, 30.0, centerline_ft=80.0)
    assert stand(50, 50, depths=twice, roads=ROAD).yards == ("front",)
    assert stand(50, 60, depths=twice, roads=ROAD).inside is False
    unseen = stand(50, 50, depths=twice)
    assert unseen.inside is None
    assert stand(50, 85, depths=twice).inside is False


def test_no_trees_stand_nowhere():
    lot = LOTS["square"]
    assert places([], lay_out(lot.area, lot.lines(), DEPTHS)) == ()

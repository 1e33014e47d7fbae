from __future__ import annotations

import numpy as np
import pytest
import shapely
from fabrics import box, fabric, parcel_frame

from spatial.errors import ParameterRefused
from spatial.fabric import weave

LOTS = {"A": box(0, 0, 100, 100), "B": box(150, 0, 250, 100), "C": box(0, 300, 100, 400)}


def test_an_empty_fabric_is_near_nothing() -> None:
    none = weave([])
    assert len(none) == 0
    assert len(none.near(box(0, 0, 1, 1), 1e6).rows) == 0
    assert none.coverage.is_empty


def test_near_gives_exact_distances_in_the_order_of_rows() -> None:
    near = fabric(LOTS).near(LOTS["A"], 200)
    assert near.rows.tolist() == [0, 1, 2]
    assert near.distance_ft.tolist() == pytest.approx([0.0, 50.0, 200.0])
    assert fabric(LOTS).near(LOTS["A"], 199.99).rows.tolist() == [0, 1]


def test_pieces_count_as_the_parcel_they_were_cut_from() -> None:
    frame = parcel_frame(LOTS)
    halves = [box(0, 0, 50, 100), box(50, 0, 100, 100), LOTS["B"], LOTS["C"]]
    cut = type(frame.pieces)(np.array(halves, dtype=object), np.array([0, 0, 1, 2]))
    lots = weave([type(frame)(**{f: getattr(frame, f) for f in frame.__slots__} | {"pieces": cut})])
    near = lots.near(box(110, 0, 120, 100), 40)
    assert near.rows.tolist() == [0, 1]
    assert near.distance_ft.tolist() == pytest.approx([10.0, 30.0])
    assert lots.pieces[near.pieces[0]].equals(halves[1])


def test_two_towns_with_one_loc_id_keep_both_rows_and_their_coverage() -> None:
    here = parcel_frame({"A": LOTS["A"]}, coverage=box(-500, -500, 500, 500))
    there = parcel_frame({"A": LOTS["B"]}, town_id=175, coverage=box(500, -500, 900, 500))
    both = weave([here, there])
    assert both.rows_of(["A"]).tolist() == [0, 1]
    assert shapely.area(both.coverage) == pytest.approx(box(-500, -500, 900, 500).area)
    assert both.town_id.tolist() == [78, 175]


def test_a_column_that_is_not_there_is_unknown_and_an_unknown_parcel_is_named() -> None:
    frame = parcel_frame(LOTS)
    bare = type(frame)(**{f: getattr(frame, f) for f in frame.__slots__} | {"attributes": {}})
    lots = weave([bare])
    assert lots.poly_type.tolist() == [None, None, None]
    assert not lots.is_way(np.arange(3)).any()
    with pytest.raises(ParameterRefused, match="F_9_9") as refusal:
        lots.rows_of(["A", "F_9_9"])
    assert refusal.value.code == "parcel_unknown"

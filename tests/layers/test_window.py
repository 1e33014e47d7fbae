"""Features of an edition in a box, told by their shapes and not by their boxes."""

from __future__ import annotations

import numpy as np
from shapely import LineString, box

from layers.window import rows_in
from spatial.model import EditionRef, LayerFrame, Pieces

SHAPES = np.array([box(0, 0, 10, 10), LineString([(0, 100), (100, 0)]), box(50, 50, 60, 60)], dtype=object)


def _frame() -> LayerFrame:
    pieces = Pieces(SHAPES, np.arange(3))
    return LayerFrame(
        ref=EditionRef("roads", "state", "e", "Roads", "0" * 64, 1.0, complete=True),
        kind="line",
        ids=np.array(["a", "b", "c"], dtype=object),
        labels=np.array(["a", "b", "c"], dtype=object),
        accuracy_ft=np.ones(3),
        attributes={},
        geometry=SHAPES,
        pieces=pieces,
        edges=pieces,
        coverage=box(0, 0, 100, 100),
    )


def test_no_box_gives_every_row() -> None:
    assert rows_in(_frame(), None).tolist() == [0, 1, 2]


def test_a_line_whose_box_alone_meets_the_box_is_left_out() -> None:
    assert rows_in(_frame(), (0, 0, 20, 20)).tolist() == [0]


def test_rows_come_in_the_order_of_the_edition_and_a_touch_counts() -> None:
    assert rows_in(_frame(), (10, 10, 60, 60)).tolist() == [0, 1, 2]


def test_nothing_there_gives_nothing() -> None:
    assert rows_in(_frame(), (500, 500, 600, 600)).tolist() == []

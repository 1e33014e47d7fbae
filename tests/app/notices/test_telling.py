"""Rows of one distance stand in the order of their LOC_IDs, in a draft, in a review, and after a row came back."""

from __future__ import annotations

from abutter_lists import many, row, told

from app.notices.life import reviewed
from app.notices.telling import in_list_order
from app.schemas.abutter_requests import Drop, ReviewRequest

FAR = "opposite_beyond_the_distance"


def test_parcels_told_at_one_distance_stand_by_loc_id_whatever_lies_below_the_rounding() -> None:
    rows = [row("F_2", distance_ft=60.0), row("F_3", distance_ft=59.99), row("F_1", distance_ft=60.0)]
    finer = [rows[0].model_copy(update={"distance_ft": 59.9999}), rows[1], rows[2]]
    assert [a.loc_id for a in in_list_order(finer)] == ["F_3", "F_1", "F_2"]


def test_a_row_dropped_and_restored_comes_back_to_its_own_number() -> None:
    one, two, three = (a.model_copy(update={"distance_ft": 60.0, "flags": (FAR,)}) for a in many(3))
    body = told((one, two, three))
    without = reviewed(body, ReviewRequest(drop=(Drop(loc_id="1", reason="the board"),)), by="k", at="t")
    assert [a.loc_id for a in without.abutters] == ["2", "3"]
    again = reviewed(without, ReviewRequest(), added=(one,), by="k", at="t")
    assert [a.loc_id for a in again.abutters] == ["1", "2", "3"]
    assert [n.lines for n in again.notices] == [n.lines for n in body.notices]

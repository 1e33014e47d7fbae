"""The lots under the work, found by themselves or named."""

from __future__ import annotations

import pytest
from questions import LOTS, parcels, question, stack
from shapes import box, frame, polygon, submission

from spatial.errors import ParameterRefused
from spatial.index import LayerStack
from spatial.screen import lots_under, measure


def test_the_parcels_under_the_work_are_found_largest_share_first() -> None:
    work = submission(box(150, 50, 300, 100))
    assert [p.loc_id for p in lots_under(work, stack(parcels()))] == ["B", "A"]
    case, _ = measure(question(work), stack(parcels()))
    assert [(lot.loc_id, round(lot.disturbed_sqft), round(lot.area_sqft)) for lot in case.lots] == [
        ("B", 5_000, 40_000),
        ("A", 2_500, 40_000),
    ]
    assert case.lots[0].disturbed_percent == pytest.approx(12.5)
    assert case.disturbance.outside_parcels_sqft == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("reach", "counted"), [(0.5, ["A"]), (4.9, ["A"]), (5.1, ["A", "B"]), (30, ["A", "B"])])
def test_a_neighbour_entered_by_less_than_its_accuracy_is_named_but_not_counted(
    reach: float, counted: list[str]
) -> None:
    case, _ = measure(question(submission(box(50, 50, 200 + reach, 100))), stack(parcels()))
    assert [lot.loc_id for lot in case.lots] == counted
    said = [w for w in case.warnings if w.code == "parcel_grazed"]
    assert bool(said) == (counted == ["A"])
    if said:
        assert "Parcel B" in said[0].message
        assert case.disturbance.outside_parcels_sqft == pytest.approx(reach * 50, abs=0.01)


def test_work_that_touches_a_lot_line_enters_no_neighbour() -> None:
    case, _ = measure(question(submission(box(0, 0, 200, 200))), stack(parcels()))
    assert [lot.loc_id for lot in case.lots] == ["A"]
    assert [w.code for w in case.warnings] == []


def test_small_work_near_a_line_still_lies_on_its_lot() -> None:
    case, _ = measure(question(submission(box(197, 50, 199, 52))), stack(parcels()))
    assert [lot.loc_id for lot in case.lots] == ["A"]


def test_lots_that_lie_over_each_other_are_said_since_ground_counts_on_each() -> None:
    """The two lots share a strip of 20 ft; 50 ft of it are under the work."""
    over = frame("parcels", [box(0, 0, 200, 200), box(180, 0, 400, 200)], ids=["A", "B"])
    case, _ = measure(question(submission(box(150, 50, 300, 100))), stack(over))
    assert [w.message for w in case.warnings if w.code == "parcels_overlap"] == [
        "Parcels B and A lie over each other: 1,000.0 sq ft of the work count on each, and so does what the lots "
        "share with layers."
    ]


def test_a_lot_in_two_editions_is_said_to_count_twice() -> None:
    again = parcels(part="again")
    case, _ = measure(question(submission(box(150, 50, 180, 100))), stack(parcels(), again))
    assert [lot.loc_id for lot in case.lots] == ["A", "A"]
    (said,) = [w.message for w in case.warnings if w.code == "parcels_overlap"]
    assert said.startswith("Parcel A is held twice: 1,500.0 sq ft of the work count on each")


def test_work_outside_the_parcels_is_said() -> None:
    case, _ = measure(question(submission(box(-100, 0, 100, 100))), stack(parcels()))
    assert case.disturbance.outside_parcels_sqft == pytest.approx(10_000, abs=0.01)
    assert "work_outside_parcels" in {w.code for w in case.warnings}


def test_named_parcels_are_the_lots_and_others_entered_are_said() -> None:
    case, _ = measure(question(submission(box(150, 50, 300, 100)), ("A",)), stack(parcels()))
    assert [lot.loc_id for lot in case.lots] == ["A"]
    assert case.disturbance.outside_parcels_sqft == pytest.approx(5_000, abs=0.01)
    assert {"parcel_not_named", "work_outside_parcels"} <= {w.code for w in case.warnings}


def test_a_named_parcel_without_work_is_said() -> None:
    case, _ = measure(question(submission(box(10, 10, 20, 20)), ("A", "B")), stack(parcels()))
    assert [(lot.loc_id, round(lot.disturbed_sqft)) for lot in case.lots] == [("A", 100), ("B", 0)]
    assert "parcel_without_work" in {w.code for w in case.warnings}


def test_a_parcel_nobody_holds_is_refused() -> None:
    with pytest.raises(ParameterRefused, match="'C'") as refused:
        measure(question(submission(box(10, 10, 20, 20)), ("C",)), stack(parcels()))
    assert refused.value.code == "parcel_unknown"


def test_a_way_is_no_lot_for_shares_but_is_listed() -> None:
    work = submission(box(0, 150, 100, 240))
    case, _ = measure(question(work), stack(parcels(), frame("wetlands", [box(-900, 150, 900, 900)])))
    assert {lot.loc_id: lot.poly_type for lot in case.lots} == {"A": "FEE", "WAY": "ROW"}
    (found,) = case.findings
    assert [share.loc_id for share in found.by_parcel] == ["A"]
    assert found.parcel_sqft == pytest.approx(10_000, abs=0.01)
    assert "work_in_way" in {w.code for w in case.warnings}


def test_a_long_way_is_met_piece_by_piece() -> None:
    """A right of way of many vertices, cut small: the work on it is the work on its pieces together."""
    edge = [(x, 200 + 3 * (x % 2)) for x in range(-3_000, 3_000)]
    way = polygon([*edge, (3_000, 250), (-3_000, 250)])
    held = stack(parcels({"A": LOTS["A"], "WAY": way}, towns=(78, 78)))
    case, _ = measure(question(submission(box(-500, 210, 900, 240))), held)
    assert [(lot.loc_id, round(lot.disturbed_sqft)) for lot in case.lots] == [("WAY", 42_000)]
    assert case.disturbance.outside_parcels_sqft == 0.0


def test_a_parcel_edition_without_columns_is_still_parcels() -> None:
    bare = frame("parcels", [LOTS["A"]], ids=["A"])
    case, towns = measure(question(submission(box(0, 0, 50, 50))), stack(bare))
    (lot,) = case.lots
    assert (lot.town_id, lot.poly_type, lot.lot_size_sqft, lot.site_address) == (None, "FEE", None, None)
    assert towns == ()


def test_no_parcel_layer_is_unknown_not_none() -> None:
    empty = LayerStack.build((), (), {"parcels": "the import failed"})
    case, _ = measure(question(submission(box(10, 10, 20, 20))), empty)
    assert case.lots == ()
    assert next(w for w in case.warnings if w.code == "parcels_unknown").message.endswith("the import failed.")

"""Where a LOC_ID says its parcel lies, and who lies there now."""

from __future__ import annotations

import pytest
from fabrics import box, fabric, feet, parcel_frame
from shapely import Point

from spatial.abutters.beside import towns_beside
from spatial.abutters.strays import near_places
from spatial.errors import ParameterRefused
from spatial.fabric import weave
from spatial.fabric.beyond import TownOutline
from spatial.fabric.land import land_of
from spatial.fabric.loc_ids import place_of
from spatial.units import FOOT_M


def named(x_ft: float, y_ft: float, unit: str = "F") -> str:
    point, unit_m = feet(Point(x_ft, y_ft)), FOOT_M if unit == "F" else 1.0
    return f"{unit}_{point.x / unit_m:.0f}_{point.y / unit_m:.0f}"


@pytest.mark.parametrize(
    ("loc_id", "place_m"),
    [
        ("M_237122_921037", (237_122.0, 921_037.0)),
        ("F_777957_3021769", (237_121.76, 921_037.03)),
        (" f_777957_3021769 ", (237_121.76, 921_037.03)),
    ],
)
def test_the_point_a_loc_id_is_named_after(loc_id: str, place_m: tuple[float, float]) -> None:
    """The centre of Lynnfield in metres and in survey feet."""
    found = place_of(loc_id)
    assert found is not None
    assert (found.x, found.y) == pytest.approx(place_m, abs=0.5)


@pytest.mark.parametrize(
    "loc_id", ["", "S", "12-34", "F_1_2", "M_237122", "F_777957_3021769_1", "X_777957_3021769"]
)
def test_an_id_of_another_making_tells_no_place(loc_id: str) -> None:
    assert place_of(loc_id) is None


def test_the_loc_id_of_another_edition_is_refused_with_the_parcel_that_lies_there_now() -> None:
    lots = fabric({"S": box(0, 0, 200, 200), "T": box(200, 0, 400, 200)})
    with pytest.raises(ParameterRefused) as refusal:
        land_of(lots, ["S", named(300, 100)])
    assert (refusal.value.code, refusal.value.suggestions) == ("parcel_unknown", ("T",))
    assert lots.named_after(named(300, 100, "M")) == ("T",)
    assert lots.named_after(named(900, 900)) == ()
    assert weave([parcel_frame({})]).named_after(named(300, 100)) == ()


def test_ids_without_a_parcel_that_point_near_some_land() -> None:
    land = land_of(fabric({"S": box(0, 0, 200, 200)}), ["S"])
    near, far = named(295, 100), named(305, 100)
    assert near_places(land, [near, far, "12-34"], 100.0) == {near}
    assert near_places(land, [], 100.0) == frozenset()


def test_towns_that_abut_touch_or_nearly_do() -> None:
    """Two outlines of 13.9 ft each may lie 27.8 ft apart."""
    ours = TownOutline(1, "Ours", box(0, 0, 5000, 5000))
    others = [
        TownOutline(2, "Side", box(5000, 0, 9000, 5000)),
        TownOutline(3, "Corner", box(5000, 5000, 9000, 9000)),
        TownOutline(4, "Gap", box(-4000, 0, -27.0, 5000)),
        TownOutline(5, "Apart", box(0, -4000, 5000, -29.0)),
    ]
    assert [t.name for t in towns_beside([1], [ours, *others])] == ["Side", "Corner", "Gap"]
    assert [t.name for t in towns_beside([1, 2], [ours, *others])] == ["Corner", "Gap"]
    assert towns_beside([99], [ours, *others]) == ()

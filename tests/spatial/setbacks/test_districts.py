"""Districts under a lot, and ground beside resources that may not be disturbed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from fabrics import box, feet, parcel_frame

from spatial.setbacks.districts import districts_under
from spatial.setbacks.no_disturb import Width, no_disturb
from spatial.units import sqft_from_sqm

LOT = box(0, 0, 100, 150)


def zoning(shapes: dict[str, shapely.Geometry], names: list[str | None] | None = None):
    frame = parcel_frame(shapes)
    columns = {"code": np.array(list(shapes), dtype=object)}
    if names:
        columns["name"] = np.array(names, dtype=object)
    return replace(frame, attributes=columns)


def test_one_district():
    (share,) = districts_under(LOT, [zoning({"R-1": box(-500, -500, 500, 500)}, ["Residence"])])
    assert (share.code, share.name, share.percent) == ("R-1", "Residence", pytest.approx(100.0))


def test_a_line_through_the_lot_shows_both_and_a_sliver_is_drawing():
    frame = zoning({"B": box(-500, -500, 40, 500), "R": box(40, -500, 500, 500)}, [None, "Residence"])
    assert [(s.code, round(s.percent)) for s in districts_under(LOT, [frame])] == [("R", 60), ("B", 40)]
    sliver = zoning({"B": box(-500, -500, 0.4, 500), "R": box(0.4, -500, 500, 500)})
    assert [s.code for s in districts_under(LOT, [sliver])] == ["R"]


def test_parts_of_one_district_add_up():
    frames = [zoning({"R": box(-500, -500, 50, 500)}), zoning({"R": box(50, -500, 500, 500)})]
    (share,) = districts_under(LOT, frames)
    assert share.percent == pytest.approx(100.0)


def test_no_map_no_column_and_no_lot_give_no_district():
    frame = zoning({"R": box(-500, -500, 500, 500)})
    assert districts_under(LOT, []) == ()
    assert districts_under(LOT, [replace(frame, attributes={})]) == ()
    assert districts_under(shapely.Polygon(), [frame]) == ()
    assert districts_under(LOT, [zoning({"R": box(900, 900, 950, 950)})]) == ()


def test_ground_beside_a_wetland():
    wetland = Width("25 ft", 25.0, "Regs", [zoning({"w": box(-500, 120, 500, 300)})])
    pool = Width("100 ft", 100.0, "Regs", [zoning({"p": feet(shapely.Point(0, -60))})])
    far = Width("far", 10.0, "Regs", [zoning({"f": box(500, 500, 600, 600)})])
    zones = {z.name: z for z in no_disturb(LOT, [wetland, pool, far])}
    assert list(zones) == ["25 ft", "100 ft"]
    assert sqft_from_sqm(zones["25 ft"].area.area) == pytest.approx(100 * 55)
    quarter = 0.5 * (100**2 * np.arccos(0.6) - 60 * 80)
    assert sqft_from_sqm(zones["100 ft"].area.area) == pytest.approx(quarter, rel=1e-3)
    assert no_disturb(LOT, [Width("none", 25.0, "Regs", [])]) == ()

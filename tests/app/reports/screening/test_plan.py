"""The map on paper: what is drawn where, on shapes placed by hand (EPSG:26986, feet turned to metres)."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
import shapely

from app.reports.drawing import Shape, What
from app.reports.screening.plan import HEIGHT, WIDTH, legend, plan_svg
from spatial.units import FOOT_M

EAST, NORTH = 200_000.0, 900_000.0


def square(what: What, ident: str, west: float, south: float, side: float) -> Shape:
    """Return a square given in feet from a corner far inside Massachusetts."""
    box = shapely.box(west, south, west + side, south + side)
    return Shape(what, ident, shapely.transform(box, lambda xy: xy * FOOT_M + (EAST, NORTH)), {})


LOT = square("parcel", "F_1_1", 0, 0, 200)
WORK = square("disturbance", "1", 50, 50, 100)
MARSH = square("hit", "wetlands/a", -100, 150, 80)
BASIN = square("hit", "huc12/b", -9000, -9000, 20_000)


def drawing(shapes: list[Shape], numbers: dict[str, int] | None = None) -> tuple[ElementTree.Element, float]:
    text, feet = plan_svg(shapes, numbers or {})
    return ElementTree.fromstring(text), feet


def styled(root: Any, colour: str) -> list[Any]:
    return [node for node in root.iter() if colour in node.attrib.get("style", "")]


def extent(node: Any) -> tuple[float, float, float, float]:
    places = [tuple(map(float, pair.split(","))) for pair in re.findall(r"[\d.]+,[\d.]+", node.attrib["d"])]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs), min(ys), max(xs), max(ys)


def test_work_and_lot_keep_their_shape_and_north_is_up() -> None:
    root, _ = drawing([LOT, WORK, MARSH])
    work, lot = extent(styled(root, "#a3251b")[0]), extent(styled(root, "#222222")[0])
    assert (lot[2] - lot[0]) / (work[2] - work[0]) == pytest.approx(2.0, rel=1e-2)
    marsh = extent(styled(root, "#2f8f6b")[0])
    assert marsh[2] < work[0]
    assert marsh[3] <= work[1]


def test_the_scale_bar_is_as_long_as_it_says() -> None:
    root, feet_wide = drawing([LOT, WORK])
    bar = next(node for node in root.iter() if node.attrib.get("stroke") == "#111")
    length = float(re.findall(r"h ([\d.]+)", bar.attrib["d"])[0])
    said = next(float(node.text.split()[0]) for node in root.iter() if (node.text or "").endswith(" ft"))
    assert length / WIDTH * feet_wide == pytest.approx(said, rel=1e-3)
    assert length <= WIDTH / 4.0


def test_features_bear_the_numbers_of_the_table_and_watersheds_are_not_drawn() -> None:
    root, _ = drawing([LOT, WORK, MARSH, BASIN], {"wetlands/a": 7, "huc12/b": 8})
    texts = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert "7" in texts
    assert "8" not in texts


def test_what_reaches_far_is_cut_at_the_edge_and_far_lots_do_not_shrink_the_work() -> None:
    wide = square("parcel", "F_2_2", -5000, -5000, 10_000)
    root, feet_wide = drawing([wide, WORK])
    assert feet_wide < 2700
    for node in root.iter():
        if node.attrib.get("d"):
            west, north, east, south = extent(node)
            assert -1 <= west <= east <= WIDTH + 1
            assert -1 <= north <= south <= HEIGHT + 1


def test_lines_and_points_are_drawn_and_a_number_larger_than_its_shape_is_left_out() -> None:
    stream = Shape("hit", "streams/s", shapely.LineString([(EAST - 20, NORTH), (EAST + 90, NORTH + 30)]), {})
    pool = Shape("hit", "certified_vernal_pools/p", shapely.Point(EAST + 10, NORTH + 60), {})
    speck = square("hit", "wetlands/z", 10, 10, 1)
    numbers = {"streams/s": 1, "certified_vernal_pools/p": 2, "wetlands/z": 3}
    root, _ = drawing([LOT, WORK, stream, pool, speck], numbers)
    assert "fill:none" in styled(root, "#1f5fa8")[0].attrib["style"]
    assert styled(root, "#0b7285")[0].tag.endswith("circle")
    texts = {node.text for node in root.iter() if node.tag.endswith("text")}
    assert {"1", "2"} <= texts
    assert "3" not in texts


def test_the_legend_names_what_is_drawn_and_nothing_else() -> None:
    keys = legend([LOT, WORK, MARSH, BASIN], {"wetlands": "MassDEP wetlands"})
    assert [(key.text, key.outline) for key in keys] == [
        ("the work", False),
        ("lots under the work", True),
        ("MassDEP wetlands", False),
    ]

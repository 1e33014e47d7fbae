"""Following watersheds downstream: every listed water on the way is met, and where the way breaks off is said."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from spatial.case import WatershedShare
from spatial.index import LayerStack
from spatial.index.subdivide import prepare
from spatial.measure.downstream import downstream_end, downstream_waters
from spatial.model import EditionRef, LayerFrame, Theme

WINDOW = shapely.box(0, 0, 1000, 1000)
BASINS = {"01": "02", "02": "03", "03": "OCEAN", "09": "02"}
THEMES = [
    Theme("huc12", "HUC12", "huc12", 0.0, share=True),
    Theme("impaired_waters", "Impaired", "impaired_waters", 200.0),
]


def column(values):
    held = np.empty(len(values), dtype=object)
    held[:] = values
    return held


def frame(layer, kind, shapes, **attributes):
    geometry, names = column(shapes), column([str(n) for n in range(len(shapes))])
    made = prepare(geometry, kind)
    ref = EditionRef(layer, "state", "2026", layer, "0" * 64, 40.0, True)
    columns = {k: column(v) for k, v in attributes.items()}
    return LayerFrame(
        ref, kind, names, names, np.zeros(len(shapes)), columns, geometry, made.pieces, made.edges, WINDOW
    )


def basins(to=BASINS):
    boxes = [shapely.box(100 * n, 0, 100 * n + 100, 100) for n in range(len(to))]
    return frame("huc12", "polygon", boxes, code=list(to), name=list(to), to_code=list(to.values()))


def waters(*spans):
    lines = [shapely.LineString([(west, 50), (east, 50)]) for west, east in spans]
    plain = {"name": "Brook", "category": "5", "causes": "PHOSPHORUS", "tmdl": None}
    columns = {name: [value] * len(lines) for name, value in plain.items()}
    return frame("impaired_waters", "line", lines, unit_id=[f"MA-{n}" for n in range(len(lines))], **columns)


def below(codes, *frames):
    stack = LayerStack.build(frames, THEMES, {})
    at = [WatershedShare("huc12", code, code, 100.0 / len(codes)) for code in codes]
    found = downstream_waters(at, stack)
    met = None if found is None else [(w.unit_id, w.huc12, w.steps) for w in found]
    return met, downstream_end(at, stack)


def test_every_water_on_the_way_is_met_nearest_first():
    met, end = below(["01"], basins(), waters((210, 290), (10, 90), (310, 390)))
    assert met == [("MA-1", "01", 0), ("MA-0", "03", 2)]
    assert end is None


def test_a_water_across_a_divide_is_met_at_the_nearer():
    assert below(["01"], basins(), waters((50, 150)))[0] == [("MA-0", "01", 0)]


def test_a_site_in_two_watersheds_follows_both():
    met, _ = below(["01", "09"], basins(), waters((310, 390), (10, 90)))
    assert sorted(unit for unit, _, _ in met) == ["MA-0", "MA-1"]


def test_a_way_that_leaves_the_loaded_watersheds_is_said():
    met, end = below(["01"], basins({"01": "02"}), waters((10, 90)))
    assert met == [("MA-0", "01", 0)]
    assert end == "the watershed 02 and what it drains to is not loaded"


@pytest.mark.parametrize("to", [{"01": None}, {"02": "OCEAN"}])
def test_a_start_whose_way_is_not_recorded_cannot_be_followed(to):
    assert below(["01"], basins(to), waters((10, 90))) == (None, None)


def test_a_loop_in_the_data_ends():
    assert below(["01"], basins({"01": "02", "02": "01"}), waters((110, 190)))[0] == [("MA-0", "02", 1)]


def test_nothing_to_follow_is_not_known():
    assert below(["01"], waters((10, 90)))[0] is None
    assert below(["01"], basins())[0] is None


def test_no_water_on_the_way_is_an_honest_none():
    assert below(["01"], basins(), waters((310, 390))) == ([], None)

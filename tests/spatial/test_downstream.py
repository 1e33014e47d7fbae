"""Following watersheds downstream: every listed water on the way is met, and where the way breaks off is said."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from spatial.downstream import Drainage
from spatial.model import EditionRef, LayerFrame, Pieces

REF = EditionRef("x", "state", "2026", "X", "0" * 64, 40.0, True)
EVERYWHERE = shapely.box(0, 0, 1000, 1000)


def column(values):
    held = np.empty(len(values), dtype=object)
    held[:] = values
    return held


def frame(kind, shapes, **attributes):
    geometry = column(shapes)
    pieces = Pieces(geometry, np.arange(len(shapes)))
    names = column([str(n) for n in range(len(shapes))])
    return LayerFrame(
        REF, kind, names, names, np.zeros(len(shapes)), {k: column(v) for k, v in attributes.items()}, geometry,
        pieces, pieces, EVERYWHERE,
    )  # fmt: skip


BASINS = {"01": "02", "02": "03", "03": "OCEAN", "09": "02"}


def basins(to=BASINS):
    codes = list(to)
    boxes = [shapely.box(100 * n, 0, 100 * n + 100, 100) for n in range(len(codes))]
    return frame("polygon", boxes, code=codes, to_code=list(to.values()))


def waters(*shapes, **more):
    numbered = range(len(shapes))
    given = {"unit_id": [f"MA-{n}" for n in numbered], "name": [f"Brook {n}" for n in numbered]}
    given |= {"category": ["5"] * len(shapes), "causes": ["PHOSPHORUS"] * len(shapes), "tmdl": [None] * len(shapes)}
    return frame("line", list(shapes), **(given | more))


def line(west, east):
    return shapely.LineString([(west, 50), (east, 50)])


def test_every_water_on_the_way_is_met_nearest_first():
    drainage = Drainage([basins()], [waters(line(210, 290), line(10, 90), line(310, 390))])
    course = drainage.below(["01"])
    assert [(w.unit_id, w.huc12, w.steps) for w in course.waters] == [("MA-1", "01", 0), ("MA-0", "03", 2)]
    assert course.end is None


def test_a_water_across_a_divide_belongs_to_both_and_is_met_at_the_nearer():
    course = Drainage([basins()], [waters(line(50, 150))]).below(["01"])
    assert [(w.unit_id, w.huc12, w.steps) for w in course.waters] == [("MA-0", "01", 0)]


def test_a_site_in_two_watersheds_follows_both():
    course = Drainage([basins()], [waters(line(310, 390), line(10, 90))]).below(["01", "09"])
    assert {w.unit_id for w in course.waters} == {"MA-0", "MA-1"}


@pytest.mark.parametrize(
    ("to", "says"),
    [
        ({"01": "02"}, "the watershed 02 is not loaded"),
        ({"01": None}, "where the watershed 01 drains is not recorded"),
    ],
)
def test_where_the_way_breaks_off_is_said(to, says):
    course = Drainage([basins(to)], [waters(line(10, 90))]).below(["01"])
    assert [w.unit_id for w in course.waters] == ["MA-0"]
    assert course.end == says


def test_a_loop_in_the_data_ends():
    course = Drainage([basins({"01": "02", "02": "01"})], [waters(line(110, 190))]).below(["01"])
    assert [w.steps for w in course.waters] == [1]


def test_nothing_to_follow_is_not_known():
    assert Drainage([], [waters(line(10, 90))]).below(["01"]) is None
    assert Drainage([basins()], []).below(["01"]) is None
    assert Drainage([basins()], [waters(line(10, 90))]).below([]) is None


def test_no_water_on_the_way_is_an_honest_none():
    course = Drainage([basins()], [waters(line(310, 390))]).below(["01"])
    assert (course.waters, course.end) == ((), None)


def test_a_missing_column_is_unknown():
    bare = frame("line", [line(10, 90)], unit_id=["MA-9"])
    water = Drainage([basins()], [bare]).below(["01"]).waters[0]
    assert (water.unit_id, water.name, water.causes) == ("MA-9", "", "")

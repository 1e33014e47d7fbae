"""Holes of no size: needles that a union leaves behind must not empty a later overlay, wherever it is made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from shapely import Polygon
from shapes import CORNER_M, ON, WORK, box, frame, submission, theme

from spatial.dust import all_without_dust, united, without_dust
from spatial.findings import Asking, find
from spatial.index import LayerStack
from spatial.index.rings import rings
from spatial.measure.work import sort_work
from spatial.model import SiteFeature
from spatial.normalise.mending import mend
from spatial.read.limits import ReadLimits
from spatial.screen import lots_under
from spatial.site import Ground, LotGround, Site

X, Y = CORNER_M
NEEDLES = [
    [
        (217087.87741425054, 886034.7143093358),
        (217135.50913173665, 886011.9105014894),
        (217104.18621623598, 886026.9064282366),
    ],
    [
        (217109.23672055878, 886037.053557383),
        (217057.8935363347, 886044.5516901349),
        (217094.97798117204, 886039.135896498),
    ],
    [
        (217090.23928894062, 886023.6781290506),
        (217112.4300847942, 886027.0774099735),
        (217095.1920139864, 886024.4368086345),
    ],
]
"""Triangles of about 1e-10 square metres across the limit of WORK, with which GEOS 3.14 overlays wrongly."""

pytestmark = pytest.mark.parametrize("needle", NEEDLES)
Needle = list[tuple[float, float]]


def pricked(needle: Needle) -> Polygon:
    """Return ground of 600 by 600 metres around WORK with a needle for a hole."""
    return Polygon(shapely.box(X - 300, Y - 300, X + 300, Y + 300).exterior, [needle])


def test_filled_ground_is_overlaid_rightly(needle: Needle) -> None:
    ground = pricked(needle)
    assert shapely.intersection(without_dust(ground), WORK).area == pytest.approx(WORK.area)
    assert without_dust(ground).area == pytest.approx(ground.area)
    assert united([ground, shapely.box(X + 300, Y, X + 310, Y + 10)]).covers(WORK)


def test_real_holes_stay_and_what_has_none_is_the_same_object(needle: Needle) -> None:
    pond = box(-100, -100, -50, -50)
    ground = Polygon(pricked(needle).exterior, [needle, pond.exterior.coords])
    assert len(without_dust(ground).interiors) == 1
    many, count = all_without_dust(np.array([ground, pond, None, shapely.MultiPolygon([ground])], dtype=object))
    assert count == 2
    assert many[1] is pond
    assert many[2] is None
    assert many[3].geom_type in {"MultiPolygon", "Polygon"}
    assert many[3].covers(WORK)


def test_a_layers_needle_hides_nothing_of_the_work(needle: Needle) -> None:
    asked = theme("floodplain")
    stack = LayerStack.build([frame("floodplain", [pricked(needle)])], [asked], {})
    (alone,) = find(Site(Ground(WORK)), stack, Asking(ON))
    (on_lot,) = find(Site(Ground(WORK), (LotGround("A", Ground(WORK), WORK),)), stack, Asking(ON))
    for found in (alone, on_lot):
        assert (found.status, found.relation) == ("affected", "within")
        assert found.disturbance_sqft == pytest.approx(60_000.0, abs=0.1)
    assert on_lot.parcel_sqft == pytest.approx(60_000.0, abs=0.1)


def test_an_edition_cut_before_needles_were_filled_hides_nothing_either(needle: Needle) -> None:
    held = frame("floodplain", [box(-900, -900, 900, 900)])
    old = replace(held, pieces=replace(held.pieces, geometry=np.array([pricked(needle)], dtype=object)))
    stack = LayerStack.build([old], [theme("floodplain")], {})
    (found,) = find(Site(Ground(WORK)), stack, Asking(ON))
    assert (found.status, found.relation) == ("affected", "within")


def test_work_drawn_with_a_needle_is_still_met(needle: Needle) -> None:
    mended = mend(pricked(needle), "1", ReadLimits()).geometry
    assert mended is not None
    stack = LayerStack.build([frame("wetlands", [WORK])], [theme("wetlands")], {})
    (found,) = find(Site(Ground(mended)), stack, Asking(ON))
    assert found.disturbance_sqft == pytest.approx(60_000.0, abs=0.1)


def test_coverage_with_a_needle_still_covers(needle: Needle) -> None:
    east = shapely.box(X + 300, Y - 300, X + 900, Y + 300)
    frames = [
        frame("floodplain", [], coverage=pricked(needle), part="west"),
        frame("floodplain", [], coverage=east, part="east"),
    ]
    stack = LayerStack.build(frames, [theme("floodplain")], {})
    (found,) = find(Site(Ground(WORK)), stack, Asking(ON))
    assert found.status == "not_affected"


def test_lots_with_a_needle_lie_under_the_work(needle: Needle) -> None:
    stack = LayerStack.build([frame("parcels", [pricked(needle)], ids=["A"])], [], {})
    assert [lot.loc_id for lot in lots_under(submission(WORK), stack)] == ["A"]


def test_rings_leave_no_ground_out_for_a_needle(needle: Needle) -> None:
    made = rings(np.array([pricked(needle)], dtype=object), (100.0,), window=WORK)
    assert shapely.area(made.geometry).sum() == pytest.approx(0.0, abs=1e-3)
    wide = shapely.box(X - 340, Y - 20, X + 20, Y + 20)
    edge = rings(np.array([pricked(needle)], dtype=object), (100.0,), window=wide)
    assert shapely.area(edge.geometry).sum() == pytest.approx(30.48006096 * 40.0, rel=1e-6)


def test_classes_of_work_are_united_without_needles(needle: Needle) -> None:
    one = SiteFeature("1", pricked(needle), {}, activity="grading")
    two = SiteFeature("2", shapely.box(X + 300, Y, X + 310, Y + 10), {}, activity="grading")
    three = SiteFeature("3", shapely.box(X + 310, Y, X + 320, Y + 10), {}, activity="clearing")
    graded = sort_work(submission(features=[one, two, three])).by_class["grading"]
    assert shapely.intersection(graded, WORK).area == pytest.approx(WORK.area)

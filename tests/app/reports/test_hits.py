"""The features an answer meets, kept with it: each once, cut at the edge of the map and saying so."""

from __future__ import annotations

import numpy as np
import shapely
from shapely import box

from app.reports.hits import MARGIN_FT, hits
from spatial.case import Case, DisturbanceMeasure, FeatureHit, Finding
from spatial.model import EditionRef, LayerFrame, Pieces
from spatial.units import m_from_ft

WORK = box(0.0, 0.0, 30.0, 30.0)
SMALL = box(10.0, 10.0, 50.0, 50.0)
LONG = box(-5_000.0, 25.0, 5_000.0, 40.0)


def _frame(layer_id: str, **shapes: shapely.Polygon) -> LayerFrame:
    geometry = np.array(list(shapes.values()), dtype=object)
    ids = np.array(list(shapes), dtype=object)
    pieces = Pieces(geometry, np.arange(len(geometry)))
    return LayerFrame(
        ref=EditionRef(layer_id, "state", "e1", layer_id, "0" * 64, 10.0, complete=True),
        kind="polygon",
        ids=ids,
        labels=np.array([f"label of {name}" for name in shapes], dtype=object),
        accuracy_ft=np.full(len(ids), 10.0),
        attributes={},
        geometry=geometry,
        pieces=pieces,
        edges=pieces,
        coverage=box(-1e4, -1e4, 1e4, 1e4),
    )


def _finding(theme: str, layer_id: str, status: str, *ids: str) -> Finding:
    met = tuple(FeatureHit(name, name, {}, 1.0, 0.0, 0.0, 10.0) for name in ids)
    return Finding(theme, theme, layer_id, status, "certain", "", features=met)  # type: ignore[arg-type]


def _case(*findings: Finding) -> Case:
    work = DisturbanceMeasure(1.0, 1.0, 0.0, {}, {}, {})
    return Case(on="2026-01-01", town=None, disturbance=work, lots=(), findings=findings, watersheds=())


FRAMES = {
    "wetlands": (_frame("wetlands", small=SMALL, far=box(900, 900, 950, 950)),),
    "floodplain": (_frame("floodplain", long=LONG), _frame("floodplain")),
}


def test_each_feature_once_though_two_themes_meet_it() -> None:
    case = _case(
        _finding("wetlands", "wetlands", "affected", "small"),
        _finding("buffer_zone", "wetlands", "affected", "small"),
    )
    (shape,) = hits(case, FRAMES.__getitem__, WORK)
    assert (shape.what, shape.id, shape.geometry) == ("hit", "wetlands/small", SMALL)
    assert shape.properties == {"label": "label of small"}


def test_a_long_feature_is_cut_at_the_map_and_says_so() -> None:
    (shape,) = hits(_case(_finding("floodplain", "floodplain", "affected", "long")), FRAMES.__getitem__, WORK)
    assert shape.properties["cut_to_map"] is True
    assert shape.geometry.bounds[0] == -m_from_ft(MARGIN_FT)
    assert shape.geometry.bounds[2] == 30.0 + m_from_ft(MARGIN_FT)


def test_what_is_not_affected_is_not_drawn() -> None:
    case = _case(_finding("wetlands", "wetlands", "none_mapped", "far"))
    assert hits(case, FRAMES.__getitem__, WORK) == ()

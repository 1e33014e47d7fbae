"""The mapped features an answer meets, as shapes kept with it: an edition may be gone when a map is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from app.reports.drawing import Shape
from spatial.case import Case
from spatial.model import Area, LayerFrame
from spatial.units import m_from_ft

Frames = Callable[[str], Sequence[LayerFrame]]
MARGIN_FT = 600.0
"""How much ground around the work a map shows; a larger shape is cut there, and says so."""


def hits(case: Case, frames: Frames, work: Area) -> tuple[Shape, ...]:
    """Return the features of every finding that is affected, once each; empty when none is.

    Parameters
    ----------
    case
        What was measured.
    frames
        Gives the opened editions of a layer by its id: those it was measured on.
    work
        The union of the work, EPSG:26986.
    """
    window = shapely.box(*shapely.buffer(shapely.box(*work.bounds), m_from_ft(MARGIN_FT)).bounds)
    found = {shape.id: shape for shape in _met(case, frames)}
    return tuple(_cut(shape, window) for shape in found.values())


def _met(case: Case, frames: Frames) -> Iterator[Shape]:
    for finding in case.findings:
        if finding.status == "affected":
            ids = sorted({hit.id for hit in finding.features})
            for frame in frames(finding.layer_id):
                yield from _shapes(frame, ids)


def _shapes(frame: LayerFrame, ids: Sequence[str]) -> Iterator[Shape]:
    for row in np.flatnonzero(np.isin(frame.ids.astype(str), ids)):
        name = f"{frame.ref.layer_id}/{frame.ids[row]}"
        yield Shape("hit", name, frame.geometry[row], {"label": str(frame.labels[row])})


def _cut(shape: Shape, window: BaseGeometry) -> Shape:
    if shapely.covers(window, shape.geometry):
        return shape
    cut = shapely.intersection(shape.geometry, window)
    return Shape(shape.what, shape.id, cut, {**shape.properties, "cut_to_map": True})

"""Which ground to fetch: a town with its neighbours' edge, or the state."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely

from layers.spec import Spec
from layers.towns import TownBook
from spatial.errors import ParameterRefused
from spatial.model import LayerFrame, Town
from spatial.units import m_from_ft

MARGIN_FT = 500.0
"""Ground around a town that its own answers need: abutters and habitat reach over the line."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Ground:
    """What is wanted: ``box`` is the town's in EPSG:26986 without margin, None for the whole state.

    ``towns`` are the town and its neighbours within the margin; empty for the state.
    """

    part: str
    towns: tuple[Town, ...] = ()
    box: Box | None = None

    def reaching(self, spec: Spec) -> Box | None:
        """Return the box grown by the margin and by the farthest that any rule on this layer looks."""
        if self.box is None:
            return None
        grow = m_from_ft(MARGIN_FT + max((max(t.within_ft, t.reach_ft) for t in spec.themes), default=0.0))
        west, south, east, north = self.box
        return (west - grow, south - grow, east + grow, north + grow)


WHOLE_STATE = Ground("state")


def ground_of(town: Town, frames: Sequence[LayerFrame], book: TownBook) -> Ground:
    """Return the ground of a town; ``frames`` are the editions of the layer ``towns``.

    Raises
    ------
    ParameterRefused
        The town's polygon is not loaded.
    """
    ids = np.array([int(i) for f in frames for i in f.attributes["town_id"]], dtype=np.int64)
    shapes = np.array([shape for f in frames for shape in f.geometry], dtype=object)
    mine = shapes[ids == town.id]
    if not len(mine):
        raise ParameterRefused(
            f"The layer 'towns' does not hold {town.name}; sync it first (metes layers sync towns --state)."
        )
    near = shapely.distance(shapes, shapely.union_all(mine)) <= m_from_ft(MARGIN_FT)
    neighbours = sorted({int(i) for i in ids[near]} - {town.id})
    west, south, east, north = (float(edge) for edge in shapely.total_bounds(mine))
    known = tuple(book.by_id[i] for i in neighbours if i in book.by_id)
    return Ground(town.slug, (town, *known), (west, south, east, north))


def write_box(box: Box, path: Path) -> Path:
    """Write a box in EPSG:26986 as the coverage of a fetched edition; return the path."""
    feature = {"type": "Feature", "properties": {}, "geometry": shapely.geometry.mapping(shapely.box(*box))}
    system = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::26986"}}
    path.write_text(json.dumps({"type": "FeatureCollection", "crs": system, "features": [feature]}))
    return path

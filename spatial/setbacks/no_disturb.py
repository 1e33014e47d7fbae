"""Measure: ground beside mapped resources that may not be disturbed, near one lot. Pure; the widths are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import MultiPolygon, Polygon

from spatial.model import Area, LayerFrame
from spatial.setbacks import SEGMENTS
from spatial.setbacks.lot_model import NoDisturb
from spatial.units import m_from_ft


@dataclass(frozen=True, slots=True, eq=False)
class Width:
    """A width beside the resources of some layer editions, with its citation."""

    name: str
    width_ft: float
    citation: str
    frames: Sequence[LayerFrame]


def no_disturb(lot: Area, widths: Sequence[Width]) -> tuple[NoDisturb, ...]:
    """Return the zones that reach a lot, one a width, in the order given; a width that reaches nowhere is left out.

    Parameters
    ----------
    lot
        EPSG:26986.
    """
    zones = [(w, _zone(lot, w)) for w in widths]
    return tuple(NoDisturb(w.name, w.width_ft, zone, w.citation) for w, zone in zones if not zone.is_empty)


def _zone(lot: Area, width: Width) -> Area:
    reach_m = m_from_ft(width.width_ft)
    near = [f.pieces.geometry[shapely.dwithin(f.pieces.geometry, lot, reach_m)] for f in width.frames]
    resources = np.concatenate([np.empty(0, dtype=object), *near])
    ground = shapely.union_all(shapely.buffer(resources, reach_m, quad_segs=SEGMENTS))
    parts = [p for p in shapely.get_parts(shapely.intersection(ground, lot)) if isinstance(p, Polygon)]
    return MultiPolygon(parts)

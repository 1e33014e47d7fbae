"""Measure: which zoning districts a lot lies in, and by how much. Pure, no law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from spatial.model import Area, LayerFrame
from spatial.units import PERCENT

SLIVER_PERCENT = 0.5
"""A district with less of the lot than this is a difference of drawing between two maps."""


@dataclass(frozen=True, slots=True)
class DistrictShare:
    """A district and its share of a lot, in percent of the lot's area."""

    code: str
    name: str | None
    percent: float


def districts_under(lot: Area, frames: Sequence[LayerFrame]) -> tuple[DistrictShare, ...]:
    """Return the districts under a lot, the largest share first, slivers left out.

    Parameters
    ----------
    lot
        EPSG:26986.
    frames
        Editions of zoning with the columns ``code`` and ``name``; none give none.
    """
    found: dict[tuple[str, str | None], float] = {}
    for frame in frames:
        codes = frame.attributes.get("code")
        names = frame.attributes.get("name")
        if codes is None or lot.is_empty:
            continue
        for row in np.flatnonzero(shapely.intersects(frame.geometry, lot)):
            key = (str(codes[row]), None if names is None or names[row] is None else str(names[row]))
            share = PERCENT * (shapely.intersection(frame.geometry[row], lot).area / lot.area)
            found[key] = found.get(key, 0.0) + float(share)
    shares = [DistrictShare(code, name, percent) for (code, name), percent in found.items()]
    return tuple(sorted((s for s in shares if s.percent >= SLIVER_PERCENT), key=lambda s: -s.percent))

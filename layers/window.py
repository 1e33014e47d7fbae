"""Which features of an edition lie in a box: for maps and for looking, never for an answer."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree

from spatial.model import LayerFrame

Bounds = tuple[float, float, float, float]


def rows_in(frame: LayerFrame, bounds: Bounds | None) -> NDArray[np.int64]:
    """Return the rows of the features that meet a box, in the edition's order; every row without a box.

    Parameters
    ----------
    bounds
        West, south, east, north in EPSG:26986 metres.
    """
    if bounds is None:
        return np.arange(len(frame), dtype=np.int64)
    found = _tree(frame).query(shapely.box(*bounds), predicate="intersects")
    return np.sort(np.asarray(found, dtype=np.int64))


@lru_cache(maxsize=64)
def _tree(frame: LayerFrame) -> STRtree:
    """Index an opened edition once; a frame is the same object until its edition changes."""
    return STRtree(frame.geometry)

"""The ground floor of rasters: a window of cells, and the edition it was read from. No file is opened here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyproj import CRS

from spatial.model import Area, EditionRef


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A north-up window of a raster.

    ``values`` and ``valid`` have rows from north to south. ``west`` and ``north`` are the outer edges, ``cell_x``
    and ``cell_y`` positive cell sizes, all in units of ``crs``. Cells where ``valid`` is False hold no data.
    """

    values: NDArray[np.float64]
    valid: NDArray[np.bool_]
    west: float
    north: float
    cell_x: float
    cell_y: float
    crs: CRS

    @property
    def east(self) -> float:
        """The outer edge in the east."""
        return self.west + float(self.values.shape[1]) * self.cell_x

    @property
    def south(self) -> float:
        """The outer edge in the south."""
        return self.north - float(self.values.shape[0]) * self.cell_y


@dataclass(frozen=True, slots=True, eq=False)
class GridFrame:
    """One edition of a raster layer as far as it matters to a site.

    ``coverage`` is the ground the whole edition answers for (EPSG:26986). ``grid`` None: the edition lies
    elsewhere, or, with ``trouble``, its cells could not be read. ``classes`` are the cell values that count,
    ``unit_m`` metres in a unit of the values.
    """

    ref: EditionRef
    coverage: Area
    grid: Grid | None
    classes: tuple[int, ...] = ()
    unit_m: float = 1.0
    trouble: str | None = None

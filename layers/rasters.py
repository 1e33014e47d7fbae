"""Raster editions in force: a GeoTIFF on disk and the ground it answers for. Cells are read only near a site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import shapely

from layers.frames import COVERAGE
from layers.geoparquet import read_columns
from layers.manifest import GridNote, Manifest
from spatial.errors import MetesError
from spatial.grid import Grid, GridFrame
from spatial.model import Area, EditionRef
from spatial.units import m_from_ft

GRID = "grid.tif"


@dataclass(frozen=True, slots=True, eq=False)
class RasterEdition:
    """An opened raster edition; ``coverage`` in EPSG:26986."""

    ref: EditionRef
    path: Path
    coverage: Area
    note: GridNote

    def frame(self, site: Area, *, work_accuracy_ft: float = 1.0) -> GridFrame:
        """Return the cells under a site (EPSG:26986) and as far around it as the map may be wrong.

        An edition of another place gives no cells. One that cannot be read gives the reason: nobody is refused an
        answer for it.
        """
        reach_m = m_from_ft(self.ref.accuracy_ft + work_accuracy_ft)
        around = shapely.box(*site.bounds).buffer(reach_m, join_style="mitre")
        if not self.coverage.intersects(around):
            return self._told(None)
        try:
            return self._told(_cells(self.path, around))
        except MetesError as error:
            return self._told(None, error.detail)
        except Exception as error:
            return self._told(None, f"the edition is damaged ({type(error).__name__}); add it again or roll back")

    def _told(self, grid: Grid | None, trouble: str | None = None) -> GridFrame:
        return GridFrame(self.ref, self.coverage, grid, self.note.classes, self.note.unit_m, trouble)


def open_raster(folder: Path, manifest: Manifest) -> RasterEdition:
    """Return a raster edition; raises ``OSError`` or ``ValueError`` when a file is missing or damaged."""
    geometry = read_columns(folder / COVERAGE).geometry
    if geometry is None or manifest.grid is None:
        raise ValueError("the edition holds no coverage or no account of its cells")
    if not (folder / GRID).is_file():
        raise FileNotFoundError(GRID)
    return RasterEdition(manifest.ref(), folder / GRID, geometry[0], manifest.grid)


def _cells(path: Path, around: Area) -> Grid:
    from spatial.read.raster import window  # noqa: PLC0415 (rasterio is loaded only where a raster is)

    return window(path, around)

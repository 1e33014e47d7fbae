"""What an edition says of itself: where it came from, what was kept, what was mended, what it answers for."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from spatial.model import EditionRef, Kind

MANIFEST = "manifest.json"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Strict):
    """The file as it came. ``sha256`` is of its bytes; of several files, of their names and bytes in order."""

    name: str
    sha256: str
    size_bytes: int
    driver: str
    layer: str
    url: str | None = None


class Dropped(_Strict):
    """Features that were not kept, and why."""

    reason: str
    count: int = Field(gt=0)


class Repaired(_Strict):
    """Features whose shape was mended. Changes are planar square feet after minus before, signed and summed."""

    reason: str
    count: int = Field(gt=0)
    area_change_sqft: float
    largest_change_sqft: float


class Column(_Strict):
    """One of our columns: the agency column it was read from (None: not in the file), and what stayed unknown."""

    name: str
    read_from: str | None
    empty: int = 0
    unlisted: dict[str, int] = {}


class CoverageNote(_Strict):
    """What ground the edition answers for and how that was decided; ``bounds`` in EPSG:26986 metres."""

    how: str
    area_sqft: float
    bounds: tuple[float, float, float, float]


class AssessCount(_Strict):
    """The assessors' rows and how they met the polygons."""

    rows: int
    matched: int
    unmatched: int
    without_loc_id: int
    parcels_without_row: int
    repeated_prop_ids: int
    lot_sizes_used: int
    lot_sizes_refused: int


class DataFile(_Strict):
    """One file of the edition."""

    name: str
    sha256: str
    size_bytes: int
    rows: int


class GridNote(_Strict):
    """The cells of a raster. ``cell_x`` and ``cell_y`` in units of the file's system, values as held.

    ``classes`` are the values that count, ``values`` how many cells hold each (grids of classes only); ``unit`` of
    heights, ``unit_m`` metres in it.
    """

    width: int
    height: int
    cell_x: float
    cell_y: float
    cell_ft: float
    dtype: str
    nodata: float | None = None
    least: float
    most: float
    values: dict[str, int] = {}
    classes: tuple[int, ...] = ()
    unit: str | None = None
    unit_m: float = 1.0


class Remark(_Strict):
    """Something the keeper of the library should know."""

    code: str
    message: str


class Manifest(_Strict):
    """The whole account of an edition. ``count_kept`` counts features after stacked copies were merged.

    Of a raster, cells are counted, and ``grid`` says what they are.
    """

    format: Literal[1] = 1
    layer_id: str
    part: str
    edition: str
    title: str
    kind: Kind | Literal["raster"]
    source: Source
    retrieved: date
    published: str | None = None
    licence: str
    crs_in: str
    crs_in_wkt: str
    crs_source: Literal["file", "declared", "format"]
    crs: Literal["EPSG:26986"] = "EPSG:26986"
    count_in: int
    count_expected: int | None = None
    count_kept: int
    merged: int = 0
    dropped: tuple[Dropped, ...] = ()
    repaired: tuple[Repaired, ...] = ()
    columns: tuple[Column, ...] = ()
    coverage: CoverageNote
    bounds: tuple[float, float, float, float] | None
    area_sqft: float
    length_ft: float
    scale: int | None
    accuracy_ft: float
    complete: bool
    stale_after_days: int | None
    assess: AssessCount | None = None
    grid: GridNote | None = None
    files: tuple[DataFile, ...] = ()
    remarks: tuple[Remark, ...] = ()
    engine: dict[str, str] = {}
    invented: bool = False

    def ref(self) -> EditionRef:
        """Return the edition in the words of an answer."""
        return EditionRef(
            layer_id=self.layer_id,
            part=self.part,
            edition=self.edition,
            title=self.title,
            sha256=self.source.sha256,
            accuracy_ft=self.accuracy_ft,
            complete=self.complete,
            source_url=self.source.url,
            retrieved=self.retrieved.isoformat(),
            published=self.published,
            scale=self.scale,
            stale_after_days=self.stale_after_days,
            invented=self.invented,
        )


class Manifests(_Strict):
    """The accounts of editions made together, in the order they were asked for."""

    manifests: tuple[Manifest, ...]


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest in an edition's folder; raises ``OSError`` or ``ValueError`` when it is not whole."""
    return Manifest.model_validate_json((folder / MANIFEST).read_bytes())

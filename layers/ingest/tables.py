"""Read: the tables of a staff file as arrays, with what the file says of its own CRS and count."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import pyogrio.errors
import pyogrio.raw
import shapely
from numpy.typing import NDArray

from layers.ingest.drivers import ALLOWED
from layers.ingest.server_answer import refuse_part_of_an_answer
from spatial.errors import FormatRefused
from spatial.model import Geometries
from spatial.read.archive import is_zip, unpack
from spatial.read.limits import MIB, ArchiveLimits

STAFF_LIMITS = ArchiveLimits(entries=20_000, total_bytes=20_000 * MIB, ratio=2_000, directory_bytes=64 * MIB)
SUFFIXES = (".shp", ".gpkg", ".geojson", ".json", ".topojson", ".kml", ".fgb", ".dbf")
LONLAT_FORMATS = ("GeoJSON", "TopoJSON", "LIBKML")
_SHP_NAME = 10
"""Letters a column name keeps in a shapefile."""


@dataclass(frozen=True, slots=True)
class Table:
    """One layer of a dataset, not read yet. ``geometry_type`` None for a plain table."""

    dataset: Path
    name: str
    geometry_type: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A layer's rows as they stand: shapes in the file's CRS (None for null), columns under the file's names."""

    name: str
    driver: str
    crs_wkt: str | None
    columns: Mapping[str, NDArray[Any]]
    geometry: Geometries
    unreadable: int = 0

    def __len__(self) -> int:
        return len(self.geometry)

    def column(self, wanted: str) -> str | None:
        """Return the file's own name of a column, whatever its case; None when there is none."""
        short = wanted[:_SHP_NAME] if self.driver == "ESRI Shapefile" else wanted
        found = {name.casefold(): name for name in self.columns}
        return found.get(wanted.casefold()) or found.get(short.casefold())


def fingerprint(path: Path) -> tuple[str, int]:
    """Return sha256 and size of a file, or of the files of a folder or loose shapefile, name and bytes in order."""
    parts = [path] if path.is_file() and path.suffix.lower() != ".shp" else _belonging(path)
    digest, size = hashlib.sha256(), 0
    for part in parts:
        if len(parts) > 1:
            digest.update(part.name.encode())
        with part.open("rb") as file:
            while block := file.read(MIB):
                digest.update(block)
                size += len(block)
    return digest.hexdigest(), size


def _belonging(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(p for p in path.rglob("*") if p.is_file())
    return sorted(p for p in path.parent.glob(f"{path.stem}.*") if p.is_file())


def tables_in(path: Path, workspace: Path) -> tuple[Table, ...]:
    """Return the layers of a file; a zip is unpacked into ``workspace`` by our own extractor first.

    Raises ``FormatRefused`` when nothing in it is of a format staff may send.
    """
    if path.is_file() and is_zip(_head(path)):
        unpack(path, workspace, STAFF_LIMITS)
        path = workspace
    datasets = list(_datasets(path))
    tables = tuple(table for dataset in datasets for table in _layers(dataset))
    if not tables:
        raise FormatRefused(
            "The file holds no shapefile, geodatabase, GeoPackage, GeoJSON, TopoJSON, Esri JSON or KML; send one."
        )
    return tables


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(8)


def _datasets(path: Path) -> Iterable[Path]:
    if path.is_file():
        return [path]
    if path.suffix.lower() == ".gdb" or (path / "a00000001.gdbtable").exists():
        return [_named_gdb(path)]
    found = [_named_gdb(p.parent) for p in sorted(path.rglob("a00000001.gdbtable"))]
    files = (p for p in sorted(path.rglob("*")) if p.suffix.lower() in SUFFIXES and p.is_file())
    return [*found, *(p for p in files if not _beside_shape(p))]


def _beside_shape(path: Path) -> bool:
    """Say whether a .dbf is the attribute file of a shapefile beside it."""
    return path.suffix.lower() == ".dbf" and any(
        p.suffix.lower() == ".shp" for p in path.parent.glob(f"{path.stem}.*")
    )


def _named_gdb(folder: Path) -> Path:
    """Return a link to a geodatabase folder under a name that GDAL recognises."""
    if folder.suffix.lower() == ".gdb":
        return folder
    named = folder.parent / f"{folder.name}.gdb"
    if not named.exists():
        folder.rename(named)
    return named


def _layers(dataset: Path) -> Iterable[Table]:
    try:
        listed = pyogrio.list_layers(dataset)
    except pyogrio.errors.DataSourceError as error:
        raise FormatRefused(
            f"The file '{dataset.name}' is damaged or of a format that is not taken; export it again.",
            code="corrupt_file",
            file=dataset.name,
        ) from error
    return [Table(dataset, str(name), None if kind is None else str(kind)) for name, kind in listed]


def read_rows(table: Table) -> Rows:
    """Return every row of a layer, 2-D, curves made straight; raises ``FormatRefused`` when it is not whole."""
    _check_length(table.dataset)
    try:
        info = pyogrio.read_info(table.dataset, layer=table.name, force_feature_count=True)
        _check_driver(info["driver"], table)
        refuse_part_of_an_answer(table.dataset, table.name, info["driver"], int(info["features"]))
        meta, _, geometry, fields = pyogrio.raw.read(
            table.dataset, layer=table.name, force_2d=True, datetime_as_string=True
        )
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, pyogrio.errors.FeatureError) as error:
        raise _damaged(table) from error
    columns = dict(zip(meta["fields"].tolist(), fields, strict=True))
    count = int(info["features"])
    if geometry is None:
        geometry = np.full(count, None, dtype=object)
    if len(geometry) != count:
        raise FormatRefused(
            f"The layer '{table.name}' counts {count:,} features and gives {len(geometry):,}: it is cut short, or "
            "rows of its table are marked as deleted; export it again.",
            code="corrupt_file",
            layer=table.name,
        )
    shapes = np.asarray(shapely.from_wkb(geometry, on_invalid="ignore"), dtype=object)
    unreadable = int(sum(g is not None for g in geometry)) - int((~shapely.is_missing(shapes)).sum())
    return Rows(table.name, info["driver"], _own_wkt(table.dataset) or meta["crs"], columns, shapes, unreadable)


def _own_wkt(dataset: Path) -> str | None:
    """Return the .prj text of a shapefile as it stands: GDAL's match to a code may be only a likeness."""
    if dataset.suffix.lower() != ".shp":
        return None
    found = [p for p in dataset.parent.glob(f"{dataset.stem}.*") if p.suffix.lower() == ".prj"]
    return found[0].read_text(encoding="utf-8", errors="replace").strip() or None if found else None


def _damaged(table: Table) -> FormatRefused:
    return FormatRefused(
        f"The layer '{table.name}' is damaged or cut short; fetch or export it again.",
        code="corrupt_file",
        layer=table.name,
    )


def _check_driver(driver: str, table: Table) -> None:
    if driver not in ALLOWED:
        raise FormatRefused(
            f"The layer '{table.name}' is of the format {driver}, which is not taken.", layer=table.name
        )


def _check_length(dataset: Path) -> None:
    """Refuse a .shp that is shorter than its own header says; GDAL would give null shapes instead."""
    if dataset.suffix.lower() != ".shp":
        return
    with dataset.open("rb") as file:
        head = file.read(28)
    if len(head) < 28 or struct.unpack(">i", head[24:28])[0] * 2 > dataset.stat().st_size:
        raise FormatRefused(
            f"The shapefile '{dataset.name}' is shorter than its header says; it was cut short, fetch it again.",
            code="corrupt_file",
            file=dataset.name,
        )

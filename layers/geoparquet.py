"""Columns on disk: GeoParquet in EPSG:26986, written and read with pyarrow alone (no GDAL is loaded)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import shapely
from numpy.typing import NDArray
from pyproj import CRS

from spatial.crs import WORKING_CRS
from spatial.model import Geometries

GEOMETRY = "geometry"


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A table of columns of equal length; ``geometry`` None for a plain table, None in it for a null shape."""

    values: Mapping[str, NDArray[Any]]
    geometry: Geometries | None = None

    def __len__(self) -> int:
        if self.geometry is not None:
            return len(self.geometry)
        return len(next(iter(self.values.values()))) if self.values else 0


@lru_cache(maxsize=1)
def _crs_json() -> Any:
    return CRS(WORKING_CRS).to_json_dict()


def _geo(geometry: Geometries) -> bytes:
    present = geometry[~shapely.is_missing(geometry)]
    kinds = sorted({g.geom_type for g in present})
    column: dict[str, Any] = {"encoding": "WKB", "geometry_types": kinds, "crs": _crs_json()}
    if len(present) and not shapely.is_empty(present).all():
        column["bbox"] = [float(v) for v in shapely.total_bounds(present)]
    meta = {"version": "1.1.0", "primary_column": GEOMETRY, "columns": {GEOMETRY: column}}
    return json.dumps(meta, sort_keys=True).encode()


def _array(values: NDArray[Any]) -> pa.Array:
    """Return an arrow column; a column of objects that is all None is text."""
    if values.dtype != np.dtype(object):
        return pa.array(values)
    column = pa.array(values.tolist())
    return column.cast(pa.string()) if pa.types.is_null(column.type) else column


def write_columns(path: Path, table: Columns) -> None:
    """Write a table as GeoParquet 1.1 (or plain Parquet when there is no geometry)."""
    arrays = {name: _array(values) for name, values in table.values.items()}
    metadata: dict[str, str | bytes] = {}
    if table.geometry is not None:
        arrays[GEOMETRY] = pa.array(shapely.to_wkb(table.geometry).tolist(), type=pa.binary())
        metadata = {"geo": _geo(table.geometry)}
    pq.write_table(pa.table(arrays).replace_schema_metadata(metadata), path, compression="zstd")


def read_columns(path: Path, columns: Sequence[str] | None = None) -> Columns:
    """Return a table as it was written; text and mixed columns as arrays of Python values with None.

    Parameters
    ----------
    path
        A file of ``write_columns``.
    columns
        Which columns to read; None reads all. A geometry column is read when named or when None.
    """
    table = pq.read_table(path, columns=None if columns is None else list(columns), memory_map=True)
    values = {name: _values(table.column(name)) for name in table.column_names if name != GEOMETRY}
    geometry = None
    if GEOMETRY in table.column_names:
        geometry = shapely.from_wkb(table.column(GEOMETRY).to_numpy())
    return Columns(values, geometry)


def _values(column: pa.ChunkedArray) -> NDArray[Any]:
    if column.null_count == 0 and (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return np.asarray(column.to_numpy())
    held = np.empty(len(column), dtype=object)
    held[:] = column.to_pylist()
    return held


def rows_of(path: Path) -> int:
    """Return how many rows a file says it holds, without reading them."""
    return int(pq.ParquetFile(path).metadata.num_rows)


def names_of(path: Path) -> tuple[str, ...]:
    """Return the names of a file's columns."""
    return tuple(pq.read_schema(path).names)

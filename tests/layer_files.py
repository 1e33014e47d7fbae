"""Small layer files written with real drivers, and a library of its own to add them to."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pyogrio.raw
import shapely
from shapely.geometry.base import BaseGeometry

from layers.ingest.make import make
from layers.ingest.request import Order
from layers.library import AddRequest, Library
from layers.manifest import Manifest
from spatial.units import FOOT_M

ON = date(2026, 11, 30)
X, Y = 210_000.0, 890_000.0
"""South-west corner, in EPSG:26986 metres, of the ground most made layers stand on (near Dover)."""
DRIVERS = {
    ".shp": "ESRI Shapefile",
    ".gpkg": "GPKG",
    ".geojson": "GeoJSON",
    ".gdb": "OpenFileGDB",
    ".dbf": "ESRI Shapefile",
}


def box_ft(west: float, south: float, east: float, north: float) -> shapely.Polygon:
    """Return a rectangle in feet from the south-west corner of the ground."""
    w, s, e, n = (v * FOOT_M for v in (west, south, east, north))
    return shapely.box(X + w, Y + s, X + e, Y + n)


def grid(n: int) -> list[shapely.Polygon]:
    return [box_ft(x * 20, y * 20, x * 20 + 10, y * 20 + 10) for x in range(n) for y in range(n)]


def write(
    path: Path,
    shapes: Sequence[BaseGeometry | None] | None,
    columns: Mapping[str, Sequence[object]],
    *,
    crs: str | None = "EPSG:26986",
    layer: str | None = None,
    geometry_type: str | None = None,
) -> Path:
    """Write a layer (or, without shapes, a table) with the driver of the path's ending."""
    geometry = None if shapes is None else shapely.to_wkb(np.array([*shapes, None], dtype=object)[:-1])
    kind = geometry_type or (None if shapes is None else _kind(shapes))
    pyogrio.raw.write(
        path,
        geometry=geometry,
        field_data=[np.array(list(values), dtype=_dtype(values)) for values in columns.values()],
        fields=list(columns),
        driver=DRIVERS[path.suffix],
        geometry_type=kind,
        crs=crs if shapes is not None else None,
        layer=layer,
        append=path.exists() and path.suffix in (".gpkg", ".gdb"),
    )
    return path


def _kind(shapes: Sequence[BaseGeometry | None]) -> str:
    names = {s.geom_type for s in shapes if s is not None}
    return names.pop() if len(names) == 1 else "Unknown"


def _dtype(values: Sequence[object]) -> type:
    present = [v for v in values if v is not None]
    if present and len(present) == len(values) and all(isinstance(v, int) for v in present):
        return np.int32  # type: ignore[return-value]
    if present and len(present) == len(values) and all(isinstance(v, int | float) for v in present):
        return np.float64  # type: ignore[return-value]
    return object


def pack(path: Path, files: Sequence[Path], *, inside: str = "") -> Path:
    """Zip files without entries for their folders."""
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(files):
            archive.write(file, f"{inside}{file.name}")
    return path


def add(library: Library, layer_id: str, path: Path, **how: object) -> Manifest:
    """Add a file on the tests' own day."""
    return library.add(AddRequest(layer_id, path, ON, **how))  # type: ignore[arg-type]


def make_here(folder: Path, layer_id: str, path: Path, **how: object) -> Manifest:
    """Make an edition in this process and look at its account only; nothing is put in force."""
    into = folder / "made"
    into.mkdir(exist_ok=True)
    request = AddRequest(layer_id, path, ON, **how)  # type: ignore[arg-type]
    return make(Order(request=request, data=folder / "data", into=into))


def wetlands(path: Path, shapes: Sequence[BaseGeometry | None], **how: object) -> Path:
    """Write a wetlands layer with the agency's columns, all shrub swamp."""
    n = len(shapes)
    columns = {"IT_VALC": ["SS"] * n, "IT_VALDESC": ["SHRUB SWAMP"] * n, "SOURCE_SCA": [5_000] * n}
    return write(path, shapes, columns, **how)  # type: ignore[arg-type]


def town_file(path: Path, rows: Sequence[tuple[int, str, shapely.Polygon]]) -> Path:
    """Write a layer of towns."""
    ids, names, shapes = zip(*rows, strict=True)
    return write(path, shapes, {"TOWN_ID": list(ids), "TOWN": list(names)})

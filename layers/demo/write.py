"""Files as an agency or an applicant would send them: written with GDAL, never read here."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyogrio
import pyogrio.raw
import shapely
from shapely.geometry import mapping
from shapely.geometry.base import BaseGeometry

from layers.demo.plan import COVERED, Sheet, placed
from layers.demo.samples import Work
from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject
from spatial.model import Scalar

DRIVERS = {".shp": "ESRI Shapefile", ".gpkg": "GPKG", ".dbf": "ESRI Shapefile"}
PARTS = (".shp", ".shx", ".dbf", ".prj", ".cpg")
DAY = "2026-01-01"
ZIP_DAY = (2026, 1, 1, 0, 0, 0)
DECIMALS = 11
"""Of a degree: about a micrometre, so that a sample keeps its areas to the hundredth of a square foot."""


def write_sheet(sheet: Sheet, folder: Path) -> Path:
    """Write a drawn layer in EPSG:26986 and return the file to hand to the library; shapefiles come zipped."""
    shapes = [placed(shape) for shape in sheet.shapes]
    path = folder / sheet.file
    write_layer(path, sheet.fields, sheet.rows, shapes, geometry_type=sheet.geometry_type)
    return pack(path.with_suffix(".zip"), _parts(path)) if path.suffix == ".shp" else path


def write_layer(
    path: Path,
    fields: Sequence[str],
    rows: Sequence[tuple[Scalar, ...]],
    shapes: Sequence[BaseGeometry] | None,
    *,
    geometry_type: str | None,
    crs: str = WORKING_CRS,
) -> None:
    """Write one layer; without ``shapes`` it is a table. Shapes are in ``crs`` already.

    Parameters
    ----------
    path
        A new file; its ending (``.shp``, ``.dbf``, ``.gpkg``) chooses the driver.
    """
    columns = list(zip(*rows, strict=True))
    geometry = None if shapes is None else shapely.to_wkb(np.array(_alike(shapes, geometry_type), dtype=object))
    dbf = {} if path.suffix == ".gpkg" else {"encoding": "UTF-8", "DBF_DATE_LAST_UPDATE": DAY}
    with _fixed_day():
        pyogrio.raw.write(
            path,
            geometry=geometry,
            field_data=[_column(values) for values in columns],
            fields=np.array(fields, dtype=object),
            driver=DRIVERS[path.suffix],
            geometry_type=geometry_type,
            crs=None if shapes is None else crs,
            **dbf,
        )


@contextmanager
def _fixed_day() -> Iterator[None]:
    """Keep the day of writing out of GeoPackages, so that the same drawing gives the same bytes."""
    before = pyogrio.get_gdal_config_option("OGR_CURRENT_DATE")
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": f"{DAY}T00:00:00.000Z"})
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": before})


def _alike(shapes: Sequence[BaseGeometry], geometry_type: str | None) -> list[BaseGeometry]:
    if geometry_type != "MultiPolygon":
        return list(shapes)
    return [shapely.MultiPolygon(list(shapely.get_parts(shape))) for shape in shapes]


def _column(values: Sequence[Scalar]) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int} and None not in values:
        return np.array(values, dtype=np.int64)
    if kinds <= {int, float} and None not in values:
        return np.array(values, dtype=np.float64)
    return np.array([None if value is None else str(value) for value in values], dtype=object)


def _parts(shapefile: Path) -> list[Path]:
    """Return the files a shapefile consists of."""
    return [part for ending in PARTS if (part := shapefile.with_suffix(ending)).exists()]


def pack(archive: Path, files: Iterable[Path], *, inside: str = "") -> Path:
    """Move files into a zip with fixed dates, so that the same drawing gives the same bytes."""
    members = sorted(files)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in members:
            packed.writestr(
                zipfile.ZipInfo(f"{inside}{file.name}", ZIP_DAY), file.read_bytes(), zipfile.ZIP_DEFLATED
            )
            file.unlink()
    return archive


def write_coverage(path: Path) -> Path:
    """Write the ground the demo's layers answer for, to be given to the library as ``--covers``."""
    feature = {"type": "Feature", "properties": {}, "geometry": mapping(_in_degrees(COVERED))}
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}), encoding="utf-8")
    return path


def write_geojson(path: Path, works: Sequence[Work]) -> Path:
    """Write works as GeoJSON in lon/lat (RFC 7946: no CRS member, outer rings anticlockwise)."""
    features = [
        {
            "type": "Feature",
            "id": work.name,
            "properties": {"name": work.name, "activity": work.activity},
            "geometry": mapping(_in_degrees(work.shape)),
        }
        for work in works
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}, indent=1), encoding="utf-8")
    return path


def _in_degrees(shape: BaseGeometry) -> BaseGeometry:
    moved = reproject(placed(shape), WORKING_CRS, DISPLAY_CRS)
    rounded = shapely.transform(moved, lambda degrees: np.round(degrees, DECIMALS))
    return shapely.orient_polygons(rounded)


def write_zipped_shapefile(archive: Path, works: Sequence[Work], *, crs: str = WORKING_CRS) -> Path:
    """Write works as a zipped shapefile with its .prj in ``crs``."""
    shapes = [reproject(placed(work.shape), WORKING_CRS, crs) for work in works]
    rows = [(work.name, work.activity) for work in works]
    path = archive.with_suffix(".shp")
    write_layer(path, ("name", "activity"), rows, shapes, geometry_type="Polygon", crs=crs)
    return pack(archive, _parts(path))

"""The story of a raster's import: open → check → copy in tiles → count its cells → cover → account."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
import rasterio
import rasterio.shutil
import shapely
from pyproj import CRS

from layers.cells import Cells, count, outline
from layers.frames import COVERAGE
from layers.geoparquet import Columns, write_columns
from layers.ingest.account import content, data_file, engine, source_of
from layers.ingest.cell_meaning import UNITS, classes_of, unit_of
from layers.ingest.coverage import Coverage, Places, slug, stated
from layers.ingest.features import Features
from layers.ingest.mend import crs_name
from layers.ingest.request import AddRequest, Order
from layers.manifest import MANIFEST, Dropped, GridNote, Manifest, Remark
from layers.rasters import GRID
from layers.spec import Spec
from layers.verify import in_state
from spatial.errors import CrsRefused, FormatRefused, ParameterRefused
from spatial.model import Area
from spatial.read.raster import check_layout, opened
from spatial.units import FOOT_M, SQFT_PER_ACRE, sqft_from_sqm

TILE = 256
TILED = {"tiled": True, "blockxsize": TILE, "blockysize": TILE, "compress": "deflate", "bigtiff": "if_safer"}
NO_DATA = "cells without data"


@dataclass(frozen=True, slots=True)
class _Seen:
    """A raster looked at once: its system, its cells and the ground they span."""

    crs: CRS
    crs_source: str
    cells: Cells
    span: Area
    note: GridNote
    remarks: tuple[Remark, ...]


def make_raster(order: Order, spec: Spec, places: Places) -> Manifest:
    """Make an edition of a GeoTIFF in ``order.into`` and return its manifest, which is written there too.

    Raises
    ------
    Refused
        The file is no GeoTIFF, has no projected system, lies elsewhere, or its cells cannot be this layer.
    """
    request = order.request
    kept = order.into / GRID
    declared = _copy(request, kept)
    seen = _look(request, spec, kept, declared=declared)
    coverage, remarks = _covered(request, spec, places, seen)
    write_columns(order.into / COVERAGE, _ground(coverage, seen.note))
    manifest = _manifest(order, spec, seen, coverage)
    manifest = manifest.model_copy(update={"remarks": (*seen.remarks, *remarks)})
    (order.into / MANIFEST).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
    return manifest


def _ground(coverage: Coverage, note: GridNote) -> Columns:
    """Return the ground answered for and what cells mean: the same cells read otherwise are another edition."""
    meaning = {"classes": ",".join(map(str, note.classes)), "unit": note.unit or ""}
    held = {name: np.array([value], dtype=object) for name, value in meaning.items()}
    return Columns(held, np.array([coverage.area], dtype=object))


def _copy(request: AddRequest, kept: Path) -> bool:
    """Copy the file as it is when it is tiled, else in tiles with the same cells; say whether --crs was used."""
    unknown = sorted(set(request.mapping) - {"classes", "unit"})
    if unknown:
        raise ParameterRefused(f"A raster has no '{unknown[0]}' to map; --map takes classes=1,2 or unit=m|ft.")
    with opened(request.path) as raster:
        declared = _declared(request, raster)
        tiled = raster.block_shapes[0][1] < raster.width or max(raster.width, raster.height) <= 2 * TILE
        if tiled and raster.crs is not None and _embedded(raster):
            shutil.copyfile(request.path, kept)
            return False
        with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True, GDAL_PAM_ENABLED=False):
            rasterio.shutil.copy(raster, kept, driver="GTiff", **TILED)
    if declared:
        with rasterio.open(kept, "r+", driver="GTiff") as copy:
            copy.crs = request.crs
    return declared


def _embedded(raster: rasterio.DatasetReader) -> bool:
    """Say whether the file needs no other beside it (world file, mask, statistics)."""
    return len(raster.files) == 1


def _declared(request: AddRequest, raster: rasterio.DatasetReader) -> bool:
    """Say whether --crs is to be used: only where the file says none; another one is refused."""
    if request.crs is None:
        return False
    if raster.crs is None:
        return True
    if CRS.from_wkt(raster.crs.to_wkt()) != CRS(request.crs):
        own = raster.crs.to_string()[:60]
        raise CrsRefused(
            f"The file says its system is {own}, not {request.crs}; leave --crs out.", code="bad_parameter"
        )
    return False


def _look(request: AddRequest, spec: Spec, kept: Path, *, declared: bool) -> _Seen:
    holds = spec.raster
    if holds is None:
        raise ParameterRefused(f"The layer '{spec.id}' does not say what its cells hold.")
    name = request.name or request.path.name
    with opened(kept) as raster:
        crs = _projected(raster, name)
        cells = count(raster)
        if not cells.valid:
            raise FormatRefused(f"No cell of {name} holds data; nothing can be measured on it.", file=name)
        classes, remarks = classes_of(request.mapping, holds, cells, name=name)
        unit, said = unit_of(request.mapping, holds, raster.units[0] or "")
        span = outline(raster, crs, cells)
        _check_place(span, name)
        note = _note(raster, crs, cells, classes=classes, unit=unit)
    return _Seen(crs, "declared" if declared else "file", cells, span, note, (*remarks, *said))


def _note(
    raster: rasterio.DatasetReader, crs: CRS, cells: Cells, *, classes: tuple[int, ...], unit: str | None
) -> GridNote:
    return GridNote(
        width=raster.width,
        height=raster.height,
        cell_x=raster.transform.a,
        cell_y=-raster.transform.e,
        cell_ft=raster.transform.a * crs.axis_info[0].unit_conversion_factor / FOOT_M,
        dtype=str(raster.dtypes[0]),
        nodata=raster.nodata if raster.nodata is not None and np.isfinite(raster.nodata) else None,
        least=cells.least,
        most=cells.most,
        values={f"{value:g}": n for value, n in sorted((cells.values or {}).items())} if classes else {},
        classes=classes,
        unit=unit,
        unit_m=UNITS[unit] if unit else 1.0,
    )


def _projected(raster: rasterio.DatasetReader, name: str) -> CRS:
    crs = check_layout(raster, name)
    if not crs.is_projected:
        raise CrsRefused(f"{name} is in {crs.name}, which is no projected system; warp it to EPSG:26986 first.")
    return crs


def _check_place(span: Area, name: str) -> None:
    west, south, east, north = span.bounds
    if not in_state(span.bounds):
        raise FormatRefused(
            f"{name} spans {west:.0f}, {south:.0f} to {east:.0f}, {north:.0f} in EPSG:26986, outside "
            "Massachusetts; check its coordinate system.",
            code="outside_area",
            file=name,
        )


def _covered(request: AddRequest, spec: Spec, places: Places, seen: _Seen) -> tuple[Coverage, tuple[Remark, ...]]:
    """Return the ground answered for: around the cells with data, or what staff name as far as it lies there."""
    name = Path(request.name or request.path.name).stem
    part = request.part or slug(name)
    if request.covers in (None, "bounds", "features"):
        how = "the box around the cells that hold data; cells without data inside it are counted as unknown"
        return Coverage(seen.span, part, how), ()
    asked = stated(str(request.covers), Features(np.empty(0, dtype=object), {}), places, name)
    inside = shapely.intersection(asked.area, seen.span)
    areas = [p for p in shapely.get_parts(inside) if p.geom_type == "Polygon" and p.area > 0]
    if not areas:
        raise ParameterRefused(f"The raster does not lie on {asked.how}; check --covers.", layer=spec.id)
    area: Area = areas[0] if len(areas) == 1 else shapely.MultiPolygon(areas)
    found = Coverage(area, request.part or asked.part, asked.how)
    missing = sqft_from_sqm(asked.area.area - area.area) / SQFT_PER_ACRE
    if missing < 0.01:
        return found, ()
    said = f"The raster leaves {missing:,.1f} acres of {asked.how} without cells; they count as not covered."
    return found, (Remark(code="grid_smaller", message=said),)


def _manifest(order: Order, spec: Spec, seen: _Seen, coverage: Coverage) -> Manifest:
    request, note = order.request, seen.note
    paths = [path for path in sorted(order.into.iterdir()) if path.name != MANIFEST]
    files = tuple(data_file(path, note.height if path.name == GRID else 1) for path in paths)
    total = note.width * note.height
    empty = total - seen.cells.valid
    west, south, east, north = seen.span.bounds
    return Manifest(
        layer_id=spec.id,
        part=coverage.part,
        edition=request.edition or f"{request.on.isoformat()}-{content(files)}",
        title=spec.title,
        kind="raster",
        source=source_of(request, driver="GTiff", layer="1"),
        retrieved=request.retrieved or request.on,
        published=request.published,
        licence=spec.licence,
        crs_in=crs_name(seen.crs),
        crs_in_wkt=seen.crs.to_wkt(),
        crs_source="declared" if seen.crs_source == "declared" else "file",
        count_in=total,
        count_kept=seen.cells.valid,
        dropped=(Dropped(reason=NO_DATA, count=empty),) if empty else (),
        coverage=coverage.note(),
        bounds=(west, south, east, north),
        area_sqft=sqft_from_sqm(seen.span.area),
        length_ft=0.0,
        scale=spec.scale,
        accuracy_ft=spec.accuracy_ft,
        complete=spec.complete,
        stale_after_days=spec.stale_after_days,
        files=files,
        grid=note,
        engine={**engine(), "rasterio": version("rasterio")},
        invented=request.invented,
    )

"""Is an edition whole? Its files re-hashed, its counts, bounds, areas and columns held against its manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely

from layers.assess import ASSESS
from layers.frames import COVERAGE, EDGES, FEATURES, PIECES, ZONES, open_frame
from layers.geoparquet import names_of, rows_of
from layers.manifest import MANIFEST, Manifest, read_manifest
from layers.rasters import GRID, open_raster
from layers.spec import Spec
from spatial.errors import Internal, Unavailable
from spatial.index.subdivide import AREA_TOLERANCE, MAX_VERTICES
from spatial.model import Area, LayerFrame

STATE_BOUNDS_M = (-30_000.0, 700_000.0, 400_000.0, 1_010_000.0)
"""Massachusetts with its islands and some 60 km around, as watersheds cross the line; EPSG:26986 metres."""

LOT_COLUMNS = ("map_par_id", "town_id", "poly_type", "site_address", "lot_size_sqft", "use_code", "zoning")


def in_state(bounds: Sequence[float]) -> bool:
    """Say whether west, south, east, north lie in ``STATE_BOUNDS_M``; not a number lies nowhere."""
    west, south, east, north = bounds
    w, s, e, n = STATE_BOUNDS_M
    return bool(w <= west and s <= south and east <= e and north <= n)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at in one edition. ``detail`` says what was found when it is not ``ok``."""

    layer_id: str
    part: str
    edition: str
    name: str
    ok: bool
    detail: str = ""


def checks(folder: Path) -> tuple[Check, ...]:
    """Return every check of an edition's folder; a file that cannot be opened fails the check ``open``."""
    try:
        manifest = read_manifest(folder)
    except (OSError, ValueError):
        place = folder.parent.parent.name, folder.parent.name, folder.name
        return (Check(*place, "manifest", ok=False, detail="the manifest is missing or damaged"),)
    return tuple(_run(folder, manifest))


def _run(folder: Path, manifest: Manifest) -> Iterator[Check]:
    place = manifest.layer_id, manifest.part, manifest.edition
    if manifest.kind == "raster":
        yield from _of_raster(folder, manifest)
        return
    yield Check(*place, "hashes", *_verdict(_hashes(folder, manifest)))
    yield Check(*place, "counts", *_verdict(_counts(folder, manifest)))
    yield Check(*place, "columns", *_verdict(_columns(folder, manifest)))
    try:
        frame = open_frame(folder)
    except (OSError, ValueError, KeyError, shapely.errors.ShapelyError) as error:
        yield Check(*place, "open", ok=False, detail=f"it cannot be opened ({type(error).__name__})")
        return
    tests: dict[str, Callable[[LayerFrame, Manifest], str]] = {
        "bounds": _bounds,
        "shapes": _shapes,
        "pieces": _pieces,
        "areas": _areas,
    }
    for name, test in tests.items():
        yield Check(*place, name, *_verdict(test(frame, manifest)))


def _of_raster(folder: Path, manifest: Manifest) -> Iterator[Check]:
    """Yield the checks of a raster: its files re-hashed, every cell counted again, its ground in the state."""
    place = manifest.layer_id, manifest.part, manifest.edition
    yield Check(*place, "hashes", *_verdict(_raster_hashes(folder, manifest)))
    yield Check(*place, "counts", *_verdict(_cells(folder, manifest)))
    try:
        coverage = open_raster(folder, manifest).coverage
    except (OSError, ValueError, shapely.errors.ShapelyError) as error:
        yield Check(*place, "open", ok=False, detail=f"it cannot be opened ({type(error).__name__})")
        return
    yield Check(*place, "shapes", *_verdict(_ground(coverage)))


def _raster_hashes(folder: Path, manifest: Manifest) -> str:
    there = {p.name for p in folder.iterdir() if p.name != MANIFEST}
    named = {f.name for f in manifest.files}
    if there != named or named != {GRID, COVERAGE}:
        return f"files differ from the manifest: {', '.join(sorted(there ^ named)) or 'one is missing'}"
    return _changed(folder, manifest)


def _cells(folder: Path, manifest: Manifest) -> str:
    from layers.cells import differs  # noqa: PLC0415 (rasterio is loaded only where a raster is)

    if manifest.grid is None:
        return "the manifest gives no account of its cells"
    if manifest.count_in != manifest.count_kept + sum(d.count for d in manifest.dropped):
        return f"{manifest.count_in:,} cells are not those kept and those without data"
    try:
        return differs(folder / GRID, manifest.grid, manifest.count_kept)
    except Exception as error:  # whatever a damaged file makes rasterio raise
        return f"the cells cannot be read ({type(error).__name__})"


def _ground(coverage: Area) -> str:
    if not coverage.is_valid or not coverage.area > 0.0:
        return "the coverage has no area"
    return "" if in_state(coverage.bounds) else "the coverage lies outside Massachusetts"


def _verdict(fault: str) -> tuple[bool, str]:
    return not fault, fault


def _hashes(folder: Path, manifest: Manifest) -> str:
    """Return what differs from the hashes in the manifest; files must be exactly those it names."""
    there = {p.name for p in folder.glob("*.parquet")}
    named = {f.name for f in manifest.files}
    if there != named or not {FEATURES, PIECES, EDGES, ZONES, COVERAGE} <= named:
        return f"files differ from the manifest: {', '.join(sorted(there ^ named)) or 'one is missing'}"
    return _changed(folder, manifest)


def _changed(folder: Path, manifest: Manifest) -> str:
    for file in manifest.files:
        with (folder / file.name).open("rb") as held:
            if hashlib.file_digest(held, "sha256").hexdigest() != file.sha256:
                return f"{file.name} is not the file that was written"
    return ""


def _counts(folder: Path, manifest: Manifest) -> str:
    try:
        kept = rows_of(folder / FEATURES)
        assess = rows_of(folder / ASSESS) if (folder / ASSESS).exists() else None
    except (OSError, ValueError) as error:
        return f"a file cannot be read ({type(error).__name__})"
    gone = manifest.merged + sum(d.count for d in manifest.dropped)
    if kept != manifest.count_kept or manifest.count_in != kept + gone:
        return f"{manifest.count_in:,} came in, {gone:,} are accounted for, {kept:,} are here"
    if manifest.count_expected not in (None, manifest.count_in):
        return f"the source said {manifest.count_expected:,}, {manifest.count_in:,} came in"
    if assess != (manifest.assess.rows if manifest.assess else None):
        return f"{assess} assessors' rows are here, not those of the manifest"
    return ""


def _columns(folder: Path, manifest: Manifest) -> str:
    """Hold an edition to the columns it was made with: a specification that grew later makes none of them worse."""
    try:
        there = set(names_of(folder / FEATURES))
    except (OSError, ValueError) as error:
        return f"the features cannot be read ({type(error).__name__})"
    wanted = {"id", "label", "accuracy_ft", "geometry", *(column.name for column in manifest.columns)}
    if manifest.layer_id == "parcels":
        wanted |= set(LOT_COLUMNS)
    missing = sorted(wanted - there)
    return f"columns are missing: {', '.join(missing)}" if missing else ""


def _bounds(frame: LayerFrame, manifest: Manifest) -> str:
    if not len(frame):
        return "" if manifest.bounds is None else "the manifest gives bounds to no features"
    west, south, east, north = (float(v) for v in shapely.total_bounds(frame.geometry))
    if not in_state((west, south, east, north)):
        return f"features lie outside Massachusetts: {west:.0f}, {south:.0f}, {east:.0f}, {north:.0f}"
    if manifest.bounds is None or not np.allclose((west, south, east, north), manifest.bounds, rtol=0, atol=1e-6):
        return "the bounds are not those of the manifest"
    return ""


def _shapes(frame: LayerFrame, _: Manifest) -> str:
    """Return what is wrong with the shapes: none null, empty, invalid, or wound the wrong way (negative area)."""
    if shapely.is_missing(frame.geometry).any() or shapely.is_empty(frame.geometry).any():
        return "a feature has no shape"
    if not shapely.is_valid(frame.geometry).all() or not shapely.is_valid(frame.coverage):
        return "a shape is not valid"
    if frame.coverage.is_empty or not frame.coverage.area > 0.0:
        return "the coverage has no area"
    if frame.kind == "polygon":
        outer = shapely.get_exterior_ring(shapely.get_parts(frame.geometry))
        if not shapely.is_ccw(outer).all():
            return "a polygon is wound clockwise, its area would be negative"
    return ""


def _pieces(frame: LayerFrame, _: Manifest) -> str:
    if len(frame.pieces.parent) and (frame.pieces.parent.min() < 0 or frame.pieces.parent.max() >= len(frame)):
        return "a piece belongs to no feature"
    if len(set(frame.pieces.parent.tolist())) != len(frame):
        return "a feature has no piece"
    largest = int(shapely.get_num_coordinates(frame.pieces.geometry).max(initial=0))
    return f"a piece has {largest} vertices" if largest > MAX_VERTICES else ""


def _areas(frame: LayerFrame, _: Manifest) -> str:
    """Return which feature's pieces do not add up to it, in area or (lines) in length."""
    measure = shapely.area if frame.kind == "polygon" else shapely.length
    whole = measure(frame.geometry)
    parts = np.bincount(frame.pieces.parent, weights=measure(frame.pieces.geometry), minlength=len(frame))
    wrong = np.abs(parts - whole) > AREA_TOLERANCE * np.maximum(whole, 1.0)
    if wrong.any():
        return f"the pieces of {frame.ids[int(np.flatnonzero(wrong)[0])]} do not add up to it"
    return ""


def refuse_unless_whole(folder: Path) -> None:
    """Raise ``Internal`` when an edition just made does not stand every check."""
    if failed := _failed(folder):
        raise Internal(f"The new edition failed its checks: {failed}")


def refuse_unless_still_whole(folder: Path, spec: Spec) -> None:
    """Raise ``Unavailable`` when a kept edition no longer stands every check."""
    if failed := _failed(folder):
        raise Unavailable(
            f"The edition '{folder.name}' of '{spec.id}' no longer stands its checks ({failed}), so what is in "
            "force stays; add the file again that it was made of.",
            layer=spec.id,
        )


def _failed(folder: Path) -> str:
    return "; ".join(f"{c.name}: {c.detail}" for c in checks(folder) if not c.ok)

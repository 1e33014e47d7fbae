"""The account of an import: the manifest, with a hash of every file it wrote."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path

import pyogrio
import pyproj
import shapely

from layers.geoparquet import rows_of
from layers.ingest.coverage import Coverage
from layers.ingest.features import area_and_length
from layers.ingest.request import AddRequest
from layers.ingest.tables import fingerprint
from layers.ingest.work import Work
from layers.manifest import MANIFEST, DataFile, Manifest, Source
from spatial.model import LayerFrame


def finished(work: Work, frame: LayerFrame, coverage: Coverage, folder: Path) -> Manifest:
    """Write the manifest of an edition whose data files stand in ``folder`` and return it."""
    files = tuple(data_file(path, rows_of(path)) for path in sorted(folder.glob("*.parquet")))
    manifest = _manifest(work, frame, coverage, files)
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
    return manifest


def part_of(work: Work, coverage: Coverage) -> str:
    """Return the part an edition replaces; rivers and lakes of one ground stand side by side as two parts."""
    if work.request.part is not None:
        return work.request.part
    usual = work.mended.kind == work.spec.kind
    return coverage.part if usual else f"{coverage.part}-{work.mended.kind}"


def _manifest(work: Work, frame: LayerFrame, coverage: Coverage, files: tuple[DataFile, ...]) -> Manifest:
    spec, request = work.spec, work.request
    area_sqft, length_ft = area_and_length(frame.geometry)
    return Manifest(
        layer_id=spec.id,
        part=part_of(work, coverage),
        edition=request.edition or f"{request.on.isoformat()}-{content(files)}",
        title=spec.title,
        kind=frame.kind,
        source=source_of(request, driver=work.rows.driver, layer=work.rows.name),
        retrieved=request.retrieved or request.on,
        published=request.published or work.published,
        licence=spec.licence,
        crs_in=work.crs.name,
        crs_in_wkt=work.crs.crs.to_wkt(),
        crs_source=work.crs.source,
        count_in=len(work.rows),
        count_expected=request.count_expected,
        count_kept=len(frame),
        merged=work.merged,
        dropped=tuple(work.mended.dropped),
        repaired=tuple(work.mended.repaired),
        columns=work.columns,
        coverage=coverage.note(),
        bounds=_bounds(frame),
        area_sqft=area_sqft,
        length_ft=length_ft,
        scale=spec.scale,
        accuracy_ft=spec.accuracy_ft,
        complete=spec.complete,
        stale_after_days=spec.stale_after_days,
        assess=work.assess,
        files=files,
        remarks=tuple(work.remarks),
        engine=engine(),
        invented=request.invented,
    )


def content(files: tuple[DataFile, ...]) -> str:
    """Return a short name for what an edition holds: the same files give the same."""
    return hashlib.sha256("".join(f.sha256 for f in files).encode()).hexdigest()[:8]


def source_of(request: AddRequest, *, driver: str, layer: str) -> Source:
    """Return the account of the file that came: its name as the sender knows it, its bytes, who read it."""
    sha256, size = fingerprint(request.path)
    return Source(
        name=request.name or request.path.name,
        sha256=sha256,
        size_bytes=size,
        driver=driver,
        layer=layer,
        url=request.source_url,
    )


def _bounds(frame: LayerFrame) -> tuple[float, float, float, float] | None:
    if not len(frame):
        return None
    west, south, east, north = (float(v) for v in shapely.total_bounds(frame.geometry))
    return west, south, east, north


def data_file(path: Path, rows: int) -> DataFile:
    """Return the account of a file of the edition, with the hash of its bytes."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return DataFile(name=path.name, sha256=digest, size_bytes=path.stat().st_size, rows=rows)


def engine() -> dict[str, str]:
    """Return the versions of what made an edition."""
    return {
        "metes": version("metes"),
        "gdal": ".".join(str(v) for v in pyogrio.__gdal_version__),
        "geos": shapely.geos_version_string,
        "proj": pyproj.proj_version_str,
        "shapely": shapely.__version__,
        "pyarrow": version("pyarrow"),
    }

"""Reading: the door: one small reader a format, and one table from what the bytes are to who reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from shapely.geometry.base import BaseGeometry

from spatial.errors import FormatRefused
from spatial.model import Reading
from spatial.read import bundle, csv_points, dxf, geopackage, json_document, kml
from spatial.read.detect import Format, detect
from spatial.read.limits import ReadLimits
from spatial.read.raw import Purpose, Raw, Wanted
from spatial.read.reference import settle

READERS: dict[Format, Callable[[Path, Wanted], Raw]] = {
    "zip": bundle.read_archive,
    "json": json_document.read,
    "kml": kml.read,
    "dxf": dxf.read,
    "geopackage": geopackage.read,
    "shapefile": bundle.read_lone_shape,
    "csv": csv_points.read,
}
"""From what the bytes are to who reads them."""


def read(
    path: Path,
    *,
    crs: str | None = None,
    layer: str | None = None,
    limits: ReadLimits | None = None,
    area_hint: BaseGeometry | None = None,
    purpose: Purpose = "site",
    name: str = "upload",
) -> Reading:
    """Return what an upload holds, in the coordinate system it declares.

    Parameters
    ----------
    path
        A file under a name of our choice, or a folder of files sent together (the loose parts of a shapefile).
    crs
        ``"EPSG:n"`` as the applicant declares it; never overrules what the file itself states.
    layer
        The layer that is the site, when there are several.
    area_hint
        A claimed parcel in EPSG:26986, to order the systems proposed when none is stated.
    purpose
        ``"site"`` for polygons, ``"trees"`` for points.
    name
        What the applicant called the file, for layer names only.

    Raises
    ------
    MetesError
        A subclass of ``Refused`` with a code of the contract, the thing named and the remedy.
    """
    wanted = Wanted(layer=layer, limits=limits or ReadLimits(), purpose=purpose, name=name)
    _check_size(path, wanted.limits)
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.is_file())
        raw = bundle.read_loose(files, path / "room", wanted)
    else:
        raw = READERS[detect(path)](path, wanted)
    return settle(raw, declared_crs=crs, area_hint=area_hint)


def _check_size(path: Path, limits: ReadLimits) -> None:
    files = [path] if path.is_file() else list(path.iterdir())
    size = sum(file.stat().st_size for file in files if file.is_file())
    if size > limits.upload_bytes:
        raise FormatRefused(
            f"The upload has {size:,} bytes; at most {limits.upload_bytes:,} are taken.", code="too_large"
        )

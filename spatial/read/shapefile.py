"""Reading: one shapefile, its parts found whatever their case, checked by us, then read by GDAL."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS
from pyproj.exceptions import CRSError
from shapely.geometry.base import BaseGeometry

from spatial.errors import CrsRefused, FormatRefused
from spatial.model import Note
from spatial.read import ogr
from spatial.read.dbase import check_rows, damaged, deleted_rows, encoding_of
from spatial.read.raw import Gathering, Raw, Wanted
from spatial.read.ring_nesting import nest
from spatial.read.shapefile_check import POINTS, POLYGONS, Shapes, check

PARTS = (".shp", ".shx", ".dbf", ".prj", ".cpg")


@dataclass(frozen=True, slots=True)
class Parts:
    """The files of one shapefile by extension in lower case; ``name`` as the applicant wrote it."""

    name: str
    files: dict[str, Path]


def gather_parts(files: Iterable[Path]) -> tuple[Parts, ...]:
    """Return the shapefiles among files: same folder and same name but for case; incomplete ones too."""
    groups: dict[tuple[Path, str], Parts] = {}
    for file in files:
        extension = file.suffix.lower()
        if extension in PARTS:
            key = (file.parent, file.stem.lower())
            group = groups.setdefault(key, Parts(file.stem, {}))
            if extension in group.files:
                raise FormatRefused(
                    f"The shapefile {file.stem!r} has two {extension} files that differ only in case; keep one.",
                    code="corrupt_file",
                )
            group.files[extension] = file
    return tuple(groups.values())


def read(parts: Parts, room: Path, wanted: Wanted) -> Raw:
    """Return what a shapefile holds.

    Parameters
    ----------
    parts
        Its files.
    room
        A folder of ours, where the parts are laid under one plain name.

    Raises
    ------
    FormatRefused
        ``missing_component`` naming the file that lacks; ``corrupt_file``.
    """
    _check_complete(parts)
    kinds = POLYGONS if wanted.purpose == "site" else POINTS
    shapes = check(parts.files[".shp"], parts.files[".shx"], wanted.limits, wanted=kinds)
    check_rows(parts.files[".dbf"], len(shapes.kinds))
    shapes, deleted = _without_deleted(shapes, deleted_rows(parts.files[".dbf"]))
    encoding, notes = encoding_of(parts.files[".dbf"], parts.files.get(".cpg"))
    rows = ogr.read_rows(_lay(parts, room), "ESRI Shapefile", wanted, encoding=encoding)
    gathering = _features(rows, shapes, wanted)
    return Raw(
        format="shapefile",
        driver="ESRI Shapefile",
        layer=parts.name,
        layers=(parts.name,),
        columns=rows.columns,
        features=gathering.features,
        crs=_projection(parts.files.get(".prj")),
        stated_in="its .prj",
        no_crs=f"The shapefile {parts.name!r} has no .prj file, so its coordinate system is not said",
        notes=(*notes, *deleted, *rows.notes, *gathering.notes),
    )


def _check_complete(parts: Parts) -> None:
    for extension, why in ((".shp", "the shapes"), (".shx", "the index of the shapes"), (".dbf", "the attributes")):
        if extension not in parts.files:
            raise FormatRefused(
                f"The shapefile {parts.name!r} comes without its {extension} file, which holds {why}; "
                "send .shp, .shx, .dbf and .prj together.",
                code="missing_component",
            )


def _without_deleted(shapes: Shapes, deleted: NDArray[np.bool_]) -> tuple[Shapes, tuple[Note, ...]]:
    """Return the shapes that are features, as GDAL gives them, and a note on those marked as deleted.

    Raises ``FormatRefused`` (no_features) when all are.
    """
    if not deleted.any():
        return shapes, ()
    if deleted.all():
        raise FormatRefused(
            f"All {len(deleted):,} record(s) of the shapefile are marked as deleted in its .dbf; restore the site "
            "and export it again.",
            code="no_features",
        )
    numbers = ", ".join(str(number) for number in np.flatnonzero(deleted)[:20] + 1)
    more = " and others" if deleted.sum() > 20 else ""
    text = (
        f"{deleted.sum():,} record(s) of the shapefile are marked as deleted in its .dbf and were left out with "
        f"their shapes: {numbers}{more}."
    )
    return Shapes(shapes.kinds[~deleted]), (Note("deleted_skipped", text),)


def _lay(parts: Parts, room: Path) -> Path:
    """Put the parts under one plain name; the side file on letters stays behind, we know better by now."""
    room.mkdir(parents=True, exist_ok=True)
    for extension in (".shp", ".shx", ".dbf"):
        shutil.copyfile(parts.files[extension], room / f"site{extension}")
    return room / "site.shp"


def _features(rows: ogr.Rows, shapes: Shapes, wanted: Wanted) -> Gathering:
    gathering = Gathering(wanted.limits)
    for number, (geometry, attributes) in enumerate(rows, 1):
        null = number > len(shapes.kinds) or shapes.kinds[number - 1] == 0
        if geometry is None and not null:
            raise damaged(f"record {number} cannot be read")
        if not null and shapes.kinds[number - 1] > 10:
            gathering.height_dropped(gathering.next_number())
        gathering.add(None if geometry is None else _renested(geometry, wanted), attributes)
    return gathering


def _renested(geometry: BaseGeometry, wanted: Wanted) -> BaseGeometry:
    """Return polygons built anew from their rings; other shapes unchanged."""
    if geometry.geom_type not in ("Polygon", "MultiPolygon"):
        return geometry
    rings = [ring for ring in shapely.get_rings(shapely.get_parts(geometry)) if not ring.is_empty]
    return nest(rings, most=wanted.limits.rings)


def _projection(prj: Path | None) -> CRS | None:
    """Return the system of a ``.prj``, mark of UTF-8 or not; None when there is none or it is blank."""
    text = (
        "" if prj is None else prj.read_bytes()[:65_536].decode("utf-8-sig", errors="replace").strip("\x00 \t\r\n")
    )
    if not text:
        return None
    try:
        return CRS.from_wkt(text)
    except CRSError as error:
        raise CrsRefused(
            "The shapefile's .prj holds a text that is no coordinate system; name the system with crs=EPSG:n "
            "and leave the .prj out.",
        ) from error

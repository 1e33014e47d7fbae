"""Reading: a shapefile's own structure, looked at before GDAL is let near it; GDAL forgives too much in silence."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spatial.errors import FormatRefused, GeometryRefused
from spatial.read.dbase import damaged
from spatial.read.limits import ReadLimits
from spatial.read.raw import too_many

POLYGONS = (5, 15, 25)
POINTS = (1, 11, 21, 8, 18, 28)
_LINES = (3, 13, 23)
_KNOWN = {0, *POLYGONS, *POINTS, *_LINES}
_MULTIPATCH = 31
_HEADER = 100
_FARTHEST = 1e12


@dataclass(frozen=True, slots=True)
class Shapes:
    """What the records of a ``.shp`` are: ``kinds`` one shape type a record, 0 for a null shape."""

    kinds: NDArray[np.int32]


def kind_of(shp: Path) -> int:
    """Return the shape type the header of a ``.shp`` declares; -1 when it has no header."""
    with shp.open("rb") as file:
        head = file.read(_HEADER)
    if len(head) < _HEADER or head[:4] != b"\x00\x00\x27\x0a":
        return -1
    return int(struct.unpack_from("<i", head, 32)[0])


def check(shp: Path, shx: Path, limits: ReadLimits, *, wanted: tuple[int, ...] = POLYGONS) -> Shapes:
    """Return the shapes of a shapefile whose every record is whole.

    Raises
    ------
    FormatRefused
        ``corrupt_file`` when a length, an offset or a count contradicts the file; ``no_features`` for no record.
    GeometryRefused
        ``no_polygon`` for lines or points, ``unsupported_geometry`` for multipatches, ``mixed_geometry`` for
        records of several kinds, ``too_complex`` beyond the limits.
    """
    declared = kind_of(shp)
    if declared == -1:
        raise damaged("its .shp has no header")
    content, index = shp.read_bytes(), _index(shx)
    _check_mixture(declared, _kinds_at_a_glance(content, index))
    _check_kind(declared, wanted)
    _check_count(len(index), limits)
    kinds = np.array(
        [_record(content, number, at, size) for number, (at, size) in enumerate(index, 1)], dtype=np.int32
    )
    _check_none_unlisted(content, index)
    return Shapes(kinds)


def _check_none_unlisted(content: bytes, index: list[tuple[int, int]]) -> None:
    """Refuse a ``.shp`` that goes on with another record after the last one the ``.shx`` lists."""
    end = max(at + 8 + size for at, size in index)
    if end + 12 <= len(content) and int(struct.unpack_from(">i", content, end)[0]) == len(index) + 1:
        raise damaged(f"its .shx lists {len(index)} shapes and its .shp holds more")


def _check_count(records: int, limits: ReadLimits) -> None:
    if records == 0:
        raise FormatRefused("The shapefile holds no record; draw the site and export it again.", code="no_features")
    if records > limits.features:
        raise too_many("features", limits.features)


def _kinds_at_a_glance(content: bytes, index: list[tuple[int, int]]) -> set[int]:
    """Return the shape types that the records name, before anything else of them is believed."""
    inside = [at + 8 for at, _ in index if at >= _HEADER and at + 12 <= len(content)]
    return {int(struct.unpack_from("<i", content, at)[0]) for at in inside} & _KNOWN


def _check_kind(declared: int, wanted: tuple[int, ...]) -> None:
    if declared == _MULTIPATCH:
        raise GeometryRefused(
            "The shapefile holds multipatches (surfaces in space), which are not read; export polygons.",
            code="unsupported_geometry",
        )
    if declared not in _KNOWN:
        raise damaged(f"its .shp declares shape type {declared}, which does not exist")
    if declared not in (0, *wanted):
        what = "lines" if declared in _LINES else "points" if declared in POINTS else "polygons"
        raise GeometryRefused(
            f"The shapefile holds {what}, not polygons; a site is drawn as polygons. A closed line is not one.",
            code="no_polygon",
        )


def _index(shx: Path) -> list[tuple[int, int]]:
    """Return (offset, length) in bytes of each record's content, from the ``.shx``."""
    content = shx.read_bytes()
    if len(content) < _HEADER:
        raise damaged("its .shx has no header")
    words = np.frombuffer(content, dtype=">i4", offset=_HEADER, count=(len(content) - _HEADER) // 8 * 2)
    pairs = words.reshape(-1, 2).astype(np.int64) * 2
    return [(int(at), int(size)) for at, size in pairs]


def _record(content: bytes, number: int, at: int, size: int) -> int:
    """Return the shape type of one record after checking that all it promises is there."""
    if at < _HEADER or size < 4 or at + 8 + size > len(content):
        raise damaged(f"record {number} reaches beyond the end of the .shp")
    stated_number, stated_size = struct.unpack_from(">ii", content, at)
    if stated_number != number or stated_size * 2 != size:
        raise damaged(f"record {number} of the .shp is not where the .shx says")
    kind = int(struct.unpack_from("<i", content, at + 8)[0])
    if kind in POLYGONS or kind in _LINES:
        _check_parts(content, number, at + 8, size)
    return kind


def _check_parts(content: bytes, number: int, at: int, size: int) -> None:
    if size < 44:
        raise damaged(f"record {number} is too short")
    parts, points = struct.unpack_from("<ii", content, at + 36)
    if parts < 0 or points < 0 or 44 + 4 * parts + 16 * points > size:
        raise damaged(f"record {number} promises {parts} parts and {points} points and holds fewer")
    starts = np.frombuffer(content, dtype="<i4", offset=at + 44, count=parts)
    if parts and (starts[0] != 0 or (np.diff(starts) <= 0).any() or starts[-1] >= points):
        raise damaged(f"record {number} has parts that do not follow each other")
    xy = np.frombuffer(content, dtype="<f8", offset=at + 44 + 4 * parts, count=2 * points)
    if not (np.abs(xy) < _FARTHEST).all():
        raise GeometryRefused(
            f"Record {number} of the shapefile has a coordinate that is not a finite number of a map; correct it.",
            code="bad_coordinates",
            feature=str(number),
        )


def _check_mixture(declared: int, kinds: set[int]) -> None:
    others = sorted(kinds - {0, declared})
    if others:
        raise GeometryRefused(
            f"The shapefile is declared as shape type {declared} and holds records of type "
            f"{', '.join(map(str, others))}; a shapefile has one kind of shape. Export it again.",
            code="mixed_geometry",
        )

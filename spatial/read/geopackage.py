"""Reading: a GeoPackage, looked at as the SQLite database it is before GDAL opens it.

A view can run for ever and a generated column can call functions; neither has a place in a site. Triggers stay
asleep: the file is only ever read.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

from spatial.errors import FormatRefused
from spatial.model import Note
from spatial.read.choice import Container, read_chosen
from spatial.read.raw import Raw, Wanted

GEOPACKAGE = Container(
    format="geopackage",
    driver="GPKG",
    called="GeoPackage",
    stated_in="its spatial reference table",
    no_crs="The GeoPackage's layer {layer} has an undefined coordinate system",
)
_STEPS_BETWEEN_CHECKS = 100_000
_CHECKS = 400
_VIRTUAL = re.compile(r"create\s+virtual\s+table.*?using\s+(\w+)", re.IGNORECASE | re.DOTALL)
_CURVES = frozenset((8, 9, 10, 11, 12, 13, 14))
_ENVELOPE_BYTES = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}


def read(path: Path, wanted: Wanted) -> Raw:
    """Return what the one spatial layer of a GeoPackage holds, or the one asked for.

    Raises
    ------
    FormatRefused
        ``unsafe_database`` for views, generated columns and foreign virtual tables; ``unsupported_format`` when
        the SQLite file is no GeoPackage; ``corrupt_file``.
    GeometryRefused
        As :func:`spatial.read.choice.read_chosen`.
    """
    notes = inspect_database(path)
    raw = read_chosen(path, wanted, GEOPACKAGE)
    return replace(raw, notes=(*notes, *raw.notes, *_curves(path, raw.layer)))


def inspect_database(path: Path) -> tuple[Note, ...]:
    """Return notes on a database that is safe to open; raise when it is not."""
    try:
        with closing(_opened(path)) as database:
            objects = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
            _check_objects(objects)
            _check_columns(database, [str(name) for kind, name, _ in objects if kind == "table"])
            if "gpkg_contents" not in {str(name).lower() for _, name, _ in objects}:
                raise FormatRefused(
                    "The file is an SQLite database but no GeoPackage; export the site as GeoPackage."
                )
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise FormatRefused(
            "The GeoPackage is damaged and cannot be read; export it again.", code="corrupt_file"
        ) from error
    return _unsaved(path)


def _opened(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    left = iter(range(_CHECKS))
    database.set_progress_handler(lambda: next(left, None) is None, _STEPS_BETWEEN_CHECKS)
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _check_objects(objects: Iterable[tuple[str, str, str | None]]) -> None:
    for kind, name, sql in objects:
        if kind == "view":
            raise _unsafe(f"the SQL view {_shown(name)}")
        virtual = _VIRTUAL.match(sql or "")
        if virtual is not None and virtual.group(1).lower() not in ("rtree", "rtree_i32"):
            raise _unsafe(f"the virtual table {_shown(name)}")


def _check_columns(database: sqlite3.Connection, tables: Iterable[str]) -> None:
    for table in tables:
        columns = database.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", (table,)).fetchall()
        if any(hidden in (2, 3) for _, hidden in columns):
            raise _unsafe(f"a computed column in the table {_shown(table)}")


def _shown(name: object) -> str:
    return repr("".join(c if c.isprintable() else "?" for c in str(name)[:60]))


def _unsafe(what: str) -> FormatRefused:
    return FormatRefused(
        f"The GeoPackage holds {what}, which would run when it is read; save the layer into a new GeoPackage.",
        code="unsafe_database",
    )


def _unsaved(path: Path) -> tuple[Note, ...]:
    with path.open("rb") as file:
        versions = file.read(20)[18:20]
    if versions != b"\x02\x02":
        return ()
    text = "The GeoPackage was copied while a program had it open: edits not yet written into it are missing here."
    return (Note("unsaved_edits_possible", text),)


def _curves(path: Path, layer: str) -> tuple[Note, ...]:
    """Return a note when the layer's geometries are curves, which GDAL hands out as short chords."""
    try:
        heads = _heads(path, layer)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise FormatRefused(
            "The GeoPackage is damaged and cannot be read; export it again.", code="corrupt_file"
        ) from error
    curved = sum(_is_curve(head) for head in heads)
    if not curved:
        return ()
    return (
        Note("curve_linearised", f"True curves in {curved} feature(s) were replaced by chords of half a degree."),
    )


def _heads(path: Path, layer: str) -> list[object]:
    """Return the first bytes of each geometry of a layer."""
    with closing(_opened(path)) as database:
        row = database.execute(
            "SELECT column_name FROM gpkg_geometry_columns WHERE table_name = ?", (layer,)
        ).fetchone()
        if row is None:
            return []
        column, table = (str(name).replace('"', '""') for name in (row[0], layer))
        return [head for (head,) in database.execute(f'SELECT substr("{column}", 1, 100) FROM "{table}"')]


def _is_curve(head: object) -> bool:
    if not isinstance(head, bytes) or len(head) < 13:
        return False
    at = 8 + _ENVELOPE_BYTES.get((head[3] >> 1) & 7, 0)
    order: Literal["little", "big"] = "little" if head[at : at + 1] == b"\x01" else "big"
    kind = int.from_bytes(head[at + 1 : at + 5], order)
    return (kind & 0x0FFFFFFF) % 1000 in _CURVES

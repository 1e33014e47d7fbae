"""What a newer edition changed: features added, gone and changed, and area by class, from the editions on disk.

A comparison of two editions never changes, so it is kept beside them once it was made.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from layers.editions import edition_names
from layers.frames import FEATURES
from layers.geoparquet import Columns, read_columns
from layers.manifest import Manifest, read_manifest
from layers.rasters import GRID
from layers.spec import Spec
from spatial.units import FOOT_M

KEPT = ".changes"
MOST_NAMED = 100
"""Features named of each sort; all are counted."""
MOVED_M = 0.001
"""Corners that lie nearer than this are the same corner: agencies' exports differ by rounding."""

Extent = Literal["sqft", "ft", "features", "cells"]
EXTENTS: Mapping[str, Extent] = {"polygon": "sqft", "line": "ft"}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sort(_Strict):
    """Features of one sort: how many, and the first of them by id."""

    count: int = 0
    ids: tuple[str, ...] = ()


class ClassExtent(_Strict):
    """How much of a class there was and is, in the unit of the comparison; features that overlap count each."""

    name: str
    before: float
    after: float


class Changes(_Strict):
    """One edition against the one before it in the same part. Of rasters, cells are counted and none is named.

    ``comparable`` False: the two cannot be held against each other, ``why`` says so, and nothing is counted.
    """

    format: Literal[1] = 1
    part: str
    before: str
    after: str
    comparable: bool = True
    why: str = ""
    added: Sort = Sort()
    gone: Sort = Sort()
    changed: Sort = Sort()
    redrawn: int = 0
    reworded: int = 0
    same: int = 0
    unit: Extent = "sqft"
    classes: tuple[ClassExtent, ...] = ()


def changes_of(layer: Path, spec: Spec) -> tuple[Changes, ...]:
    """Return the changes between consecutive editions of every part of a layer, the newest first.

    Parameters
    ----------
    layer
        ``DATA/layers/<id>``; a folder that is not there has none. A damaged edition is passed over.
    """
    found: list[Changes] = []
    for part in sorted(p for p in layer.glob("*") if p.is_dir()):
        editions = _in_order(part)
        pairs = list(pairwise(editions))
        found += [_kept_or_made(part, before, after, spec) for before, after in reversed(pairs)]
    return tuple(found)


def _in_order(part: Path) -> list[Manifest]:
    """Return the readable editions of a part, by the day they are of and then as they were made."""
    found = []
    for name in edition_names(part):
        with suppress(OSError, ValueError):
            manifest = read_manifest(part / name)
            found.append(((manifest.retrieved, (part / name / "manifest.json").stat().st_mtime_ns), manifest))
    return [manifest for _, manifest in sorted(found, key=lambda one: one[0])]


def _kept_or_made(part: Path, before: Manifest, after: Manifest, spec: Spec) -> Changes:
    path = part / KEPT / f"{before.edition}..{after.edition}.json"
    with suppress(OSError, ValidationError):
        return Changes.model_validate_json(path.read_bytes())
    made = _made(part, before, after, spec)
    with suppress(OSError):  # a library that may only be read is compared anew each time
        _write(path, made.model_dump_json())
    return made


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(name).replace(path)


def _made(part: Path, before: Manifest, after: Manifest, spec: Spec) -> Changes:
    try:
        if "raster" in (before.kind, after.kind):
            return _of_rasters(part, before, after)
        old, new = (read_columns(part / m.edition / FEATURES) for m in (before, after))
    except Exception as error:
        why = f"an edition could not be read ({type(error).__name__}); run metes layers verify"
        return _incomparable(part, before, after, why)
    return _of_features(part, (before, after), (old, new), spec)


def _incomparable(part: Path, before: Manifest, after: Manifest, why: str) -> Changes:
    return Changes(part=part.name, before=before.edition, after=after.edition, comparable=False, why=why)


def _of_features(
    part: Path, editions: tuple[Manifest, Manifest], tables: tuple[Columns, Columns], spec: Spec
) -> Changes:
    old, new = tables
    places = tuple({str(name): row for row, name in enumerate(t.values["id"].tolist())} for t in tables)
    both = sorted(places[0].keys() & places[1].keys())
    rows = tuple(np.array([p[name] for name in both], dtype=np.int64) for p in places)
    redrawn, reworded = _redrawn(old, new, rows), _reworded(old, new, rows)
    changed = redrawn | reworded
    unit = EXTENTS.get(editions[1].kind, "features")
    return Changes(
        part=part.name,
        before=editions[0].edition,
        after=editions[1].edition,
        added=_sort(sorted(places[1].keys() - places[0].keys())),
        gone=_sort(sorted(places[0].keys() - places[1].keys())),
        changed=_sort([name for name, is_so in zip(both, changed, strict=True) if is_so]),
        redrawn=int(redrawn.sum()),
        reworded=int(reworded.sum()),
        same=int((~changed).sum()),
        unit=unit,
        classes=_classes(old, new, spec.class_from, unit),
    )


def _sort(ids: Sequence[str]) -> Sort:
    return Sort(count=len(ids), ids=tuple(ids[:MOST_NAMED]))


def _redrawn(old: Columns, new: Columns, rows: tuple[NDArray[np.int64], ...]) -> NDArray[np.bool_]:
    """Return which features have another shape: a corner moved by a millimetre, or other corners."""
    assert old.geometry is not None  # noqa: S101 (a file of features)
    assert new.geometry is not None  # noqa: S101
    was, now = shapely.normalize(old.geometry[rows[0]]), shapely.normalize(new.geometry[rows[1]])
    return ~np.asarray(shapely.equals_exact(was, now, MOVED_M), dtype=bool)


def _reworded(old: Columns, new: Columns, rows: tuple[NDArray[np.int64], ...]) -> NDArray[np.bool_]:
    """Return which features have another value in a column; one that an edition lacks is empty in it."""
    found = np.zeros(len(rows[0]), dtype=bool)
    for name in sorted(old.values.keys() | new.values.keys()):
        was, now = (_column(table, name, at) for table, at in ((old, rows[0]), (new, rows[1])))
        found |= np.array([a != b for a, b in zip(was, now, strict=True)], dtype=bool)
    return found


def _column(table: Columns, name: str, at: NDArray[np.int64]) -> list[object]:
    held = table.values.get(name)
    return [None] * len(at) if held is None else list(held[at].tolist())


def _classes(old: Columns, new: Columns, column: str | None, unit: Extent) -> tuple[ClassExtent, ...]:
    totals = tuple(_totals(table, column, unit) for table in (old, new))
    names = sorted(totals[0].keys() | totals[1].keys())
    return tuple(ClassExtent(name=n, before=totals[0].get(n, 0.0), after=totals[1].get(n, 0.0)) for n in names)


def _totals(table: Columns, column: str | None, unit: Extent) -> dict[str, float]:
    if table.geometry is None or not len(table):
        return {}
    each = {"sqft": shapely.area(table.geometry) / FOOT_M**2, "ft": shapely.length(table.geometry) / FOOT_M}.get(
        unit, np.ones(len(table))
    )
    held = table.values.get(column) if column else None
    names = ["all"] * len(table) if held is None else [_name(value) for value in held.tolist()]
    totals: dict[str, float] = {}
    for name, size in zip(names, each.tolist(), strict=True):
        totals[name] = totals.get(name, 0.0) + float(size)
    return totals


def _name(value: object) -> str:
    return "unknown" if value is None else str(value)


def _of_rasters(part: Path, before: Manifest, after: Manifest) -> Changes:
    from layers.cells import compared  # noqa: PLC0415 (rasterio is loaded only where a raster is)

    found = compared(part / before.edition / GRID, part / after.edition / GRID)
    if found is None:
        return _incomparable(part, before, after, "the cells of the two lie elsewhere or are of another size")
    old, new = (m.grid.values if m.grid else {} for m in (before, after))
    return Changes(
        part=part.name,
        before=before.edition,
        after=after.edition,
        added=Sort(count=found.gained),
        gone=Sort(count=found.lost),
        changed=Sort(count=found.changed),
        redrawn=0,
        reworded=found.changed,
        same=found.same,
        unit="cells",
        classes=tuple(
            ClassExtent(name=n, before=float(old.get(n, 0)), after=float(new.get(n, 0)))
            for n in sorted(old.keys() | new.keys())
        ),
    )

"""An ArcGIS feature or map service layer, fetched whole or refused.

The object ids are the truth: they are asked first, every page is held against the ids it should carry, and they
are asked again at the end. A short page, a missing ``exceededTransferLimit`` or a wrong count cannot pass.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from layers.sources.door import Door
from layers.sources.errors import SourceIncomplete, SourceRefused

PAGE = 500
ID_TYPE = "esriFieldTypeOID"
CURVES = ("curveRings", "curvePaths")
Progress = Callable[[int, int], None]
Page = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows of which layer: ``bounds`` west, south, east, north in the working CRS; None is everything."""

    url: str
    where: str = "1=1"
    bounds: tuple[float, float, float, float] | None = None
    wkid: int = 26986
    table: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """A whole layer as one Esri JSON feature set, the count that the source itself gave, and what it draws."""

    file: Path
    count: int
    fields: tuple[str, ...]
    geometry_type: str | None = None


@dataclass(frozen=True, slots=True)
class _Service:
    id_field: str
    page: int
    fields: tuple[Any, ...]
    geometry_type: str | None


@dataclass(frozen=True, slots=True)
class _Run:
    """One fetch under way: whom we ask, for what, and where its pages lie."""

    door: Door
    wanted: Wanted
    service: _Service
    pages: Path


def fetch(
    door: Door, wanted: Wanted, folder: Path, progress: Progress | None = None, *, on: date | None = None
) -> Fetched:
    """Return every row the source has, in a file inside ``folder``.

    Pages that an interrupted fetch of the same rows left there are used again, if it was begun ``on`` the same day:
    ids alone do not tell whether a row was redrawn since. A fetch that ends well leaves none.

    Raises
    ------
    SourceFailed
        The service gave no whole answer after all tries; what was fetched stays for the next try.
    SourceIncomplete
        Ids and rows disagree, or the layer changed while it was read.
    SourceRefused
        The service has no ids, speaks of curves, or cannot be asked.
    """
    service = _describe(door, wanted)
    ids = _ids(door, wanted, service)
    run = _Run(door, wanted, service, _prepare(folder, f"{wanted!r} {on}", ids))
    done, pages = 0, list[Path]()
    for group in _groups(ids, service.page):
        pages += _page(run, group)
        done += len(group)
        if progress:
            progress(done, len(ids))
    if _ids(door, wanted, service) != ids:
        shutil.rmtree(run.pages)
        raise SourceIncomplete(f"{wanted.url} changed while it was read; nothing of it is used; sync again.")
    file = _join(run, pages, folder / "features.json")
    shutil.rmtree(run.pages)
    return Fetched(file, len(ids), tuple(str(field["name"]) for field in service.fields), service.geometry_type)


def count_rows(door: Door, wanted: Wanted) -> int:
    """Return how many rows the source says it has."""
    answer = door.ask(f"{wanted.url}/query", {**_filter(wanted), "returnCountOnly": "true"})
    count = answer.get("count")
    if not isinstance(count, int):
        raise SourceRefused(f"{wanted.url} gives no count of its rows; nothing can be proved complete.")
    return count


def _describe(door: Door, wanted: Wanted) -> _Service:
    told = door.ask(wanted.url, {"f": "json"})
    fields = tuple(told.get("fields") or ())
    named = told.get("objectIdField") or next((f["name"] for f in fields if f.get("type") == ID_TYPE), None)
    if not named:
        raise SourceRefused(f"{wanted.url} names no object id field; its rows cannot be counted off.")
    limit = told.get("maxRecordCount")
    page = min(PAGE, limit) if isinstance(limit, int) and limit > 0 else PAGE
    return _Service(str(named), page, fields, None if wanted.table else told.get("geometryType"))


def _ids(door: Door, wanted: Wanted, service: _Service) -> tuple[int, ...]:
    """Return the sorted object ids, checked against the source's own count."""
    answer = door.ask(f"{wanted.url}/query", {**_filter(wanted), "returnIdsOnly": "true"})
    ids = tuple(sorted(answer.get("objectIds") or ()))
    count = count_rows(door, wanted)
    if len(set(ids)) != len(ids) or len(ids) != count:
        raise SourceIncomplete(
            f"{wanted.url} lists {len(ids):,} {service.id_field} values ({len(set(ids)):,} different) but counts "
            f"{count:,} rows; nothing of it is used."
        )
    return ids


def _filter(wanted: Wanted, where: str | None = None) -> dict[str, str]:
    params = {"f": "json", "where": where or wanted.where}
    if wanted.bounds is not None:
        params |= {
            "geometry": ",".join(repr(edge) for edge in wanted.bounds),
            "geometryType": "esriGeometryEnvelope",
            "spatialRel": "esriSpatialRelIntersects",
            "inSR": "26986",
        }
    return params


def _groups(ids: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    for start in range(0, len(ids), size):
        yield tuple(ids[start : start + size])


def _prepare(folder: Path, question: str, ids: tuple[int, ...]) -> Path:
    """Return the folder of pages; pages of another question, another day or other ids are thrown away."""
    plan = hashlib.sha256(json.dumps([question, ids]).encode()).hexdigest()
    pages, mark = folder / "pages", folder / "plan"
    if not mark.exists() or mark.read_text() != plan:
        shutil.rmtree(pages, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        mark.write_text(plan)
    pages.mkdir(exist_ok=True)
    return pages


def _page(run: _Run, group: tuple[int, ...]) -> list[Path]:
    """Return the files that hold one group of ids; a group that comes short is halved until single ids."""
    file = run.pages / f"{group[0]}-{group[-1]}.json"
    if file.exists():
        return [file]
    answer = _ask_page(run, group)
    features = answer.get("features") or []
    if answer.get("exceededTransferLimit") or len(features) < len(group):
        return _halve(run, group)
    _check_page(run, features, group)
    if not run.wanted.table:
        _check_system(run, answer.get("spatialReference") or {})
    aside = file.with_suffix(".part")
    aside.write_text(json.dumps(answer), encoding="utf-8")
    aside.replace(file)
    return [file]


def _ask_page(run: _Run, group: tuple[int, ...]) -> Page:
    wanted, oid = run.wanted, run.service.id_field
    where = f"({wanted.where}) AND {oid} >= {group[0]} AND {oid} <= {group[-1]}"
    params = _filter(wanted, where) | {
        "outFields": "*",
        "orderByFields": oid,
        "returnGeometry": "false" if wanted.table else "true",
        "returnTrueCurves": "false",
        "outSR": str(wanted.wkid),
    }
    return run.door.ask(f"{wanted.url}/query", params)


def _halve(run: _Run, group: tuple[int, ...]) -> list[Path]:
    if len(group) == 1:
        raise SourceIncomplete(
            f"{run.wanted.url} lists {run.service.id_field} {group[0]} but does not give it; nothing of it is used."
        )
    middle = len(group) // 2
    return _page(run, group[:middle]) + _page(run, group[middle:])


def _check_page(run: _Run, features: Sequence[Page], group: tuple[int, ...]) -> None:
    oid = run.service.id_field
    got = [feature.get("attributes", {}).get(oid) for feature in features]
    if sorted(map(str, got)) != sorted(map(str, group)):
        raise SourceIncomplete(
            f"{run.wanted.url} was asked for {len(group):,} {oid} values from {group[0]} to {group[-1]} and gave "
            f"{len(got):,} rows that are not the same ones; nothing of it is used."
        )
    for feature in features:
        _check_row(run, feature)


def _check_system(run: _Run, said: Page) -> None:
    """Refuse coordinates in another system than the one asked for; taken for ours they would lie elsewhere."""
    if run.wanted.wkid not in (said.get("latestWkid"), said.get("wkid")):
        told = said.get("latestWkid") or said.get("wkid") or "none"
        raise SourceRefused(
            f"{run.wanted.url} was asked for EPSG:{run.wanted.wkid} and answers in the system {told}; "
            "nothing of it is used."
        )


def _check_row(run: _Run, feature: Page) -> None:
    geometry, url = feature.get("geometry") or {}, run.wanted.url
    if any(curve in geometry for curve in CURVES):
        raise SourceRefused(f"{url} sends true curves although told not to; download the layer as a file instead.")
    carried = feature["attributes"]
    missing = [f["name"] for f in run.service.fields if f["name"] not in carried and not _drawn(f)]
    if missing:
        raise SourceIncomplete(f"{url} says it has the field {missing[0]} but its rows do not carry it.")


def _drawn(field: Page) -> bool:
    return field.get("type") == "esriFieldTypeGeometry"


def _join(run: _Run, pages: Sequence[Path], file: Path) -> Path:
    """Write one feature set from the pages, in id order, page by page so that memory stays small."""
    head = {
        "objectIdFieldName": run.service.id_field,
        "geometryType": run.service.geometry_type,
        "spatialReference": {"wkid": run.wanted.wkid},
        "fields": [field for field in run.service.fields if not _drawn(field)],
    }
    aside = file.with_suffix(".part")
    with aside.open("w", encoding="utf-8") as out:
        out.write(json.dumps(head)[:-1] + ', "features": [')
        separator = ""
        for page in pages:
            for feature in json.loads(page.read_text(encoding="utf-8"))["features"]:
                out.write(separator + json.dumps(feature))
                separator = ",\n"
        out.write("]}")
    aside.replace(file)
    return file

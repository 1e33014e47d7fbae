"""Bring layers from their agencies into the library: fetch → count → make an edition → swap, or keep the old one.

One layer's failure leaves the others, and its own edition in force, as they were.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from layers.catalog import Catalog
from layers.ingest.request import AddRequest
from layers.library import Library
from layers.manifest import Manifest
from layers.sources.arcgis import Progress, Wanted, count_rows, fetch
from layers.sources.door import Door
from layers.sources.doubts import refuse_lost_fields, refuse_silence
from layers.sources.errors import SourceRefused
from layers.sources.ground import Ground, write_box
from layers.spec import SourceSpec, Spec
from spatial.errors import MetesError
from spatial.model import Town

Outcome = Literal["new", "failed"]
SAMPLE = Town(78, "dover", "Dover")
"""The town whose file is asked for where a source is a file a town."""
Told = Callable[[str], Progress | None]
KINDS = {
    "esriGeometryPoint": "point",
    "esriGeometryMultipoint": "point",
    "esriGeometryPolyline": "line",
    "esriGeometryPolygon": "polygon",
}


@dataclass(frozen=True, slots=True)
class Synced:
    """What became of one part of one layer. ``why`` says what was wrong with every source tried."""

    layer_id: str
    part: str
    outcome: Outcome
    edition: str | None = None
    rows: int | None = None
    source_url: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """What one source said when it was only asked whether it is there; ``rows`` None where it is a file."""

    layer_id: str
    url: str
    rows: int | None = None
    why: str | None = None
    unverified: bool = False


@dataclass(frozen=True, slots=True)
class Errand:
    """One sync under way: into which library, through which door, on which day, in which work folder."""

    library: Library
    door: Door
    on: date
    work: Path
    told: Told = lambda _title: None


@dataclass(frozen=True, slots=True)
class _Part:
    spec: Spec
    ground: Ground
    town: Town | None

    @property
    def name(self) -> str:
        return self.town.slug if self.town else self.ground.part


def hosts(catalog: Catalog) -> frozenset[str]:
    """Return every host that the specifications name; no other is asked."""
    urls = [
        u for s in catalog.specs.values() for source in s.sources for u in (source.url, *source.tables.values())
    ]
    return frozenset(urlsplit(url).hostname or "" for url in urls)


def sync(errand: Errand, layer_ids: Sequence[str], ground: Ground) -> tuple[Synced, ...]:
    """Fetch the named layers (all that have a source when none is named) for some ground, one after another.

    Raises
    ------
    ParameterRefused
        A layer does not exist, or has no source to fetch from.
    """
    catalog = errand.library.catalog
    wanted = [catalog.spec(name) for name in layer_ids] or [s for s in catalog.specs.values() if s.sources]
    for spec in wanted:
        if not spec.sources:
            raise SourceRefused(f"The layer '{spec.id}' names no source; add it from a file (metes layers add).")
    return tuple(told for spec in wanted for part in _parts(spec, ground) for told in _bring(errand, part))


def check(door: Door, catalog: Catalog, town: Town = SAMPLE) -> Iterator[Answered]:
    """Ask every source whether it is there; nothing is fetched. A source that is a file a town is asked for one."""
    for spec in catalog.specs.values():
        for source in spec.sources:
            yield _ask(door, spec, source, town)
            for table in source.tables.values():
                yield _ask(door, spec, source.model_copy(update={"url": table}), town)


def _ask(door: Door, spec: Spec, source: SourceSpec, town: Town) -> Answered:
    url, rows = _filled(source.url, town), None
    try:
        if source.kind == "zip":
            door.reach(url)
        else:
            rows = count_rows(door, Wanted(url, _filled(source.where or "1=1", town), table=True))
    except MetesError as trouble:
        return Answered(spec.id, url, why=trouble.detail, unverified=source.unverified)
    return Answered(spec.id, url, rows, unverified=source.unverified)


def _parts(spec: Spec, ground: Ground) -> tuple[_Part, ...]:
    """Return one part, or one for the town and each neighbour where the agency offers a file a town."""
    per_town = any(source.per_town for source in spec.sources)
    if per_town and ground.towns:
        return tuple(_Part(spec, ground, town) for town in ground.towns)
    return (_Part(spec, ground, None),)


def _bring(errand: Errand, part: _Part) -> tuple[Synced, ...]:
    """Try the alternatives in order, each with what stands beside it; the first that gives whole editions is used.

    Rivers without their lakes would be silence about lakes: all of a layer comes, or its old editions stay.
    """
    beside = [source for source in part.spec.sources if source.beside]
    troubles = []
    for source in part.spec.sources:
        if source.beside:
            continue
        try:
            requests = [_request(errand, part, one) for one in (source, *beside)]
            brought = errand.library.add_all(requests)
        except MetesError as trouble:
            troubles.append(trouble.detail)
            continue
        shutil.rmtree(errand.work / part.spec.id / part.name, ignore_errors=True)
        return tuple(_told(manifest) for manifest in brought)
    return (Synced(part.spec.id, part.name, "failed", why=" ".join(dict.fromkeys(troubles))),)


def _told(made: Manifest) -> Synced:
    return Synced(made.layer_id, made.part, "new", made.edition, made.count_kept, made.source.url)


def _request(errand: Errand, part: _Part, source: SourceSpec) -> AddRequest:
    if source.per_town and part.town is None:
        raise SourceRefused(f"The source of '{part.spec.id}' is a file a town; name the town (--town).")
    folder = errand.work / part.spec.id / part.name / ("beside" if source.beside else "main")
    folder.mkdir(parents=True, exist_ok=True)
    return (
        _of_zip(errand, part, source, folder) if source.kind == "zip" else _of_service(errand, part, source, folder)
    )


def _of_zip(errand: Errand, part: _Part, source: SourceSpec, folder: Path) -> AddRequest:
    url = _filled(source.url, part.town)
    file = folder / Path(urlsplit(url).path).name
    errand.door.download(url, file)
    return AddRequest(
        layer_id=part.spec.id,
        path=file,
        on=errand.on,
        retrieved=errand.on,
        source_url=url,
        source_layer=source.layer,
        crs=source.crs,
        mapping=source.mapping,
        covers=_stated(part, source) or (None if part.town or part.spec.covers else "state"),
    )


def _of_service(errand: Errand, part: _Part, source: SourceSpec, folder: Path) -> AddRequest:
    url, box = _filled(source.url, part.town), part.ground.reaching(part.spec)
    where = _filled(source.where, part.town) if source.where else "1=1"
    wanted = Wanted(url, where, None if part.town else box)
    fetched = fetch(errand.door, wanted, folder, errand.told(f"{part.spec.id} {part.name}"), on=errand.on)
    if source.unverified:
        refuse_silence(errand.door, wanted, fetched)
    refuse_lost_fields(
        part.spec, errand.library.current(part.spec.id), source.model_copy(update={"url": url}), fetched
    )
    covers = write_box(box, folder / f"{part.name}.geojson") if box and not part.town else None
    return AddRequest(
        layer_id=part.spec.id,
        path=fetched.file,
        on=errand.on,
        retrieved=errand.on,
        source_url=url,
        part=f"{part.name}-{KINDS.get(fetched.geometry_type or '', 'beside')}" if source.beside else part.name,
        crs=source.crs,
        mapping=source.mapping,
        covers=_stated(part, source) or (str(covers) if covers else _whole(part)),
        count_expected=fetched.count,
        assess=_assess(errand, part, source, folder),
    )


def _assess(errand: Errand, part: _Part, source: SourceSpec, folder: Path) -> Path | None:
    """Return the assessors' rows of a service that keeps them in a table of its own; None when it has none."""
    table = source.tables.get("assess")
    if table is None:
        return None
    where = _filled(source.where, part.town) if source.where else "1=1"
    wanted = Wanted(_filled(table, part.town), where, table=True)
    aside = folder / "assess"
    told = errand.told(f"{part.spec.id} {part.name}, assessors' rows")
    return fetch(errand.door, wanted, aside, told, on=errand.on).file


def _stated(part: _Part, source: SourceSpec) -> str | None:
    """Return what the source is said to cover; None when nothing is said of it."""
    return _filled(source.covers, part.town) if source.covers else None


def _whole(part: _Part) -> str | None:
    """Say what a fetch without a box covers: the town asked for, what tiles the ground, or the state."""
    if part.town:
        return f"town:{part.town.slug}"
    return None if part.spec.covers else "state"


def _filled(template: str, town: Town | None) -> str:
    if town is None:
        return template
    return template.format(town_id=town.id, TOWN=town.name.upper().replace(" ", "_"))

"""Bring layers from their agencies into the library: fetch → count → make an edition → swap, or keep the old one.

One layer's failure leaves the others, and its own edition in force, as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from layers.catalog import Catalog, SourceSpec, Spec
from layers.ingest.request import AddRequest
from layers.library import Library
from layers.manifest import Manifest
from layers.sources.arcgis import Progress, Wanted, count_rows, fetch
from layers.sources.door import Door
from layers.sources.errors import SourceRefused
from layers.sources.ground import Ground, write_box
from spatial.errors import MetesError
from spatial.model import Town

Outcome = Literal["new", "failed"]
Told = Callable[[str], Progress | None]


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
    """What one source said when it was only asked whether it is there."""

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
    return tuple(_bring(errand, part) for spec in wanted for part in _parts(spec, ground))


def check(door: Door, catalog: Catalog) -> Iterator[Answered]:
    """Ask every source whether it is there and how many rows it has; nothing is fetched."""
    for spec in catalog.specs.values():
        for source in spec.sources:
            if source.kind == "arcgis":
                yield _ask(door, spec, source)


def _ask(door: Door, spec: Spec, source: SourceSpec) -> Answered:
    try:
        rows = count_rows(door, Wanted(source.url))
    except MetesError as trouble:
        return Answered(spec.id, source.url, why=trouble.detail, unverified=source.unverified)
    return Answered(spec.id, source.url, rows, unverified=source.unverified)


def _parts(spec: Spec, ground: Ground) -> tuple[_Part, ...]:
    """Return one part, or one for the town and each neighbour where the agency offers a file a town."""
    per_town = any(source.per_town for source in spec.sources)
    if per_town and ground.towns:
        return tuple(_Part(spec, ground, town) for town in ground.towns)
    return (_Part(spec, ground, None),)


def _bring(errand: Errand, part: _Part) -> Synced:
    """Try the sources in order; the first that gives a whole edition is used."""
    troubles = []
    for source in part.spec.sources:
        try:
            manifest = _edition(errand, part, source)
        except MetesError as trouble:
            troubles.append(trouble.detail)
            continue
        return Synced(
            part.spec.id, manifest.part, "new", manifest.edition, manifest.count_kept, manifest.source.url
        )
    return Synced(part.spec.id, part.name, "failed", why=" ".join(troubles))


def _edition(errand: Errand, part: _Part, source: SourceSpec) -> Manifest:
    if source.per_town and part.town is None:
        raise SourceRefused(f"The source of '{part.spec.id}' is a file a town; name the town (--town).")
    folder = errand.work / part.spec.id / part.name
    folder.mkdir(parents=True, exist_ok=True)
    request = (
        _of_zip(errand, part, source, folder) if source.kind == "zip" else _of_service(errand, part, source, folder)
    )
    return errand.library.add(request)


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
        covers=None if part.town or part.spec.covers else "state",
    )


def _of_service(errand: Errand, part: _Part, source: SourceSpec, folder: Path) -> AddRequest:
    if source.tables:
        raise SourceRefused(f"{source.url} keeps the owners in a table of its own, which sync does not join yet.")
    url, box = _filled(source.url, part.town), part.ground.reaching(part.spec)
    where = _filled(source.where, part.town) if source.where else "1=1"
    wanted = Wanted(url, where, None if part.town else box)
    fetched = fetch(errand.door, wanted, folder, errand.told(f"{part.spec.id} {part.name}"))
    covers = write_box(box, folder / f"{part.name}.geojson") if box and not part.town else None
    return AddRequest(
        layer_id=part.spec.id,
        path=fetched.file,
        on=errand.on,
        retrieved=errand.on,
        source_url=url,
        part=part.name,
        covers=str(covers) if covers else _whole(part),
        count_expected=fetched.count,
    )


def _whole(part: _Part) -> str | None:
    """Say what a fetch without a box covers: the town asked for, what tiles the ground, or the state."""
    if part.town:
        return f"town:{part.town.slug}"
    return None if part.spec.covers else "state"


def _filled(template: str, town: Town | None) -> str:
    if town is None:
        return template
    return template.format(town_id=town.id, TOWN=town.name.upper().replace(" ", "_"))

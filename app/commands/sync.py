"""``metes layers sync``: fetch layers from their agencies, or only ask whether every source is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.mapping import pairs_of
from app.screening import today
from app.terminal import OUR_FAULT, put, settings_of
from layers.catalog import Catalog, load_specs
from layers.library import Library
from layers.sources.arcgis import Progress as Counted
from layers.sources.door import Door, DoorRules
from layers.sources.ground import WHOLE_STATE, Ground, ground_of
from layers.sources.said import Said, said_of
from layers.sources.sync import SAMPLE, Answered, Errand, Synced, Told, check, hosts, sync
from spatial.errors import ParameterRefused
from spatial.model import Town

ASKED_S = 15.0
"""How long a source that is only asked may take."""


def sync_layers(  # noqa: PLR0913 (one parameter an option of the command)
    ctx: typer.Context,
    layer_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]", help="Layers; all when left out.")
    ] = None,
    *,
    town: Annotated[str | None, typer.Option(help="Fetch what this town and its neighbours need.")] = None,
    state: Annotated[bool, typer.Option("--state", help="Fetch the whole state.")] = False,
    address: Annotated[
        str | None,
        typer.Option(
            "--from", help="Fetch one layer from this file or feature layer, not from those of its specification."
        ),
    ] = None,
    layer: Annotated[str | None, typer.Option(help="Of what comes from there: which layer, of several.")] = None,
    crs: Annotated[str | None, typer.Option(help="Its coordinate system when it names none (EPSG:n).")] = None,
    covers: Annotated[
        str | None, typer.Option(help="The ground it answers for: FILE, town:NAME, state or bounds.")
    ] = None,
    columns: Annotated[list[str] | None, typer.Option("--map", help="Our column = theirs; repeatable.")] = None,
    only_ask: Annotated[bool, typer.Option("--check", help="Only ask every source whether it is there.")] = False,
) -> None:
    """Fetch layers from their agencies and put them in force; exit 1 when one could not be brought."""
    settings = settings_of(ctx)
    said = Said(address, layer=layer, crs=crs, covers=covers, mapping=dict(pairs_of(columns or (), "--map")))
    library = Library(settings.data, said_of(load_specs(), layer_ids or (), said))
    rules = DoorRules(hosts(library.catalog), plain_http=frozenset(settings.source_plain_http_hosts))
    if only_ask:
        failed = _ask(library.catalog, replace(rules, tries=1, timeout_s=ASKED_S), _sample(library, town))
    else:
        with Door(rules) as door:
            errand = Errand(library, door, today(), settings.data / "sync")
            ground = WHOLE_STATE if said.alone and town is None else _ground(library, town, state=state)
            brought = _bring(errand, layer_ids or (), ground)
        put("\n".join(_outcome_line(one, library) for one in brought))
        failed = any(one.outcome == "failed" for one in brought)
    if failed:
        raise typer.Exit(OUR_FAULT)


def _sample(library: Library, named: str | None) -> Town:
    """Return the town whose file is asked for where there is one a town: the one named, else one that is held."""
    towns = library.snapshot().towns
    if named is not None:
        return towns.find(named)
    held = (towns.by_slug.get(manifest.part) for manifest in library.current("parcels"))
    return next((town for town in held if town is not None and not town.invented), SAMPLE)


def _ask(catalog: Catalog, rules: DoorRules, town: Town) -> bool:
    """Tell what each source says as soon as it says it; return whether one was not there."""
    failed = False
    with Door(rules) as door:
        for answer in check(door, catalog, town):
            put(_answer_line(answer))
            failed = failed or answer.why is not None
    return failed


def _ground(library: Library, town: str | None, *, state: bool) -> Ground:
    if (town is None) == (not state):
        raise ParameterRefused("Say what ground to fetch: --town SLUG or --state (one of them).")
    if town is None:
        return WHOLE_STATE
    snapshot = library.snapshot()
    return ground_of(snapshot.towns.find(town), snapshot.frame("towns"), snapshot.towns)


def _bring(errand: Errand, layer_ids: Sequence[str], ground: Ground) -> tuple[Synced, ...]:
    with _bars() as told:
        return sync(replace(errand, told=told), layer_ids, ground)


@contextmanager
def _bars() -> Iterator[Told]:
    """Show a bar with counts a layer on a terminal; elsewhere say nothing until the end."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:

        def told(title: str) -> Counted:
            task = progress.add_task(title, total=None)

            def counted(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)

            return counted

        yield told


def _outcome_line(one: Synced, library: Library) -> str:
    if one.outcome == "new":
        return f"{one.layer_id} ({one.part}): edition {one.edition}, {one.rows:,} features, from {one.source_url}"
    return f"{one.layer_id} ({one.part}): not brought, {_what_stands(one, library)}. {one.why}"


def _what_stands(one: Synced, library: Library) -> str:
    """Return what answers in its place: the part's edition, or nothing on its ground."""
    in_force = {held.part: held.edition for held in library.current(one.layer_id)}
    if one.part in in_force:
        return f"the edition {in_force[one.part]} stays in force"
    others = f"; of other parts in force: {', '.join(in_force)}" if in_force else ""
    return f"and no edition of it is in force{others}"


def _answer_line(one: Answered) -> str:
    doubt = " (its address is not verified)" if one.unverified else ""
    said = one.why or (f"{one.rows:,} rows" if one.rows is not None else "the file is there")
    return f"{one.layer_id}: {one.url}{doubt}: {said}"

"""``metes layers``: what is loaded, add a file, check everything, go back to an older edition, take a part away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from app.commands.sync import sync_layers
from app.layers import editions_told, layers_told
from app.mapping import pairs_of
from app.reports.found import editions_text
from app.reports.library import checks_text, layers_text, withdrawn_text
from app.reports.manifest import manifest_text
from app.screening import today
from app.terminal import OUR_FAULT, put, settings_of
from layers.ingest.request import AddRequest
from layers.library import Library
from spatial.errors import FormatRefused

command = typer.Typer(
    help="The layers library: list, add, sync, editions, verify, rollback, withdraw.",
    no_args_is_help=True,
    add_completion=False,
)
command.command("sync")(sync_layers)


@command.command("list")
def list_layers(
    ctx: typer.Context,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List every layer, whether it can be asked, and the editions in force."""
    settings = settings_of(ctx)
    told = layers_told(Library(settings.data).snapshot(), today(), allow_stale=settings.allow_stale)
    put(told.model_dump_json() if as_json else layers_text(told, on=today()))


@command.command()
def add(
    ctx: typer.Context,
    layer_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the layer, as `metes layers list` has it.")],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Zip, shapefile, geodatabase, GeoPackage, GeoJSON, KML; GeoTIFF for a raster."
        ),
    ],
    *,
    layer: Annotated[str | None, typer.Option(help="Which layer of a file with several.")] = None,
    crs: Annotated[str | None, typer.Option(help="Coordinate system when the file names none (EPSG:n).")] = None,
    covers: Annotated[
        str | None,
        typer.Option(
            help="Ground on which nothing drawn means nothing there: FILE with its polygons, town:NAME, state, or "
            "bounds (the box around what the file holds)."
        ),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", help="Our column = theirs; of a raster classes=1,2 or unit=m|ft; repeatable."),
    ] = None,
    edition: Annotated[
        str | None, typer.Option(help="Name of the edition; made from the day when left out.")
    ] = None,
) -> None:
    """Make an edition of a layer from a file, check it, and put it in force."""
    if not file.exists():
        raise FormatRefused(
            f"There is no file '{file.name}'; check the name.", code="bad_parameter", file=file.name
        )
    request = AddRequest(
        layer_id=layer_id,
        path=file,
        on=today(),
        source_layer=layer,
        crs=crs,
        covers=covers,
        mapping=dict(pairs_of(columns or (), "--map")),
        edition=edition,
    )
    with _waiting(f"Reading {file.name} as {layer_id}: reading, moving, mending, cutting, checking"):
        library = Library(settings_of(ctx).data)
        before = {held.part: held for held in library.current(layer_id)}
        manifest = library.add(request)
    put(manifest_text(manifest, before=before.get(manifest.part), beside=bool(before)))


@command.command()
def editions(
    ctx: typer.Context,
    layer_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the layer.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with what each edition changed.")] = False,
) -> None:
    """List every kept edition of a layer: in force, or to be rolled back to."""
    told = editions_told(Library(settings_of(ctx).data), layer_id)
    put(told.model_dump_json() if as_json else editions_text(told))


@command.command()
def verify(ctx: typer.Context) -> None:
    """Open every kept edition and compare it with its manifest; exit 1 when one is damaged."""
    checks = Library(settings_of(ctx).data).verify()
    put(checks_text(checks))
    if not all(check.ok for check in checks):
        raise typer.Exit(OUR_FAULT)


@command.command()
def rollback(
    ctx: typer.Context,
    layer_id: Annotated[str, typer.Argument(metavar="ID")],
    edition: Annotated[
        str, typer.Argument(metavar="EDITION", help="A kept edition, PART/NAME; any other word lists those kept.")
    ],
) -> None:
    """Put an older edition in force again, or a part that was withdrawn; nothing is deleted."""
    manifest = Library(settings_of(ctx).data).rollback(layer_id, edition)
    put(f"{manifest.layer_id} ({manifest.part}): edition {manifest.edition} is in force")


@command.command()
def withdraw(
    ctx: typer.Context,
    layer_id: Annotated[str, typer.Argument(metavar="ID")],
    part: Annotated[
        str, typer.Argument(metavar="PART", help="A part in force, as `metes layers list` has it before 'edition'.")
    ],
) -> None:
    """Take a part of a layer out of force, one added by mistake say; nothing is deleted, and rollback undoes it."""
    library = Library(settings_of(ctx).data)
    put(
        withdrawn_text(
            library.catalog.spec(layer_id).id, library.withdraw(layer_id, part), library.current(layer_id)
        )
    )


@contextmanager
def _waiting(line: str) -> Iterator[None]:
    """Show on a terminal that work goes on; elsewhere standard error stays free for a refusal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(line):
        yield

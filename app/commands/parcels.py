"""``metes parcels``: find the LOC_ID of a lot by its address or map-lot, as ``/v1/parcels`` does."""

from __future__ import annotations

from typing import Annotated

import typer

from app.parcels import parcels_told
from app.reports.found import parcels_text
from app.terminal import put, settings_of
from layers.library import Library

command = typer.Typer(add_completion=False)


@command.command()
def parcels(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD ...]", help="Part of an address, a map-lot or a LOC_ID; all must be found."),
    ] = None,
    *,
    bbox: Annotated[str | None, typer.Option(help="west,south,east,north in degrees (EPSG:4326).")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List parcels by address, map-lot or LOC_ID, without owners."""
    snapshot = Library(settings_of(ctx).data).snapshot()
    told = parcels_told(snapshot, " ".join(words or ()), bbox, limit)
    towns = [part.part for part in snapshot.status("parcels").parts if part.manifest]
    put(told.model_dump_json() if as_json else parcels_text(told, towns))

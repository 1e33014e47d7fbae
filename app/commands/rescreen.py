"""``metes rescreen``: which kept answers would be others on today's editions, and why."""

from __future__ import annotations

from typing import Annotated

import typer

from app.reports.rescreened import rescreened_text
from app.rescreen import rescreen as asked_again
from app.service import Service
from app.terminal import put, settings_of

command = typer.Typer(add_completion=False)


@command.command()
def rescreen(
    ctx: typer.Context,
    *,
    layer: Annotated[
        str | None, typer.Option(help="Only answers that rest on another edition of this layer.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Ask every kept screening again on today's editions and list what would differ; nothing kept is altered."""
    with Service(settings_of(ctx)) as service:
        told = asked_again(service, layer, limit=None)
    put(told.model_dump_json() if as_json else rescreened_text(told))

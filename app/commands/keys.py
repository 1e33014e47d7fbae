"""``metes keys``: make, list and revoke API keys."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from app.service import Service
from app.terminal import put, settings_of

command = typer.Typer(help="Make, list and revoke API keys.", no_args_is_help=True, add_completion=False)


@command.command()
def create(
    ctx: typer.Context,
    role: Annotated[str, typer.Option(help="portal, staff, assessor or admin.")],
    name: Annotated[str, typer.Option(help="Whose key it is.")],
) -> None:
    """Make a key and print it. It is shown this once and cannot be had again."""
    with Service(settings_of(ctx)) as service:
        key, secret = service.keys.create(role, name)
        service.audit.write("key.create", [key.id], reason=key.role)
    put(secret)


@command.command("list")
def list_keys(ctx: typer.Context) -> None:
    """List every key ever made, without its secret."""
    with Service(settings_of(ctx)) as service:
        keys = service.keys.all()
    table = Table("id", "role", "name", "created", "revoked")
    for key in keys:
        table.add_row(key.id, key.role, key.name, key.created, key.revoked or "")
    Console().print(table)


@command.command()
def revoke(ctx: typer.Context, key_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the key.")]) -> None:
    """Take a key back for ever."""
    with Service(settings_of(ctx)) as service:
        key = service.keys.revoke(key_id)
        service.audit.write("key.revoke", [key.id])
    put(f"revoked {key.id} ({key.role})")

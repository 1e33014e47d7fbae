"""``metes``: the command line. Exit 0 done, 2 the input was refused, 1 our fault."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from app.commands import COMMANDS
from app.settings import Settings
from app.terminal import DONE, OUR_FAULT, refuse
from spatial.errors import Internal, MetesError, ParameterRefused


class _OnDemand(TyperGroup):
    """A group whose commands are loaded when they are named, so that one never pays for another."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 (the name typer calls)
        return [name for name, module in COMMANDS.items() if find_spec(module) is not None]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(COMMANDS[cmd_name])
        found = typer.main.get_command(module.command)
        found.name = cmd_name
        return found


cli = typer.Typer(
    cls=_OnDemand,
    name="metes",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="What do the rules say about this piece of ground, how sure are we, and who must be told?",
)

DataFolder = Annotated[
    Path | None, typer.Option("--data", help="Folder of layers and records (METES_DATA; default ./data).")
]


@cli.callback()
def _globals(ctx: typer.Context, data: DataFolder = None) -> None:
    """Read the settings once, for whichever command follows."""
    try:
        ctx.obj = Settings(data=data) if data is not None else Settings()
    except ValidationError as error:
        raise _bad_setting(error) from error


def _bad_setting(error: ValidationError) -> ParameterRefused:
    first = error.errors()[0]
    name = "METES_" + "_".join(str(part) for part in first["loc"]).upper()
    return ParameterRefused(f"The setting {name} cannot be used: {first['msg']}.")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a refusal leaves standard output empty."""
    try:
        code = cli(
            args=list(arguments) if arguments is not None else None, prog_name="metes", standalone_mode=False
        )
        return code if isinstance(code, int) else DONE
    except MetesError as error:
        return refuse(error)
    except typer.Abort:
        return OUR_FAULT
    except Exception as error:
        return _unforeseen(error)


def _unforeseen(error: Exception) -> int:
    """Tell wrong usage (typer's own errors know their sentence) from a fault of ours."""
    sentence = getattr(error, "format_message", None)
    if callable(sentence):
        return _misused(str(sentence()), getattr(error, "ctx", None))
    if os.environ.get("METES_DEBUG"):
        traceback.print_exc()
    return refuse(Internal(f"{type(error).__name__} on our side; set METES_DEBUG=1 to see where."))


def _misused(sentence: str, context: Any) -> int:
    """Refuse wrong usage and say which page of help has the right one; a bare group has just shown its own."""
    if not sentence:
        return DONE
    command = context.command_path if context is not None else "metes"
    said = sentence.replace("Value error, ", "").rstrip(".")
    return refuse(ParameterRefused(f"{said}; see {command} --help."))


def main() -> None:
    """Enter from the shell."""
    sys.exit(run())

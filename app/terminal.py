"""The edge of the command line: settings for a command, results out, refusals as ``code: sentence``."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import typer

from app.settings import Settings
from spatial.errors import Internal, MetesError, ParameterRefused

DONE, OUR_FAULT, REFUSED = 0, 1, 2


def settings_of(ctx: typer.Context) -> Settings:
    """Return the settings the command was called with (``--data`` and ``METES_*``)."""
    found = ctx.find_object(Settings)
    return found if found is not None else Settings()


def put(result: str | bytes, out: Path | None = None) -> None:
    """Write a result to a file in one step, or to standard output; text ends in a newline.

    Raises
    ------
    ParameterRefused
        ``bad_parameter`` when the file cannot be written.
    """
    content = result if isinstance(result, bytes) else (result.rstrip("\n") + "\n").encode()
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return
    try:
        _replace(out, content)
    except OSError as error:
        raise ParameterRefused(f"--out {out.name} cannot be written ({error.strerror}); name another.") from error


def _replace(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path`` so that a reader sees the old file or the whole new one."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def refuse(error: MetesError) -> int:
    """Say a refusal on standard error and return the exit code it stands for."""
    typer.echo(f"{error.code}: {error.detail}{_nearest(error)}", err=True)
    return OUR_FAULT if isinstance(error, Internal) else REFUSED


def _nearest(error: MetesError) -> str:
    """Return what may have been meant, unless the sentence has named it."""
    if not error.suggestions or any(one in error.detail for one in error.suggestions):
        return ""
    return f" Did you mean {' or '.join(error.suggestions[:5])}?"

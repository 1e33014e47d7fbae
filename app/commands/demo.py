"""``metes demo``: an invented town pair, a screening of its sample site, then the service on it; all offline."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from app.reading import Upload
from app.reports.table import screening_table
from app.schemas.screening import Screening
from app.screening import ask, today
from app.service import Service
from app.settings import Settings
from app.terminal import put, settings_of
from app.uploads import Options
from layers.demo.make import Demo, make_demo
from layers.demo.samples import SampleSite

command = typer.Typer(add_completion=False)
DEMO_DATA = Path("demo-data")
INVENTED = "Doverbrook and Lynnmere are invented: no such town, lot or owner exists."


@command.command()
def demo(
    ctx: typer.Context,
    *,
    no_serve: Annotated[bool, typer.Option("--no-serve", help="Print the screening and stop.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 8000,
) -> None:
    """Make an invented town pair if it is not there, screen its sample site, print the result, then serve."""
    settings = _own_settings(ctx)
    made = make_demo(settings.data, on=today(), say=lambda line: typer.echo(f"loaded {line}", err=True))
    typer.echo(INVENTED, err=True)
    put(_screened(settings, made, made.sites[0]))
    if not no_serve:
        _serve(settings, port)


def _own_settings(ctx: typer.Context) -> Settings:
    """Return settings for a data folder of the demo's own: the town's (``METES_DATA``) is never touched."""
    folder: Path | None = ctx.find_root().params.get("data")
    return settings_of(ctx).model_copy(update={"data": folder or DEMO_DATA, "database_url": None})


def _screened(settings: Settings, made: Demo, site: SampleSite) -> str:
    options = Options(facts=dict(_told(site)))
    with Service(settings) as service:
        outcome = ask(service, Upload.from_path(made.sample(site)), options)
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    told = screening_table(Screening.model_validate_json(outcome.body), width=width, colour=terminal)
    return f"{site.about}.\n\n{told}\n\n{_try_next(made)}"


def _try_next(made: Demo) -> str:
    data = made.data
    first, *others = made.sites
    given = [(first, _told(first)), *((site, site.facts) for site in others)]
    lines = [f"  metes --data {data} screen {made.sample(site)}{_facts(facts)}" for site, facts in given]
    return "\n".join(
        [
            "TRY NEXT (the first gives the answer above)",
            *lines,
            f"  Other formats of the same sites: {data / 'samples'}",
        ]
    )


def _told(site: SampleSite) -> tuple[tuple[str, str], ...]:
    """Return what is told with a site: its own facts, and that the application came in today."""
    return (*site.facts, ("application_received_on", today().isoformat()))


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    return "".join(f" --fact {name}={value}" for name, value in facts)


def _serve(settings: Settings, port: int) -> None:
    from app.commands.serve import listen  # noqa: PLC0415 (a screening without serving need not load the web)

    page = f"http://127.0.0.1:{port}"
    typer.echo(
        f"The page of the invented towns is at {page}/, every route over HTTP at {page}/docs; stop with Ctrl-C.",
        err=True,
    )
    listen(settings, host="127.0.0.1", port=port)

"""``metes facts``: what can be told with the work, for ``metes screen --fact``."""

from __future__ import annotations

from typing import Annotated

import typer

from app.facts import facts_told
from app.reports.facts import facts_text
from app.schemas.bylaw import FactsTold
from app.terminal import put, settings_of
from layers.library import Library
from spatial.errors import ParameterRefused

command = typer.Typer(add_completion=False)


@command.command()
def facts(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME ...]", help="Only these facts; all when left out.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the project facts a screening may be told: value, unit, meaning, and the rules that ask."""
    told = facts_told(Library(settings_of(ctx).data).snapshot().law)
    wanted = _chosen(told, names or [fact.name for fact in told.facts])
    put(wanted.model_dump_json() if as_json else facts_text(wanted.facts))


def _chosen(told: FactsTold, names: list[str]) -> FactsTold:
    by_name = {fact.name: fact for fact in told.facts}
    for name in names:
        if name not in by_name:
            near = [known for known in by_name if name.split("_")[0] in known]
            raise ParameterRefused(
                f"There is no project fact {name!r}; `metes facts` lists them.", suggestions=near[:5]
            )
    return FactsTold(facts=[by_name[name] for name in names])

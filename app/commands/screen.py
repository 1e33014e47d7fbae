"""``metes screen``: put a piece of work to the maps and the law, keep the answer and print it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.reading import Upload
from app.reports.drawing import unpack
from app.reports.geojson import screening_geojson
from app.reports.screening.paper import report_pdf
from app.reports.table import screening_table
from app.schemas.screening import Screening
from app.screening import ask
from app.service import Service
from app.terminal import put, settings_of
from app.uploads import OPTIONS, Options, options_of
from spatial.errors import ParameterRefused

command = typer.Typer(add_completion=False)


class Format(StrEnum):
    """How a screening is printed."""

    table = "table"
    json = "json"
    geojson = "geojson"
    pdf = "pdf"


@command.command()
def screen(  # noqa: PLR0913 (one parameter an option of the command)
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The work: polygons in any format we read.")],
    *,
    town: Annotated[str | None, typer.Option(help="Slug or TOWN_ID.")] = None,
    parcel: Annotated[list[str] | None, typer.Option(help="LOC_ID of a parcel under the work; repeatable.")] = None,
    crs: Annotated[str | None, typer.Option(help="Coordinate system when the file names none.")] = None,
    layer: Annotated[str | None, typer.Option(help="Layer of a file that holds several.")] = None,
    on: Annotated[str | None, typer.Option(help="The day whose law applies (YYYY-MM-DD).")] = None,
    district: Annotated[str | None, typer.Option(help="Zoning district, for trees drawn among the work.")] = None,
    fact: Annotated[list[str] | None, typer.Option(help="A project fact, name=value; repeatable.")] = None,
    style: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.table,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead.")] = None,
) -> None:
    """Screen a piece of work: what is affected, what is triggered, by how much, what to do next."""
    said = [("town", town), ("crs", crs), ("layer", layer), ("on", on), ("district", district)]
    pairs = [(name, value) for name, value in said if value is not None]
    options = options_of([*pairs, *(("parcel", one) for one in parcel or ()), *_facts(fact or ())])
    with Service(settings_of(ctx)) as service:
        put(screened(service, Upload.from_path(file), options, style), out)


def screened(service: Service, upload: Upload, options: Options, style: Format) -> str | bytes:
    """Return the screening of an upload in one of the printed shapes."""
    outcome = ask(service, upload, options)
    if style is Format.json:
        return outcome.body
    told = Screening.model_validate_json(outcome.body)
    if style is Format.table:
        return screening_table(told)
    shapes = unpack(service.screenings.drawing(outcome.id))
    return report_pdf(told, shapes) if style is Format.pdf else screening_geojson(told, shapes)


def _facts(given: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of ``name=value`` texts."""
    pairs = []
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or name.strip() in OPTIONS:
            raise ParameterRefused(
                f"--fact {text[:60]!r} is not name=value; write for example stored_fill_cuyd=90."
            )
        pairs.append((name.strip(), value))
    return pairs

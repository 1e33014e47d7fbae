"""``metes inspect``: what we understand of a file, before any screening."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.errors import problem_of
from app.reading import Upload
from app.schemas.inspection import InspectionTold
from app.screening import inspected
from app.service import Service
from app.terminal import REFUSED, put, settings_of
from app.uploads import Options
from spatial.errors import Internal, MetesError

command = typer.Typer(add_completion=False)


@command.command()
def inspect(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file an applicant would send.")],
    *,
    crs: Annotated[str | None, typer.Option(help="Coordinate system when the file names none.")] = None,
    layer: Annotated[str | None, typer.Option(help="Layer of a file that holds several.")] = None,
    parcel: Annotated[
        list[str] | None, typer.Option(help="LOC_ID where the work lies; helps to name a missing system.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, refusals too.")] = False,
) -> None:
    """Say what we understand of a file: format, coordinate system, layers, features, notes."""
    try:
        with Service(settings_of(ctx)) as service:
            options = Options(crs=crs, layer=layer, parcels=tuple(parcel or ()))
            told = inspected(service, Upload.from_path(file), options)
    except MetesError as error:
        if not as_json or isinstance(error, Internal):
            raise
        put(problem_of(error, correlation_id="command line").to_json())
        raise typer.Exit(REFUSED) from error
    put(told.model_dump_json() if as_json else _sentences(told))


def _sentences(told: InspectionTold) -> str:
    """Return an inspection in lines a person reads."""
    lines = [
        f"{told.format} ({told.driver}), layer {told.layer}",
        f"Coordinate system: {told.crs} ({told.crs_source})",
        f"Features: {told.n_features}, {', '.join(told.geometry_types)}; {told.area_sqft:,.1f} sq ft in all",
        f"Columns: {', '.join(told.columns) or 'none'}",
    ]
    if len(told.layers) > 1:
        lines.append(f"Layers in the file: {', '.join(told.layers)}")
    return "\n".join([*lines, *(f"Note {note.code}: {note.message}" for note in told.notes)])

"""``metes trees``: protection zones of a site's trees, and what follows from removing some."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from app.commands.setbacks import FeetOption, Format, given_depths
from app.lots import LotQuestion
from app.reading import Upload
from app.reports.tree_page import trees_table
from app.reports.tree_zones import trees_geojson, trees_told
from app.schemas.setbacks import GivenSetbacks
from app.service import Service
from app.terminal import put, settings_of
from app.tree_zones import TreesAnswer, TreesQuestion, plan_trees
from app.uploads import day_of
from spatial.errors import ParameterRefused

command = typer.Typer(add_completion=False)


@command.command()
def trees(  # noqa: PLR0913 (one parameter an option of the command)
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="TREES_FILE", help="Points with diameters: shapefile, CSV, GeoJSON …")
    ],
    *,
    parcel: Annotated[str | None, typer.Option(help="LOC_ID of the lot they stand on.")] = None,
    lot: Annotated[Path | None, typer.Option(help="File with the polygon of the lot.")] = None,
    work: Annotated[Path | None, typer.Option(help="File with the polygons of the work.")] = None,
    unavoidable: Annotated[Path | None, typer.Option(help="The encroachment declared unavoidable.")] = None,
    town: Annotated[str | None, typer.Option(help="Slug or TOWN_ID.")] = None,
    district: Annotated[str | None, typer.Option(help="Zoning district.")] = None,
    front_ft: FeetOption = None,
    side_ft: FeetOption = None,
    rear_ft: FeetOption = None,
    centerline_ft: FeetOption = None,
    crs: Annotated[
        str | None, typer.Option(help="Coordinate system of the trees when the file names none.")
    ] = None,
    work_crs: Annotated[str | None, typer.Option(help="The same for the files of the lot and the work.")] = None,
    on: Annotated[str | None, typer.Option(help="The day whose law applies (YYYY-MM-DD).")] = None,
    style: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.table,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead.")] = None,
) -> None:
    """Draw the protection zones of trees and say which are protected, impacted or to be made good."""
    given = GivenSetbacks(front_ft=front_ft, side_ft=side_ft, rear_ft=rear_ft, centerline_ft=centerline_ft)
    question = TreesQuestion(
        trees=Upload.from_path(file),
        lot=_lot(
            parcel,
            lot,
            LotQuestion(crs=work_crs, town=town, district=district, depths=given_depths(given, district)),
        ),
        work=Upload.from_path(work) if work else None,
        unavoidable=Upload.from_path(unavoidable) if unavoidable else None,
        trees_crs=crs,
        work_crs=work_crs,
        town=town,
        on=day_of(on) if on else None,
    )
    with Service(settings_of(ctx)) as service:
        put(printed(plan_trees(service, question), style), out)


def _lot(parcel: str | None, lot: Path | None, said: LotQuestion) -> LotQuestion:
    """Return the question about the lot; one of the two names it."""
    if (parcel is None) == (lot is None):
        raise ParameterRefused("Say which lot the trees stand on: --parcel LOC_ID or --lot FILE, and not both.")
    return replace(said, parcel=parcel, lot=Upload.from_path(lot) if lot is not None else None)


def printed(answer: TreesAnswer, style: Format) -> str:
    """Return the trees of a site in one of the printed shapes."""
    if style is Format.table:
        return trees_table(answer)
    if style is Format.geojson:
        return trees_geojson(answer)
    return trees_told(answer).model_dump_json(by_alias=True, indent=2)

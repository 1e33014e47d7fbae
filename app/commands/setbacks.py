"""``metes setbacks``: the lines, yards and building envelope of a lot."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, get_args

import typer

from app.lots import LotAnswer, LotQuestion, lay
from app.questions import depths_of
from app.reading import Upload
from app.reports.yards import setbacks_geojson, setbacks_table, setbacks_told
from app.schemas.setbacks import GivenSetbacks
from app.service import Service
from app.terminal import put, settings_of
from spatial.errors import ParameterRefused
from spatial.setbacks.lot_model import Depths, LineClass, Override

command = typer.Typer(add_completion=False)
FeetOption = Annotated[float | None, typer.Option(min=0.0, max=1000.0, help="Depth of this yard, feet.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--override", help="An edge's class, EDGE=CLASS; repeatable; needs --who, --why."),
]


class Format(StrEnum):
    """How the answer is printed."""

    table = "table"
    json = "json"
    geojson = "geojson"


@command.command()
def setbacks(  # noqa: PLR0913 (one parameter an option of the command)
    ctx: typer.Context,
    lot: Annotated[str, typer.Argument(metavar="LOC_ID|FILE", help="A parcel, or a file with the lot's polygon.")],
    *,
    town: Annotated[str | None, typer.Option(help="Slug or TOWN_ID.")] = None,
    district: Annotated[str | None, typer.Option(help="Zoning district.")] = None,
    front_ft: FeetOption = None,
    side_ft: FeetOption = None,
    rear_ft: FeetOption = None,
    centerline_ft: FeetOption = None,
    override: Overrides = None,
    who: Annotated[str, typer.Option(help="Who decided the overrides.")] = "",
    why: Annotated[str, typer.Option(help="Why.")] = "",
    no_disturb: Annotated[bool, typer.Option("--no-disturb", help="Join in the town's no-disturb zones.")] = False,
    crs: Annotated[str | None, typer.Option(help="Coordinate system when the file names none.")] = None,
    style: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.table,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead.")] = None,
) -> None:
    """Class the lines of a lot and draw its yards, with the reason for each line."""
    given = GivenSetbacks(front_ft=front_ft, side_ft=side_ft, rear_ft=rear_ft, centerline_ft=centerline_ft)
    question = question_of(
        lot,
        crs=crs,
        town=town,
        district=district,
        depths=given_depths(given, district),
        overrides=overrides_of(override or (), who=who, why=why),
        no_disturb=no_disturb,
    )
    with Service(settings_of(ctx)) as service:
        put(printed(lay(service, question), style), out)


def question_of(
    lot: str,
    *,
    crs: str | None = None,
    town: str | None = None,
    district: str | None = None,
    depths: Depths | None = None,
    overrides: tuple[Override, ...] = (),
    no_disturb: bool = False,
) -> LotQuestion:
    """Return the question about a parcel, or about a file when one of that name is here."""
    here = Path(lot)
    is_file = here.exists()
    return LotQuestion(
        parcel=None if is_file else lot,
        lot=Upload.from_path(here) if is_file else None,
        crs=crs,
        town=town,
        district=district,
        depths=depths,
        overrides=overrides,
        no_disturb=no_disturb,
    )


def given_depths(given: GivenSetbacks, district: str | None) -> Depths | None:
    """Return the yards given on the command line; None when none was."""
    return depths_of(given, district) if given.model_dump(exclude_none=True) else None


def overrides_of(given: Sequence[str], *, who: str, why: str) -> tuple[Override, ...]:
    """Return the overrides written as ``EDGE=CLASS``; raises ``bad_parameter`` for anything else."""
    return tuple(_override(text, who=who, why=why) for text in given)


def _override(text: str, *, who: str, why: str) -> Override:
    edge, equals, name = (part.strip() for part in text.partition("="))
    known: tuple[LineClass, ...] = get_args(LineClass)
    line_class = next((c for c in known if c == name), None)
    if not equals or not edge or line_class is None:
        raise ParameterRefused(
            f"--override {text[:60]!r} is not EDGE=CLASS; write for example 3=rear (classes: {', '.join(known)})."
        )
    return Override(edge, line_class, why, who)


def printed(answer: LotAnswer, style: Format) -> str:
    """Return a laid-out lot in one of the printed shapes."""
    if style is Format.table:
        return setbacks_table(answer)
    if style is Format.geojson:
        return setbacks_geojson(answer)
    return setbacks_told(answer).model_dump_json(by_alias=True, indent=2)

"""``metes abutters``: make a list of abutters with owners, or print a kept one again; the steps of its life."""

from __future__ import annotations

import getpass
import json
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from app.commands.abutters_life import STEPS, asking
from app.commands.abutters_printed import Format, printed, say_made, say_overflow
from app.mapping import pairs_of
from app.notices.desk import Actor, Desk
from app.notices.taxes import OwnList, add_tax_list
from app.reports.abutters.sheets import label_sheet, mailing_form
from app.schemas.abutter_requests import Hearing, ListRequest
from app.service import Service
from app.terminal import put, settings_of
from app.uploads import day_of
from spatial.errors import ParameterRefused

FIRST = "make"


class _Steps(TyperGroup):
    """The steps of a list's life; without the name of one, the words after ``metes abutters`` make a list."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else [FIRST, *args])


command = typer.Typer(
    cls=_Steps,
    add_completion=False,
    help="Lists of abutters. `metes abutters LOC_ID ...` makes one (its options: metes abutters make --help); the "
    "other words take the next step of a kept list.",
)


class Sort(StrEnum):
    """Order of the labels."""

    list = "list"
    street = "street"
    name = "name"


@command.command(FIRST)
def abutters(  # noqa: PLR0913 (one parameter an option of the command)
    ctx: typer.Context,
    loc_ids: Annotated[
        list[str] | None, typer.Argument(metavar="LOC_ID ...", help="Parcels of the subject.")
    ] = None,
    *,
    within: Annotated[float | None, typer.Option(help="Feet from the property line; 100 without a rule.")] = None,
    rule: Annotated[str | None, typer.Option(help="Notice rule: lynnfield-320, ma-131-40, ma-40a-11.")] = None,
    screening: Annotated[str | None, typer.Option(help="Id of a kept screening: its lots and its work.")] = None,
    geometry: Annotated[Path | None, typer.Option(help="GeoJSON file with one polygon, EPSG:4326.")] = None,
    filed_on: Annotated[str | None, typer.Option(help="Day the application was received (YYYY-MM-DD).")] = None,
    hearing_on: Annotated[str | None, typer.Option(help="Day of the hearing (YYYY-MM-DD).")] = None,
    applicant: Annotated[str | None, typer.Option(help="The applicant's name, set beside the owners'.")] = None,
    hearing: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=TEXT", help="Fact for the notice: board, time, place, project, plans_at; repeatable."
        ),
    ] = None,
    association: Annotated[
        bool, typer.Option("--association", help="Write to condominium associations only.")
    ] = False,
    kept: Annotated[str | None, typer.Option("--list", help="Print a kept list instead of making one.")] = None,
    tax_list: Annotated[Path | None, typer.Option(help="The town's own tax list, CSV or XLSX; kept.")] = None,
    town: Annotated[str | None, typer.Option(help="Town of --tax-list.")] = None,
    fiscal_year: Annotated[int | None, typer.Option(help="Year of --tax-list.")] = None,
    mapped: Annotated[list[str] | None, typer.Option("--map", help="Column of --tax-list, ours=theirs.")] = None,
    reason: Annotated[str | None, typer.Option(help="Why, for the log.")] = None,
    style: Annotated[
        Format,
        typer.Option(
            "--format",
            help="How to print it; labels, mailing and affidavit are PDF, notices (mail merge) and direct (owners "
            "that abut, for the plan sheet) are CSV.",
        ),
    ] = Format.table,
    sheet: Annotated[str, typer.Option(help="Label sheet: 5160, 5161 or 5163.")] = "5160",
    start: Annotated[int, typer.Option(help="First label to print, from 1.")] = 1,
    sort: Annotated[Sort, typer.Option(help="Order of the labels.")] = Sort.list,
    form: Annotated[str, typer.Option(help="Mailing sheet: 3665 or 3877.")] = "3665",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Print labels of a list that is superseded or expired all the same.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead.")] = None,
) -> None:
    """List who must be told of work on some land (this word may be left out), or print a kept list in any form.

    Each call makes and keeps a list and says its ID; --list ID prints a kept one. Labels of a draft bear that word
    in the margin of each sheet.
    """
    label_sheet(sheet)
    mailing_form(form)
    actor = Actor(f"system:{getpass.getuser()}")
    condominium: Literal["association"] | None = "association" if association else None
    with Service(settings_of(ctx)) as service:
        if tax_list is not None:
            given = _own_list(tax_list, town, fiscal_year, mapped or ())
            add_tax_list(service, actor, given, reason)
        desk = Desk(service, actor)
        if kept is not None:
            told = desk.read(kept, what=style.value, reason=reason)
        else:
            told = desk.create(
                ListRequest(
                    parcels=tuple(loc_ids or ()),
                    screening=screening,
                    geometry=_polygon(geometry),
                    within_ft=_checked(within),
                    rule=rule,
                    filed_on=_day(filed_on),
                    hearing_on=_day(hearing_on),
                    hearing=_hearing(applicant, hearing or ()),
                    condominium=condominium,
                    reason=reason,
                )
            )
        if kept is None:
            say_made(told, style, out)
        made = printed(
            told, desk.shapes(told.id), style, sheet=sheet, start=start, sort=sort.value, form=form, anyway=anyway
        )
        put(made, out)
        say_overflow(told, style, sheet)


for step in STEPS:
    command.command()(step)


def _hearing(applicant: str | None, given: Sequence[str]) -> Hearing:
    """Return the facts of the hearing as the notice tells them."""
    facts = dict(pairs_of(given, "--hearing"))
    unknown = sorted(set(facts) - set(Hearing.model_fields))
    if unknown:
        known = tuple(Hearing.model_fields)
        raise ParameterRefused(
            f"--hearing knows no {unknown[0][:40]!r}; name one of {', '.join(known)}.", suggestions=known
        )
    return asking(Hearing, **({"applicant": applicant} if applicant else {}), **facts)


def _own_list(path: Path, town: str | None, fiscal_year: int | None, mapped: Sequence[str]) -> OwnList:
    if town is None or fiscal_year is None:
        raise ParameterRefused("--tax-list needs --town and --fiscal-year beside it.")
    if not path.is_file():
        raise ParameterRefused(f"There is no file {path.name!r} here.")
    return OwnList(town, path.name, path.read_bytes(), fiscal_year, dict(pairs_of(mapped, "--map")))


def _polygon(path: Path | None) -> dict[str, Any] | None:
    """Return the one polygon of a GeoJSON file."""
    if path is None:
        return None
    try:
        read = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ParameterRefused(f"{path.name} is not GeoJSON that can be read.") from error
    features = read.get("features", [read]) if isinstance(read, dict) else []
    if len(features) != 1 or not isinstance(features[0], dict):
        raise ParameterRefused(f"{path.name} has {len(features)} features; draw one polygon.")
    shape: dict[str, Any] = features[0].get("geometry", features[0])
    return shape


def _checked(within: float | None) -> float | None:
    if within is not None and not 0.0 < within <= 5280.0:
        raise ParameterRefused(f"--within {within:g} is not a distance of more than 0 and at most 5,280 ft.")
    return within


def _day(text: str | None) -> date | None:
    return day_of(text) if text is not None else None

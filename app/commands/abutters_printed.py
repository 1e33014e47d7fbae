"""A list in any of its forms at a terminal, and what is said of it beside what is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Literal

import typer

from app.reports.abutters.affidavit import affidavit_pdf
from app.reports.abutters.geojson import abutters_geojson
from app.reports.abutters.paper import labels_overflow, labels_pdf, mailing_pdf, report_pdf
from app.reports.abutters.shapes import Shapes
from app.reports.abutters.tables import abutters_csv, direct_csv, mail_merge_csv
from app.reports.abutters.terminal import abutters_table
from app.reports.abutters.workbook import abutters_xlsx
from app.schemas.abutters import AbutterList


class Format(StrEnum):
    """How a list is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    xlsx = "xlsx"
    geojson = "geojson"
    pdf = "pdf"
    labels = "labels"
    mailing = "mailing"
    notices = "notices"
    direct = "direct"
    affidavit = "affidavit"


def printed(
    told: AbutterList,
    shapes: Shapes,
    style: Format,
    *,
    sheet: str,
    start: int,
    sort: Literal["list", "street", "name"],
    form: str,
    anyway: bool,
) -> str | bytes:
    """Return a list in one of its forms; raises what the form refuses."""
    made: Mapping[Format, Callable[[], str | bytes]] = {
        Format.table: lambda: abutters_table(told),
        Format.json: told.model_dump_json,
        Format.csv: lambda: abutters_csv(told),
        Format.xlsx: lambda: abutters_xlsx(told),
        Format.geojson: lambda: abutters_geojson(told, shapes),
        Format.pdf: lambda: report_pdf(told, shapes),
        Format.labels: lambda: labels_pdf(told, sheet=sheet, start=start, sort=sort, anyway=anyway),
        Format.mailing: lambda: mailing_pdf(told, form=form),
        Format.notices: lambda: mail_merge_csv(told),
        Format.direct: lambda: direct_csv(told),
        Format.affidavit: lambda: affidavit_pdf(told),
    }
    return made[style]()


def say_made(told: AbutterList, style: Format, out: Path | None) -> None:
    """Say on standard error under which ID a new list is kept, where what is printed does not show it at once."""
    if out is not None or style not in (Format.table, Format.json):
        typer.echo(
            f"List {told.id} is made and kept as a draft; print it again with: metes abutters --list {told.id}",
            err=True,
        )


def say_overflow(told: AbutterList, style: Format, sheet: str) -> None:
    """Say on standard error how many addresses do not fit the labels; they stand on the last page."""
    missed = len(labels_overflow(told, sheet=sheet)) if style is Format.labels else 0
    if missed:
        typer.echo(f"{missed} addresses do not fit label {sheet}; they are listed on the last page.", err=True)

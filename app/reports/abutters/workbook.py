"""A list as an XLSX workbook: one sheet of parcels, one of notices; text cells and a header that stays."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import xlsxwriter

from app.reports.abutters.cells import NOTICE_COLUMNS, PARCEL_COLUMNS, Row, notice_rows, parcel_rows
from app.reports.abutters.standing import marks
from app.schemas.abutters import AbutterList

NUMBERS = frozenset({"no", "distance_ft"})
WIDEST = 60
OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


def abutters_xlsx(told: AbutterList) -> bytes:
    """Return the workbook's bytes; the same list gives the same bytes."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, OPTIONS)
    book.set_properties(
        {"title": f"Abutters {told.id} ({marks(told) or told.status})", "created": _moment(told.created)}
    )
    bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
    text = book.add_format({"num_format": "@", "valign": "top"})
    for name, header, rows in (
        ("Parcels", PARCEL_COLUMNS, parcel_rows(told)),
        ("Notices", NOTICE_COLUMNS, notice_rows(told)),
    ):
        sheet = book.add_worksheet(name)
        sheet.freeze_panes(1, 0)
        _write(sheet, header, list(rows), bold=bold, text=text)
    book.close()
    return out.getvalue()


def _write(
    sheet: xlsxwriter.worksheet.Worksheet,
    header: Sequence[str],
    rows: Sequence[Row],
    *,
    bold: xlsxwriter.format.Format,
    text: xlsxwriter.format.Format,
) -> None:
    for column, name in enumerate(header):
        sheet.write_string(0, column, name, bold)
        cells = [row[column] for row in rows]
        sheet.set_column(column, column, _width(name, cells), text)
        for number, cell in enumerate(cells, 1):
            if name in NUMBERS:
                sheet.write_number(number, column, float(cell))
            else:
                sheet.write_string(number, column, cell, text)
    sheet.autofilter(0, 0, max(len(rows), 1), len(header) - 1)


def _width(name: str, cells: Iterable[str]) -> int:
    return min(WIDEST, max([len(name), *(len(c) for c in cells)]) + 2)


def _moment(created: str) -> datetime:
    return datetime.strptime(created, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)

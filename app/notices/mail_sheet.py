"""The notices' sheet filled in at the post office and read back: which letter went out when, under which number."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence

from app.notices.tax_rows import day_of
from app.schemas.abutter_requests import MailingReport
from app.schemas.abutters import NoticeTold
from spatial.errors import FormatRefused, ParameterRefused

NUMBER, ARTICLE, DAYS = "no", "article_number", ("mailed_on", "returned_on")
_ROUNDED = re.compile(r"^\d(\.\d+)?E\+?\d+$", re.IGNORECASE)


def read_sheet(name: str, content: bytes, notices: Sequence[NoticeTold]) -> tuple[MailingReport, ...]:
    """Return what a filled-in sheet reports of the letters of a list; empty cells report nothing.

    Parameters
    ----------
    content
        The CSV of the notices (``no``, ``line1`` …, ``article_number``, ``mailed_on``, ``returned_on``), as it was
        handed out or saved again by a spreadsheet; days as ``2026-12-04`` or ``12/4/2026``.
    notices
        The letters of the list, in its order.

    Raises
    ------
    FormatRefused
        When it is no such table.
    ParameterRefused
        ``bad_parameter`` for a row of another list, a day that is none, or a number a spreadsheet has rounded.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatRefused(f"{name} is no CSV in UTF-8; save the notices' sheet as such.", file=name) from error
    if not rows or NUMBER not in rows[0]:
        raise FormatRefused(
            f"{name} has no rows with a column {NUMBER!r}; fill in the sheet of the list's notices.", file=name
        )
    return tuple(_reports(rows, notices))


def _reports(rows: Sequence[Mapping[str, str | None]], notices: Sequence[NoticeTold]) -> Iterator[MailingReport]:
    for row in rows:
        number = _number(row, notices)
        article = (row.get(ARTICLE) or "").strip()
        if _ROUNDED.match(article):
            raise ParameterRefused(
                f"The article number of letter {number} reads {article}: a spreadsheet has rounded it; format the "
                "column as text and enter it again."
            )
        found = {ARTICLE: article, **{name: _day(number, name, row.get(name)) for name in DAYS}}
        given = {key: value for key, value in found.items() if value}
        if given:
            yield MailingReport.model_validate({"notice": number - 1, **given})


def _number(row: Mapping[str, str | None], notices: Sequence[NoticeTold]) -> int:
    """Return which letter a row is of, counted from 1; its first line must be the letter's own."""
    text = (row.get(NUMBER) or "").strip()
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= len(notices):
        raise ParameterRefused(f"The list has letters 1 to {len(notices)}; there is no {text[:20]!r}.")
    first = (row.get("line1") or "").lstrip("'").strip()
    if first and first != notices[number - 1].lines[0].lstrip("'").strip():
        raise ParameterRefused(
            f"Row {number} is not addressed as letter {number} is; this is another list's sheet."
        )
    return number


def _day(number: int, name: str, text: str | None) -> str:
    if not (text or "").strip():
        return ""
    day = day_of(text)
    if day is None:
        raise ParameterRefused(
            f"Letter {number} has {name} {(text or '')[:20]!r}, which is no day; write YYYY-MM-DD."
        )
    return day.isoformat()

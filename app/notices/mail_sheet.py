"""The notices' sheet filled in at the post office and read back: which letter went out when, under which number."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from app.notices.tax_rows import day_of
from app.schemas.abutter_requests import MailingReport
from app.schemas.abutters import AbutterList, NoticeTold
from spatial.errors import FormatRefused, ParameterRefused

LIST = "list_id"
NUMBER, ARTICLE, DAYS = "no", "article_number", ("mailed_on", "returned_on")
_ROUNDED = re.compile(r"^\d(\.\d+)?E\+?\d+$", re.IGNORECASE)


def read_sheet(name: str, content: bytes, told: AbutterList) -> tuple[MailingReport, ...]:
    """Return what a filled-in sheet reports of the letters of a list; empty cells report nothing.

    Parameters
    ----------
    content
        The CSV of the notices (``no``, ``line1`` …, ``article_number``, ``mailed_on``, ``returned_on``), as it was
        handed out or saved again by a spreadsheet; days as ``2026-12-04`` or ``12/4/2026``.
    told
        The list whose letters they are.

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
    _same_list(name, rows, told)
    return tuple(_reports(rows, told.notices))


def _same_list(name: str, rows: Sequence[Mapping[str, str | None]], told: AbutterList) -> None:
    """Refuse a sheet that names another list; one without the column is held against the addresses alone."""
    named = {(row.get(LIST) or "").strip() for row in rows} - {"", told.id}
    if named:
        raise ParameterRefused(
            f"{name} is the sheet of list {min(named)[:40]}, not of list {told.id}; report it to the list it is of."
        )


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
            f"Row {number} is not addressed as letter {number} is: it is another list's sheet, or one from before "
            "a review; take the notices' sheet anew and fill that in."
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


def all_mailed(
    told: AbutterList, reports: Sequence[MailingReport], day: date, *, instead_of: date | None = None
) -> tuple[MailingReport, ...]:
    """Return reports with a day put to the letters that have none yet; when none is left, it corrects theirs.

    Parameters
    ----------
    reports
        What a sheet reports beside it; a day of its own stays.
    instead_of
        Only letters reported as mailed on this day are meant, and get the other day.

    Raises
    ------
    ParameterRefused
        ``bad_parameter`` when every letter is reported and not all on one day: which of them is wrong must be said.
    """
    by_notice = {r.notice: r for r in reports}
    for n in _meant(told, by_notice, instead_of):
        sent = by_notice.get(n, MailingReport(notice=n)).model_dump(exclude_unset=True)
        by_notice[n] = MailingReport.model_validate({**sent, "notice": n, "mailed_on": day})
    return tuple(by_notice[n] for n in sorted(by_notice))


def _meant(told: AbutterList, by_notice: Mapping[int, MailingReport], instead_of: date | None) -> tuple[int, ...]:
    """Return the letters, by position, that a day is meant for; those whose day a sheet reports are not."""
    free = [n for n in range(len(told.notices)) if n not in by_notice or by_notice[n].mailed_on is None]
    known = {n: told.notices[n].mailed_on for n in free}
    if instead_of is not None:
        return tuple(n for n, day in known.items() if day == instead_of)
    missing = tuple(n for n, day in known.items() if day is None)
    days = {day for day in known.values() if day is not None}
    if missing or by_notice or len(days) <= 1:
        return missing or (() if by_notice else tuple(known))
    named = ", ".join(str(day) for day in sorted(days))
    raise ParameterRefused(
        f"Every letter is reported as mailed, on different days ({named}); say with --instead-of which of them is "
        "wrong, or fill in the sheet."
    )

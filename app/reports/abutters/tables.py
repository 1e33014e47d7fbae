"""A list as CSV: UTF-8 with a byte-order mark, every cell quoted, no cell a formula, ZIPs as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from app.reports.abutters.cells import (
    NOTICE_COLUMNS,
    PARCEL_COLUMNS,
    by_hand,
    entered,
    harmless,
    notice_rows,
    parcel_rows,
)
from app.reports.abutters.standing import marks
from app.schemas.abutters import AbutterList

HEARING_COLUMNS = (
    "hearing_on", "hearing_time", "hearing_place", "board", "applicant", "project", "plans_at", "filed_on",
    "subject", "citation",
)  # fmt: skip
DIRECT_COLUMNS = ("map_par_id", "loc_id", "site_address", "owners", "by_hand", "list_id", "list_status")


def abutters_csv(told: AbutterList) -> bytes:
    """Return the parcels and owners, one row per row of the tax list."""
    return _csv(PARCEL_COLUMNS, parcel_rows(told))


def mail_merge_csv(told: AbutterList) -> bytes:
    """Return one row per letter with the hearing's facts beside it, ready for a mail merge."""
    hearing = told.hearing
    subject = "; ".join(s.site_address or s.loc_id for s in told.subject)
    facts = (
        told.hearing_on.isoformat() if told.hearing_on else "",
        *(hearing.time or "", hearing.place or "", hearing.board or told.rule.authority),
        *(hearing.applicant or "", hearing.project or "", hearing.plans_at or ""),
        told.filed_on.isoformat() if told.filed_on else "",
        *(subject, told.rule.citation),
    )
    return _csv((*NOTICE_COLUMNS, *HEARING_COLUMNS), ((*row, *facts) for row in notice_rows(told)))


def direct_csv(told: AbutterList) -> bytes:
    """Return the owners that abut directly, one row a parcel, for the names on the plan sheet."""
    rows = (
        (
            *(a.map_par_id or "", a.loc_id, a.site_address or "", "; ".join(o.owner for o in a.owners if o.owner)),
            "; ".join((*by_hand(a), *(text for o in a.owners for text in entered(o)))),
            *(told.id, marks(told) or told.status),
        )
        for a in told.abutters
        if a.relation == "direct"
    )
    return _csv(DIRECT_COLUMNS, rows)


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([harmless(" ".join(cell.splitlines())) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")

"""The affidavit of service: what was mailed when, held against the law's own last day; the rest stands apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from app.notices.days import law_day
from app.notices.mailed import late_letters, outside_certificate
from app.reports.abutters.cells import letters_by_hand
from app.reports.abutters.dates import mailing_days, notes_on_days
from app.reports.abutters.press import printed
from app.reports.abutters.standing import SAMPLE, marks
from app.schemas.abutters import AbutterList

METHODS = {
    "certified_mail": "certified mail, return receipt requested",
    "certificate_of_mailing": "mail with certificates of mailing",
    "by_hand": "delivery by hand",
    "first_class_mail": "mail, postage prepaid",
    "newspaper": "publication in a newspaper",
    "posting": "posting",
}


def affidavit_pdf(told: AbutterList) -> bytes:
    """Return the affidavit of service from what was reported of each letter; what was not is listed apart."""
    numbered = list(enumerate(told.notices, 1))
    hand = letters_by_hand(told)
    written = {p for _, n in numbered for p in n.parcels}
    data = {
        "title": "Affidavit of Service",
        "id": told.id,
        "mark": _mark(told),
        "incomplete": _incomplete(told, written),
        "paragraphs": _service(told),
        "mailed": [
            {
                "no": i,
                "lines": n.lines,
                "by_hand": hand.get(i - 1, ""),
                "article": n.article_number or "",
                "mailed_on": n.mailed_on.isoformat(),
                "returned_on": n.returned_on.isoformat() if n.returned_on else "",
            }
            for i, n in numbered
            if n.mailed_on
        ],
        "unmailed": [
            f"{i}. {', '.join(n.lines)}{f' ({hand[i - 1]})' if i - 1 in hand else ''}"
            for i, n in numbered
            if not n.mailed_on
        ],
        "unaddressed": [f"{a.loc_id} {a.site_address or ''}" for a in told.abutters if a.loc_id not in written],
        "oath": "Signed under the pains and penalties of perjury.",
    }
    return printed("affidavit", data, created=told.created)


def _mark(told: AbutterList) -> str:
    """Return the mark of every sheet; a certificate that stood when the letters went may have expired since."""
    return marks(told) if told.status != "expired" else SAMPLE if told.invented else ""


def _incomplete(told: AbutterList, written: Collection[str]) -> str:
    """Return why the affidavit cannot be signed as it stands; empty when it can."""
    unmailed = sum(1 for n in told.notices if not n.mailed_on)
    silent = sum(1 for a in told.abutters if a.loc_id not in written)
    reasons = [f"{unmailed} letters are not reported as mailed"] if unmailed else []
    reasons += [f"{silent} parcels have nobody to write to"] if silent else []
    outside = len(outside_certificate(told)) if told.certified else 0
    reasons += [f"{outside} letters were mailed while no certificate stood"] if outside else []
    late = len(late_letters(told))
    reasons += [f"{late} letters were mailed after {law_day(told)}, the last day by law"] if late else []
    return f"NOT COMPLETE: {' and '.join(reasons)}." if reasons else ""


def _service(told: AbutterList) -> list[str]:
    land = "; ".join(s.site_address or s.loc_id for s in told.subject) or "the land described in the application"
    hearing = f" for the public hearing of {told.hearing_on.isoformat()}" if told.hearing_on else ""
    how = " or ".join(METHODS[m] for m in told.rule.methods if m in METHODS) or "the method stated beside each"
    status = "as certified by the Assessors' office" if told.certified else "from a list that is not certified"
    return [
        f"I certify that notice{hearing} concerning {land}"
        f"{f', {told.hearing.project}' if told.hearing.project else ''}, was given under {told.rule.citation} "
        f"to the owners below, at the mailing addresses {status} (list {told.id} of {told.on.isoformat()}).",
        f"Method: {how}.",
        *_last_days(told),
    ]


def _last_days(told: AbutterList) -> Iterator[str]:
    """Say which days the mailing had, and which of them the letters are held against: the law's own."""
    last = law_day(told)
    if last is not None:
        days = mailing_days(told) or f"last day by law {last}"
        notes = " ".join(notes_on_days(told))
        yield f"The mailing: {days}. A letter counts as late after the last day by law, {last}. {notes}".strip()

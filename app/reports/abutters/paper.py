"""A list on paper: report, labels, mailing sheets, affidavit. Each makes the data of its template and prints it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from app.notices.signatures import signature_lines
from app.reports.abutters.cells import RELATIONS, by_hand, entered
from app.reports.abutters.dates import COLUMNS, dates_of, mail_by_words, notes_on_days
from app.reports.abutters.law import law_words
from app.reports.abutters.plot import map_svg
from app.reports.abutters.press import overflowing, printed
from app.reports.abutters.shapes import Shapes
from app.reports.abutters.sheets import SortBy, in_order, label_sheet, mailing_form
from app.reports.abutters.standing import SAMPLE, check_labels, marks, sorted_warnings
from app.schemas.abutters import AbutterList, AbutterTold, NoticeTold, OwnerTold, SignaturesTold
from spatial.errors import ParameterRefused

STATEMENT = (
    "The undersigned certifies that the owners and mailing addresses above are those of the most recent applicable "
    "tax list as named in this list."
)
MOST_NAMES = 12
"""Owners of the subject that the report names; a condominium has hundreds."""

SIZES_PT = (10.0, 9.0, 8.0, 7.0)
MOST_LINES = 5


def report_pdf(told: AbutterList, shapes: Shapes) -> bytes:
    """Return the report: land, rule, map with the ring, table, what stands against it, signature block."""
    data = {
        "title": "Abutters' List",
        "id": told.id,
        "made_on": told.on.isoformat(),
        "mark": marks(told),
        "facts": _facts(told),
        "warnings": [{"title": title, "lines": lines} for title, lines in sorted_warnings(told)],
        "map": map_svg(told, shapes),
        "map_alt": f"Map of the subject land and {len(told.abutters)} abutting parcels around it.",
        "ring_words": _ring_words(told),
        "rows": [_row(n, a) for n, a in enumerate(told.abutters, 1)],
        "near_misses": [f"{m.site_address or m.loc_id} ({m.distance_ft:.2f} ft)" for m in told.near_misses],
        "excluded": [f"{e.loc_id}: {e.reason}" for e in told.excluded],
        "date_columns": COLUMNS,
        "deadlines": [asdict(x) for x in dates_of(told)],
        "notes_on_days": list(notes_on_days(told)),
        "policies": list(law_words(told.rule)),
        "statement": _statement(told),
        "signature": _signature(told),
    }
    return printed("report", data, created=told.created)


def _statement(told: AbutterList) -> str:
    """Return the words of the certificate; a list of an invented town certifies nothing, whatever is entered."""
    if told.invented:
        return f"{SAMPLE}, and no certificate: this list is invented and names nobody."
    return told.certified.wording if told.certified and told.certified.wording else STATEMENT


def labels_pdf(
    told: AbutterList, *, sheet: str = "5160", start: int = 1, sort: SortBy = "list", anyway: bool = False
) -> bytes:
    """Return label sheets, and after them the addresses that do not fit.

    Raises
    ------
    Refused
        ``conflict`` for a list that is no longer used, unless ``anyway``; ``bad_parameter`` for a wrong sheet.
    """
    check_labels(told, anyway=anyway)
    return printed("labels", _labels(told, sheet, start, sort), created=told.created)


def labels_overflow(told: AbutterList, *, sheet: str = "5160", sort: SortBy = "list") -> tuple[NoticeTold, ...]:
    """Return the letters whose address does not fit a label of the sheet."""
    ordered = in_order(told.notices, sort)
    return tuple(ordered[i] for i in overflowing(_labels(told, sheet, 1, sort)))


def mailing_pdf(told: AbutterList, *, form: str = "3665") -> bytes:
    """Return working sheets laid out like a postal form; raises ``bad_parameter`` for a form we do not know."""
    laid_out = mailing_form(form)
    pieces = [
        {"no": n, "article": notice.article_number or "", "lines": notice.lines}
        for n, notice in enumerate(told.notices, 1)
    ]
    data = {
        "title": laid_out.title,
        "mark": marks(told),
        "form": {"lines": laid_out.lines, "columns": laid_out.columns},
        "copy": "Working copy for filling in the Postal Service's own form; not a USPS form or facsimile. "
        f"For {laid_out.least_pieces} pieces or more.",
        "sender": [told.hearing.applicant or "", told.hearing.board or told.rule.authority],
        "total": len(pieces),
        "sheets": [pieces[i : i + laid_out.lines] for i in range(0, len(pieces), laid_out.lines)],
    }
    return printed("mailing", data, created=told.created)


def _labels(told: AbutterList, sheet: str, start: int, sort: SortBy) -> dict[str, Any]:
    laid_out = label_sheet(sheet)
    if not 1 <= start <= laid_out.count:
        raise ParameterRefused(f"Label {start} is not on sheet {sheet}; start at 1 to {laid_out.count}.")
    return {
        "title": f"Labels {sheet}",
        "mark": " – ".join(filter(None, (marks(told), f"list {told.id}"))) if marks(told) else "",
        "sheet": asdict(laid_out),
        "start": start,
        "sizes_pt": SIZES_PT,
        "most_lines": MOST_LINES,
        "notices": [n.lines for n in in_order(told.notices, sort)],
    }


def _facts(told: AbutterList) -> list[tuple[str, str]]:
    land = "; ".join(f"{s.site_address or ''} ({s.map_par_id or s.loc_id})".strip() for s in told.subject)
    names = list(dict.fromkeys(o.owner for s in told.subject for o in s.owners if o.owner))
    more = f"; and {len(names) - MOST_NAMES} more, all in the tax list" if len(names) > MOST_NAMES else ""
    lists = "; ".join(
        f"town {t.town_id}, {f'FY{t.fiscal_year}' if t.fiscal_year else 'year not known'}, {t.source}"
        for t in told.tax_list
    )
    facts = [
        ("Subject land", land or "a drawn area without a parcel of its own"),
        ("Owners of record", "; ".join(names[:MOST_NAMES]) + more or "not known"),
        ("Rule", f"{told.rule.title} ({told.rule.citation})"),
        ("Measured from", "the property line of the subject land, exact, in EPSG:26986"),
        ("Parcel editions", "; ".join(told.parcels_editions)),
        ("Tax list", lists or "none"),
        ("Condominiums", "every unit" if told.condominium == "units" else "the association where it shows"),
        ("On the list", f"{told.counts.parcels} parcels, {told.counts.owners} rows, {told.counts.notices} letters"),
        ("Hearing", " ".join(filter(None, (str(told.hearing_on or ""), told.hearing.time, told.hearing.place)))),
        ("Mailing", mail_by_words(told)),
        ("Project", told.hearing.project or ""),
        ("How to notify", told.rule.how),
        ("Applicant", told.hearing.applicant or ""),
        *_signing(told.signatures),
        ("Status", told.status),
    ]
    return [(name, value) for name, value in facts if value]


def _signing(signatures: SignaturesTold | None) -> Iterator[tuple[str, str]]:
    if signatures is None:
        return
    lines = signature_lines(signatures)
    more = f"; and {len(lines) - MOST_NAMES} more, all in the list's file" if len(lines) > MOST_NAMES else ""
    yield "Who signs, to be confirmed", f"{'; '.join(lines[:MOST_NAMES])}{more} ({signatures.citation})"


def _ring_words(told: AbutterList) -> str:
    reach = [ft for ft in (told.rule.within_ft, told.rule.second_ring_ft) if ft]
    return f"{max(reach):g} feet from the property line" if reach else "the property line"


def _row(number: int, abutter: AbutterTold) -> dict[str, Any]:
    return {
        "no": number,
        "lot": abutter.map_par_id or abutter.loc_id,
        "site": abutter.site_address or "",
        "feet": f"{abutter.distance_ft:.2f}",
        "relation": RELATIONS[abutter.relation],
        "owners": [_owner(o) for o in abutter.owners],
        "flags": [*by_hand(abutter), *(f.replace("_", " ") for f in abutter.flags)],
    }


def _owner(owner: OwnerTold) -> str:
    place = " ".join(filter(None, (owner.city, owner.state, owner.zip)))
    return ", ".join(filter(None, (owner.owner, owner.address, place, owner.country, *entered(owner))))


def _signature(told: AbutterList) -> list[tuple[str, str]]:
    seal = told.certified
    if seal is None:
        return [("", "Assessor's signature"), ("", "Name and title"), ("", "Date")]
    until = f", valid through {seal.expires_on.isoformat()}" if seal.expires_on else ""
    return [
        ("", "Assessor's signature"),
        (f"{seal.name}, {seal.title}", "Name and title"),
        (seal.on.isoformat(), f"Date{until}"),
    ]

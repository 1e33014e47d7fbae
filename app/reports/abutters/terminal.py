"""A list for a person at a terminal: what it is, what stands against it, the rows, the letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from app.notices.signatures import signature_lines
from app.reports.abutters.cells import RELATIONS
from app.reports.abutters.law import law_words
from app.reports.abutters.paper import mark
from app.reports.page import bullets, entry, heading, pairs, paragraph, render
from app.schemas.abutters import AbutterList, AbutterTold, KeptListsTold, ListChanges, OwnerTold


def abutters_table(told: AbutterList, *, width: int | None = None, colour: bool = False) -> str:
    """Return the list as text of at most ``width`` columns (100 when None), coloured only on request."""
    return render(_page(told), width=width, colour=colour)


def life_text(told: AbutterList) -> str:
    """Return where a list stands after a step of its life, and what stands against it: a few lines, no owner."""
    return render(_life(told), width=None, colour=False)


def lists_text(told: KeptListsTold) -> str:
    """Return the kept lists, two lines each."""
    return render(_kept(told), width=None, colour=False)


def changes_text(told: ListChanges) -> str:
    """Return what is different today from a list as it was made."""
    return render(_changes(told), width=None, colour=False)


def _life(told: AbutterList) -> Iterator[RenderableType]:
    count = told.counts
    mailed = sum(1 for n in told.notices if n.mailed_on)
    yield entry(
        f"List {told.id} is {told.status}",
        f"{count.parcels} parcels, {count.owners} rows, {count.notices} letters, {mailed} reported as mailed",
        f"certified by {told.certified.name}, {told.certified.title}, on {told.certified.on}"
        if told.certified
        else "",
    )
    standing = [w.message for w in told.warnings if w.blocks]
    title = "Certified despite" if told.certified else "Answer these, or say why despite them, to certify"
    yield from _under(title, bullets(standing))


def _kept(told: KeptListsTold) -> Iterator[RenderableType]:
    if not told.lists:
        yield paragraph("No list is kept here.")
    for one in told.lists:
        hearing = f", hearing {one.hearing_on}" if one.hearing_on else ""
        yield entry(
            f"{one.id}  {one.status}  {one.created[:10]}  {one.rule}",
            f"{'; '.join(one.subject) or 'a drawn area'}: {one.counts.parcels} parcels, {one.counts.notices} "
            f"letters, {one.mailed} mailed{hearing}",
        )
    if told.more:
        yield paragraph("There are older ones; ask for more with --limit.")


def _changes(told: ListChanges) -> Iterator[RenderableType]:
    if told.unchanged:
        yield paragraph(f"Nothing is different on {told.compared_on} from list {told.id}.")
        return
    yield entry(f"Different on {told.compared_on} from list {told.id}")
    yield from _under("Parcels added", bullets(_place(a) for a in told.added))
    yield from _under("Parcels gone", bullets(told.gone))
    yield from _under("Distances", bullets(f"{m.loc_id}, now {m.distance_ft:.2f} ft" for m in told.moved))
    yield from _under(
        "Owners",
        bullets(
            f"{o.loc_id}: {' | '.join(o.was) or 'none'} → {' | '.join(o.now) or 'none'}"
            for o in told.owners_changed
        ),
    )


def _page(told: AbutterList) -> Iterator[RenderableType]:
    land = "; ".join(s.site_address or s.loc_id for s in told.subject) or "a drawn area"
    yield entry(f"Abutters of {land}: {mark(told) or 'certified'}")
    yield pairs(
        [
            ("List", told.id),
            ("Rule", f"{told.rule.title} ({told.rule.citation})"),
            ("Tax list", "; ".join(_tax_lists(told)) or "none"),
            ("On it", f"{told.counts.parcels} parcels, {told.counts.owners} rows, {told.counts.notices} letters"),
        ]
    )
    yield from _under("Before relying on it", bullets(w.message for w in told.warnings if w.code != "owners_sign"))
    if told.signatures:
        applicant = told.signatures.applicant or "not given"
        yield from _under(
            f"Who signs ({told.signatures.citation}); applicant: {applicant}; to be confirmed",
            bullets(signature_lines(told.signatures)),
        )
    yield heading("Abutters")
    if not told.abutters:
        yield paragraph("No parcel is named by the rule.")
    for number, abutter in enumerate(told.abutters, 1):
        yield entry(f"{number}. {_place(abutter)}", *(_owner(o) for o in abutter.owners), _flags(abutter), style="")
    yield from _under(
        "Beyond the line by less than the map's accuracy: for the Assessor",
        bullets(f"{m.loc_id} {m.site_address or ''}, {m.distance_ft:.2f} ft" for m in told.near_misses),
    )
    yield from _under("Near, and not on the list", bullets(f"{e.loc_id}: {e.reason}" for e in told.excluded))
    yield from _under("The law", bullets(law_words(told.rule)))
    yield from _under(
        "Dates", pairs_of_dates((x.rolled.isoformat(), f"{x.what} ({x.citation})") for x in told.deadlines)
    )


def pairs_of_dates(rows: Iterable[tuple[str, str]]) -> Iterator[RenderableType]:
    """Return one line a date; nothing when there is none."""
    found = list(rows)
    if found:
        yield pairs(found)


def _under(title: str, told: Iterable[RenderableType]) -> Iterator[RenderableType]:
    lines = list(told)
    if lines:
        yield heading(title)
        yield from lines


def _tax_lists(told: AbutterList) -> Iterator[str]:
    for one in told.tax_list:
        year = f"FY{one.fiscal_year}" if one.fiscal_year else "year not known"
        yield f"town {one.town_id}, {year}, {one.source}"


def _place(abutter: AbutterTold) -> str:
    where = abutter.site_address or "no address"
    return f"{where} ({abutter.loc_id}), {abutter.distance_ft:.2f} ft, {RELATIONS[abutter.relation]}"


def _owner(owner: OwnerTold) -> str:
    place = " ".join(filter(None, (owner.city, owner.state, owner.zip)))
    return ", ".join(filter(None, (owner.owner or "no owner's name", owner.address, place, owner.country)))


def _flags(abutter: AbutterTold) -> str:
    return "! " + ", ".join(f.replace("_", " ") for f in abutter.flags) if abutter.flags else ""

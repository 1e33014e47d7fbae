"""A list for a person at a terminal: what it is, what stands against it, the rows, the letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from app.notices.signatures import signature_lines
from app.reports.abutters.cells import RELATIONS, by_hand, entered
from app.reports.abutters.dates import dates_of, mail_by_words, notes_on_days, three
from app.reports.abutters.law import law_words
from app.reports.abutters.standing import SAMPLE, mark, sorted_warnings
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
        *_ended(told),
        _mailed_days(told),
    )
    yield from _warnings(told)


def _ended(told: AbutterList) -> Iterator[str]:
    end = told.superseded
    if end is not None:
        yield f"list {end.successor} takes its place" if end.successor else "no list is named to take its place"
        yield f"reason: {end.reason}" if end.reason else ""


def _mailed_days(told: AbutterList) -> str:
    days = Counter(n.mailed_on for n in told.notices if n.mailed_on)
    return ", ".join(f"{count} mailed on {day}" for day, count in sorted(days.items()))


def _warnings(told: AbutterList) -> Iterator[RenderableType]:
    for title, lines in sorted_warnings(told):
        yield from _under(title, bullets(lines))


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
    yield entry(f"Abutters of {land}: {mark(told) or 'certified'}", SAMPLE if told.invented else "")
    yield pairs(
        [
            ("List", told.id),
            ("Rule", f"{told.rule.title} ({told.rule.citation})"),
            ("Tax list", "; ".join(_tax_lists(told)) or "none"),
            ("On it", f"{told.counts.parcels} parcels, {told.counts.owners} rows, {told.counts.notices} letters"),
            ("Mailing", mail_by_words(told)),
        ]
    )
    yield from _warnings(told)
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
        yield entry(f"{number}. {_place(abutter)}", *_below(abutter), style="")
    yield from _under(
        "Beyond the line by less than the map's accuracy: for the Assessor",
        bullets(f"{m.loc_id} {m.site_address or ''}, {m.distance_ft:.2f} ft" for m in told.near_misses),
    )
    yield from _under("Near, and not on the list", bullets(f"{e.loc_id}: {e.reason}" for e in told.excluded))
    yield from _under("The law", bullets(law_words(told.rule)))
    yield from _under("Dates", _dates(told))


def _dates(told: AbutterList) -> Iterator[RenderableType]:
    """Return one line a date, its days named as on every page; nothing when there is none."""
    rows = [(x.days[-1], f"{x.what} ({x.citation})\n{three(x.days)}") for x in dates_of(told)]
    if rows:
        yield pairs(rows)
    yield from bullets(notes_on_days(told))


def _below(abutter: AbutterTold) -> Iterator[str]:
    yield from (_owner(o) for o in abutter.owners)
    yield from by_hand(abutter)
    yield _flags(abutter)


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
    return ", ".join(
        filter(None, (owner.owner or "no owner's name", owner.address, place, owner.country, *entered(owner)))
    )


def _flags(abutter: AbutterTold) -> str:
    return "! " + ", ".join(f.replace("_", " ") for f in abutter.flags) if abutter.flags else ""

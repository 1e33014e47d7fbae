"""A list for a person at a terminal: what it is, what stands against it, the rows, the letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from app.reports.abutters.cells import RELATIONS
from app.reports.abutters.paper import mark
from app.reports.page import bullets, entry, heading, pairs, paragraph, render
from app.schemas.abutters import AbutterList, AbutterTold, OwnerTold


def abutters_table(told: AbutterList, *, width: int | None = None, colour: bool = False) -> str:
    """Return the list as text of at most ``width`` columns (100 when None), coloured only on request."""
    return render(_page(told), width=width, colour=colour)


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
    yield from _under("Before relying on it", bullets(w.message for w in told.warnings))
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

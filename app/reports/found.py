"""Report: what was looked for in the library, for a person at a terminal: parcels, and the editions of a layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType

from app.reports.dated import dated
from app.reports.page import entry, heading, pairs, paragraph, render
from app.reports.words import counted, quantity
from app.schemas.layer import Edition, Editions
from app.schemas.parcel import Parcels, ParcelSummary


def parcels_text(told: Parcels, towns: Sequence[str], *, width: int | None = None, colour: bool = False) -> str:
    """Return the parcels found, one line each with LOC_ID first, or where was looked and nothing found.

    ``towns`` are the parts of the layer that are loaded.
    """
    return render(_parcels(told, towns), width=width, colour=colour)


def _parcels(told: Parcels, towns: Sequence[str]) -> Iterator[RenderableType]:
    if not told.parcels:
        yield paragraph(f"No parcel is found in the towns loaded: {', '.join(towns)}.")
        return
    yield pairs((one.loc_id, _parcel(one)) for one in told.parcels)
    if told.more:
        yield paragraph(f"There are more than these {len(told.parcels):,}; type more of it, or raise --limit.")


def _parcel(one: ParcelSummary) -> str:
    kind = "" if one.poly_type in ("FEE", "TAX") else one.poly_type
    told = (one.site_address or "no address", one.map_par_id, quantity(one.area_sqft, "sqft"), kind)
    return "; ".join(part for part in told if part)


def editions_text(told: Editions, *, width: int | None = None, colour: bool = False) -> str:
    """Return every kept edition of a layer by part, newest first, and the name by which to roll back to it."""
    return render(_editions(told), width=width, colour=colour)


def _editions(told: Editions) -> Iterator[RenderableType]:
    if not told.editions:
        yield paragraph(f"No edition of '{told.layer}' is kept; add a file, or sync it.")
    for part in dict.fromkeys(one.part for one in told.editions):
        yield heading(part)
        for one in (edition for edition in told.editions if edition.part == part):
            title = f"{one.part}/{one.edition}, {_state(one)}"
            yield entry(title, *_edition(one), style="bold" if one.current else "")


def _state(one: Edition) -> str:
    if one.current:
        return "in force"
    return "kept; withdrawn, and nothing of this part is in force" if one.withdrawn else "kept"


def _edition(one: Edition) -> Iterator[str]:
    held = counted(one.count_kept, "cell" if one.cells else "feature")
    yield ", ".join((held, *dated(one.published, one.retrieved, one.source_url)))
    yield f"from {one.source_url or one.source_file}"
    yield f"answers for {one.covers_acres:,.0f} acres ({one.covers})"

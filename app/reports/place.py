"""Report: whose ground it is, whose rules were read onto it, and how a lot is named. Words only."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.words import area, number, quantity, share
from app.schemas.screening import ParcelTold, Screening
from spatial.model import NO_LOT_TYPES
from spatial.units import PERCENT


def place(screening: Screening) -> str:
    """Return the town for a headline; rules read onto another town's ground are named as such."""
    if screening.town is None:
        return "no town named"
    if not _elsewhere(screening):
        return screening.town.name
    return f"{_ground(screening)}, by the rules of {screening.town.name} as asked"


def as_if(screening: Screening) -> str:
    """Return that what follows from a town's rules holds for its own ground only; empty where it is that ground."""
    if screening.town is None or not _elsewhere(screening):
        return ""
    town = screening.town.name
    return (
        f"As if the ground lay in {town}. It lies in {_ground(screening)}: there the rules of {town} bind nobody "
        "and its boards have no say."
    )


def no_lots(screening: Screening) -> str:
    """Return that the lots are not known because no parcels are loaded there; empty where they are."""
    return next((w.message for w in screening.warnings if w.code == "parcels_unknown"), "")


def outside(screening: Screening) -> Iterator[tuple[str, str]]:
    """Yield how much of the work lies outside any lot, and how much where nobody knows whose lot it is."""
    work = screening.disturbance
    unknown = work.outside_parcels_sqft if no_lots(screening) else work.lots_unknown_sqft
    for name, area_sqft in (
        ("Outside any lot", work.outside_parcels_sqft - unknown),
        ("Lot not known", unknown),
    ):
        if number(area_sqft) != "0":
            why = ": no parcels are loaded there" if name == "Lot not known" else ""
            yield name, f"{quantity(area_sqft, 'sqft')}{why}"


def lot(parcel: ParcelTold) -> tuple[str, str]:
    """Return a parcel as a row: whether it is a lot or a way, and how much of it the work takes."""
    name = "Way, no lot" if parcel.poly_type in NO_LOT_TYPES else "Lot"
    known = (parcel.site_address or "no address", parcel.map_par_id or "", parcel.loc_id)
    taken = f"{quantity(parcel.disturbed_sqft, 'sqft')} of it disturbed ({share(_percent(parcel))})"
    return name, f"{', '.join(part for part in known if part)}: {area(parcel.area_sqft)}, {taken}"


def _percent(parcel: ParcelTold) -> float:
    """Return the share disturbed; one told as 0.00 is worked out again, for it may be a little."""
    return parcel.disturbed_percent or PERCENT * parcel.disturbed_sqft / parcel.area_sqft


def _elsewhere(screening: Screening) -> bool:
    town, ground = screening.town, {one.id for one in screening.lies_in}
    return town is not None and bool(ground) and town.id not in ground


def _ground(screening: Screening) -> str:
    return " and ".join(town.name for town in screening.lies_in)

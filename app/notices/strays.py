"""Rows of a tax list that meet no parcel of the map: each may be an abutter nobody can see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from app.notices.addresses import plain
from app.notices.tax_book import StrayRow, lot_key
from spatial.abutters.strays import near_places
from spatial.case import Caution
from spatial.fabric.land import Land

NEAR_FT = 1000.0
"""A LOC_ID names a point inside its parcel, whose nearest line may be far nearer than the point."""

MOST_NAMED = 10
_HOUSE_NUMBER = re.compile(r"^(\d+(?!(st|nd|rd|th)\b)\w* )+([a-z] (?=\w+ \w))?")


def cautions_of_strays(
    strays: Sequence[StrayRow], land: Land, *, addresses: Sequence[str | None], lots: Sequence[str | None]
) -> tuple[Caution, ...]:
    """Return a sentence a town for rows without a parcel, and a stronger one for those that may lie near.

    Parameters
    ----------
    addresses
        Site addresses of the subject and of the parcels listed: a row on one of their streets may lie near.
    lots
        Their map-lot numbers: a row whose number continues one of them may be a unit of it.
    """
    near_ids = near_places(land, [s.loc_id for s in strays if s.loc_id], NEAR_FT)
    streets = frozenset(map(street_of, addresses)) - {""}
    begun = tuple(f"{key}-" for lot in lots if "-" in (key := lot_key(lot)))
    here = [
        s
        for s in strays
        if s.loc_id in near_ids
        or street_of(s.site_address) in streets
        or lot_key(s.map_par_id or s.prop_id).startswith(begun)
    ]
    away = [s for s in strays if s not in here]
    return (
        *_sentences("tax_rows_without_parcel_here", here, "one of them may be an abutter; find each by hand."),
        *_sentences(
            "tax_rows_without_parcel", away, "nothing says that they lie near, and nothing that they do not."
        ),
    )


def street_of(address: str | None) -> str:
    """Return the street of a site address for comparison, without the house number; empty when it names none.

    >>> street_of("119 A SOUTH MAPLE ST."), street_of("0 NORTH ST"), street_of(None)
    ('south maple st', 'north st', '')
    """
    return _HOUSE_NUMBER.sub("", plain(address or "")).strip()


def _sentences(code: str, rows: Sequence[StrayRow], so: str) -> list[Caution]:
    by_town = groupby(sorted(rows, key=lambda r: r.town_id or 0), key=lambda r: r.town_id)
    return [Caution(code, _sentence(town, list(found), so)) for town, found in by_town]


def _sentence(town: int | None, rows: Sequence[StrayRow], so: str) -> str:
    shown = "; ".join(_named(r) for r in rows[:MOST_NAMED])
    more = f"; and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    count = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
    return f"{count} of the tax list of town {town} without a parcel on the map ({shown}{more}): {so}"


def _named(row: StrayRow) -> str:
    return ", ".join(dict.fromkeys(p for p in (row.prop_id, row.map_par_id, row.loc_id, row.site_address) if p))

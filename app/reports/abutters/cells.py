"""Rows of a list as text cells, for every table it is written into. A cell is text; nothing in it is a formula."""

from __future__ import annotations

from collections.abc import Iterator

from app.schemas.abutters import AbutterList, AbutterTold, NoticeTold, OwnerTold

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")
PARCEL_COLUMNS = (
    "no", "map_par_id", "loc_id", "town_id", "site_address", "distance_ft", "relation", "rules", "prop_id", "owner",
    "owner_address", "owner_city", "owner_state", "owner_zip", "owner_country", "letter", "flags",
)  # fmt: skip
NOTICE_COLUMNS = (
    "no", "line1", "line2", "line3", "line4", "line5", "line6", "parcels", "site_addresses", "article_number",
    "mailed_on", "returned_on",
)  # fmt: skip
MOST_LINES = 6
RELATIONS = {
    "direct": "abuts",
    "across_way": "across a way",
    "within": "within the distance",
    "directly_opposite": "directly opposite",
    "abutter_to_abutter": "abutter to an abutter",
}
Row = tuple[str, ...]


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: a leading apostrophe where it could be.

    >>> harmless("=1+1"), harmless("O'BRIEN")
    ("'=1+1", "O'BRIEN")
    """
    return f"'{text}" if text.startswith(RISKY) else text


def parcel_rows(told: AbutterList) -> Iterator[Row]:
    """Return one row per row of the tax list, and one for a parcel without any, in the order of the list."""
    letter_of = {
        (loc_id, prop_id): str(n)
        for n, notice in enumerate(told.notices, 1)
        for loc_id in notice.parcels
        for prop_id in notice.prop_ids
    }
    for number, abutter in enumerate(told.abutters, 1):
        for owner in abutter.owners or (None,):
            prop_id = owner.prop_id if owner else ""
            letter = letter_of.get((abutter.loc_id, prop_id), "") if owner and owner.writes_to else ""
            yield (*_parcel(number, abutter), *_owner(owner), letter, "; ".join(abutter.flags))


def _parcel(number: int, abutter: AbutterTold) -> Row:
    return (
        str(number),
        abutter.map_par_id or "",
        abutter.loc_id,
        "" if abutter.town_id is None else str(abutter.town_id),
        abutter.site_address or "",
        f"{abutter.distance_ft:.2f}",
        RELATIONS[abutter.relation],
        "; ".join(abutter.rules),
    )


def _owner(owner: OwnerTold | None) -> Row:
    if owner is None:
        return ("",) * 7
    return owner.prop_id, owner.owner, owner.address, owner.city, owner.state, owner.zip, owner.country


def notice_rows(told: AbutterList) -> Iterator[Row]:
    """Return one row per letter; an address of more than six lines has the rest in the sixth."""
    address_of = {a.loc_id: a.site_address or "" for a in told.abutters}
    for number, notice in enumerate(told.notices, 1):
        yield (
            str(number),
            *_six(notice),
            "; ".join(notice.parcels),
            "; ".join(text for p in notice.parcels if (text := address_of.get(p, ""))),
            notice.article_number or "",
            notice.mailed_on.isoformat() if notice.mailed_on else "",
            notice.returned_on.isoformat() if notice.returned_on else "",
        )


def _six(notice: NoticeTold) -> Row:
    lines = list(notice.lines)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], ", ".join(lines[MOST_LINES - 1 :])]
    return (*lines, *("",) * (MOST_LINES - len(lines)))

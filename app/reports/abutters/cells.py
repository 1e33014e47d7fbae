"""Rows of a list as text cells, for every table it is written into. A cell is text; nothing in it is a formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from app.notices.addresses import plain
from app.notices.by_hand import ADDED, RESTORED
from app.reports.abutters.standing import marks
from app.schemas.abutters import AbutterList, AbutterTold, NoticeTold, OwnerTold

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet may take for the start of a formula, the wide forms of East Asia too."""

PARCEL_COLUMNS = (
    "no", "map_par_id", "loc_id", "town_id", "site_address", "distance_ft", "relation", "rules", "prop_id", "owner",
    "owner_address", "owner_city", "owner_state", "owner_zip", "owner_country", "letter", "flags", "by_hand",
    "list_id", "list_status",
)  # fmt: skip
NOTICE_COLUMNS = (
    "no", "line1", "line2", "line3", "line4", "line5", "line6", "parcels", "site_addresses", "article_number",
    "mailed_on", "returned_on", "by_hand", "list_id", "list_status",
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
    return f"'{text}" if text.lstrip().startswith(RISKY) or text.startswith(RISKY) else text


def parcel_rows(told: AbutterList) -> Iterator[Row]:
    """Return one row per row of the tax list, and one for a parcel without any, in the order of the list."""
    letters = _letters(told)
    for number, abutter in enumerate(told.abutters, 1):
        for owner in abutter.owners or (None,):
            letter = _letter(letters, abutter.loc_id, owner) if owner and owner.writes_to else ""
            hand = "; ".join((*by_hand(abutter), *entered(owner)))
            yield (
                *(*_parcel(number, abutter), *_owner(owner), letter, "; ".join(abutter.flags), hand),
                *(told.id, marks(told) or told.status),
            )


def by_hand(abutter: AbutterTold) -> tuple[str, ...]:
    """Return what a review did to a row, with its reason; empty for a row as the rule named it."""
    return tuple(text for text in abutter.rules if text.startswith((ADDED, RESTORED)))


def entered(owner: OwnerTold | None) -> tuple[str, ...]:
    """Return why an owner was entered by hand; empty for one of the tax list."""
    reason = owner.entered_by_hand if owner is not None else None
    return () if reason is None else (f"owner entered by hand: {reason}",)


def letters_by_hand(told: AbutterList) -> dict[int, str]:
    """Return what was done by hand to the rows behind letters, by their position from 0; others are absent."""
    done = {
        (a.loc_id, o.prop_id): (*by_hand(a), *entered(o))
        for a in told.abutters
        for o in a.owners
        if by_hand(a) or entered(o)
    }
    found = {
        i: dict.fromkeys(text for key in product(n.parcels, n.prop_ids) for text in done.get(key, ()))
        for i, n in enumerate(told.notices)
    }
    return {i: "; ".join(texts) for i, texts in found.items() if texts}


def _letters(told: AbutterList) -> dict[tuple[str, str], list[tuple[str, NoticeTold]]]:
    """Return the letters, with their number, by the parcels and rows behind them."""
    found: dict[tuple[str, str], list[tuple[str, NoticeTold]]] = {}
    for n, notice in enumerate(told.notices, 1):
        for key in product(notice.parcels, notice.prop_ids):
            found.setdefault(key, []).append((str(n), notice))
    return found


def _letter(
    letters: Mapping[tuple[str, str], Sequence[tuple[str, NoticeTold]]], loc_id: str, owner: OwnerTold
) -> str:
    """Return the number of the letter to an owner; two rows of one number (some towns have them) by their names."""
    near = letters.get((loc_id, owner.prop_id), ())
    named = [n for n, notice in near if _begins(notice, owner)]
    return named[0] if named else ""


def _begins(notice: NoticeTold, owner: OwnerTold) -> bool:
    name = plain(" ".join(owner.names))
    return plain(" ".join(notice.lines)).startswith(name)


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
    hand = letters_by_hand(told)
    for number, notice in enumerate(told.notices, 1):
        yield (
            str(number),
            *_six(notice),
            "; ".join(notice.parcels),
            "; ".join(text for p in notice.parcels if (text := address_of.get(p, ""))),
            notice.article_number or "",
            notice.mailed_on.isoformat() if notice.mailed_on else "",
            notice.returned_on.isoformat() if notice.returned_on else "",
            hand.get(number - 1, ""),
            *(told.id, marks(told) or told.status),
        )


def _six(notice: NoticeTold) -> Row:
    lines = list(notice.lines)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], ", ".join(lines[MOST_LINES - 1 :])]
    return (*lines, *("",) * (MOST_LINES - len(lines)))

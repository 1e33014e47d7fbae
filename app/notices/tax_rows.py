"""The tax list as notices need it: rows by parcel, whoever published them, and what is doubtful about each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from app.notices.addresses import Addressee, addressee, key_of, plain
from layers.assess import AssessRow

Condominium = Literal["units", "association"]
_ASSOCIATION = re.compile(
    r"\bcondo(minium)?s?\b.*\b(assoc\w*|assn|trust|trs|hoa|unit owners)\b|\bunit owners\b", re.I
)
MASTER_USE_CODE = "995"
"""The assessors' use code of a condominium's master record."""


@dataclass(frozen=True, slots=True)
class TaxRow:
    """One row of a tax list: whose, where to write, and of which year."""

    loc_id: str
    prop_id: str
    addressee: Addressee
    fiscal_year: int | None = None
    town_id: int | None = None
    use_code: str | None = None
    sale_date: str | None = None

    @property
    def owner(self) -> str:
        """Return the owner's name on one line; empty when the list has none."""
        return " ".join(self.addressee.names)

    @property
    def flags(self) -> tuple[str, ...]:
        """Return what is doubtful: the address, or a sale after the day the list speaks of."""
        return (*self.addressee.flags, *(("sold_after_the_list",) if sold_after(self) else ()))


def tax_row(row: AssessRow, loc_id: str) -> TaxRow:
    """Return a row of the Assess table as a tax row of a parcel."""
    return TaxRow(
        loc_id=loc_id,
        prop_id=row.prop_id,
        addressee=addressee(
            row.owner,
            row.owner_address,
            city=row.owner_city,
            state=row.owner_state,
            zip_code=row.owner_zip,
            country=row.owner_country,
        ),
        fiscal_year=row.fiscal_year,
        town_id=row.town_id,
        use_code=row.use_code,
        sale_date=row.sale_date,
    )


def sold_after(row: TaxRow) -> bool:
    """Say whether the sale a row records is later than the 1 January its fiscal year was assessed on.

    The list of fiscal year N (July N-1 to June N) is as of 1 January N-1. Without a year or a date: False.
    """
    sold = day_of(row.sale_date)
    return row.fiscal_year is not None and sold is not None and sold > date(row.fiscal_year - 1, 1, 1)


def day_of(text: str | None) -> date | None:
    """Return a day written ``20250131``, ``2025-01-31`` or ``1/31/2025`` (month first); None for anything else."""
    found = re.match(r"^\s*(\d{4})[-/]?(\d{2})[-/]?(\d{2})", text or "")
    turned = re.match(r"^\s*(\d{1,2})/(\d{1,2})/(\d{4})", text or "")
    parts = found.groups() if found else (turned.group(3), turned.group(1), turned.group(2)) if turned else ()
    try:
        return date(*(int(p) for p in parts)) if parts else None
    except ValueError:
        return None


def associations(rows: Sequence[TaxRow]) -> tuple[TaxRow, ...]:
    """Return the rows that are a condominium association's or its master record; empty when none shows itself."""
    return tuple(r for r in rows if (r.use_code or "").startswith(MASTER_USE_CODE) or _ASSOCIATION.search(r.owner))


def to_write_to(rows: Sequence[TaxRow], condominium: Condominium) -> tuple[TaxRow, ...]:
    """Return the rows of one parcel that get letters: all, or of a condominium the association alone.

    A condominium whose association does not show itself keeps every unit.
    """
    if condominium == "units" or len(rows) < 2:
        return tuple(rows)
    return associations(rows) or tuple(rows)


def owners_of(rows: Iterable[TaxRow]) -> frozenset[str]:
    """Return the owners' names for comparison; the empty name is nobody's, and two unknown owners are not one."""
    known = (r for r in rows if "owner_unknown" not in r.addressee.flags)
    return frozenset(name for r in known if (name := plain(r.owner)))


class OwnerMarks(NamedTuple):
    """What tells an owner from others: the name, its words, and the mailing address, None without a street."""

    name: str
    words: frozenset[str]
    place: tuple[str, ...] | None


def owner_marks(row: TaxRow) -> OwnerMarks | None:
    """Return the marks of a row's owner; None when it has no name or calls its owner unknown."""
    names = owners_of([row])
    if not names:
        return None
    (name,) = names
    place = key_of(row.addressee)[1:] if row.addressee.street else None
    return OwnerMarks(name, frozenset(name.split()), place)


def perhaps_one(one: OwnerMarks, other: OwnerMarks) -> bool:
    """Say whether two owners of different names may be one: all words of one in the other, or one mailing address.

    False for the same name, which is told as such.
    """
    if one.name == other.name:
        return False
    shorter, longer = sorted((one.words, other.words), key=len)
    together = one.place is not None and one.place == other.place
    return together or (len(shorter) > 1 and shorter <= longer)

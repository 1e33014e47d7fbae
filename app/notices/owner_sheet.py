"""Owners an assessor determined, as a CSV: one row an owner, several of one parcel where it has several."""

from __future__ import annotations

import csv
import io

from app.schemas.abutter_requests import EnteredOwner
from spatial.errors import FormatRefused, ParameterRefused

COLUMNS = ("loc_id", "owner", "address", "city", "state", "zip", "country", "reason")
NEEDED = ("loc_id", "owner", "address", "reason")


def read_owners(name: str, content: bytes) -> tuple[EnteredOwner, ...]:
    """Return the owners of a CSV with the columns ``COLUMNS``; those that may be empty may be absent.

    Raises
    ------
    FormatRefused
        When it is no CSV in UTF-8 with these columns, or has no row.
    ParameterRefused
        ``bad_parameter`` for a row that lacks what is needed; it names the row, never the owner.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatRefused(f"{name} is no CSV in UTF-8.", file=name) from error
    missing = [c for c in NEEDED if not rows or c not in rows[0]]
    if missing:
        raise FormatRefused(f"{name} has no rows with the columns {', '.join(missing)}.", file=name)
    return tuple(_owner(number, row) for number, row in enumerate(rows, 2))


def _owner(number: int, row: dict[str, str | None]) -> EnteredOwner:
    given = {c: text for c in COLUMNS if (text := (row.get(c) or "").strip())}
    lacking = [c for c in NEEDED if c not in given]
    if lacking:
        raise ParameterRefused(f"Row {number} of the owners has no {', '.join(lacking)}.")
    return EnteredOwner.model_validate(given)

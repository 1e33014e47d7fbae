"""Owners an assessor determined, put beside what the tax list has of a parcel. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from app.notices.addresses import addressee
from app.notices.owners import NO_ROW, UNDETERMINED, owner_told
from app.schemas.abutter_requests import EnteredOwner
from app.schemas.abutters import AbutterTold, OwnerTold
from spatial.errors import ParameterRefused

ENTERED = "owner_entered_by_hand"
BY_HAND = frozenset(
    {NO_ROW, UNDETERMINED, "no_owner_name", "owner_unknown", "no_mailing_address", "address_unknown"}
)
"""Doubts about a parcel that an owner entered by hand answers."""


def by_parcel(owners: Sequence[EnteredOwner]) -> dict[str, tuple[EnteredOwner, ...]]:
    """Return the owners entered by parcel: heirs and tenants in common are several of one lot."""
    found: dict[str, tuple[EnteredOwner, ...]] = {}
    for one in owners:
        found[one.loc_id] = (*found.get(one.loc_id, ()), one)
    return found


def with_owners(abutter: AbutterTold, entered: Sequence[EnteredOwner]) -> AbutterTold:
    """Return an abutter with the owners the assessor determined beside what the tax list has."""
    if not entered:
        return abutter
    before = sum(1 for o in abutter.owners if o.entered_by_hand is not None)
    added = tuple(_owner_by_hand(one, before + n) for n, one in enumerate(entered))
    flags = tuple(f for f in abutter.flags if f not in BY_HAND)
    return abutter.model_copy(
        update={"owners": (*abutter.owners, *added), "flags": tuple(dict.fromkeys((*flags, ENTERED)))}
    )


def _owner_by_hand(entered: EnteredOwner, number: int) -> OwnerTold:
    found = addressee(
        entered.owner,
        entered.address,
        city=entered.city,
        state=entered.state,
        zip_code=entered.zip,
        country=entered.country,
    )
    if not found.lines:
        raise ParameterRefused(f"The owner entered for {entered.loc_id} has no name or no address to write to.")
    row = f"by hand {entered.loc_id}" + (f" {number + 1}" if number else "")
    return owner_told(row, found, found.flags).model_copy(update={"entered_by_hand": entered.reason})

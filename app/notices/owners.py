"""Owners put to abutters: every row of the tax list, what is doubtful said, the letters made. No geometry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.notices.addresses import Addressee
from app.notices.letters import Letter, Owned, alike, letters
from app.notices.tax_rows import Condominium, TaxRow, associations, owners_of, to_write_to
from app.schemas.abutters import AbutterTold, AlikeTold, NoticeTold, OwnerTold
from spatial.abutters import Abutter

UNDETERMINED = "owner_to_be_determined_by_the_assessor"
NO_ROW = "no_assessor_row"


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a list and the pairs that may be doubles."""

    notices: tuple[NoticeTold, ...]
    alike: tuple[AlikeTold, ...]


def owner_told(prop_id: str, found: Addressee, flags: Sequence[str], *, writes_to: bool = True) -> OwnerTold:
    """Return an owner as told; columns that the tax list has in one stand apart as they were read."""
    return OwnerTold(
        prop_id=prop_id,
        owner=" ".join(found.names),
        address=", ".join(found.street),
        city=found.city,
        state=found.state,
        zip=found.zip,
        country=found.country,
        names=found.names,
        street=found.street,
        writes_to=writes_to,
        flags=tuple(flags),
    )


def owners_told(rows: Sequence[TaxRow], condominium: Condominium = "units") -> tuple[OwnerTold, ...]:
    """Return the rows of a parcel as owners, those that get a letter marked."""
    written = {r.prop_id for r in to_write_to(rows, condominium)}
    return tuple(owner_told(r.prop_id, r.addressee, r.flags, writes_to=r.prop_id in written) for r in rows)


def owned_abutter(
    abutter: Abutter, rows: Sequence[TaxRow], *, condominium: Condominium, subject_owners: frozenset[str]
) -> AbutterTold:
    """Return an abutter with all its rows and the flags of both."""
    owners = owners_told(rows, condominium)
    reasons = {
        NO_ROW: not rows and UNDETERMINED not in abutter.flags,
        "several_owners": len(rows) > 1,
        "no_association_row": condominium == "association" and len(rows) > 1 and not associations(rows),
        "same_owner": bool(subject_owners & owners_of(rows)),
    }
    own = (flag for flag, holds in reasons.items() if holds)
    return AbutterTold(
        loc_id=abutter.loc_id,
        map_par_id=abutter.map_par_id,
        town_id=abutter.town_id,
        site_address=abutter.site_address,
        distance_ft=abutter.distance_ft,
        relation=abutter.relation,
        rules=abutter.clauses,
        owners=owners,
        flags=tuple(dict.fromkeys((*abutter.flags, *own, *(f for o in owners for f in o.flags)))),
    )


def letters_of(abutters: Iterable[AbutterTold]) -> Letters:
    """Return one letter per addressee of all rows that are written to, in the order of the list."""
    rows = [Owned(a.loc_id, o.prop_id, addressee_of(o)) for a in abutters for o in a.owners if o.writes_to]
    found = letters(rows)
    pairs = tuple(AlikeTold(notices=(a.first, a.second), percent=a.percent) for a in alike(found))
    return Letters(tuple(_notice(letter) for letter in found), pairs)


def addressee_of(owner: OwnerTold) -> Addressee:
    """Return the addressee of an owner as told."""
    return Addressee(owner.names, owner.street, owner.city, owner.state, owner.zip, owner.country)


def _notice(letter: Letter) -> NoticeTold:
    return NoticeTold(lines=letter.lines, parcels=letter.loc_ids, prop_ids=letter.prop_ids)

"""The owner's other lots next to the land: leaving them out of the subject hides their abutters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.notices.tax_book import TaxBook
from app.notices.tax_rows import OwnerMarks, owner_marks, owners_of, perhaps_one
from spatial.abutters import Abutting, abutters
from spatial.case import Caution
from spatial.fabric import ParcelFabric
from spatial.fabric.land import land_of

MOST_LOTS = 200
"""Chains of lots longer than this are cut off, and said to be."""


def cautions_of_same_owner(found: Abutting, fabric: ParcelFabric, taxes: TaxBook) -> tuple[Caution, ...]:
    """Return the offer to extend the subject by the owner's contiguous lots, or nothing when there are none.

    Contiguous lots are followed from lot to lot, so that the third in a row is found through the second.
    """
    land = found.land
    whose = owners_of(row for loc_id in land.loc_ids for row in taxes.rows(loc_id))
    if not whose:
        return ()
    beside = [a.loc_id for a in found.abutters if a.relation == "direct"]
    return (*_same(found, fabric, taxes, whose), *_perhaps(land.loc_ids, beside, taxes))


def _same(found: Abutting, fabric: ParcelFabric, taxes: TaxBook, whose: frozenset[str]) -> tuple[Caution, ...]:
    land = found.land
    rule = replace(found.rule, within_ft=None, second_ring_ft=None, opposite=False, direct=True, required=True)
    lots = list(land.loc_ids)
    while len(lots) <= MOST_LOTS:
        beside = abutters(land_of(fabric, lots), rule, fabric).abutters
        more = [a.loc_id for a in beside if owners_of(taxes.rows(a.loc_id)) & whose]
        if not more:
            break
        lots += more
    others = lots[len(land.loc_ids) :]
    return (_offer(others),) if others else ()


def _perhaps(subject: Sequence[str], beside: Sequence[str], taxes: TaxBook) -> tuple[Caution, ...]:
    """Name the abutting lots whose owner may be the subject's under another name; nobody is taken for anybody."""
    ours = _marks(subject, taxes)
    alike = [i for i in beside if any(perhaps_one(a, b) for b in _marks([i], taxes) for a in ours)]
    if not alike:
        return ()
    return (
        Caution(
            "perhaps_same_owner_next_to_the_land",
            f"The owners of {', '.join(alike)}, next to the land, have names or a mailing address much like those "
            "of the subject's; if they are the same, or the project uses that land, extend the subject by it.",
        ),
    )


def _marks(loc_ids: Sequence[str], taxes: TaxBook) -> frozenset[OwnerMarks]:
    found = (owner_marks(row) for loc_id in loc_ids for row in taxes.rows(loc_id))
    return frozenset(m for m in found if m is not None)


def _offer(lots: list[str]) -> Caution:
    named = ", ".join(lots[:MOST_LOTS]) + (" and perhaps more" if len(lots) > MOST_LOTS else "")
    return Caution(
        "same_owner_next_to_the_land",
        f"The owner of the subject also owns {named}, contiguous with it. If the project uses that land, extend "
        "the subject by it: otherwise the owners around it are missing from this list.",
    )

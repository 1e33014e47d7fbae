"""What is different today from a list as it was made. Pure comparison of two lists."""

from __future__ import annotations

from datetime import date

from app.notices.addresses import key_of
from app.notices.owners import addressee_of
from app.schemas.abutters import AbutterList, AbutterTold, ListChanges, NearMissTold, OwnersChanged

MOVED_FT = 0.01


def changes(before: AbutterList, now: AbutterList, on: date) -> ListChanges:
    """Return parcels added and gone, distances moved and owners changed; what was done by hand is left out.

    Parameters
    ----------
    before
        The kept list.
    now
        The same question answered from today's editions.
    """
    by_hand = {e.loc_id for e in before.excluded if e.reason.startswith("dropped in review")}
    old = {a.loc_id: a for a in before.abutters}
    new = {a.loc_id: a for a in now.abutters if a.loc_id not in by_hand}
    both = [loc_id for loc_id in old if loc_id in new]
    added = tuple(a for loc_id, a in new.items() if loc_id not in old)
    gone = tuple(loc_id for loc_id in old if loc_id not in new)
    moved = tuple(
        NearMissTold(loc_id=i, distance_ft=new[i].distance_ft, site_address=new[i].site_address)
        for i in both
        if abs(new[i].distance_ft - old[i].distance_ft) > MOVED_FT
    )
    owners = tuple(
        OwnersChanged(loc_id=i, was=_lines(old[i]), now=_lines(new[i]))
        for i in both
        if _keys(old[i]) != _keys(new[i])
    )
    return ListChanges(
        id=before.id,
        compared_on=on,
        unchanged=not (added or gone or moved or owners),
        parcels_editions=now.parcels_editions,
        tax_list=now.tax_list,
        added=added,
        gone=gone,
        moved=moved,
        owners_changed=owners,
    )


def _keys(abutter: AbutterTold) -> frozenset[tuple[str, str, str]]:
    return frozenset(key_of(addressee_of(o)) for o in abutter.owners if o.entered_by_hand is None)


def _lines(abutter: AbutterTold) -> tuple[str, ...]:
    told = (", ".join(addressee_of(o).lines) for o in abutter.owners if o.entered_by_hand is None)
    return tuple(text for text in told if text)

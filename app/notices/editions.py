"""Whether the editions behind a list are fresh, and whether they are still the ones in force."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date

from app.notices.doubts import warning
from app.notices.tax_book import OWN
from app.schemas.abutters import AbutterList, WarningTold
from app.store.tax_lists import TaxLists
from layers.snapshot import Snapshot
from spatial.case import Caution

PARCELS = "parcels"


def cautions_of_age(snapshot: Snapshot, town_ids: Collection[int], on: date) -> tuple[Caution, ...]:
    """Return a sentence for each parcel edition of some towns that is older on a day than its layer allows."""
    parts = _parts(snapshot, town_ids)
    old = [p.part for p in snapshot.status(PARCELS).parts if p.part in parts and p.stale_on(on)]
    return tuple(
        Caution("parcels_stale", f"The parcels of {part} are older than the layer allows; load today's.")
        for part in old
    )


def changed_since(told: AbutterList, snapshot: Snapshot, tax_lists: TaxLists) -> tuple[WarningTold, ...]:
    """Return a warning when parcels or tax lists of a list's towns are others today than when it was made."""
    changed = [*_parcels(told, snapshot), *_taxes(told, tax_lists)]
    if not changed:
        return ()
    text = f"Since the list was made, {' and '.join(changed)} changed; look at its changes, or make it anew."
    return (warning("made_on_older_editions", text),)


def _parcels(told: AbutterList, snapshot: Snapshot) -> Iterator[str]:
    towns = {t for t in (*(s.town_id for s in told.subject), *(a.town_id for a in told.abutters)) if t is not None}
    parts = _parts(snapshot, towns)
    for frame in snapshot.frame(PARCELS):
        if frame.ref.part in parts and f"{frame.ref.part}/{frame.ref.edition}" not in told.parcels_editions:
            yield f"the parcels of {frame.ref.part}"


def _taxes(told: AbutterList, tax_lists: TaxLists) -> Iterator[str]:
    for one in told.tax_list:
        newest = tax_lists.newest(one.town_id) if one.town_id is not None else None
        now = f"{newest.received} {newest.sha256[:12]}" if newest is not None else None
        if now != (one.edition if one.source == OWN else None):
            yield f"the tax list of town {one.town_id}"


def _parts(snapshot: Snapshot, town_ids: Collection[int]) -> frozenset[str]:
    """Return the parts of the parcels layer that hold a parcel of some towns."""
    return frozenset(
        frame.ref.part
        for frame in snapshot.frame(PARCELS)
        if not set(town_ids).isdisjoint(set(frame.attributes["town_id"].tolist()))
    )

"""Whose list of owners counts: a town's own tax list where staff gave one, the published Assess table elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.notices.addresses import addressee
from app.notices.tax_rows import TaxRow, tax_row
from app.store.tax_lists import KeptTaxList, TaxLists
from layers.snapshot import Snapshot
from spatial.fabric import ParcelFabric

PUBLISHED = "MassGIS Level 3 Assess table"
OWN = "the town's own tax list"


@dataclass(frozen=True, slots=True)
class StrayRow:
    """A row of a tax list that meets no parcel: its number, and what it says of its place; never whose it is."""

    town_id: int | None
    prop_id: str
    loc_id: str | None = None
    map_par_id: str | None = None
    site_address: str | None = None


@dataclass(frozen=True, slots=True)
class TaxSource:
    """A tax list that rows came from; ``has_rows`` False when it has none of the parcels asked about."""

    town_id: int | None
    fiscal_year: int | None
    edition: str
    source: str
    has_rows: bool = True


class TaxBook:
    """Tax rows by parcel. ``in`` tells whether a LOC_ID has any.

    Parameters
    ----------
    snapshot
        The parcels and their Assess tables.
    fabric
        The same parcels; its map-lot numbers join a town's own list that has no LOC_ID.
    kept
        Towns' own lists.
    """

    def __init__(self, snapshot: Snapshot, fabric: ParcelFabric, kept: TaxLists) -> None:
        self._parcels = snapshot.parcels
        self._editions = {f.ref.part: f"{f.ref.part}/{f.ref.edition}" for f in snapshot.frame("parcels")}
        self._part_of: dict[int | None, str] = {
            town: frame.ref.part
            for frame in snapshot.frame("parcels")
            for town in _towns(frame.attributes["town_id"])
        }
        self._fabric = fabric
        self._own: dict[int | None, _Own] = {
            town: _Own(found, self._ids_of(town))
            for town in kept.towns()
            if (found := kept.newest(town)) is not None
        }

    def __contains__(self, loc_id: object) -> bool:
        return bool(self.rows(str(loc_id)))

    def rows(self, loc_id: str) -> tuple[TaxRow, ...]:
        """Return the rows of a parcel, as the town's own list or the published one has them; empty when none."""
        own = self._own.get(self._town(loc_id)) if self._own else None
        if own is not None:
            return own.rows(loc_id, self._fabric.map_par_id[self._fabric.places[loc_id][0]])
        return tuple(tax_row(r, loc_id) for r in self._parcels.assess(loc_id))

    def strays(self, town_ids: Collection[int]) -> tuple[StrayRow, ...]:
        """Return the rows of some towns' lists that meet no parcel, so that their place is not known."""
        own = {t for t in town_ids if t in self._own}
        parts = {self._part_of[t] for t in town_ids if t not in own and t in self._part_of}
        published = (
            StrayRow(r.town_id, r.prop_id, r.loc_id, None, r.site_address)
            for r in (self._parcels.unmatched(parts) if parts else ())
            if r.town_id is None or (r.town_id in town_ids and r.town_id not in own)
        )
        return (*published, *(s for t in sorted(own) for s in self._own[t].strays(self._lots_of(t))))

    def _ids_of(self, town_id: int) -> frozenset[str]:
        return frozenset(self._fabric.ids[self._fabric.town_id == town_id].tolist())

    def _lots_of(self, town_id: int) -> frozenset[str]:
        return frozenset(map(lot_key, self._fabric.map_par_id[self._fabric.town_id == town_id].tolist()))

    def sources(self, rows: Mapping[str, Sequence[TaxRow]]) -> tuple[TaxSource, ...]:
        """Return the lists some rows came from, one a town and fiscal year; a town without any row is said."""
        found = {(self._town(loc_id), r.fiscal_year) for loc_id, kept in rows.items() for r in kept}
        silent = {self._town(loc_id) for loc_id in rows} - {town for town, _ in found}
        told = [self._source(town, year) for town, year in sorted(found, key=str)]
        return (*told, *(replace(self._source(town, None), has_rows=False) for town in sorted(silent, key=str)))

    def _source(self, town_id: int | None, fiscal_year: int | None) -> TaxSource:
        own = self._own.get(town_id)
        if own is not None:
            return TaxSource(town_id, fiscal_year, f"{own.list.received} {own.list.sha256[:12]}", OWN)
        return TaxSource(
            town_id, fiscal_year, self._editions.get(self._part_of.get(town_id, ""), "unknown"), PUBLISHED
        )

    def _town(self, loc_id: str) -> int | None:
        found = self._fabric.town_id[self._fabric.places[loc_id][0]]
        return None if found is None else int(found)


class _Own:
    """A town's own list, found by LOC_ID or by map-lot.

    A LOC_ID that no parcel of the town has (another edition's) keeps no row from being found by its map-lot.
    """

    def __init__(self, kept: KeptTaxList, known: Container[str]) -> None:
        self.list = kept
        self._known = known
        self._by_loc: dict[str, list[int]] = defaultdict(list)
        self._by_lot: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(kept.rows):
            self._by_loc[row.get("loc_id", "")].append(number)
            self._by_lot[lot_key(row.get("map_par_id"))].append(number)

    def rows(self, loc_id: str, map_par_id: str | None) -> tuple[TaxRow, ...]:
        lot = lot_key(map_par_id)
        by_lot = [n for n in self._by_lot.get(lot, ()) if not self._elsewhere(n)] if lot else []
        found = sorted({*self._by_loc.get(loc_id, ()), *by_lot})
        return tuple(self._row(number, loc_id) for number in found)

    def strays(self, lots: Collection[str]) -> Iterator[StrayRow]:
        """Return the rows that meet neither a parcel's LOC_ID nor one of the town's map-lots."""
        for number, row in enumerate(self.list.rows):
            lot = lot_key(row.get("map_par_id"))
            if not self._elsewhere(number) and not (lot and lot in lots):
                yield StrayRow(self.list.town_id, self._prop_id(number), row.get("loc_id"), row.get("map_par_id"))

    def _elsewhere(self, number: int) -> bool:
        """Tell whether a row names a parcel by its LOC_ID: it is then that parcel's, whatever its map-lot."""
        return self.list.rows[number].get("loc_id", "") in self._known

    def _prop_id(self, number: int) -> str:
        row = self.list.rows[number]
        return row.get("prop_id") or row.get("map_par_id") or f"row {number + 2}"

    def _row(self, number: int, loc_id: str) -> TaxRow:
        row = self.list.rows[number]
        street = "\n".join(part for part in (row.get("address"), row.get("address2")) if part)
        home = {name: row.get(name, "") for name in ("city", "state", "country")}
        return TaxRow(
            loc_id=loc_id,
            prop_id=self._prop_id(number),
            addressee=addressee(
                row.get("owner"), street, zip_code=row.get("zip"), co_owner=row.get("co_owner"), **home
            ),
            fiscal_year=self.list.fiscal_year,
            town_id=self.list.town_id,
            use_code=row.get("use_code"),
            sale_date=row.get("sale_date"),
        )


def lot_key(text: str | None) -> str:
    """Return a map-lot for comparison: letters and digits, no leading zeros of its parts, no case."""
    parts = "".join(c if c.isalnum() else " " for c in (text or "").casefold()).split()
    return "-".join(part.lstrip("0") or "0" for part in parts)


def _towns(column: Iterable[object]) -> frozenset[int]:
    return frozenset(int(str(town)) for town in set(column) if town is not None)

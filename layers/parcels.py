"""The parcels of every town loaded, found by LOC_ID, by words or by place; and their assessors' rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock

import shapely
from shapely import STRtree

from layers.assess import AssessRow, read_assess
from spatial.errors import ParameterRefused
from spatial.model import LayerFrame, Parcel

Bounds = tuple[float, float, float, float]
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ParcelPart:
    """One town's parcels, opened, and the folder its rows stand in."""

    frame: LayerFrame
    folder: Path


class ParcelBook:
    """Parcels by LOC_ID, text and place. Immutable; what is costly is made when first asked for, by any thread.

    Parameters
    ----------
    parts
        The parcel editions in force. Where two hold one LOC_ID, the one retrieved later counts.
    """

    def __init__(self, parts: Sequence[ParcelPart]) -> None:
        self._parts = sorted(parts, key=lambda p: (p.frame.ref.retrieved or "", p.frame.ref.part))
        self._lock = Lock()
        self._rows: dict[int, Mapping[str | None, tuple[AssessRow, ...]]] = {}
        self._strays: dict[int, tuple[AssessRow, ...]] = {}

    def __len__(self) -> int:
        return len(self._place_by_loc_id)

    @cached_property
    def _place_by_loc_id(self) -> Mapping[str, Place]:
        return {
            loc_id: (p, i) for p, part in enumerate(self._parts) for i, loc_id in enumerate(part.frame.ids.tolist())
        }

    @cached_property
    def _shared(self) -> Mapping[str, tuple[int, ...]]:
        """Return the parts of each LOC_ID that several hold: a lot on the line of two towns."""
        holding: dict[str, tuple[int, ...]] = {}
        for p, part in enumerate(self._parts):
            for loc_id in part.frame.ids.tolist():
                if self._place_by_loc_id[loc_id][0] != p or loc_id in holding:
                    holding[loc_id] = (*holding.get(loc_id, ()), p)
        return {i: tuple(dict.fromkeys((*parts, self._place_by_loc_id[i][0]))) for i, parts in holding.items()}

    @cached_property
    def _texts(self) -> Sequence[tuple[str, str, Place]]:
        """What a person may type, of each parcel: (LOC_ID and map-lot, address), lower case, single spaces."""
        found = []
        for loc_id, (p, i) in self._place_by_loc_id.items():
            columns = self._parts[p].frame.attributes
            names = f"{loc_id} {columns['map_par_id'][i] or ''}"
            found.append((_plain(names), _plain(str(columns["site_address"][i] or "")), (p, i)))
        return found

    @cached_property
    def _trees(self) -> Sequence[STRtree]:
        return [STRtree(part.frame.geometry) for part in self._parts]

    def get(self, loc_id: str) -> Parcel:
        """Return the parcel of a LOC_ID; raises ``ParameterRefused`` (parcel_unknown)."""
        place = self._place_by_loc_id.get(loc_id.strip())
        if place is None:
            loaded = ", ".join(sorted(p.frame.ref.part for p in self._parts)) or "none"
            raise ParameterRefused(
                f"There is no parcel '{loc_id[:40]}' in the towns loaded ({loaded}); look for its address.",
                code="parcel_unknown",
            )
        return self._parcel(place)

    def __contains__(self, loc_id: object) -> bool:
        return loc_id in self._place_by_loc_id

    def search(self, q: str | None = None, bbox: Bounds | None = None, limit: int = 20) -> tuple[Parcel, ...]:
        """Return parcels by what a person types and by place.

        Parameters
        ----------
        q
            Words of an address, a map-lot or a LOC_ID; all must be found. None or blank: any.
        bbox
            West, south, east, north in EPSG:26986 metres; parcels whose shape meets it. None: anywhere.
        limit
            At most so many.

        Returns
        -------
        tuple of Parcel
            Whole ids first, then addresses that begin with the text, then the rest, each by address. Without ``q``
            and ``bbox`` the first parcels; nothing found: empty.
        """
        near = None if bbox is None else self._within(bbox)
        words = _plain(q or "").split()
        text = " ".join(words)
        found = [
            (_rank(names, address, text), address, names, place)
            for names, address, place in self._texts
            if (near is None or place in near) and all(w in names or w in address for w in words)
        ]
        return tuple(self._parcel(place) for *_, place in sorted(found)[: max(0, limit)])

    def _within(self, bbox: Bounds) -> set[Place]:
        box = shapely.box(*bbox)
        hits = ((p, tree.query(box, predicate="intersects")) for p, tree in enumerate(self._trees))
        return {(p, int(i)) for p, rows in hits for i in rows}

    def assess(self, loc_id: str) -> tuple[AssessRow, ...]:
        """Return the assessors' rows of a LOC_ID, owners and all, by PROP_ID; empty when it has none.

        A lot on the line of two towns may have rows in both. For staff and assessors only. Raises
        ``ParameterRefused`` (parcel_unknown).
        """
        self.get(loc_id)
        wanted = loc_id.strip()
        holding = self._shared.get(wanted) or (self._place_by_loc_id[wanted][0],)
        return tuple(r for p in holding for r in self._rows_of(p).get(wanted, ()))

    def unmatched(self, parts: Collection[str] | None = None) -> tuple[AssessRow, ...]:
        """Return the assessors' rows whose LOC_ID meets no parcel of their edition, or that have none. For staff.

        Parameters
        ----------
        parts
            Editions to look through, by part; None: all, which opens every town's rows.
        """
        chosen = [p for p, part in enumerate(self._parts) if parts is None or part.frame.ref.part in parts]
        return tuple(r for p in chosen for r in self._strays_of(p))

    def _strays_of(self, part: int) -> tuple[AssessRow, ...]:
        if part not in self._strays:
            rows = self._rows_of(part)
            lost = rows.keys() - set(self._parts[part].frame.ids.tolist())
            found = (r for loc_id in lost for r in rows[loc_id])
            self._strays[part] = tuple(sorted(found, key=lambda r: (r.town_id or 0, r.prop_id)))
        return self._strays[part]

    def _rows_of(self, part: int) -> Mapping[str | None, tuple[AssessRow, ...]]:
        with self._lock:
            if part not in self._rows:
                self._rows[part] = _by_lot(read_assess(self._parts[part].folder))
            return self._rows[part]

    def _parcel(self, place: Place) -> Parcel:
        part, i = place
        frame = self._parts[part].frame
        values = {name: column[i] for name, column in frame.attributes.items()}
        return Parcel(
            loc_id=str(frame.ids[i]),
            town_id=values["town_id"],
            poly_type=values["poly_type"],
            geometry=frame.geometry[i],
            map_par_id=values["map_par_id"],
            site_address=values["site_address"],
            lot_size_sqft=values["lot_size_sqft"],
            use_code=values["use_code"],
            zoning=values["zoning"],
        )


def _by_lot(rows: Iterable[AssessRow]) -> Mapping[str | None, tuple[AssessRow, ...]]:
    held: dict[str | None, list[AssessRow]] = defaultdict(list)
    for row in rows:
        held[row.loc_id].append(row)
    return {loc_id: tuple(found) for loc_id, found in held.items()}


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _rank(names: str, address: str, text: str) -> int:
    if text and text in (*names.split(), address, names.partition(" ")[2]):
        return 0
    return 1 if text and address.startswith(text) else 2

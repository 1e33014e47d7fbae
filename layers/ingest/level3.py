"""Parcels: the assessors' rows joined on LOC_ID, what they say of a lot, and the town a file is of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from layers.ingest.columns import Held, map_columns
from layers.ingest.features import Features, with_values
from layers.ingest.tables import Rows
from layers.manifest import AssessCount
from layers.spec import Spec
from layers.towns import TownBook
from spatial.errors import FormatRefused
from spatial.model import Town
from spatial.units import FOOT_M, SQFT_PER_ACRE

LOT_RATIO = (0.8, 1.25)
"""Assessed size over drawn size: outside this the assessed one is not used (AMB-05)."""

_CONDOMINIUM = "102"
_TOWN_NAMES = ("TOWN", "TOWN_NAME", "CITY", "MUNICIPALITY")


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """Lots with what their rows say, all rows in order of PROP_ID (also those that meet no polygon), and counts."""

    features: Features
    rows: dict[str, Held]
    count: AssessCount
    fiscal_year: int | None


def assess_columns(
    table: Rows | None, polygons: Rows, spec: Spec, mapping: Mapping[str, str]
) -> dict[str, Held] | None:
    """Return the assessors' columns from their own table, else from polygons that carry them, else None.

    A joined file (the hosted service) repeats its polygon for every row, so the rows are the polygons' rows.
    """
    fields = spec.tables["assess"]
    if table is not None:
        return map_columns(table, fields, mapping)[0]
    columns, account = map_columns(polygons, fields, mapping, demand=False)
    by_name = {c.name: c.read_from for c in account}
    if by_name["prop_id"] is None and by_name["owner"] is None:
        return None
    if by_name["prop_id"] is None:
        columns["prop_id"] = columns["loc_id"].copy()
    has_row = np.array([v is not None for v in columns["prop_id"]], dtype=bool)
    return {name: column[has_row] for name, column in columns.items()}


def joined(features: Features, rows: Mapping[str, Held]) -> Joined:
    """Return lots and rows joined on LOC_ID.

    A lot's address, use and district are the ones most of its rows give; its size is the smallest usable one.
    """
    ordered = _ordered(rows)
    by_lot = _by_lot(ordered["loc_id"])
    lots = features.values["loc_id"].tolist()
    sizes, used, refused = _lot_sizes(features, ordered, by_lot)
    values: dict[str, Held] = {
        name: _most_common(lots, by_lot, ordered[name]) for name in ("site_address", "use_code", "zoning")
    }
    years = [y for y in ordered["fiscal_year"].tolist() if y]
    return Joined(
        with_values(features, {**values, "lot_size_sqft": sizes}),
        ordered,
        _counted(lots, ordered, by_lot, sizes=(used, refused)),
        max(years, default=None),
    )


def _ordered(rows: Mapping[str, Held]) -> dict[str, Held]:
    """Return the rows by property and lot, as they came where both are the same."""
    order = sorted(range(len(rows["prop_id"])), key=lambda i: (str(rows["prop_id"][i]), str(rows["loc_id"][i]), i))
    return {name: column[order] for name, column in rows.items()}


def _by_lot(loc_ids: Held) -> dict[str, list[int]]:
    by_lot: dict[str, list[int]] = defaultdict(list)
    for i, loc_id in enumerate(loc_ids.tolist()):
        if loc_id is not None:
            by_lot[loc_id].append(i)
    return by_lot


def _counted(
    lots: Sequence[str], rows: Mapping[str, Held], by_lot: Mapping[str, Sequence[int]], *, sizes: tuple[int, int]
) -> AssessCount:
    """Return how rows and lots found each other; ``sizes`` are the lot sizes used and those not believed."""
    known, total = set(lots), len(rows["prop_id"])
    matched = sum(len(at) for loc_id, at in by_lot.items() if loc_id in known)
    return AssessCount(
        rows=total,
        matched=matched,
        unmatched=total - matched,
        without_loc_id=int(sum(v is None for v in rows["loc_id"])),
        parcels_without_row=sum(loc_id not in by_lot for loc_id in lots),
        repeated_prop_ids=total - len(set(rows["prop_id"].tolist())),
        lot_sizes_used=sizes[0],
        lot_sizes_refused=sizes[1],
    )


def without_rows(features: Features) -> Features:
    """Return lots without assessors' rows: what rows would say is unknown."""
    none = {
        n: np.full(len(features), None, dtype=object)
        for n in ("site_address", "use_code", "zoning", "lot_size_sqft")
    }
    return with_values(features, none)


def _most_common(lots: Sequence[str], by_lot: Mapping[str, list[int]], column: Held) -> Held:
    held = np.full(len(lots), None, dtype=object)
    for i, loc_id in enumerate(lots):
        found = Counter(column[r] for r in by_lot.get(loc_id, ()) if column[r] is not None)
        if found:
            held[i] = found.most_common(1)[0][0]
    return held


def _lot_sizes(
    features: Features, rows: Mapping[str, Held], by_lot: Mapping[str, list[int]]
) -> tuple[Held, int, int]:
    """Return the assessed size of each lot where it can be true, with how many were used and refused."""
    drawn = shapely.area(features.geometry) / FOOT_M**2
    held = np.full(len(features), None, dtype=object)
    used = refused = 0
    for i, loc_id in enumerate(features.values["loc_id"].tolist()):
        at = [r for r in by_lot.get(loc_id, ()) if not str(rows["use_code"][r] or "").startswith(_CONDOMINIUM)]
        stated = [(rows["lot_size"][r], rows["lot_units"][r]) for r in at if rows["lot_size"][r]]
        usable = [
            s for s in (lot_size_sqft(size, units, float(drawn[i])) for size, units in stated) if s is not None
        ]
        held[i] = min(usable) if usable else None
        used += bool(usable)
        refused += bool(stated) and not usable
    return held, used, refused


def lot_size_sqft(size: float, units: str | None, drawn_sqft: float) -> float | None:
    """Return an assessed size in square feet when it agrees with the drawn lot, in its own unit or the other one.

    >>> lot_size_sqft(0.5, "A", 22_000.0)
    21780.0
    >>> lot_size_sqft(21_780.0, "A", 22_000.0)
    21780.0
    >>> lot_size_sqft(0.5, "A", 60_000.0) is None
    True
    """
    acres_first = (units or "A").strip().upper().startswith("A")
    factors = (SQFT_PER_ACRE, 1.0) if acres_first else (1.0, SQFT_PER_ACRE)
    for factor in factors:
        if drawn_sqft > 0.0 and LOT_RATIO[0] <= size * factor / drawn_sqft <= LOT_RATIO[1]:
            return float(size * factor)
    return None


def fill_town_ids(features: Features, polygons: Rows, kept: np.ndarray, towns: TownBook) -> int:
    """Fill missing TOWN_IDs from a column of town names, in place; return how many were filled."""
    column = next((c for c in (polygons.column(n) for n in _TOWN_NAMES) if c is not None), None)
    if column is None:
        return 0
    by_name = {t.name.casefold(): t.id for t in towns.by_id.values()}
    names = polygons.columns[column][kept].tolist()
    filled = 0
    for i, (known, name) in enumerate(zip(features.values["town_id"].tolist(), names, strict=True)):
        if known is None and str(name).casefold() in by_name:
            features.values["town_id"][i] = by_name[str(name).casefold()]
            filled += 1
    return filled


def town_of(features: Features, towns: TownBook) -> Town:
    """Return the one town a Level 3 file is of; raises ``FormatRefused`` when it holds none or several."""
    ids = sorted({int(t) for t in features.values["town_id"].tolist() if t is not None})
    if len(ids) != 1:
        raise FormatRefused(
            f"The parcel file holds {len(ids)} towns; add one town at a time, or say with --covers what it covers.",
            code="bad_parameter",
        )
    return towns.find(str(ids[0]))

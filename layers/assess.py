"""The assessors' rows: who owns what, one to many on LOC_ID. Names are for staff and assessors only."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from layers.geoparquet import Columns, read_columns

ASSESS = "assess.parquet"


@dataclass(frozen=True, slots=True)
class AssessRow:
    """One row of the Assess table. ``owner_country`` is OWN_CO: a country, never "care of".

    ``lot_size`` is in ``lot_units`` as the town wrote them ("A" acres, "S" square feet); values in dollars.
    """

    prop_id: str
    loc_id: str | None = None
    town_id: int | None = None
    fiscal_year: int | None = None
    owner: str | None = None
    owner_address: str | None = None
    owner_city: str | None = None
    owner_state: str | None = None
    owner_zip: str | None = None
    owner_country: str | None = None
    site_address: str | None = None
    address_number: str | None = None
    street: str | None = None
    location: str | None = None
    city: str | None = None
    zip: str | None = None
    use_code: str | None = None
    zoning: str | None = None
    lot_size: float | None = None
    lot_units: str | None = None
    year_built: int | None = None
    building_area_sqft: float | None = None
    units: float | None = None
    style: str | None = None
    deed_book: str | None = None
    deed_page: str | None = None
    registry_id: str | None = None
    sale_date: str | None = None
    total_value: float | None = None


def read_assess(folder: Path) -> tuple[AssessRow, ...]:
    """Return the rows of a parcel edition in the order of PROP_ID; none when the edition came without any."""
    path = folder / ASSESS
    return rows_from(read_columns(path)) if path.exists() else ()


def rows_from(table: Columns) -> tuple[AssessRow, ...]:
    """Return the rows of a table that has our columns; columns it lacks stay None."""
    names = [f.name for f in fields(AssessRow) if f.name in table.values]
    columns = [table.values[name].tolist() for name in names]
    return tuple(AssessRow(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True))

"""Assessor rows for the invented lots, with invented owners, in the columns of the MassGIS Level 3 standard."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import shapely

from layers.demo.lots import Lot
from layers.demo.plan import InventedTown, placed
from spatial.model import Scalar
from spatial.units import FOOT_M, SQFT_PER_ACRE

FISCAL_YEAR = 2026
FIRST = (
    "ODA",
    "TOBIN",
    "MARIS",
    "ELSPETH",
    "CORIN",
    "JUNO",
    "WILFRED",
    "ANSEL",
    "PERPETUA",
    "LINUS",
    "ISOLDE",
    "REX",
)
LAST = (
    "WINTERBERRY",
    "QUILLFEATHER",
    "ASHDOWN-POOL",
    "THISTLEWOOD",
    "MARLPIT",
    "OTTERHAY",
    "FENWARDEN",
    "COBBLEGATE",
)
STREETS = ("MILL ST", "BACK ST", "ORCHARD RD", "SHORE ST", "QUARRY RD")

ASSESS_FIELDS = (
    "PROP_ID", "LOC_ID", "BLDG_VAL", "LAND_VAL", "OTHER_VAL", "TOTAL_VAL", "FY", "LOT_SIZE", "LS_DATE", "LS_PRICE",
    "USE_CODE", "SITE_ADDR", "ADDR_NUM", "FULL_STR", "LOCATION", "CITY", "ZIP", "OWNER1", "OWN_ADDR", "OWN_CITY",
    "OWN_STATE", "OWN_ZIP", "OWN_CO", "LS_BOOK", "LS_PAGE", "REG_ID", "ZONING", "YEAR_BUILT", "BLD_AREA", "UNITS",
    "RES_AREA", "STYLE", "STORIES", "NUM_ROOMS", "LOT_UNITS", "CAMA_ID", "TOWN_ID",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Owner:
    """Who is invented to own a lot, and where the invented bill goes."""

    name: str
    address: str
    city: str
    state: str
    zip: str
    country: str | None = None


def loc_id(lot: Lot) -> str:
    """Return the LOC_ID: State Plane feet of a point inside the polygon, as MassGIS names its parcels."""
    x_m, y_m = shapely.get_coordinates(placed(lot.shape.representative_point()))[0]
    return f"F_{round(x_m / FOOT_M)}_{round(y_m / FOOT_M)}"


def assess_rows(town: InventedTown, lots: Sequence[Lot], rng: random.Random) -> tuple[tuple[Scalar, ...], ...]:
    """Return the Assess table of a town, a row in the order of ``ASSESS_FIELDS``.

    One row a lot, twelve for the condominium, none for public ways and water, and one row whose LOC_ID no
    polygon has, as real tables have them.
    """
    rows = [row for lot in lots if lot.rows for row in _rows_of(lot, rng)]
    orphan = replace(lots[0], map_no="99", number=1, site_address="0 NOWHERE LN")
    rows.append(_row(orphan, "F_1_1", _person(town, orphan, rng), rng))
    return tuple(tuple(row[name] for name in ASSESS_FIELDS) for row in rows)


def _rows_of(lot: Lot, rng: random.Random) -> Iterator[dict[str, Scalar]]:
    where = loc_id(lot)
    if lot.rows == 1:
        yield _row(lot, where, _owner(lot, rng), rng)
        return
    yield _row(lot, where, _association(lot), rng)
    for unit in range(1, lot.rows):
        row = _row(lot, where, _person(lot.town, lot, rng), rng)
        own: dict[str, Scalar] = {
            "PROP_ID": f"{lot.map_par_id}-{unit:02d}",
            "LOCATION": f"UNIT {unit}",
            "LOT_SIZE": 0.0,
        }
        yield row | own


def _owner(lot: Lot, rng: random.Random) -> Owner:
    if lot.use_code.startswith("93"):
        name = f"TOWN OF {lot.town.plain_name} (INVENTED)"
        return Owner(name, "1 TOWN HALL SQ", lot.town.plain_name, "MA", lot.town.zip)
    if lot.poly_type == "PRIV_ROW":
        return Owner("HERON LANE ROAD TRUST", "8 HERON LN", lot.town.plain_name, "MA", lot.town.zip)
    return _person(lot.town, lot, rng)


def _association(lot: Lot) -> Owner:
    return Owner("HERON COURT CONDOMINIUM TRUST", "C/O MARLPIT MANAGEMENT", lot.town.plain_name, "MA", lot.town.zip)


def _person(town: InventedTown, lot: Lot, rng: random.Random) -> Owner:
    name = f"{rng.choice(LAST)}, {rng.choice(FIRST)}"
    home = Owner(name, lot.site_address or "", town.plain_name, "MA", town.zip)
    away = f"{rng.randrange(1, 400)} {rng.choice(STREETS)}"
    return rng.choices(
        (
            home,
            replace(home, name=f"{name} & {rng.choice(FIRST)} TRS"),
            replace(home, address=f"PO BOX {rng.randrange(10, 99)}"),
            replace(home, address=away, city="NEWHAVENLY", state="RI", zip="00003"),
            replace(home, address=away, city="PORT INVENTED", state="NS", zip="A1A 1A1", country="CANADA"),
        ),
        weights=(14, 3, 1, 1, 1),
    )[0]


def _row(lot: Lot, where: str, owner: Owner, rng: random.Random) -> dict[str, Scalar]:
    land, building = rng.randrange(150, 500) * 1_000, rng.randrange(100, 700) * 1_000
    built = lot.use_code[:2] == "10"
    number, _, street = (lot.site_address or "").partition(" ")
    return {
        **_sale(rng),
        "PROP_ID": lot.map_par_id, "LOC_ID": where, "LAND_VAL": land, "BLDG_VAL": building * built,
        "OTHER_VAL": 0, "TOTAL_VAL": land + building * built, "FY": FISCAL_YEAR,
        "LOT_SIZE": round(lot.shape.area / SQFT_PER_ACRE, 4), "LOT_UNITS": "A", "USE_CODE": lot.use_code,
        "SITE_ADDR": lot.site_address, "ADDR_NUM": number, "FULL_STR": street, "LOCATION": None,
        "CITY": lot.town.plain_name, "ZIP": lot.town.zip, "OWNER1": owner.name, "OWN_ADDR": owner.address,
        "OWN_CITY": owner.city, "OWN_STATE": owner.state, "OWN_ZIP": owner.zip, "OWN_CO": owner.country,
        "ZONING": lot.zoning, "YEAR_BUILT": rng.randrange(1890, 2022) * built, "UNITS": int(built),
        "BLD_AREA": 2_400 * built, "RES_AREA": 2_000 * built, "STYLE": "COLONIAL" if built else None,
        "STORIES": "2" if built else None, "NUM_ROOMS": 7 * built, "CAMA_ID": rng.randrange(1, 99_999),
        "TOWN_ID": lot.town.id,
    }  # fmt: skip


def _sale(rng: random.Random) -> dict[str, Scalar]:
    day = f"{rng.randrange(1985, 2026)}{rng.randrange(1, 13):02d}{rng.randrange(1, 29):02d}"
    book, page = str(rng.randrange(9_000, 42_000)), str(rng.randrange(1, 600))
    return {"LS_DATE": day, "LS_PRICE": 1, "LS_BOOK": book, "LS_PAGE": page, "REG_ID": None}

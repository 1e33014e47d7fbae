"""A town's lots as a MassGIS Level 3 shapefile zip: the TaxPar polygons and the Assess table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from layers.demo.lots import Lot
from layers.demo.owners import ASSESS_FIELDS, FISCAL_YEAR, assess_rows, loc_id
from layers.demo.plan import InventedTown, placed
from layers.demo.write import pack, write_layer
from spatial.model import Scalar

TAXPAR_FIELDS = (
    "MAP_PAR_ID", "LOC_ID", "POLY_TYPE", "MAP_NO", "SOURCE", "PLAN_ID", "LAST_EDIT", "BND_CHK", "NO_MATCH",
    "TOWN_ID",
)  # fmt: skip


def write_level3(town: InventedTown, lots: Sequence[Lot], rng: random.Random, folder: Path) -> Path:
    """Write ``L3_SHP_M901_DOVERBROOK.zip`` (files inside a folder, as MassGIS packs them) and return its path.

    The condominium's polygon is drawn twice, as the stacked copies of the real thing are.
    """
    stem, year = f"L3_SHP_M{town.id:03d}_{town.plain_name}", f"CY25_FY{FISCAL_YEAR % 100}"
    drawn = [copy for lot in lots for copy in ((lot, lot) if lot.rows > 1 else (lot,))]
    taxpar, assess = (folder / f"M{town.id:03d}{table}_{year}" for table in ("TaxPar", "Assess"))
    write_layer(
        taxpar.with_suffix(".shp"), TAXPAR_FIELDS, [_taxpar_row(lot) for lot in drawn],
        [placed(lot.shape) for lot in drawn], geometry_type="Polygon",
    )  # fmt: skip
    write_layer(assess.with_suffix(".dbf"), ASSESS_FIELDS, assess_rows(town, lots, rng), None, geometry_type=None)
    return pack(folder / f"{stem}.zip", folder.glob(f"M{town.id:03d}*"), inside=f"{stem}/")


def _taxpar_row(lot: Lot) -> tuple[Scalar, ...]:
    known = lot.map_par_id if lot.map_no else None
    no_match = "N" if lot.rows else "Y"
    return (
        known,
        loc_id(lot),
        lot.poly_type,
        lot.map_no or None,
        "ASSESS",
        None,
        20260101,
        None,
        no_match,
        lot.town.id,
    )

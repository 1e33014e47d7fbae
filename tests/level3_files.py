"""A small Level 3 town as MassGIS packs one: six lots, a way as a gap, a condominium drawn three times."""

from __future__ import annotations

from pathlib import Path

from layer_files import box_ft, pack, write

TOWN_ID = 78
LOTS = {
    # LOC_ID: (shape, type); a way 50 ft wide runs between the rows of lots
    "F_1": (box_ft(0, 0, 200, 200), "FEE"),
    "F_2": (box_ft(200, 0, 400, 200), "FEE"),
    "F_3": (box_ft(400, 0, 600, 200), "FEE"),
    "F_4": (box_ft(0, 250, 200, 450), "FEE"),
    "F_5": (box_ft(200, 250, 400, 450), "TAX"),
    "F_6": (box_ft(400, 250, 600, 450), "PRIV_ROW"),
}
DRAWN = ["F_1", "F_2", "F_3", "F_3", "F_3", "F_4", "F_5", "F_6"]
ROWS = [
    # PROP_ID, LOC_ID, OWNER1, USE_CODE, LOT_SIZE, LOT_UNITS
    ("1-1", "F_1", "ELM, ANNA", "101", 40_000.0, "S"),
    ("1-2", "F_2", "ASH, BEN", "101", 0.92, "A"),
    ("1-3-A", "F_3", "OAK, CARL", "102", 0.1, "A"),
    ("1-3-B", "F_3", "FIR, DORA", "102", 0.1, "A"),
    ("1-4", "F_4", "YEW, EVE", "101", 5.0, "A"),
    ("1-4", "F_4", "YEW, FRED", "130", 41_000.0, "S"),
    ("9-9", "F_404", "GONE, GINA", "101", 1.0, "A"),
    ("9-8", None, "LOST, HAL", "101", 1.0, "A"),
]


def write_level3(folder: Path, *, suffix: str = "_CY25_FY26", form: str = "shp", town: int = TOWN_ID) -> Path:
    """Write the town as a shapefile zip (files in a folder) or a geodatabase zip; older names have no suffix."""
    folder.mkdir(parents=True, exist_ok=True)
    shapes = [LOTS[loc_id][0] for loc_id in DRAWN]
    lots: dict[str, list[object]] = {
        "LOC_ID": list(DRAWN),
        "MAP_PAR_ID": [loc_id.replace("F_", "1-") for loc_id in DRAWN],
        "POLY_TYPE": [LOTS[loc_id][1] for loc_id in DRAWN],
        "TOWN_ID": [town] * len(DRAWN),
    }
    names = ("PROP_ID", "LOC_ID", "OWNER1", "USE_CODE", "LOT_SIZE", "LOT_UNITS")
    rows = {name: list(column) for name, column in zip(names, zip(*ROWS, strict=True), strict=True)}
    rows |= {"FY": [2026] * len(ROWS), "SITE_ADDR": [f"{i}  MILL ST" for i in range(len(ROWS))]}
    prefix = f"M{town:03d}"
    if form == "gdb":
        made = folder / f"{prefix}.gdb"
        write(made, shapes, lots, layer=f"{prefix}TaxPar")
        write(made, None, rows, layer=f"{prefix}Assess")
        return pack(
            folder / f"{prefix}_gdb.zip", [p for p in made.iterdir() if p.is_file()], inside=f"{made.name}/"
        )
    write(folder / f"{prefix}TaxPar{suffix}.shp", shapes, lots)
    write(folder / f"{prefix}Assess{suffix}.dbf", None, rows)
    return pack(folder / f"L3_SHP_{prefix}.zip", list(folder.glob(f"{prefix}*")), inside=f"L3_SHP_{prefix}/")

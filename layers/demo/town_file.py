"""What the invented towns' staff entered: the town itself, its bylaws, yards and a few numbers, all invented."""

from __future__ import annotations

from pathlib import Path

from layers.demo.plan import DOVERBROOK, LYNNMERE, InventedTown

CITATION = "Invented for the demo; no town's law says this"
ENTERED_ON = "2026-01-01"
YARDS_FT = {
    DOVERBROOK.id: {"R": (30, 15, 20), "R-1": (40, 20, 30), "R-2": (50, 30, 40)},
    LYNNMERE.id: {"RB": (40, 20, 20), "RC": (40, 25, 20), "RD": (40, 30, 20)},
}
"""District to front, side and rear yard in feet."""
ENTRIES = {
    "list_validity_days": "30",
    "certification_wording": '"We certify that this list is invented and names nobody."',
    "tree_contribution_usd_per_in": "250.0",
}


def write_town(town: InventedTown, folder: Path) -> Path:
    """Write the town's staff entry (``<slug>.toml``) as staff of a real town would, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{town.slug}.toml"
    path.write_text("\n".join([_town(town), *_entries(town), *_setbacks(town)]), encoding="utf-8")
    return path


def _town(town: InventedTown) -> str:
    bylaws = ", ".join(f'"{bylaw}"' for bylaw in town.bylaws)
    named = f'[town]\nid = {town.id}\nslug = "{town.slug}"\nname = "{town.name}"\n'
    return f"{named}invented = true\nbylaws = [{bylaws}]\n"


def _entries(town: InventedTown) -> list[str]:
    asked = [name for name in ENTRIES if name != "tree_contribution_usd_per_in" or "dover-159" in town.bylaws]
    return [f'[[entry]]\nname = "{name}"\nvalue = {ENTRIES[name]}\n{_source()}' for name in asked]


def _setbacks(town: InventedTown) -> list[str]:
    return [
        f'[[setback]]\ndistrict = "{district}"\nfront_ft = {front}\nside_ft = {side}\nrear_ft = {rear}\n{_source()}'
        for district, (front, side, rear) in YARDS_FT[town.id].items()
    ]


def _source() -> str:
    return f'citation = "{CITATION}"\nentered_on = {ENTERED_ON}\n'

"""Yards of towns' zoning districts: one file a town beside this one, read and refused when wrong.

A depth that a file leaves out is not known, and is never taken for zero. What a town's staff entered with a
citation (``DATA/towns/<slug>.toml``) stands in place of ours, district by district.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from spatial.errors import ParameterRefused
from spatial.rules.town_entries import SetbackEntry, TownEntries, TownEntry
from spatial.setbacks.lot_model import CornerRule, Depths

FOLDER = Path(__file__).parent
ENTERED_WIDTHS = {
    "no_disturb_vernal_pool_ft": ("a vernal pool", ("certified_vernal_pools", "potential_vernal_pools")),
    "no_disturb_other_ft": ("another resource area", ("wetlands", "streams", "water_bodies")),
}
"""What a town's staff may enter of no-disturb widths: of what, and the layers that show it."""
_Depth = Annotated[float | None, Field(default=None, ge=0.0, le=1000.0, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class District(_Strict):
    """A zoning district and its yards in feet; None is not known."""

    code: str = Field(min_length=1)
    name: str = ""
    aliases: tuple[str, ...] = ()
    front_ft: _Depth = None
    side_ft: _Depth = None
    rear_ft: _Depth = None
    centerline_ft: _Depth = None
    exterior_side_ft: _Depth = None
    citation: str = Field(min_length=1)
    notes: tuple[str, ...] = ()

    def goes_by(self, name: str) -> bool:
        """Tell whether this is the district somebody means."""
        return _plain(name) in {_plain(n) for n in (self.code, self.name, *self.aliases) if n}


class NoDisturbRule(_Strict):
    """A width beside resources that may not be disturbed, and the layers that show them."""

    name: str = Field(min_length=1)
    width_ft: float = Field(gt=0.0, le=1000.0)
    layers: tuple[str, ...] = Field(min_length=1)
    citation: str = Field(min_length=1)


class Zoning(_Strict):
    """What we hold of one town's zoning."""

    town: str
    title: str = Field(min_length=1)
    citation: str = Field(min_length=1)
    url: str | None = None
    corner_lots: CornerRule = "each_way_is_front"
    corner_citation: str = Field(min_length=1)
    notes: tuple[str, ...] = ()
    district: tuple[District, ...] = Field(min_length=1)
    no_disturb: tuple[NoDisturbRule, ...] = ()

    def find(self, name: str) -> District | None:
        """Return a district by code, name or alias; None when the file has none such."""
        return next((d for d in self.district if d.goes_by(name)), None)


@dataclass(frozen=True, slots=True)
class ZoningBook:
    """Every zoning file we ship, by the town's slug."""

    towns: Mapping[str, Zoning]

    def depths(self, town: str, district: str, entries: TownEntries | None = None) -> Depths:
        """Return the yards of a district, as staff entered them or as our file has them.

        Parameters
        ----------
        town
            The town's slug.
        district
            Code, name or alias, in any case.
        entries
            What the town's staff entered; it stands before our file.

        Raises
        ------
        ParameterRefused
            Neither knows the district; the sentence lists those known.
        """
        ours = self.towns.get(town)
        found = ours.find(district) if ours else None
        entered = entries.setbacks if entries else ()
        names = {_plain(n) for n in (district, *((found.code, found.name) if found else ())) if n}
        said = next((e for e in entered if _plain(e.district) in names), None)
        if said is not None:
            return _entered(said, ours)
        if ours is None or found is None:
            raise _unknown(town, district, ours, entered)
        return _shipped(found, ours)

    def holds(self, town: str, entries: TownEntries | None = None) -> bool:
        """Return whether a table of a town's districts is held, ours or its staff's."""
        return town in self.towns or bool(entries and entries.setbacks)

    def no_disturb(self, town: str, entries: TownEntries | None = None) -> tuple[NoDisturbRule, ...]:
        """Return the no-disturb widths of a town: our file's, then those its staff entered; empty without either.

        Both stand where both speak: the wider one is the ground that counts.
        """
        ours = self.towns[town].no_disturb if town in self.towns else ()
        return (*ours, *(_entered_width(e) for name in ENTERED_WIDTHS if entries and (e := entries.get(name))))


def _entered_width(entry: TownEntry) -> NoDisturbRule:
    of, layers = ENTERED_WIDTHS[entry.name]
    width_ft = float(entry.value)
    return NoDisturbRule(
        name=f"{width_ft:g} ft from {of}", width_ft=width_ft, layers=layers, citation=entry.citation
    )


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _shipped(district: District, zoning: Zoning) -> Depths:
    return Depths(
        front_ft=district.front_ft,
        side_ft=district.side_ft,
        rear_ft=district.rear_ft,
        centerline_ft=district.centerline_ft,
        exterior_side_ft=district.exterior_side_ft,
        district=district.code,
        citation=f"{zoning.title}: {district.citation}",
        corner=zoning.corner_lots,
        notes=(*zoning.notes, *district.notes),
    )


def _entered(entry: SetbackEntry, zoning: Zoning | None) -> Depths:
    return Depths(
        front_ft=entry.front_ft,
        side_ft=entry.side_ft,
        rear_ft=entry.rear_ft,
        centerline_ft=entry.centerline_ft,
        district=entry.district,
        citation=f"{entry.citation} (entered by the town's staff on {entry.entered_on.isoformat()})",
        corner=zoning.corner_lots if zoning else "each_way_is_front",
        notes=zoning.notes if zoning else (),
    )


def _unknown(
    town: str, district: str, zoning: Zoning | None, entered: tuple[SetbackEntry, ...]
) -> ParameterRefused:
    known = sorted({e.district for e in entered} | {d.code for d in (zoning.district if zoning else ())})
    if not known:
        return ParameterRefused(
            f"No zoning table is held for {town}; send the yards themselves as setbacks, or have the town's staff "
            f"enter the district {district[:40]!r} with its source."
        )
    return ParameterRefused(
        f"{town} has no zoning district {district[:40]!r} here; it has {', '.join(known)}.", suggestions=known
    )


@lru_cache(maxsize=1)
def load_zoning() -> ZoningBook:
    """Return every zoning file we ship; a file that is wrong raises (``pydantic.ValidationError``)."""
    files = [Zoning.model_validate(tomllib.loads(p.read_text("utf-8"))) for p in sorted(FOLDER.glob("*.toml"))]
    return ZoningBook({z.town: z for z in files})

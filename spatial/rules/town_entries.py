"""What a town's staff entered of their own law: numbers, wordings and yards, each with its source. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class TownEntry:
    """A number or wording of a town that its staff entered, with its source. ``fills`` names ``rule.number``."""

    name: str
    value: str | float | bool
    unit: str
    citation: str
    entered_on: date
    fills: str | None = None


@dataclass(frozen=True, slots=True)
class SetbackEntry:
    """The yards a town's zoning prescribes in one district, as staff entered them; None is not known."""

    district: str
    front_ft: float | None
    side_ft: float | None
    rear_ft: float | None
    centerline_ft: float | None
    citation: str
    entered_on: date


@dataclass(frozen=True, slots=True)
class TownEntries:
    """All that staff entered for one town; ``sha256`` goes into the editions of the bylaws it fills."""

    slug: str
    sha256: str
    entries: tuple[TownEntry, ...] = ()
    setbacks: tuple[SetbackEntry, ...] = ()

    def get(self, name: str) -> TownEntry | None:
        """Return an entry by name, or None when nobody entered it."""
        return next((e for e in self.entries if e.name == name), None)

    def filling(self, bylaw: str) -> tuple[TownEntry, ...]:
        """Return the entries that fill empty numbers of a bylaw."""
        return tuple(e for e in self.entries if e.fills and e.fills.startswith(f"{bylaw}."))

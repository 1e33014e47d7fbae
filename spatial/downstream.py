"""Where does the water go? Watersheds followed downstream by ``to_code``, and the assessed waters met on the way.

Which water of a watershed receives a site's runoff is not known from this, only which may (AMB-32). Pure; no law.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely

from spatial.model import DownstreamWater, LayerFrame

SEA = frozenset({"OCEAN", "CLOSED BASIN", "CANADA", "MEXICO"})
"""What the Watershed Boundary Dataset writes where no watershed follows."""


@dataclass(frozen=True, slots=True)
class Course:
    """The waters met from a site downstream; ``end`` says where the following broke off, None at the sea."""

    waters: tuple[DownstreamWater, ...]
    end: str | None = None


@dataclass(frozen=True, eq=False)
class Drainage:
    """HUC12 watersheds and assessed waters of one set of editions; joined once, when first asked.

    ``watersheds`` frames have the columns ``code`` and ``to_code``; ``waters`` frames ``unit_id, name, category,
    causes, tmdl``. A column that is absent counts as unknown.
    """

    watersheds: Sequence[LayerFrame]
    waters: Sequence[LayerFrame] = field(default=())

    def below(self, codes: Iterable[str]) -> Course | None:
        """Return the waters in the given watersheds and all below them, the nearest first.

        None when there is nothing to follow: no watersheds or no assessed waters loaded, or no code given.
        """
        start = list(dict.fromkeys(codes))
        if not start or not self.watersheds or not self.waters:
            return None
        met: dict[str, DownstreamWater] = {}
        ends: list[str] = []
        for code, steps in self._way(start, ends):
            for water in self._by_code.get(code, ()):
                known = met.get(water.unit_id)
                if known is None or steps < known.steps:
                    met[water.unit_id] = _at(water, code, steps)
        found = tuple(sorted(met.values(), key=lambda w: (w.steps, w.unit_id)))
        return Course(found, "; ".join(dict.fromkeys(ends)) or None)

    def _way(self, start: Sequence[str], ends: list[str]) -> Iterator[tuple[str, int]]:
        """Yield each watershed on the way once, with its steps; what breaks off is written into ``ends``."""
        seen: set[str] = set()
        for first in start:
            code, steps = first, 0
            while code not in seen:
                if code not in self._to_code:
                    ends.append(f"the watershed {code} is not loaded")
                    break
                seen.add(code)
                yield code, steps
                following = self._to_code[code]
                if following.upper() in SEA:
                    break
                if not following:
                    ends.append(f"where the watershed {code} drains is not recorded")
                    break
                code, steps = following, steps + 1

    @cached_property
    def _to_code(self) -> Mapping[str, str]:
        return {
            str(code): _text(to).strip()
            for frame in self.watersheds
            for code, to in zip(frame.attributes["code"], _column(frame, "to_code"), strict=True)
        }

    @cached_property
    def _by_code(self) -> Mapping[str, tuple[DownstreamWater, ...]]:
        """The assessed waters of each watershed; one that crosses a divide belongs to both."""
        found: dict[str, list[DownstreamWater]] = {}
        for frame in self.watersheds:
            tree = shapely.STRtree(frame.pieces.geometry)
            for waters in self.waters:
                pairs = tree.query(waters.pieces.geometry, predicate="intersects")
                rows = np.column_stack([frame.pieces.parent[pairs[1]], waters.pieces.parent[pairs[0]]])
                for basin, row in np.unique(rows, axis=0).tolist():
                    found.setdefault(str(frame.attributes["code"][basin]), []).append(_water(waters, row))
        return {code: tuple(waters) for code, waters in found.items()}


def _column(frame: LayerFrame, name: str) -> Sequence[object]:
    held = frame.attributes.get(name)
    return held.tolist() if held is not None else [None] * len(frame)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _water(frame: LayerFrame, row: int) -> DownstreamWater:
    given = {name: _text(_column(frame, name)[row]) for name in ("unit_id", "name", "category", "causes", "tmdl")}
    unit = given.pop("unit_id") or str(frame.ids[row])
    return DownstreamWater(unit_id=unit, huc12="", steps=0, **given)


def _at(water: DownstreamWater, code: str, steps: int) -> DownstreamWater:
    return DownstreamWater(
        water.unit_id, water.name, water.category, water.causes, water.tmdl, huc12=code, steps=steps
    )

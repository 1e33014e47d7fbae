"""Stage index, made beforehand: what every lot shares with every layer, so that a site need only look it up.

A lot does not change between two questions, and neither does an edition. Areas are kept only of the editions they
were measured on; where one is not known the lot is measured when asked, with the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from spatial.model import EditionRef, Theme
from spatial.site import LotGround

Key = tuple[str, str, float]
"""Theme, layer, and the outer limit of a ring in feet; 0.0 is the resource itself."""


class KnownLot(NamedTuple):
    """One lot's areas in square feet, and where each stands."""

    column: Mapping[Key, int]
    sqft: list[float]

    def area_sqft(self, theme: Theme, to_ft: float = 0.0) -> float:
        """Return what the lot shares with the resource, or with the net ring out to some feet."""
        return self.sqft[self.column[theme.theme, theme.layer_id, to_ft]]


@dataclass(frozen=True, slots=True, eq=False)
class LotAreas:
    """What each lot of one parcel edition shares with layers, measured on the editions named.

    ``sqft`` has a row a lot and a column a key; a row with NaN is of a lot that must be measured when asked.
    """

    parcels: EditionRef
    refs: frozenset[EditionRef]
    keys: tuple[Key, ...]
    sqft: NDArray[np.float64]

    def of(self, row: int) -> list[float] | None:
        """Return the areas of a lot, in the order of the keys; None when they are not known."""
        areas: list[float] = self.sqft[row].tolist()
        return None if isnan(sum(areas)) else areas


@dataclass(frozen=True, slots=True, eq=False)
class KnownLots:
    """The areas of the lots of every parcel edition of a stack, over all its layers; None: not known."""

    column: Mapping[Key, int]
    editions: tuple[LotAreas | None, ...]

    @classmethod
    def of(
        cls, made: Iterable[LotAreas], parcels: Sequence[EditionRef], asked: Mapping[str, frozenset[EditionRef]]
    ) -> Self:
        """Return what is known of a stack's lots.

        Parameters
        ----------
        made
            Areas measured before, of any editions.
        parcels
            The stack's parcel editions, in its order.
        asked
            By layer id, the editions of every layer that answers a theme. A parcel edition of which the areas in
            one of them are missing, or were measured on others, is not known.
        """
        held = {(areas.parcels, areas.refs): areas for areas in made}
        joined = tuple(_joined([held.get((ref, refs)) for refs in asked.values()]) for ref in parcels)
        keys = next((areas.keys for areas in joined if areas is not None), ())
        same = tuple(areas if areas is not None and areas.keys == keys else None for areas in joined)
        return cls({key: n for n, key in enumerate(keys)}, same)

    def of_lots(self, lots: Sequence[LotGround]) -> tuple[KnownLot, ...] | None:
        """Return the areas of some lots; None unless all are known."""
        found = []
        for lot in lots:
            areas = self.editions[lot.edition] if lot.edition is not None and self.editions else None
            sqft = areas.of(lot.row) if areas is not None else None
            if sqft is None:
                return None
            found.append(KnownLot(self.column, sqft))
        return tuple(found)


def _joined(parts: Sequence[LotAreas | None]) -> LotAreas | None:
    """Return the areas of all layers side by side; None when those of one are missing."""
    found = [part for part in parts if part is not None]
    if not found or len(found) < len(parts):
        return None
    refs = frozenset(ref for part in found for ref in part.refs)
    keys = tuple(key for part in found for key in part.keys)
    return LotAreas(found[0].parcels, refs, keys, np.concatenate([part.sqft for part in found], axis=1))

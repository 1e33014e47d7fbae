"""What lots share with layers: measured when an edition comes into force, kept beside the layers, looked up after.

``DATA/lots/<made of>.<holds>.npy`` has the areas of one parcel edition against one layer. The first half of its
name is a digest of all they follow from, the second of the areas themselves: a file is right for what it is named
after, or it is passed over. That costs time and never an answer, for the lots are then measured when asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np
import shapely
from numpy.typing import NDArray

from layers.manifest import Manifest
from spatial.index import PARCELS, IndexedFrame, LayerStack
from spatial.index.known import LotAreas
from spatial.measure.lot_areas import MEASURED, keys_of, lot_areas
from spatial.model import Theme

FOLDER = "lots"
SAMPLE = 64
"""Lots that are measured again when a file is checked, spread evenly over the edition."""


@dataclass(frozen=True, eq=False)
class Pair:
    """A parcel edition and the editions of a layer that are in force together, with what is asked of the layer."""

    parcels: Manifest
    layer: tuple[Manifest, ...]
    themes: tuple[Theme, ...]

    @cached_property
    def made_of(self) -> str:
        """A digest of the editions' own files, what is asked of them, and how areas are measured."""
        parcels, *layer = ([m.layer_id, m.part, m.edition, *_hashes(m)] for m in (self.parcels, *self.layer))
        themes = [[t.theme, t.layer_id, sorted(t.where.items()), t.bands_ft, t.coverage_ft] for t in self.themes]
        told = [MEASURED, shapely.geos_version_string, parcels, sorted(layer), themes]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def areas(self, sqft: NDArray[np.float64]) -> LotAreas | None:
        """Return areas as those of this pair; None when they do not fit its lots or themes."""
        keys = keys_of(self.themes)
        if sqft.shape != (self.parcels.count_kept, len(keys)):
            return None
        return LotAreas(self.parcels.ref(), frozenset(m.ref() for m in self.layer), keys, sqft)

    def measured(self, stack: LayerStack, rows: NDArray[np.int64] | None = None) -> LotAreas:
        """Return the areas as they are measured on a stack that holds the editions; of some rows or of all."""
        return lot_areas(self.frame(stack), stack.layers[self.layer[0].layer_id], rows)

    def frame(self, stack: LayerStack) -> IndexedFrame:
        """Return the parcel edition among a stack's."""
        ref = self.parcels.ref()
        return next(indexed for indexed in stack.frames_of(PARCELS) if indexed.frame.ref == ref)


def _hashes(manifest: Manifest) -> list[str]:
    return [file.sha256 for file in manifest.files]


@dataclass(frozen=True, slots=True, eq=False)
class KeptLots:
    """What is kept of the lots of the editions in force; ``held`` by what the areas are made of."""

    folder: Path
    pairs: tuple[Pair, ...]
    held: Mapping[str, LotAreas]

    @classmethod
    def open(
        cls, data: Path, manifests: Sequence[Manifest], themes: Sequence[Theme], before: Self | None = None
    ) -> Self:
        """Return what is kept for some editions; what was held ``before`` is not read again."""
        folder, pairs = data / FOLDER, tuple(_pairs(manifests, themes))
        known = before.held if before is not None else {}
        found = {pair.made_of: known.get(pair.made_of) or _read(folder, pair) for pair in pairs}
        return cls(folder, pairs, {name: areas for name, areas in found.items() if areas is not None})

    def measure(self, stack: LayerStack) -> None:
        """Measure and keep the lots of every pair that is not held.

        What is kept of editions no longer in force goes away. Raises ``OSError`` where the disk takes no file.
        """
        missing = [pair for pair in self.pairs if pair.made_of not in self.held]
        for pair in missing:
            _write(self.folder, pair.made_of, pair.measured(stack).sqft)
        wanted = {pair.made_of for pair in self.pairs}
        for path in self.folder.glob("*.npy"):
            if path.name.partition(".")[0] not in wanted:
                path.unlink(missing_ok=True)

    def checks(self, stack: LayerStack) -> Iterator[tuple[Pair, str]]:
        """Yield every pair held with what is wrong with its areas; "" when they are those measured again."""
        for pair in self.pairs:
            if pair.made_of in self.held:
                yield pair, _wrong(pair, self.held[pair.made_of], stack)


def _pairs(manifests: Sequence[Manifest], themes: Sequence[Theme]) -> Iterator[Pair]:
    """Yield every parcel edition against every layer that answers a theme."""
    by_layer: dict[str, tuple[Manifest, ...]] = {}
    for manifest in manifests:
        by_layer[manifest.layer_id] = (*by_layer.get(manifest.layer_id, ()), manifest)
    for name, layer in by_layer.items():
        mine = tuple(theme for theme in themes if theme.layer_id == name)
        yield from (Pair(parcels, layer, mine) for parcels in by_layer.get(PARCELS, ()) if mine)


def _read(folder: Path, pair: Pair) -> LotAreas | None:
    """Return the areas kept of a pair; None when there are none, or they are not what their file's name says."""
    for path in sorted(folder.glob(f"{pair.made_of}.*.npy")):
        try:
            sqft = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            continue
        if path.name == _name(pair.made_of, sqft):
            return pair.areas(sqft)
    return None


def _write(folder: Path, made_of: str, sqft: NDArray[np.float64]) -> None:
    """Write a file in one step: whoever looks sees all of it or none."""
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / f"{made_of}.making"
    with aside.open("wb") as file:
        np.save(file, sqft, allow_pickle=False)
    aside.replace(folder / _name(made_of, sqft))


def _name(made_of: str, sqft: NDArray[np.float64]) -> str:
    return f"{made_of}.{hashlib.sha256(sqft.tobytes()).hexdigest()[:16]}.npy"


def _wrong(pair: Pair, kept: LotAreas, stack: LayerStack) -> str:
    count = len(kept.sqft)
    rows = np.unique(np.linspace(0, max(count - 1, 0), min(count, SAMPLE)).astype(np.int64))
    again = pair.measured(stack, rows)
    same = np.isclose(kept.sqft[rows], again.sqft[rows], rtol=1e-9, atol=1e-6, equal_nan=True).all(axis=1)
    lots = pair.frame(stack).frame.ids[rows[~same]].tolist()
    return f"those kept of {len(lots)} of {len(rows)} lots are not those measured again ({lots[0]})" if lots else ""

"""Stage measure: what of each layer lies in the work, in the lots and near the work. Exact, no rounding, no law.

All layers are measured in a handful of vectorised calls: candidates of every part are laid end to end, asked
once, and cut apart again. Areas in square metres, lengths in metres; feet begin where themes are answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Self

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from spatial.index import IndexedFrame, IndexedLayer, LayerStack, Part, Rows
from spatial.model import Geometries
from spatial.site import Bounds, Ground, Site
from spatial.units import m_from_ft

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """Pieces of one part that share ground or a touch with an area: the feature rows, the shared ground, its size.

    ``sizes`` are m², or for lines m; 0 for a touch and for points. Plain lists: a site meets few pieces, and a loop
    over few is faster than arrays.
    """

    rows: list[int]
    inside: list[BaseGeometry]
    sizes: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class MetPart:
    """One part against the whole site: shared with the work, with each lot, and what lies apart from the work.

    ``near`` holds feature rows and metres, each piece by itself.
    """

    work: Met
    lots: tuple[Met, ...]
    near: list[tuple[int, float]]

    @property
    def empty(self) -> bool:
        """Say whether nothing of this part is on or near the site."""
        return not (self.work.rows or self.near or any(lot.rows for lot in self.lots))


@dataclass(frozen=True, slots=True, eq=False)
class MetFrame:
    """One edition against the site; ``zones`` by theme, their rows being those of the rings."""

    indexed: IndexedFrame
    pieces: MetPart
    zones: dict[str, MetPart] = field(default_factory=dict)


def meet(site: Site, stack: LayerStack, work_accuracy_ft: float) -> dict[str, tuple[MetFrame, ...]]:
    """Return every themed layer measured against a site, by layer id, one entry an edition of it.

    Pieces are looked for as far as the layer's themes reach and a little more: as far as the map or the limit of
    work may be wrong, so that a near miss is told from a miss.
    """
    asked = [layer for layer in stack.layers.values() if layer.themes]
    around = (_Box.of(site.work.bounds), *(_Box.of(lot.ground.bounds) for lot in site.lots))
    near: dict[float, _Box] = {}
    probes: list[_Probe] = []
    for layer in asked:
        reach_ft = search_ft(layer, work_accuracy_ft)
        if reach_ft not in near:
            near[reach_ft] = _Box.of(site.work.grown(m_from_ft(reach_ft)))
        probes.extend(_probe(layer, indexed, near[reach_ft], around) for indexed in layer.frames)
    flat = [candidate for probe in probes for candidate in probe.candidates]
    met = iter(_measure(site, flat))
    frames = [_assembled(probe, [next(met) for _ in probe.candidates]) for probe in probes]
    found: dict[str, list[MetFrame]] = {layer.id: [] for layer in asked}
    for frame in frames:
        found[frame.indexed.frame.ref.layer_id].append(frame)
    return {name: tuple(parts) for name, parts in found.items()}


def search_ft(layer: IndexedLayer, work_accuracy_ft: float) -> float:
    """Return how far around the work the features of a layer are looked for and listed."""
    return 0.0 if layer.shares_only else layer.reach_ft + max(layer.accuracy_ft, work_accuracy_ft)


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """Piece numbers of a part whose boxes meet the work's (grown by its reach) and each lot's."""

    part: Part
    by_ground: tuple[Rows, ...]
    distances: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Probe:
    indexed: IndexedFrame
    candidates: tuple[_Candidates, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Box:
    """A box to ask a tree with, and its bounds to pass over parts that lie elsewhere."""

    bounds: Bounds
    geometry: BaseGeometry

    @classmethod
    def of(cls, bounds: Bounds) -> Self:
        return cls(bounds, shapely.box(*bounds))


def _probe(layer: IndexedLayer, indexed: IndexedFrame, near: _Box, around: tuple[_Box, ...]) -> _Probe:
    """Return the candidates of an edition: near the work for its pieces, meeting work and lots for its rings."""
    pieces = _boxed(indexed.pieces, (near, *around[1:]), distances=not layer.shares_only)
    zones = [_boxed(part, around, distances=False) for part in indexed.zones.values()]
    return _Probe(indexed, (pieces, *zones))


_NO_ROWS = np.empty(0, dtype=np.int64)


def _boxed(part: Part, boxes: tuple[_Box, ...], *, distances: bool) -> _Candidates:
    found = (part.tree.query(box.geometry) if part.meets(box.bounds) else _NO_ROWS for box in boxes)
    return _Candidates(part, tuple(found), distances)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """Candidates of all parts laid end to end; part k lies from ``ends[k]`` to ``ends[k + 1]``."""

    geometry: Geometries
    rows: Rows
    bounds: Floats
    area_m2: Floats
    ends: list[int]

    @classmethod
    def of(cls, flat: Sequence[_Candidates], ground: int) -> Self:
        asked = [(c.part, c.by_ground[ground]) for c in flat]
        return cls(
            np.concatenate([part.geometry[rows] for part, rows in asked]),
            np.concatenate([part.parent[rows] for part, rows in asked]),
            np.concatenate([part.bounds[rows] for part, rows in asked]),
            np.concatenate([part.area_m2[rows] for part, rows in asked]),
            list(accumulate((len(rows) for _, rows in asked), initial=0)),
        )


def _measure(site: Site, flat: Sequence[_Candidates]) -> list[MetPart]:
    if not flat:
        return []
    laid = _Laid.of(flat, 0)
    hit = shapely.intersects(site.work.geometry, laid.geometry)
    work = _shared(site.work, laid, hit)
    lots = [_shared_with_lot(lot.ground, _Laid.of(flat, n)) for n, lot in enumerate(site.lots, start=1)]
    near = _distances(site.work, laid, hit, [c.distances for c in flat])
    return [MetPart(work[k], tuple(lot[k] for lot in lots), near[k]) for k in range(len(flat))]


def _shared_with_lot(ground: Ground, laid: _Laid) -> list[Met]:
    return _shared(ground, laid, shapely.intersects(ground.geometry, laid.geometry))


def _shared(ground: Ground, laid: _Laid, hit: Flags) -> list[Met]:
    """Return shared ground and its size by part; only what crosses the limit is really cut."""
    inside, sizes = _cut(ground, laid.geometry[hit], laid.bounds[hit], laid.area_m2[hit])
    every = Met(laid.rows[hit].tolist(), inside.tolist(), sizes.tolist())
    counts = np.concatenate([[0], np.cumsum(hit)])[laid.ends].tolist()
    return [Met(every.rows[a:b], every.inside[a:b], every.sizes[a:b]) for a, b in pairwise(counts)]


def _cut(ground: Ground, pieces: Geometries, bounds: Floats, area_m2: Floats) -> tuple[Geometries, Floats]:
    """Return what of each piece lies inside, and its size, with the two cases first that need no cutting.

    A piece wholly inside is itself; a piece that holds all the ground gives the ground.
    """
    west, south, east, north = ground.bounds
    around = (bounds[:, 0] <= west) & (bounds[:, 1] <= south) & (bounds[:, 2] >= east) & (bounds[:, 3] >= north)
    around[around] = shapely.covers(pieces[around], ground.geometry)
    crossing = ~(around | shapely.contains_properly(ground.geometry, pieces))
    inside, sizes = pieces.copy(), area_m2.copy()
    inside[around], sizes[around] = ground.geometry, ground.area_m2
    inside[crossing] = shapely.intersection(ground.geometry, pieces[crossing])
    sizes[crossing] = shapely.area(inside[crossing])
    if not area_m2.all():  # lines and points have no area of their own
        thin = area_m2 == 0.0
        sizes[thin] = shapely.length(inside[thin])
    return inside, sizes


def _distances(work: Ground, laid: _Laid, hit: Flags, wanted: Sequence[bool]) -> list[list[tuple[int, float]]]:
    """Return the pieces that lie apart from the work and how far; rings and watersheds are never asked."""
    found = []
    for k, (start, stop) in enumerate(pairwise(laid.ends)):
        apart = np.flatnonzero(~hit[start:stop]) + start if wanted[k] else _NO_ROWS
        distance = shapely.distance(work.geometry, laid.geometry[apart]) if len(apart) else _NO_ROWS
        found.append(list(zip(laid.rows[apart].tolist(), distance.tolist(), strict=True)))
    return found


def _assembled(probe: _Probe, met: Sequence[MetPart]) -> MetFrame:
    return MetFrame(probe.indexed, met[0], dict(zip(probe.indexed.zones, met[1:], strict=True)))

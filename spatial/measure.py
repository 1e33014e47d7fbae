"""Stage measure: what of each layer lies in the work, in the lots and near the work. Exact, no rounding, no law.

All layers are measured in a handful of vectorised calls: candidates of every part are laid end to end, asked
once, and cut apart again. Areas in square metres, lengths in metres; feet begin where themes are answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """Pieces of one part that share ground or a touch with an area.

    ``inside`` is the shared ground, ``size`` its area (m²) or, for lines, its length (m); 0 for a touch.
    """

    items: Rows
    inside: Geometries
    size: Floats


@dataclass(frozen=True, slots=True, eq=False)
class MetPart:
    """One part against the whole site: shared with the work and with each lot, and what is near the work."""

    part: Part
    work: Met
    lots: tuple[Met, ...]
    near: Rows
    distance_m: Floats

    @property
    def empty(self) -> bool:
        """Say whether nothing of this part is on or near the site."""
        return not (len(self.work.items) or len(self.near) or any(len(lot.items) for lot in self.lots))


@dataclass(frozen=True, slots=True, eq=False)
class MetFrame:
    """One edition against the site; ``zones`` by theme."""

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
    reach = max((theme.coverage_ft for theme in layer.themes if not theme.share), default=0.0)
    return reach + max(layer.accuracy_ft, work_accuracy_ft)


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """Piece numbers of a part whose boxes meet the work's (grown by its reach) and each lot's."""

    part: Part
    work: Rows
    lots: tuple[Rows, ...]
    distances: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Probe:
    indexed: IndexedFrame
    names: tuple[str, ...]
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
    pieces = _boxed(indexed.pieces, (near, *around[1:]), distances=not all(theme.share for theme in layer.themes))
    zones = [_boxed(part, around, distances=False) for part in indexed.zones.values()]
    return _Probe(indexed, tuple(indexed.zones), (pieces, *zones))


_NO_ROWS = np.empty(0, dtype=np.int64)


def _boxed(part: Part, boxes: tuple[_Box, ...], *, distances: bool) -> _Candidates:
    found = [part.tree.query(box.geometry) if part.meets(box.bounds) else _NO_ROWS for box in boxes]
    return _Candidates(part, found[0], tuple(found[1:]), distances)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """Candidates of all parts laid end to end; ``hit``: which share ground or a touch with the area asked."""

    items: tuple[Rows, ...]
    geometry: Geometries
    area_m2: Floats
    hit: NDArray[np.bool_]
    ends: Rows

    @classmethod
    def of(cls, ground: Ground, parts: Sequence[Part], items: Sequence[Rows]) -> Self:
        geometry = np.concatenate([_NOTHING, *(p.geometry[rows] for p, rows in zip(parts, items, strict=True))])
        area = np.concatenate([np.empty(0), *(p.area_m2[rows] for p, rows in zip(parts, items, strict=True))])
        ends = np.cumsum([0, *(len(rows) for rows in items)])
        return cls(tuple(items), geometry, area, shapely.intersects(ground.geometry, geometry), ends)

    def slices(self) -> Iterator[tuple[Rows, slice]]:
        """Yield each part's candidates and where they lie."""
        for k, rows in enumerate(self.items):
            yield rows, slice(self.ends[k], self.ends[k + 1])


_NOTHING = np.empty(0, dtype=object)


def _measure(site: Site, flat: Sequence[_Candidates]) -> list[MetPart]:
    parts = [c.part for c in flat]
    laid = _Laid.of(site.work, parts, [c.work for c in flat])
    work = _shared(site.work, laid)
    lots = [
        _shared(lot.ground, _Laid.of(lot.ground, parts, [c.lots[number] for c in flat]))
        for number, lot in enumerate(site.lots)
    ]
    near = _distances(site.work, laid, [c.distances for c in flat])
    return [MetPart(part, work[k], tuple(lot[k] for lot in lots), *near[k]) for k, part in enumerate(parts)]


def _shared(ground: Ground, laid: _Laid) -> list[Met]:
    """Return shared ground and its size by part; a piece wholly inside is itself and need not be cut."""
    inside, size = laid.geometry[laid.hit], laid.area_m2[laid.hit]
    crossing = ~shapely.contains_properly(ground.geometry, inside)
    flat = (size == 0.0) & (shapely.get_dimensions(inside) == 1)
    inside[crossing] = shapely.intersection(ground.geometry, inside[crossing])
    size[crossing] = shapely.area(inside[crossing])
    size[flat] = shapely.length(inside[flat])
    at = np.concatenate([[0], np.cumsum(laid.hit)])
    found = []
    for rows, mine in laid.slices():
        hits = slice(at[mine.start], at[mine.stop])
        found.append(Met(rows[laid.hit[mine]], inside[hits], size[hits]))
    return found


def _distances(work: Ground, laid: _Laid, wanted: Sequence[bool]) -> list[tuple[Rows, Floats]]:
    """Return which pieces lie apart from the work and how far; rings and watersheds are never asked."""
    apart = ~laid.hit & np.repeat(np.array(wanted, dtype=bool), np.diff(laid.ends))
    distance = np.full(len(apart), np.inf)
    distance[apart] = shapely.distance(work.geometry, laid.geometry[apart])
    return [(rows[apart[mine]], distance[mine][apart[mine]]) for rows, mine in laid.slices()]


def _assembled(probe: _Probe, met: Sequence[MetPart]) -> MetFrame:
    return MetFrame(probe.indexed, met[0], dict(zip(probe.names, met[1:], strict=True)))

"""Stage measure: what of each layer lies in the work, in the lots and near the work. Exact, no rounding, no law.

All layers are measured in a handful of vectorised calls: the items near the site are asked once and told apart
afterwards. Areas in square metres, lengths in metres; feet begin where themes are answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from spatial.index import IndexedFrame, LayerStack, asked_layers
from spatial.index.items import Flags, Floats, Items, Rows, meeting
from spatial.index.known import KnownLot
from spatial.model import Geometries
from spatial.site import Ground, Site
from spatial.units import m_from_ft

LOST_M2, GRID_M = 1e-6, 1e-6
"""Shared ground smaller than this is looked at twice; the grid of the second look, in metres."""


class Met(NamedTuple):
    """Pieces of one part that share ground or a touch with an area: the feature rows, the shared ground, its size.

    ``sizes`` are m², or for lines m; 0 for a touch and for points. Plain lists: a site meets few pieces, and a loop
    over few is faster than arrays.
    """

    rows: list[int]
    inside: list[BaseGeometry]
    sizes: list[float]


Near = list[tuple[int, float]]
"""Feature rows and metres, each piece by itself."""


class MetPart(NamedTuple):
    """One part against the whole site: shared with the work, with each lot, and what lies apart from the work.

    ``lots`` is empty where what the lots share is known.
    """

    work: Met
    lots: tuple[Met, ...]
    near: Near

    @property
    def empty(self) -> bool:
        """Say whether nothing of this part is on or near the site."""
        return not (self.work.rows or self.near or any(lot.rows for lot in self.lots))


@dataclass(frozen=True, slots=True, eq=False)
class MetFrame:
    """One edition against the site; ``zones`` by theme, their rows being those of the rings.

    ``told`` keeps what two themes of one layer both ask: depths and far distances.
    """

    indexed: IndexedFrame
    pieces: MetPart
    zones: dict[str, MetPart]
    told: dict[tuple[int, ...], float | None] = field(default_factory=dict)

    def once(self, key: tuple[int, ...], measure: Callable[[], float | None]) -> float | None:
        """Return what was measured under a key, measuring it the first time."""
        if key not in self.told:
            self.told[key] = measure()
        return self.told[key]


@dataclass(frozen=True, slots=True, eq=False)
class MetLayer:
    """All editions of a layer against the site, in the layer's order.

    ``searched_m``: within this of the work, no piece is missing. ``known``: what each lot shares, where that was
    measured before. ``told`` keeps what two themes of it both ask.
    """

    frames: tuple[MetFrame, ...]
    searched_m: float
    known: tuple[KnownLot, ...] | None = None
    told: dict[str, object] = field(default_factory=dict)


def meet(site: Site, stack: LayerStack, work_accuracy_ft: float) -> dict[str, MetLayer]:
    """Return every themed layer measured against a site, by layer id.

    Pieces are looked for as far as the layer's themes reach and a little more: as far as the map or the limit of
    work may be wrong, so that a near miss is told from a miss. Lots of which all is known are not measured again.
    """
    items, more_m, known = stack.items, m_from_ft(work_accuracy_ft), stack.known.of_lots(site.lots)
    unknown = [lot.ground for lot in site.lots] if known is None else []
    near = items.near([site.work.bounds, *(lot.bounds for lot in unknown)], more_m)
    bounds = items.bounds[near]
    work, apart = _work(site.work, items, near[meeting(bounds, site.work.bounds, items.reach_m[near] + more_m)])
    lots = [_shared(lot, items, near[meeting(bounds, lot.bounds)]) for lot in unknown]
    parts = [MetPart(work[k], tuple([lot[k] for lot in lots]), apart[k]) for k in range(items.parts)]
    frames = met_frames(stack, parts)
    return {
        name: MetLayer(frames[name], m_from_ft(stack.layers[name].searched_ft) + more_m, known) for name in frames
    }


def met_frames(stack: LayerStack, parts: Sequence[MetPart]) -> dict[str, tuple[MetFrame, ...]]:
    """Return what was met by layer id and edition; ``parts`` in the order of the stack's items."""
    waiting = iter(parts)
    found: dict[str, list[MetFrame]] = {}
    for layer, indexed in asked_layers(stack.layers.values()):
        frame = MetFrame(indexed, next(waiting), {theme: next(waiting) for theme in indexed.zones})
        found.setdefault(layer.id, []).append(frame)
    return {name: tuple(frames) for name, frames in found.items()}


def _work(work: Ground, items: Items, near: Rows) -> tuple[list[Met], list[Near]]:
    """Return what of each part the work shares, and what lies apart from it with its distance."""
    hit = shapely.intersects(work.geometry, items.geometry[near])
    return cut_out(work, items, near[hit]), _apart(work, items, near[~hit & items.distances[near]])


def _shared(ground: Ground, items: Items, near: Rows) -> list[Met]:
    return cut_out(ground, items, near[shapely.intersects(ground.geometry, items.geometry[near])])


_NOTHING = Met([], [], [])


def cut_out(ground: Ground, items: Items, hit: Rows) -> list[Met]:
    """Return shared ground and its size by part."""
    inside, sizes = _cut(ground, items.geometry[hit], items.bounds[hit], items.area_m2[hit])
    every = Met(items.row[hit].tolist(), inside.tolist(), sizes.tolist())
    return [
        Met(every.rows[a:b], every.inside[a:b], every.sizes[a:b]) if b > a else _NOTHING
        for a, b in pairwise(items.ends(hit))
    ]


def _cut(ground: Ground, pieces: Geometries, bounds: Floats, area_m2: Floats) -> tuple[Geometries, Floats]:
    """Return what of each piece lies inside, and its size, with the two cases first that need no cutting.

    A piece wholly inside is itself; a piece that holds all the ground gives the ground.
    """
    west, south, east, north = ground.bounds
    around = (
        (bounds <= (west, south, np.inf, np.inf)).all(axis=1) & (bounds[:, 2] >= east) & (bounds[:, 3] >= north)
    )
    around[around] = shapely.covers(pieces[around], ground.geometry)
    crossing = ~(around | shapely.contains_properly(ground.geometry, pieces))
    inside, sizes = pieces.copy(), area_m2.copy()
    inside[around], sizes[around] = ground.geometry, ground.area_m2
    if crossing.any():
        inside[crossing], sizes[crossing] = _shared_ground(ground, pieces[crossing], area_m2[crossing] > 0.0)
    if not area_m2.all():  # lines and points have no area of their own
        thin = area_m2 == 0.0
        sizes[thin] = shapely.length(inside[thin])
    return inside, sizes


def _shared_ground(ground: Ground, pieces: Geometries, areal: Flags) -> tuple[Geometries, Floats]:
    """Return the intersections and their areas.

    One that comes out without area though the insides meet is made on a grid again: GEOS may give nothing where a
    needle of a hole, left by an earlier overlay, crosses the limit of the ground.
    """
    inside: Geometries = shapely.intersection(ground.geometry, pieces)
    sizes: Floats = shapely.area(inside)
    bare = np.flatnonzero((sizes <= LOST_M2) & areal)
    lost = bare[~shapely.touches(ground.geometry, pieces[bare])] if len(bare) else bare
    if len(lost):
        inside[lost] = shapely.intersection(ground.geometry, pieces[lost], grid_size=GRID_M)
        sizes[lost] = shapely.area(inside[lost])
    return inside, sizes


def _apart(work: Ground, items: Items, apart: Rows) -> list[Near]:
    """Return how far each piece lies from the work, by part; rings and watersheds are never asked."""
    distances: Sequence[float] = shapely.distance(work.geometry, items.geometry[apart]).tolist()
    rows: list[int] = items.row[apart].tolist()
    return [list(zip(rows[a:b], distances[a:b], strict=True)) for a, b in pairwise(items.ends(apart))]

"""Stage index: which pieces of which layer edition could matter to a site.

One tree a part (the pieces of an edition, its rings for a theme), so that a new edition costs its own tree only.
Boxes are asked here; what is really near or inside is measured by the next stage. Holds no law.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self, cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree

from spatial.model import Area, EditionRef, Geometries, LayerFrame, Theme
from spatial.site import Bounds, Ground

NOWHERE: Bounds = (math.nan, math.nan, math.nan, math.nan)

PARCELS, TOWNS = "parcels", "towns"
"""Layers that answer no theme but say where the work lies."""

Rows = NDArray[np.int64]
Chosen = NDArray[np.bool_] | None
"""Which features of a frame a theme asks for; None when all of them."""


class Part:
    """Geometries that are asked together: pieces of features, or rings of a theme. Trees are made when needed."""

    def __init__(self, geometry: Geometries, parent: Rows) -> None:
        self.geometry = geometry
        self.parent = parent

    def __len__(self) -> int:
        return len(self.geometry)

    @cached_property
    def tree(self) -> STRtree:
        """The tree over all of them."""
        return STRtree(self.geometry)

    @cached_property
    def area_m2(self) -> NDArray[np.float64]:
        """The area of each, so that what lies wholly inside a site need not be cut out."""
        return shapely.area(self.geometry)

    @cached_property
    def bounds(self) -> NDArray[np.float64]:
        """West, south, east, north of each, one row a geometry."""
        return shapely.bounds(self.geometry)

    @cached_property
    def extent(self) -> Bounds:
        """West, south, east, north of all; NaN, which meets nothing, when there is nothing."""
        if not len(self):
            return NOWHERE
        west, south, east, north = shapely.total_bounds(self.geometry).tolist()
        return west, south, east, north

    def meets(self, box: Bounds) -> bool:
        """Say whether anything could lie in a box; False for a part without rows."""
        west, south, east, north = self.extent
        return west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north

    def only(self, chosen: Chosen) -> Part:
        """Return the part of the chosen features; itself when all are."""
        if chosen is None:
            return self
        keep = chosen[self.parent]
        return Part(self.geometry[keep], self.parent[keep])


class IndexedFrame:
    """An opened edition with its trees; kept as long as the edition is."""

    def __init__(self, frame: LayerFrame) -> None:
        self.frame = frame
        self.accuracy_ft = max(frame.ref.accuracy_ft, float(frame.accuracy_ft.max(initial=0.0)))
        self.pieces = Part(frame.pieces.geometry, frame.pieces.parent)
        self.zones = {
            theme: Part(rings.geometry, np.arange(len(rings.geometry))) for theme, rings in frame.zones.items()
        }
        self._chosen: dict[str, Chosen] = {}
        self._parts: dict[tuple[str, str], Part] = {}

    def chosen(self, theme: Theme) -> Chosen:
        """Return which features a theme asks for; a column that is absent chooses none of its values."""
        if not theme.where:
            return None
        if theme.theme not in self._chosen:
            self._chosen[theme.theme] = _matching(self.frame, theme.where)
        return self._chosen[theme.theme]

    def pieces_of(self, theme: Theme) -> Part:
        """Return the pieces of the features that a theme asks for, with a tree of their own."""
        return self._part("pieces", theme, self.pieces)

    def edges_of(self, theme: Theme) -> Part:
        """Return the real boundaries of the features that a theme asks for."""
        edges = self.frame.edges
        return self._part("edges", theme, Part(edges.geometry, edges.parent))

    def own_edges(self, row: int) -> Part:
        """Return the real boundary of one feature."""
        edges = self.frame.edges
        mine = np.flatnonzero(edges.parent == row)
        return Part(edges.geometry[mine], edges.parent[mine])

    def _part(self, name: str, theme: Theme, whole: Part) -> Part:
        key = (name, theme.theme if theme.where else "")
        if key not in self._parts:
            self._parts[key] = whole.only(self.chosen(theme))
        return self._parts[key]


def _matching(frame: LayerFrame, where: Mapping[str, tuple[str, ...]]) -> NDArray[np.bool_]:
    chosen = np.ones(len(frame), dtype=bool)
    for column, values in where.items():
        held = frame.attributes.get(column)
        texts = np.array(["" if v is None else str(v) for v in held], dtype=object) if held is not None else None
        chosen &= np.isin(texts, values) if texts is not None else False
    return chosen


@dataclass(frozen=True, slots=True, eq=False)
class IndexedLayer:
    """All parts (towns, the state) of one layer. ``coverage`` is the ground they answer for together.

    ``accuracy_ft`` is the worst of its features', ``reach_ft`` the farthest any of its themes looks; a layer that
    only splits the site into shares is never asked for distances. ``areal``: some of its features have areas.
    """

    id: str
    frames: tuple[IndexedFrame, ...]
    coverage: Ground
    themes: tuple[Theme, ...]
    accuracy_ft: float
    reach_ft: float
    shares_only: bool
    areal: bool

    @property
    def refs(self) -> tuple[EditionRef, ...]:
        """The editions of this layer."""
        return tuple(indexed.frame.ref for indexed in self.frames)


@dataclass(frozen=True, slots=True, eq=False)
class LayerStack:
    """Every opened layer, indexed; immutable for whoever asks.

    ``absent`` says of a layer without a usable edition why there is none. ``memo`` keeps what follows from layers
    alone and is made at the first question.
    """

    layers: Mapping[str, IndexedLayer]
    themes: tuple[Theme, ...]
    absent: Mapping[str, str] = field(default_factory=dict)
    memo: dict[str, object] = field(default_factory=dict, repr=False)

    @classmethod
    def build(
        cls,
        frames: Sequence[LayerFrame],
        themes: Sequence[Theme],
        absent: Mapping[str, str],
        *,
        previous: Self | None = None,
    ) -> Self:
        """Return the stack of some editions.

        Parameters
        ----------
        frames
            Opened editions; several may share a layer id (one a town). Layers without a theme other than parcels
            and towns are not asked and are left out.
        themes
            The questions, in the order they are answered. A theme whose layer has no frame is answered
            ``not_checked``.
        absent
            Layer id to the reason why no edition can be used.
        previous
            The stack before a swap: editions it already holds (the same objects) keep their trees.
        """
        asked = {theme.layer_id for theme in themes} | {PARCELS, TOWNS}
        before = {id(indexed.frame): indexed for indexed in previous._indexed()} if previous else {}
        grouped: dict[str, list[IndexedFrame]] = {}
        for frame in frames:
            if frame.ref.layer_id in asked:
                indexed = before.get(id(frame)) or IndexedFrame(frame)
                grouped.setdefault(frame.ref.layer_id, []).append(indexed)
        grounds: dict[bytes, Ground] = {}
        layers = {name: _layer(name, parts, themes, grounds) for name, parts in grouped.items()}
        return cls(layers, tuple(themes), dict(absent))

    def _indexed(self) -> Iterator[IndexedFrame]:
        for layer in self.layers.values():
            yield from layer.frames

    def refs(self) -> tuple[EditionRef, ...]:
        """Return every edition an answer may rest on."""
        return tuple(indexed.frame.ref for indexed in self._indexed())

    def frames_of(self, layer_id: str) -> tuple[IndexedFrame, ...]:
        """Return the opened editions of a layer; empty when there is none."""
        layer = self.layers.get(layer_id)
        return layer.frames if layer else ()

    def has_theme(self, theme: str, layer_id: str) -> bool:
        """Say whether a layer is asked about a theme."""
        return any(t.theme == theme and t.layer_id == layer_id for t in self.themes)


def _layer(
    name: str, parts: list[IndexedFrame], themes: Sequence[Theme], grounds: dict[bytes, Ground]
) -> IndexedLayer:
    """Return a layer; the same coverage of several layers is one object, so that a site asks it once."""
    coverages = [part.frame.coverage for part in parts]
    coverage = coverages[0] if len(coverages) == 1 else shapely.union_all(coverages)
    ground = grounds.setdefault(shapely.to_wkb(coverage), Ground(cast("Area", coverage)))
    mine = tuple(t for t in themes if t.layer_id == name)
    return IndexedLayer(
        name,
        tuple(parts),
        ground,
        mine,
        accuracy_ft=max(part.accuracy_ft for part in parts),
        reach_ft=max((t.coverage_ft for t in mine), default=0.0),
        shares_only=all(t.share for t in mine),
        areal=any(part.frame.kind == "polygon" for part in parts),
    )

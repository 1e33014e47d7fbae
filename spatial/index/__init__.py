"""Stage index: which pieces of which layer edition could matter to a site.

Layers are opened editions with what a theme asks of them; their pieces and rings lie under one tree (``items``).
What is really near or inside is measured by the next stage. Holds no law.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.dust import united
from spatial.index.items import Asked, Items, Part
from spatial.index.known import KnownLots, LotAreas
from spatial.model import EditionRef, LayerFrame, Theme
from spatial.site import Ground
from spatial.units import m_from_ft

PARCELS, TOWNS = "parcels", "towns"
"""Layers that answer no theme but say where the work lies."""

Chosen = NDArray[np.bool_] | None
"""Which features of a frame a theme asks for; None when all of them."""


class IndexedFrame:
    """An opened edition with its trees; kept as long as the edition is."""

    def __init__(self, frame: LayerFrame) -> None:
        shapely.prepare(frame.coverage)
        self.frame = frame
        self.ground = frame.coverage
        self.accuracy_ft = max(frame.ref.accuracy_ft, float(frame.accuracy_ft.max(initial=0.0)))
        self.pieces = Part(frame.pieces.geometry, frame.pieces.parent)
        self.zones = {
            theme: Part(rings.geometry, np.arange(len(rings.geometry))) for theme, rings in frame.zones.items()
        }
        self._chosen: dict[str, Chosen] = {}
        self._parts: dict[tuple[str, str], Part] = {}

    def chosen(self, theme: Theme) -> Chosen:
        """Return which features a theme asks for; None when all, as where the column is absent."""
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
        first, after = np.searchsorted(edges.parent, (row, row + 1), sorter=self._edges_by_row)
        mine = self._edges_by_row[first:after]
        return Part(edges.geometry[mine], edges.parent[mine])

    @cached_property
    def _edges_by_row(self) -> NDArray[np.int64]:
        return np.argsort(self.frame.edges.parent, kind="stable")

    def _part(self, name: str, theme: Theme, whole: Part) -> Part:
        key = (name, theme.theme if theme.where else "")
        if key not in self._parts:
            self._parts[key] = whole.only(self.chosen(theme))
        return self._parts[key]


def _matching(frame: LayerFrame, where: Mapping[str, tuple[str, ...]]) -> NDArray[np.bool_]:
    """Return which features count. A value that is not known may be one that counts, so it does."""
    chosen = np.ones(len(frame), dtype=bool)
    for column, values in where.items():
        held = frame.attributes.get(column)
        if held is not None:
            chosen &= np.array([v is None or v == "" or str(v) in values for v in held], dtype=bool)
    return chosen


@dataclass(frozen=True, slots=True, eq=False)
class IndexedLayer:
    """All parts (towns, the state) of one layer. ``coverage`` is the ground they answer for together.

    ``accuracy_ft`` is the worst of its features', ``reach_ft`` the farthest any of its themes looks; a layer that
    only splits the site into shares is never asked for distances. ``kinds``: of its editions.
    """

    id: str
    frames: tuple[IndexedFrame, ...]
    coverage: Ground
    themes: tuple[Theme, ...]
    accuracy_ft: float
    reach_ft: float
    shares_only: bool
    kinds: frozenset[str]
    refs: tuple[EditionRef, ...]

    @property
    def searched_ft(self) -> float:
        """How far around the work every piece is met: as far as themes reach and the map may be wrong."""
        return 0.0 if self.shares_only else self.reach_ft + self.accuracy_ft


@dataclass(frozen=True, slots=True, eq=False)
class LayerStack:
    """Every opened layer, indexed; immutable for whoever asks.

    ``known`` is what was measured of lots before. ``absent`` says of a layer without a usable edition why there is
    none. ``memo`` keeps what follows from layers alone and is made at the first question.
    """

    layers: Mapping[str, IndexedLayer]
    themes: tuple[Theme, ...]
    items: Items
    known: KnownLots
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
        lot_areas: Sequence[LotAreas] = (),
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
        lot_areas
            What lots share with layers, measured before. Those of other editions are passed over.
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
        known = KnownLots.of(lot_areas, *_editions(layers))
        return cls(layers, tuple(themes), _items(layers.values()), known, dict(absent))

    @classmethod
    def of_layers(cls, layers: Mapping[str, IndexedLayer], themes: Sequence[Theme]) -> Self:
        """Return a stack of layers already indexed, as a delineation makes them."""
        return cls(layers, tuple(themes), _items(layers.values()), KnownLots.of((), (), {}))

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


def _layer(
    name: str, parts: list[IndexedFrame], themes: Sequence[Theme], grounds: dict[bytes, Ground]
) -> IndexedLayer:
    """Return a layer; the same coverage of several layers is one object, so that a site asks it once."""
    coverages = [part.frame.coverage for part in parts]
    coverage = coverages[0] if len(coverages) == 1 else united(coverages)
    ground = grounds.setdefault(shapely.to_wkb(coverage), Ground(coverage))
    mine = tuple(t for t in themes if t.layer_id == name)
    return layer_of(name, parts, ground, mine)


def layer_of(name: str, parts: Sequence[IndexedFrame], ground: Ground, mine: tuple[Theme, ...]) -> IndexedLayer:
    """Return a layer of some editions, with what follows from them."""
    return IndexedLayer(
        name,
        tuple(parts),
        ground,
        mine,
        accuracy_ft=max(part.accuracy_ft for part in parts),
        reach_ft=max((t.coverage_ft for t in mine), default=0.0),
        shares_only=all(t.share for t in mine),
        kinds=frozenset(part.frame.kind for part in parts),
        refs=tuple(part.frame.ref for part in parts),
    )


def _editions(
    layers: Mapping[str, IndexedLayer],
) -> tuple[tuple[EditionRef, ...], dict[str, frozenset[EditionRef]]]:
    """Return the parcel editions, and those of every layer that answers a theme."""
    parcels = layers[PARCELS].refs if PARCELS in layers else ()
    return parcels, {name: frozenset(layer.refs) for name, layer in layers.items() if layer.themes}


def asked_layers(layers: Iterable[IndexedLayer]) -> Iterator[tuple[IndexedLayer, IndexedFrame]]:
    """Yield the editions that answer themes, in the order in which their parts lie among the items."""
    for layer in layers:
        if layer.themes:
            yield from ((layer, indexed) for indexed in layer.frames)


def _items(layers: Iterable[IndexedLayer]) -> Items:
    """Return the pieces, looked for as far as themes reach and maps may be wrong, and the rings of all layers."""
    asked: list[Asked] = []
    for layer, indexed in asked_layers(layers):
        asked.append(Asked(indexed.pieces, m_from_ft(layer.searched_ft), distances=not layer.shares_only))
        asked.extend(Asked(part, 0.0, distances=False) for part in indexed.zones.values())
    return Items.of(asked)

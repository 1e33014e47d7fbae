"""Stage measure, done beforehand: what every lot of a parcel edition shares with a layer.

Lot by lot with the calls that answer a question, so that what is looked up is what would have been measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import shapely

from spatial.index import IndexedFrame, IndexedLayer, LayerStack
from spatial.index.items import Flags, Floats, Rows
from spatial.index.known import Key, LotAreas
from spatial.measure import MetLayer, MetPart, cut_out, met_frames
from spatial.measure.shared import shared_with
from spatial.measure.zones import rings_sqft
from spatial.model import NO_LOT_TYPES, Geometries, Theme
from spatial.site import Ground, Site
from spatial.units import m_from_ft

MEASURED = 2
"""Raised whenever an area would come out otherwise, so that what was kept before is measured again."""

THE_RESOURCE = 0.0
"""The place of the resource itself among the outer limits of rings."""


def lot_areas(parcels: IndexedFrame, layer: IndexedLayer, rows: Rows | None = None) -> LotAreas:
    """Return what the lots of a parcel edition share with the themes of a layer.

    Parameters
    ----------
    parcels, layer
        EPSG:26986. A layer without themes gives no columns.
    rows
        Parcels that are measured; None: all.

    Returns
    -------
    LotAreas
        Square feet, a row a parcel. 0 where the layer lies elsewhere. NaN, so that it is measured when asked, for
        ways and water, and for a lot at the end of an edition's ground, or near another edition's ground or
        features.
    """
    keys, rows = keys_of(layer.themes), np.arange(len(parcels.frame)) if rows is None else rows
    sqft = np.full((len(parcels.frame), len(keys)), np.nan)
    stack = LayerStack.of_layers({layer.id: layer}, layer.themes)
    asked = rows[_lots(parcels, rows) & _answered(parcels.frame.geometry[rows], layer)]
    sqft[asked] = 0.0
    for row, met in _meeting(parcels, stack, asked):
        sqft[row] = list(_areas(Ground(parcels.frame.geometry[row]), layer, stack, met))
    return LotAreas(parcels.frame.ref, frozenset(layer.refs), keys, sqft)


def keys_of(themes: Sequence[Theme]) -> tuple[Key, ...]:
    """Return what is kept of a lot for some themes: the resource itself and each ring, in their order."""
    return tuple((t.theme, t.layer_id, to_ft) for t in themes for to_ft in (THE_RESOURCE, *t.bands_ft))


def _lots(parcels: IndexedFrame, rows: Rows) -> Flags:
    types = parcels.frame.attributes.get("poly_type")
    if types is None:
        return np.ones(len(rows), dtype=bool)
    return ~np.isin(types[rows].astype(str), sorted(NO_LOT_TYPES))


def _answered(lots: Geometries, layer: IndexedLayer) -> Flags:
    """Return the lots of which the answer is one edition's alone.

    They lie on its ground, with nothing of another as near as any theme reaches, neither its ground nor a feature
    that it draws beyond its ground; or nothing of any edition is so near.
    """
    bounds, reach_m = shapely.bounds(lots), m_from_ft(layer.reach_ft)
    boxes, grown = _boxes(bounds), _boxes(bounds + np.array([-reach_m, -reach_m, reach_m, reach_m]))
    holding = np.sum([shapely.covers(frame.ground, boxes) for frame in layer.frames], axis=0)
    near = np.sum([_has_anything_in(frame, grown) for frame in layer.frames], axis=0)
    answered: Flags = (near == 0) | ((holding == 1) & (near == 1))
    return answered


def _has_anything_in(frame: IndexedFrame, boxes: Geometries) -> Flags:
    """Return the boxes that meet an edition's ground, or a piece of a feature by its box."""
    found: Flags = shapely.intersects(frame.ground, boxes)
    found[frame.pieces.tree.query(boxes)[0]] = True
    return found


def _boxes(bounds: Floats) -> Geometries:
    west, south, east, north = bounds.T
    return np.asarray(shapely.box(west, south, east, north))


def _meeting(parcels: IndexedFrame, stack: LayerStack, asked: Rows) -> Iterator[tuple[int, Rows]]:
    """Yield every lot that meets something, with the items it meets in their order."""
    lots, items = stack.items.tree.query(parcels.frame.geometry[asked], predicate="intersects")
    order = np.lexsort((items, lots))
    lots, items = lots[order], items[order]
    met, first = np.unique(lots, return_index=True)
    for lot, (begin, end) in zip(met.tolist(), pairwise([*first.tolist(), len(lots)]), strict=True):
        yield int(asked[lot]), items[begin:end]


def _areas(lot: Ground, layer: IndexedLayer, stack: LayerStack, items: Rows) -> Iterator[float]:
    site = Site(lot)
    parts = [MetPart(met, (), []) for met in cut_out(lot, stack.items, items)]
    met = MetLayer(met_frames(stack, parts)[layer.id], 0.0)
    for theme in layer.themes:
        yield shared_with(site, theme, layer, met).areas.work_sqft or 0.0
        rings, _ = rings_sqft(site, theme, met) if theme.bands_ft else ({}, {})
        yield from (rings.get(to_ft, 0.0) for to_ft in theme.bands_ft)

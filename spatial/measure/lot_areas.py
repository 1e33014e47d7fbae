"""Stage measure, done beforehand: what every lot of a parcel edition shares with a layer.

Lot by lot with the calls that answer a question, so that what is looked up is what would have been measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import shapely

from spatial.index import IndexedFrame, IndexedLayer, LayerStack
from spatial.index.items import Flags, Floats, Rows
from spatial.index.known import Key, LotAreas
from spatial.measure import MetLayer, MetPart, cut_out, met_frames
from spatial.measure.lots import WAY_TYPES
from spatial.measure.shared import shared_with
from spatial.measure.zones import rings_sqft
from spatial.model import Geometries
from spatial.site import Ground, Site
from spatial.units import m_from_ft

THE_RESOURCE = 0.0
"""The place of the resource itself among the outer limits of rings."""


def lot_areas(parcels: IndexedFrame, layer: IndexedLayer) -> LotAreas:
    """Return what the lots of a parcel edition share with the themes of a layer.

    Parameters
    ----------
    parcels, layer
        EPSG:26986. A layer without themes gives no columns.

    Returns
    -------
    LotAreas
        Square feet, a row a parcel. NaN, so that it is measured when asked, for ways and water, and for a lot that
        one edition of the layer alone does not answer for: it leaves its ground, or another edition is near.
    """
    keys = tuple(_keys(layer))
    sqft = np.full((len(parcels.frame), len(keys)), np.nan)
    asked = np.flatnonzero(_lots(parcels) & _answered(parcels, layer))
    sqft[asked] = 0.0
    stack = LayerStack.of_layers({layer.id: layer}, layer.themes)
    for row, met in _meeting(parcels, stack, asked):
        sqft[row] = list(_areas(Ground(parcels.frame.geometry[row]), layer, stack, met))
    return LotAreas(parcels.frame.ref, frozenset(layer.refs), keys, sqft)


def _keys(layer: IndexedLayer) -> Iterator[Key]:
    for theme in layer.themes:
        for to_ft in (THE_RESOURCE, *theme.bands_ft):
            yield theme.theme, layer.id, to_ft


def _lots(parcels: IndexedFrame) -> Flags:
    types = parcels.frame.attributes.get("poly_type")
    if types is None:
        return np.ones(len(parcels.frame), dtype=bool)
    return ~np.isin(types.astype(str), sorted(WAY_TYPES))


def _answered(parcels: IndexedFrame, layer: IndexedLayer) -> Flags:
    """Return the lots that lie on the ground of one edition, with no other as near as any theme reaches."""
    bounds, reach_m = shapely.bounds(parcels.frame.geometry), m_from_ft(layer.reach_ft)
    boxes, grown = _boxes(bounds), _boxes(bounds + np.array([-reach_m, -reach_m, reach_m, reach_m]))
    holding = np.sum([shapely.covers(frame.ground, boxes) for frame in layer.frames], axis=0)
    near = np.sum([shapely.intersects(frame.ground, grown) for frame in layer.frames], axis=0)
    answered: Flags = (holding == 1) & (near == 1)
    return answered


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

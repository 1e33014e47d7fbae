"""Index: the parcel fabric of all loaded towns as arrays, ready to be asked what lies near. Pure, no law.

A fabric is woven once from the parcel editions and asked many times. Whole parcels stand beside the same ground
cut small, so that a right-of-way of 60,000 vertices costs no more than a house lot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree
from shapely.geometry.base import BaseGeometry

from spatial.dust import united
from spatial.errors import ParameterRefused
from spatial.fabric.loc_ids import place_of
from spatial.index.subdivide import cut_small
from spatial.model import WAY_TYPES, Area, EditionRef, Geometries, LayerFrame
from spatial.units import DISTANCE_TOLERANCE_FT, FOOT_M, m_from_ft


@dataclass(frozen=True, slots=True, eq=False)
class Nearby:
    """Parcels near something: their rows, how far, and which of their pieces is nearest. Sorted by row."""

    rows: NDArray[np.int64]
    distance_ft: NDArray[np.float64]
    pieces: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ParcelFabric:
    """Parcels of one or many towns; every array but ``pieces`` and ``parent`` has one row a parcel.

    ``coverage`` is the ground the editions answer for; ``accuracy_ft`` the horizontal accuracy of each parcel;
    ``places`` the rows of each LOC_ID; ``coarsest_ft`` the accuracy of the least accurate parcel.
    """

    ids: NDArray[np.object_]
    geometry: Geometries
    poly_type: NDArray[np.object_]
    town_id: NDArray[np.object_]
    map_par_id: NDArray[np.object_]
    site_address: NDArray[np.object_]
    accuracy_ft: NDArray[np.float64]
    pieces: Geometries
    parent: NDArray[np.int64]
    coverage: Area
    editions: tuple[EditionRef, ...]
    tree: STRtree
    places: Mapping[str, tuple[int, ...]]
    coarsest_ft: float

    def __len__(self) -> int:
        return len(self.ids)

    def rows_of(self, loc_ids: Iterable[str]) -> NDArray[np.int64]:
        """Return the rows of named parcels, every row of a LOC_ID that two towns share.

        Raises
        ------
        ParameterRefused
            ``parcel_unknown``, naming the first LOC_ID that no edition holds.
        """
        wanted = list(dict.fromkeys(loc_ids))
        missing = [w for w in wanted if w not in self.places]
        if missing:
            raise ParameterRefused(
                f"No loaded parcel edition holds the parcel {missing[0]}; search for it by address or map-lot.",
                code="parcel_unknown",
                suggestions=self.named_after(missing[0]),
            )
        return np.array([row for w in wanted for row in self.places[w]], dtype=np.int64)

    def named_after(self, loc_id: str) -> tuple[str, ...]:
        """Return the parcels that lie now where a LOC_ID of another edition points; empty when none does."""
        place = place_of(loc_id)
        if place is None:
            return ()
        hits = self.tree.query(place, predicate="intersects")
        return tuple(dict.fromkeys(str(self.ids[row]) for row in self.parent[hits]))

    def near(self, geometry: Area, within_ft: float) -> Nearby:
        """Return every parcel at most ``within_ft`` from a geometry, by exact distance; empty when none is.

        Parameters
        ----------
        geometry
            EPSG:26986. Ground inside it is at distance 0; a hole is outside.
        """
        reach_m = m_from_ft(within_ft + DISTANCE_TOLERANCE_FT)
        hits = self.tree.query(geometry, predicate="dwithin", distance=reach_m)
        distance_ft, _ = nearest(geometry, self.pieces[hits])
        order = np.lexsort((distance_ft, self.parent[hits]))
        rows, first = np.unique(self.parent[hits][order], return_index=True)
        return Nearby(rows, distance_ft[order][first], hits[order][first])

    def is_way(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of some parcels are ways by their type."""
        return self.is_of(rows, WAY_TYPES)

    def is_of(self, rows: NDArray[np.int64], types: frozenset[str]) -> NDArray[np.bool_]:
        """Return which of some parcels are of the given types."""
        return np.isin(self.poly_type[rows].astype(str), sorted(types))


def nearest(geometry: Area, shapes: Geometries) -> tuple[NDArray[np.float64], Geometries]:
    """Return how far each shape is from a geometry in feet, exactly, and the piece of it that is nearest.

    A geometry of many vertices is cut small first; the distance to the nearest piece is the distance to the whole.
    """
    parts = np.array(cut_small(cast("BaseGeometry", geometry)), dtype=object)
    if len(parts) == 1 or not len(shapes):
        return np.asarray(shapely.distance(geometry, shapes)) / FOOT_M, np.full(len(shapes), geometry, dtype=object)
    (_, part), distance_m = STRtree(parts).query_nearest(shapes, return_distance=True, all_matches=False)
    return np.asarray(distance_m) / FOOT_M, parts[part]


def _column(frames: Sequence[LayerFrame], name: str) -> NDArray[np.object_]:
    missing = [f.attributes.get(name, np.full(len(f), None, dtype=object)) for f in frames]
    return np.concatenate([np.empty(0, dtype=object), *missing])


def weave(frames: Sequence[LayerFrame]) -> ParcelFabric:
    """Return the fabric of some parcel editions; an empty one when there are none.

    Parameters
    ----------
    frames
        Parcel frames in EPSG:26986, one row a LOC_ID, with the columns ``map_par_id, town_id, poly_type,
        site_address``; a column that is absent is unknown, never a default.
    """
    starts = np.cumsum([0, *(len(f) for f in frames)])
    nothing = np.empty(0, dtype=object)
    pieces = np.concatenate([nothing, *(f.pieces.geometry for f in frames)])
    ids = np.concatenate([nothing, *(f.ids for f in frames)])
    parents = [f.pieces.parent + start for f, start in zip(frames, starts, strict=False)]
    return ParcelFabric(
        ids=ids,
        geometry=np.concatenate([nothing, *(f.geometry for f in frames)]),
        poly_type=_column(frames, "poly_type"),
        town_id=_column(frames, "town_id"),
        map_par_id=_column(frames, "map_par_id"),
        site_address=_column(frames, "site_address"),
        accuracy_ft=np.concatenate([np.empty(0), *(f.accuracy_ft for f in frames)]),
        pieces=pieces,
        parent=np.concatenate([np.empty(0, np.int64), *parents]),
        coverage=united([f.coverage for f in frames]),
        editions=tuple(f.ref for f in frames),
        tree=STRtree(pieces),
        places=_places(ids.tolist()),
        coarsest_ft=float(max((f.accuracy_ft.max(initial=0.0) for f in frames), default=0.0)),
    )


def _places(ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
    places: dict[str, tuple[int, ...]] = {}
    for row, loc_id in enumerate(ids):
        places[loc_id] = (*places.get(loc_id, ()), row)
    return places

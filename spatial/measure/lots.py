"""Stage measure: the parcels under the work, found by themselves or named. Only those met become objects."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from spatial.errors import ParameterRefused
from spatial.index import PARCELS, IndexedFrame, LayerStack
from spatial.index.items import Part
from spatial.measure.depth import depth_ft
from spatial.measure.union import SLIVER_SQFT
from spatial.model import Area, Geometries, Parcel
from spatial.site import Ground, LotGround
from spatial.units import sqft_from_sqm

COLUMNS = frozenset({"town_id", "poly_type", "map_par_id", "site_address", "lot_size_sqft", "use_code", "zoning"})

SAME_AREA = 1e-9
"""Work that leaves a parcel by less than this share of itself lies on it: cuts are exact to about 1e-12."""


@dataclass(frozen=True, slots=True, eq=False)
class UnderWork:
    """Parcels that count as under the work, each with its ground, and those the work only grazes.

    ``outside_sqft``: work on no counted parcel; ``unheld_sqft``: of that, work where no parcel edition answers at
    all, so that nobody knows whose lot it is. ``grazed``: neighbours entered by less than their accuracy.
    ``unnamed``: further parcels the work enters that the applicant did not name. Both with the area entered.
    """

    parcels: tuple[Parcel, ...]
    lots: tuple[LotGround, ...]
    outside_sqft: float
    grazed: tuple[tuple[Parcel, float], ...] = ()
    unnamed: tuple[tuple[Parcel, float], ...] = ()
    unheld_sqft: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Entered:
    """A parcel and the work on it; ``deep``: the work reaches in farther than the parcel's line may be wrong."""

    parcel: Parcel
    lot: LotGround
    deep: bool


def under_work(work: Ground, stack: LayerStack, loc_ids: Sequence[str] = ()) -> UnderWork:
    """Return the parcels under some work.

    Parameters
    ----------
    work
        The limit of work, EPSG:26986.
    loc_ids
        Parcels the applicant named; these are then the lots, and others that the work enters are said. Empty: all
        that the work enters by more than the accuracy of their lines, the largest share first.

    Raises
    ------
    ParameterRefused
        ``parcel_unknown``: a named parcel is in no loaded edition.
    """
    entered = sorted(_entered(work, stack), key=lambda e: -e.lot.work.area)
    if not loc_ids:
        counted = [e for e in entered if e.deep]
        grazed = tuple((e.parcel, sqft_from_sqm(e.lot.work.area)) for e in entered if not e.deep)
        return _under(work, stack, counted, (grazed, ()))
    named = [e for name in dict.fromkeys(loc_ids) for e in _named(name, entered, work, stack)]
    ids = {e.parcel.loc_id for e in named}
    others = [e for e in entered if e.parcel.loc_id not in ids]
    grazed = tuple((e.parcel, sqft_from_sqm(e.lot.work.area)) for e in others if not e.deep)
    unnamed = tuple((e.parcel, sqft_from_sqm(e.lot.work.area)) for e in others if e.deep)
    return _under(work, stack, named, (grazed, unnamed))


Shares = tuple[tuple[Parcel, float], ...]


def _under(
    work: Ground, stack: LayerStack, counted: Sequence[_Entered], others: tuple[Shares, Shares]
) -> UnderWork:
    lots = tuple(e.lot for e in counted)
    outside_sqft = _outside_sqft(work, lots)
    unheld_sqft = _unheld_sqft(work, stack) if outside_sqft >= SLIVER_SQFT else 0.0
    return UnderWork(tuple(e.parcel for e in counted), lots, outside_sqft, *others, unheld_sqft)


def _unheld_sqft(work: Ground, stack: LayerStack) -> float:
    """Return how much of the work lies where no parcel edition answers; all of it when none is loaded."""
    layer = stack.layers.get(PARCELS)
    if layer is None:
        return work.area_sqft
    if shapely.covers(layer.coverage.geometry, work.geometry):
        return 0.0
    return sqft_from_sqm(float(shapely.difference(work.geometry, layer.coverage.geometry).area))


def _outside_sqft(work: Ground, lots: Sequence[LotGround]) -> float:
    if any(lot.work is work.geometry for lot in lots):
        return 0.0
    covered = lots[0].work if len(lots) == 1 else shapely.union_all([lot.work for lot in lots])
    return sqft_from_sqm(float(shapely.difference(work.geometry, covered).area))


def _entered(work: Ground, stack: LayerStack) -> Iterator[_Entered]:
    for edition, indexed in enumerate(stack.frames_of(PARCELS)):
        if not indexed.pieces.meets(work.bounds):
            continue
        for row, pieces in _met(indexed.pieces, work):
            on_lot = _work_on(work, pieces)
            if on_lot.area > 0.0:
                deep = on_lot is work.geometry or _deep(work, indexed, row, on_lot)
                yield _Entered(parcel_of(indexed, row), _lot(indexed, edition, row, on_lot), deep)


def _met(part: Part, work: Ground) -> Iterator[tuple[int, Geometries]]:
    """Yield the rows of the parcels the work meets, in order, with their pieces it meets."""
    found = part.tree.query(work.geometry, predicate="intersects")
    by_row: dict[int, list[int]] = {}
    for row, piece in zip(part.parent[found].tolist(), found.tolist(), strict=True):
        by_row.setdefault(row, []).append(piece)
    yield from ((row, part.geometry[pieces]) for row, pieces in sorted(by_row.items()))


def _work_on(work: Ground, pieces: Geometries) -> Area:
    """Return the work on a parcel's pieces; the work itself when one piece holds all of it."""
    if len(pieces) == 1 and shapely.covered_by(work.geometry, pieces[0]):
        return work.geometry
    cut = shapely.intersection(pieces, work.geometry)
    shared = cut[0] if len(cut) == 1 else shapely.union_all(cut)
    return cast("Area", work.geometry if shared.area >= work.area_m2 * (1.0 - SAME_AREA) else shared)


def _lot(indexed: IndexedFrame, edition: int, row: int, on_lot: Area) -> LotGround:
    ground = Ground(cast("Area", indexed.frame.geometry[row]))
    return LotGround(str(indexed.frame.ids[row]), ground, on_lot, edition, row)


def _deep(work: Ground, indexed: IndexedFrame, row: int, on_lot: BaseGeometry) -> bool:
    """Say whether the work enters a parcel by more than the accuracy of its lines.

    Most of the work, or most of the parcel, is always deep; a depth the samples miss counts as shallow only below
    half of either.
    """
    ground = indexed.frame.geometry[row]
    if on_lot.area * 2.0 >= min(work.area_m2, ground.area):
        return True
    if sqft_from_sqm(on_lot.area) < SLIVER_SQFT:
        return False
    limit_ft = accuracy_ft(indexed, row)
    return depth_ft(work, [on_lot], indexed.own_edges(row), enough_ft=limit_ft) > limit_ft


def accuracy_ft(indexed: IndexedFrame, row: int) -> float:
    """Return a parcel's own accuracy where it has one, else its layer's."""
    own = float(indexed.frame.accuracy_ft[row])
    return own if own > 0 else indexed.frame.ref.accuracy_ft


def _named(name: str, entered: Sequence[_Entered], work: Ground, stack: LayerStack) -> list[_Entered]:
    """Return a named parcel, in every edition that holds it; looked up only when the work does not enter it."""
    met = [e for e in entered if e.parcel.loc_id == name]
    if met:
        return met
    found = [(n, one, row) for n, one in enumerate(stack.frames_of(PARCELS)) for row in _rows(one, name)]
    if not found:
        raise ParameterRefused(
            f"No loaded parcel edition holds the parcel {name!r}; search for it by address or map-lot.",
            code="parcel_unknown",
        )
    return [_away(work, indexed, edition, row) for edition, indexed, row in found]


def _rows(indexed: IndexedFrame, name: str) -> list[int]:
    return np.flatnonzero(indexed.frame.ids == name).tolist()


def _away(work: Ground, indexed: IndexedFrame, edition: int, row: int) -> _Entered:
    on_lot = cast("Area", shapely.intersection(work.geometry, indexed.frame.geometry[row]))
    return _Entered(parcel_of(indexed, row), _lot(indexed, edition, row, on_lot), deep=True)


def parcel_of(indexed: IndexedFrame, row: int) -> Parcel:
    """Return one row of a parcel edition; a column the edition lacks, or an empty value, is unknown."""
    frame = indexed.frame
    held = {name: column[row] for name, column in frame.attributes.items() if name in COLUMNS}
    town, size = _number(held.get("town_id")), _number(held.get("lot_size_sqft"))
    return Parcel(
        loc_id=str(frame.ids[row]),
        town_id=None if town is None else int(town),
        poly_type=_text(held.get("poly_type")) or "FEE",
        geometry=cast("Area", frame.geometry[row]),
        map_par_id=_text(held.get("map_par_id")),
        site_address=_text(held.get("site_address")),
        lot_size_sqft=size,
        use_code=_text(held.get("use_code")),
        zoning=_text(held.get("zoning")),
    )


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None

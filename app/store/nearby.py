"""Where kept screenings lie: an R-tree, built at start and kept up as we run; it tells which are near a site.

The index holds boxes and record numbers; the shapes themselves stay in the records and are fetched for the few
that could be near. Records made or deleted by another process are caught up with at every question.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple, Self

import shapely
from rtree.index import Index
from shapely.geometry.base import BaseGeometry
from sqlalchemy import select

from app.store.records import Records
from app.store.tables import ScreeningRow
from spatial.case import NearbySite
from spatial.model import Area
from spatial.units import ft_from_m, m_from_ft, sqft_from_sqm

_BOXES = select(
    ScreeningRow.number, ScreeningRow.min_x, ScreeningRow.min_y, ScreeningRow.max_x, ScreeningRow.max_y
).order_by(ScreeningRow.number)
_SHAPES = select(
    ScreeningRow.id,
    ScreeningRow.area_wkb,
    ScreeningRow.common_plan,
    ScreeningRow.loc_ids,
    ScreeningRow.input_sha256,
)


class _Kept(NamedTuple):
    """A kept screening as far as its place matters, in the order of ``_SHAPES``."""

    id: str
    area_wkb: bytes
    common_plan: str | None
    loc_ids: str
    input_sha256: str


class Nearby:
    """Kept screenings by place.

    Parameters
    ----------
    records
        The open database; whatever it holds is indexed at once.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._lock = Lock()
        self._index = Index()
        self._newest = 0
        self._catch_up()

    def __len__(self) -> int:
        self._catch_up()
        return len(self._index)

    def sites(self, area: Area, *, within_ft: float, other_than: str | None = None) -> tuple[NearbySite, ...]:
        """Return the kept screenings whose work lies within ``within_ft`` of ``area``, nearest first.

        Parameters
        ----------
        area
            Union of the work, EPSG:26986, not empty.
        within_ft
            Reach in US survey feet.
        other_than
            SHA-256 of an input to leave out: the same plan asked again is no neighbour of itself.

        Returns
        -------
        tuple of NearbySite
            Empty when none is near; distances in feet, 0 where they meet. ``area_sqft`` is the ground a site adds:
            what it shares with ``area``, or with a site of the same plan told before it, is not counted again, so
            that a plan drawn anew never doubles.
        """
        self._catch_up()
        reach_m = m_from_ft(within_ft)
        min_x, min_y, max_x, max_y = area.bounds
        with self._lock:
            box = (min_x - reach_m, min_y - reach_m, max_x + reach_m, max_y + reach_m)
            numbers = sorted(self._index.intersection(box))
        found = (_Site.of(row, area) for row in self._shapes(numbers) if row.input_sha256 != other_than)
        near = sorted((s for s in found if s.distance_ft <= within_ft), key=lambda s: (s.distance_ft, s.row.id))
        return tuple(_told(near, area))

    def _shapes(self, numbers: Sequence[int]) -> list[_Kept]:
        if not numbers:
            return []
        with self._records.begin() as session:
            return [_Kept(*row) for row in session.execute(_SHAPES.where(ScreeningRow.number.in_(numbers)))]

    def _catch_up(self) -> None:
        with self._lock, self._records.begin() as session:
            for number, *box in session.execute(_BOXES.where(ScreeningRow.number > self._newest)):
                self._index.insert(number, tuple(box))
                self._newest = number


@dataclass(frozen=True, slots=True, eq=False)
class _Site:
    """A kept screening with its shape and its distance from the site asked about."""

    row: _Kept
    shape: BaseGeometry
    distance_ft: float

    @classmethod
    def of(cls, row: _Kept, area: Area) -> Self:
        shape = shapely.from_wkb(row.area_wkb)
        return cls(row, shape, ft_from_m(float(shapely.distance(shape, area))))


def _told(sites: Sequence[_Site], area: Area) -> Iterator[NearbySite]:
    """Give each site with the ground it adds to ``area`` and to the sites of its plan before it."""
    covered: dict[str, BaseGeometry] = {}
    for site in sites:
        plan = (site.row.common_plan or "").casefold()
        before = covered.get(plan, area)
        covered[plan] = shapely.union(before, site.shape)
        yield NearbySite(
            id=site.row.id,
            distance_ft=site.distance_ft,
            area_sqft=sqft_from_sqm(float(shapely.difference(site.shape, before).area)),
            common_plan=site.row.common_plan,
            loc_ids=tuple(json.loads(site.row.loc_ids)),
        )

"""The shapes of a list, kept beside it, so that its map can be drawn after the layers have changed. EPSG:26986."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import shapely
from shapely.geometry.base import BaseGeometry

from spatial.abutters import Abutting
from spatial.fabric import ParcelFabric
from spatial.fabric.land import ring_around

Role = Literal["subject", "work", "ring", "abutter", "near_miss", "excluded"]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One shape of the map: what it is, whose, and for an abutter its relation."""

    role: Role
    loc_id: str | None
    relation: str | None
    geometry: BaseGeometry


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """All shapes of a list, the ring first."""

    shapes: tuple[Shape, ...]

    def of(self, *roles: Role) -> tuple[Shape, ...]:
        """Return the shapes of some roles."""
        return tuple(s for s in self.shapes if s.role in roles)

    def reviewed(self, listed: Collection[str], added: Sequence[Shape]) -> Shapes:
        """Return the shapes after a review: what was added drawn as an abutter, what was dropped as near ground."""
        new = {s.loc_id for s in added}
        kept = (s for s in self.shapes if s.loc_id is None or s.loc_id not in new)
        dropped = (
            replace(s, role="excluded") if s.role == "abutter" and s.loc_id not in listed else s for s in kept
        )
        return Shapes((*dropped, *added))

    def pack(self) -> str:
        """Return them as JSON text, geometry as WKB in hexadecimal."""
        rows = [
            {
                "role": s.role,
                "loc_id": s.loc_id,
                "relation": s.relation,
                "wkb": shapely.to_wkb(s.geometry, hex=True),
            }
            for s in self.shapes
        ]
        return json.dumps(rows)


def unpack(text: str) -> Shapes:
    """Return the shapes of a text made by ``pack``."""
    rows = json.loads(text)
    return Shapes(tuple(Shape(r["role"], r["loc_id"], r["relation"], shapely.from_wkb(r["wkb"])) for r in rows))


def shapes_of(found: Abutting, fabric: ParcelFabric) -> Shapes:
    """Return what a map of a list shows: ring, land, work, and every parcel the list speaks of.

    Parcels that are not on the list (a river, all streets of a town) are cut to the box of the ring.
    """
    return Shapes(tuple(_shapes(found, fabric)))


def _shapes(found: Abutting, fabric: ParcelFabric) -> Iterator[Shape]:
    ring = ring_around(found.land.ground, found.rule.reach_ft)
    window = shapely.box(*ring.bounds)
    yield Shape("ring", None, None, ring)
    named = [(m.loc_id, "near_miss") for m in found.near_misses]
    named += [(e.loc_id, "excluded") for e in found.excluded if e.loc_id not in found.land.loc_ids]
    for loc_id, role in named:
        cut = shapely.intersection(_geometry(fabric, loc_id), window)
        yield Shape("near_miss" if role == "near_miss" else "excluded", loc_id, None, cut)
    for abutter in found.abutters:
        yield Shape("abutter", abutter.loc_id, abutter.relation, fabric.geometry[abutter.row])
    for loc_id in found.land.loc_ids:
        yield Shape("subject", loc_id, None, _geometry(fabric, loc_id))
    if found.land.work is not None:
        yield Shape("work", None, None, found.land.work)


def _geometry(fabric: ParcelFabric, loc_id: str) -> BaseGeometry:
    return shapely.union_all(fabric.geometry[list(fabric.places[loc_id])])

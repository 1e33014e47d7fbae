"""What a map draws around a site: shapes and distance rings of the editions, cut at a frame; never an answer.

A ring is drawn as it stands in the edition. Where more than one edition, or ground beyond an edition, lies in the
frame it is made anew, as measuring does: rings made beforehand end with the ground of their edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from layers.window import rows_in
from spatial.dust import united, without_dust
from spatial.index import IndexedFrame
from spatial.index.rings import rings
from spatial.model import Area, LayerFrame, Theme, ZoneRings
from spatial.units import m_from_ft

AROUND_FT = 600.0
"""How much ground around the work is drawn: the widest ring of the catalogue (500 ft), and a little."""


def frame_around(work: Iterable[BaseGeometry]) -> Area:
    """Return the box around some work (EPSG:26986) and the ground near it that is drawn.

    >>> frame_around([shapely.box(0, 0, 10, 10)]).bounds[0] == -m_from_ft(AROUND_FT)
    True
    """
    west, south, east, north = shapely.total_bounds(list(work)).tolist()
    more = m_from_ft(AROUND_FT)
    frame: Area = shapely.box(west - more, south - more, east + more, north + more)
    return frame


@dataclass(frozen=True, slots=True, eq=False)
class MappedShape:
    """One feature inside the frame, EPSG:26986; ``cut`` says that it goes on outside."""

    id: str
    label: str
    geometry: BaseGeometry
    cut: bool


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """Ground inside the frame, EPSG:26986, farther than ``from_ft`` and at most ``to_ft`` from what is mapped."""

    from_ft: float
    to_ft: float
    geometry: BaseGeometry


def shapes_in(indexed: IndexedFrame, theme: Theme, frame: Area) -> Iterator[MappedShape]:
    """Yield the features a theme asks for that lie in the frame, cut there; nothing when none does.

    Parameters
    ----------
    frame
        The ground that is drawn, EPSG:26986.
    """
    edition, chosen = indexed.frame, indexed.chosen(theme)
    for row in rows_in(edition, frame.bounds).tolist():
        if chosen is None or chosen[row]:
            yield from _shape(edition, row, frame)


def _shape(edition: LayerFrame, row: int, frame: Area) -> Iterator[MappedShape]:
    whole = edition.geometry[row]
    inside = shapely.covers(frame, whole)
    geometry = whole if inside else shapely.intersection(whole, frame)
    if not geometry.is_empty:
        yield MappedShape(str(edition.ids[row]), str(edition.labels[row]), geometry, cut=not inside)


def rings_in(editions: Sequence[IndexedFrame], theme: Theme, frame: Area) -> tuple[Ring, ...]:
    """Return the rings of a theme inside the frame, nearest first; () where it has none or nothing is near.

    Parameters
    ----------
    editions
        Those of the theme's layer that the answer rests on.
    frame
        The ground that is drawn, EPSG:26986.
    """
    if not theme.bands_ft:
        return ()
    near = [one for one in editions if len(_near(one, theme, frame))]
    if not near:
        return ()
    held = _held(near, theme, frame)
    if held is None:
        pieces = np.concatenate([one.pieces_of(theme).geometry[_near(one, theme, frame)] for one in near])
        held = rings(pieces, theme.bands_ft, window=frame)
    return tuple(_gathered(held, theme))


def _near(indexed: IndexedFrame, theme: Theme, frame: Area) -> list[int]:
    """Return the rows of the pieces whose widest ring may reach into the frame, by their boxes."""
    reached = shapely.buffer(frame, m_from_ft(max(theme.bands_ft)))
    found: list[int] = indexed.pieces_of(theme).tree.query(shapely.box(*reached.bounds)).tolist()
    return found


def _held(near: Sequence[IndexedFrame], theme: Theme, frame: Area) -> ZoneRings | None:
    """Return the rings made beforehand, cut at the frame; None where they do not tell all of it."""
    (first, *others) = near
    if others or theme.theme not in first.zones or not shapely.covers(first.ground, frame):
        return None
    held = first.frame.zones[theme.theme]
    rows = first.zones[theme.theme].tree.query(frame)
    return ZoneRings(shapely.intersection(held.geometry[rows], frame), held.from_ft[rows], held.to_ft[rows])


def _gathered(held: ZoneRings, theme: Theme) -> Iterator[Ring]:
    """Yield each ring as one shape, without the cuts that serve measuring."""
    for from_ft, to_ft in zip((0.0, *theme.bands_ft), theme.bands_ft, strict=False):
        ground = without_dust(united(list(held.geometry[held.to_ft == to_ft])))
        if not ground.is_empty:
            yield Ring(from_ft, to_ft, ground)


def thinned(geometry: BaseGeometry, about_ft: float) -> BaseGeometry:
    """Return a shape with fewer corners, its outline off by about that much at most: for a picture.

    GEOS keeps to a tolerance nearly (a fifth more was seen), so half of it is asked.

    >>> arc = shapely.Point(0, 0).buffer(100, quad_segs=64)
    >>> bool(shapely.get_num_coordinates(thinned(arc, 1.0)) < shapely.get_num_coordinates(arc) / 2)
    True
    """
    return shapely.simplify(geometry, m_from_ft(about_ft) / 2.0, preserve_topology=True)


def beyond(editions: Sequence[IndexedFrame], frame: Area) -> BaseGeometry:
    """Return the ground in the frame that no edition answers for, EPSG:26986; empty when all of it is covered."""
    return without_dust(shapely.difference(frame, united([one.ground for one in editions])))

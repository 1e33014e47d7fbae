"""Stage measure: the features of one theme that the work meets or comes near, each with its own figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.index import Rows
from spatial.measure import Floats, Met, MetFrame
from spatial.measure_depth import depths_ft
from spatial.measure_union import is_sliver
from spatial.model import FeatureHit, Geometries, LayerFrame, Theme
from spatial.site import Ground, Site
from spatial.units import FOOT_M, m_from_ft, sqft_from_sqm

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Pieces of one theme, of all editions of a layer, that share something with an area.

    ``edition`` and ``row`` say whose; ``owner`` is a number for the two. ``size`` is m² where ``area``, else m.
    """

    edition: Rows
    row: Rows
    owner: Rows
    parts: Geometries
    size: Floats
    area: Flags

    @classmethod
    def of(cls, theme: Theme, met: Sequence[MetFrame], found: Sequence[Met]) -> Hits:
        """Return the hits of the features a theme asks for; ``found`` has one entry an edition."""
        rows, keeps = [], []
        for frame, hit in zip(met, found, strict=True):
            mine = frame.pieces.part.parent[hit.items]
            chosen = frame.indexed.chosen(theme)
            keeps.append(slice(None) if chosen is None else chosen[mine])
            rows.append(mine[keeps[-1]])
        counts = [len(r) for r in rows]
        first = np.cumsum([0, *(len(frame.indexed.frame) for frame in met)])[:-1]
        row = np.concatenate(rows)
        return cls(
            edition=np.repeat(np.arange(len(met)), counts),
            row=row,
            owner=row + np.repeat(first, counts),
            parts=np.concatenate([hit.inside[keep] for hit, keep in zip(found, keeps, strict=True)]),
            size=np.concatenate([hit.size[keep] for hit, keep in zip(found, keeps, strict=True)]),
            area=np.repeat([frame.indexed.frame.kind == "polygon" for frame in met], counts),
        )

    def __len__(self) -> int:
        return len(self.row)

    def only(self, keep: Flags) -> Hits:
        """Return some of the hits."""
        return Hits(*(getattr(self, name)[keep] for name in self.__slots__))


def solid(work: Ground, hits: Hits) -> Flags:
    """Return which hits are more than a touch: areas, lines through the inside, points inside.

    A line that runs along the limit of work, or a point on it, only touches.
    """
    firm = hits.size > 0.0
    thin = ~hits.area
    if thin.any():
        firm[thin] = ~shapely.touches(work.geometry, hits.parts[thin])
    return firm


def without_slivers(work: Ground, met: Sequence[MetFrame], hits: Hits) -> Flags:
    """Return which hits belong to a feature whose shared ground is more than digitising noise."""
    keep = np.ones(len(hits), dtype=bool)
    for owner in np.unique(hits.owner[hits.area]):
        mine = hits.owner == owner
        frame = met[int(hits.edition[mine][0])].indexed.frame
        whole_m2 = min(work.area_m2, float(frame.geometry[hits.row[mine][0]].area))
        keep[mine] = not is_sliver(hits.parts[mine], hits.size[mine], whole_m2)
    return keep


def hit_features(site: Site, theme: Theme, met: Sequence[MetFrame], hits: Hits) -> Iterator[tuple[int, FeatureHit]]:
    """Yield the edition and figures of every feature that shares something firm with the work."""
    for edition in np.unique(hits.edition):
        mine = hits.only(hits.edition == edition)
        indexed = met[int(edition)].indexed
        edges = indexed.edges_of(theme) if indexed.frame.kind == "polygon" else None
        depths = depths_ft(site.work, mine.parts, mine.row, edges)
        for row in np.unique(mine.row).tolist():
            size = float(mine.size[mine.row == row].sum())
            area = indexed.frame.kind == "polygon"
            yield (
                int(edition),
                _feature(
                    indexed.frame,
                    theme,
                    row,
                    overlap_sqft=sqft_from_sqm(size) if area else 0.0,
                    length_ft=size / FOOT_M if indexed.frame.kind == "line" else 0.0,
                    depth_ft=depths.get(row, 0.0),
                ),
            )


def near_features(
    theme: Theme,
    met: Sequence[MetFrame],
    touched: Hits,
    firm: Hits,
    *,
    within_ft: float,
) -> Iterator[tuple[int, FeatureHit]]:
    """Yield the edition and figures of features that share nothing firm with the work, touches (0 ft) first.

    Listed up to ``within_ft``, each at the distance of its nearest piece.
    """
    for edition, frame in enumerate(met):
        mine = touched.row[touched.edition == edition]
        part = frame.pieces.part
        rows = np.concatenate([mine, part.parent[frame.pieces.near]])
        if not len(rows):
            continue
        distance = np.concatenate([np.zeros(len(mine)), frame.pieces.distance_m])
        keep = (distance <= m_from_ft(within_ft)) & ~np.isin(rows, firm.row[firm.edition == edition])
        chosen = frame.indexed.chosen(theme)
        keep &= True if chosen is None else chosen[rows]
        for row, nearest_m in _nearest_of_each(rows[keep], distance[keep]):
            yield edition, _feature(frame.indexed.frame, theme, row, nearest_ft=nearest_m / FOOT_M)


def _nearest_of_each(rows: Rows, distance_m: Floats) -> Iterator[tuple[int, float]]:
    order = np.lexsort((distance_m, rows))
    names, first = np.unique(rows[order], return_index=True)
    yield from zip(names.tolist(), distance_m[order][first].tolist(), strict=True)


def _feature(
    frame: LayerFrame,
    theme: Theme,
    row: int,
    *,
    overlap_sqft: float = 0.0,
    length_ft: float = 0.0,
    nearest_ft: float = 0.0,
    depth_ft: float = 0.0,
) -> FeatureHit:
    known = frame.attributes
    return FeatureHit(
        id=str(frame.ids[row]),
        label=str(frame.labels[row]),
        attributes={name: known[name][row] for name in theme.report if name in known},
        overlap_sqft=overlap_sqft,
        length_ft=length_ft,
        nearest_ft=nearest_ft,
        accuracy_ft=_accuracy_ft(frame, row),
        depth_ft=depth_ft,
    )


def _accuracy_ft(frame: LayerFrame, row: int) -> float:
    """Return the feature's own accuracy where it has one, else the layer's."""
    own = float(frame.accuracy_ft[row])
    return own if own > 0 else frame.ref.accuracy_ft

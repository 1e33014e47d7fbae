"""Normalise: a reviewer's words on lot lines, each matched to an edge (cut for it if need be) or refused. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import shapely
from shapely import LineString, Point

from spatial.errors import GeometryRefused, ParameterRefused
from spatial.model import Area
from spatial.setbacks.boundary import Edge
from spatial.setbacks.course import Course
from spatial.setbacks.lot_model import ANY_CLASS, LineClass, Override
from spatial.units import ft_from_m, m_from_ft

OFF_BOUNDARY_FT = 2.0
"""A line drawn for an override may stray this far from the boundary it means."""


@dataclass(frozen=True, slots=True, eq=False)
class Forced:
    """An edge's class as a reviewer said it."""

    override: Override
    edge_id: str

    @property
    def candidates(self) -> tuple[LineClass, ...]:
        """What the edge can be now."""
        return ANY_CLASS if self.override.line_class == "unknown" else (self.override.line_class,)

    @property
    def along_way(self) -> bool:
        """Whether the reviewer takes the edge for one along a way."""
        return self.override.line_class in ("front", "exterior_side")


def split(edges: Sequence[Edge], lot: Area, overrides: Sequence[Override]) -> tuple[Edge, ...]:
    """Return the edges, cut where an override's line begins or ends inside one; the parts of "3" are "3.1", "3.2".

    Raises
    ------
    GeometryRefused
        A line leaves the lot's boundary, or has no length.
    """
    for number, override in enumerate(overrides, start=1):
        if isinstance(override.edge, LineString):
            _check_on_boundary(override.edge, lot, number)
            edges = [part for edge in edges for part in _cut(edge, override.edge)]
    return tuple(edges)


def _check_on_boundary(line: LineString, lot: Area, number: int) -> None:
    if line.length == 0.0:
        raise GeometryRefused(f"The line of override {number} has no length; draw it along the edge it means.",
                              code="degenerate_geometry", feature=f"override {number}")  # fmt: skip
    stray_ft = ft_from_m(max(Point(xy).distance(lot.boundary) for xy in _samples(line)))
    if stray_ft > OFF_BOUNDARY_FT:
        raise GeometryRefused(
            f"The line of override {number} strays {stray_ft:.1f} ft from the lot's boundary; draw it along "
            f"the edge from end to end, within {OFF_BOUNDARY_FT:g} ft.",
            code="invalid_geometry",
            feature=f"override {number}",
        )


def _samples(line: LineString) -> list[tuple[float, ...]]:
    return [tuple(xy) for xy in shapely.get_coordinates(shapely.segmentize(line, 1.0))]


def _cut(edge: Edge, line: LineString) -> list[Edge]:
    """Return an edge in the parts the line covers and those it does not."""
    whole = edge.line.length
    along = shapely.intersection(edge.line, shapely.buffer(line, m_from_ft(OFF_BOUNDARY_FT), cap_style="flat"))
    if along.length < m_from_ft(OFF_BOUNDARY_FT) * 2.0:
        return [edge]
    ends = [edge.line.project(Point(p)) for p in (line.coords[0], line.coords[-1])]
    inner = sorted(e for e in ends if m_from_ft(OFF_BOUNDARY_FT) < e < whole - m_from_ft(OFF_BOUNDARY_FT))
    stops = [0.0, *inner, whole]
    if not inner:
        return [edge]
    return [
        replace(edge, id=f"{edge.id}.{n}", line=Course(edge.line).part(a, b))
        for n, (a, b) in enumerate(pairwise(stops), start=1)
    ]


def force(edges: Sequence[Edge], overrides: Sequence[Override]) -> dict[str, Forced]:
    """Return the override of each edge that has one, by the edge's id.

    Raises
    ------
    ParameterRefused
        An edge does not exist, is named twice with different classes, or nobody says who decided and why.
    """
    forced: dict[str, Forced] = {}
    for number, override in enumerate(overrides, start=1):
        if not override.who.strip() or not override.why.strip():
            raise ParameterRefused(f"Override {number} does not say who decided and why; give both.",
                                   feature=f"override {number}")  # fmt: skip
        for edge_id in _meant(edges, override, number):
            earlier = forced.get(edge_id)
            if earlier and earlier.override.line_class != override.line_class:
                raise ParameterRefused(
                    f"Edge {edge_id} is overridden twice, as {earlier.override.line_class} and as "
                    f"{override.line_class}; keep one.",
                    feature=f"override {number}",
                )
            forced[edge_id] = Forced(override, edge_id)
    return forced


def _meant(edges: Sequence[Edge], override: Override, number: int) -> list[str]:
    ids = [e.id for e in edges]
    if isinstance(override.edge, str):
        parts = [i for i in ids if i == override.edge or i.startswith(f"{override.edge}.")]
    else:
        near = shapely.buffer(override.edge, m_from_ft(OFF_BOUNDARY_FT), cap_style="flat")
        parts = [e.id for e in edges if shapely.intersection(e.line, near).length > 0.5 * e.line.length]
    if not parts:
        named = override.edge if isinstance(override.edge, str) else "drawn"
        raise ParameterRefused(
            f"Override {number} names the edge {named}, which this lot does not have; its edges are "
            f"{', '.join(ids)}.",
            feature=f"override {number}",
            suggestions=ids[:20],
        )
    return parts

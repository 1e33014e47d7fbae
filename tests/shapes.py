"""Named geometries exact by hand: drawn in feet from a corner near Dover, given in EPSG:26986.

A test asks for a shape by name and knows its area, perimeter and distances without computing them. Feet are US
survey feet; the corner lies on whole metres so that a foot drawn is a foot measured to about a millionth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import shapely
from shapely.affinity import rotate, scale, translate
from shapely.geometry.base import BaseGeometry

from spatial.index.rings import rings
from spatial.index.subdivide import prepare
from spatial.model import EditionRef, Kind, LayerFrame, Scalar, SiteFeature, Submission, Theme
from spatial.units import FOOT_M

CORNER_M = (217_000.0, 886_000.0)
ON = date(2026, 11, 30)


def drawn(geometry: BaseGeometry) -> BaseGeometry:
    """Return a geometry drawn in feet from the corner, in EPSG:26986."""
    return translate(scale(geometry, FOOT_M, FOOT_M, origin=(0, 0)), *CORNER_M)


def box(west: float, south: float, east: float, north: float) -> BaseGeometry:
    """Return a rectangle in feet from the corner."""
    return drawn(shapely.box(west, south, east, north))


def polygon(
    shell: Sequence[tuple[float, float]], holes: Sequence[Sequence[tuple[float, float]]] = ()
) -> BaseGeometry:
    """Return a polygon in feet from the corner."""
    return drawn(shapely.Polygon(shell, holes))


def line(*points: tuple[float, float]) -> BaseGeometry:
    """Return a line in feet from the corner."""
    return drawn(shapely.LineString(points))


def point(x: float, y: float) -> BaseGeometry:
    """Return a point in feet from the corner."""
    return drawn(shapely.Point(x, y))


def disc(x: float, y: float, radius: float, quad_segs: int = 256) -> BaseGeometry:
    """Return a disc in feet from the corner."""
    return drawn(shapely.Point(x, y).buffer(radius, quad_segs=quad_segs))


LOT = box(0, 0, 200, 200)
"""A square lot of 40,000 sq ft."""

HOLED = polygon([(0, 0), (100, 0), (100, 100), (0, 100)], [[(30, 30), (70, 30), (70, 70), (30, 70)]])
"""A square of 10,000 sq ft with a hole of 1,600: 8,400 (TD-10)."""

WORK = box(0, 0, 300, 200)
"""Work of 60,000 sq ft, perimeter 1,000 ft."""

SHAPES: Mapping[str, tuple[BaseGeometry, float]] = {
    "inside": (box(100, 50, 200, 150), 10_000.0),
    "half": (box(150, 0, 450, 200), 30_000.0),
    "all": (box(-100, -100, 400, 300), 60_000.0),
    "same": (box(0, 0, 300, 200), 60_000.0),
    "touch_edge": (box(300, 0, 400, 200), 0.0),
    "touch_corner": (box(300, 200, 400, 300), 0.0),
    "sliver": (box(299.999, 0, 400, 300), 0.2),
    "hole_around": (
        polygon(
            [(-100, -100), (400, -100), (400, 300), (-100, 300)],
            [[(-10, -10), (310, -10), (310, 210), (-10, 210)]],
        ),
        0.0,
    ),
    "hole_inside": (
        polygon(
            [(-100, -100), (400, -100), (400, 300), (-100, 300)],
            [[(100, 50), (200, 50), (200, 150), (100, 150)]],
        ),
        50_000.0,
    ),
    "triangle": (polygon([(0, 0), (300, 0), (0, 200)]), 30_000.0),
    "corner_60_80": (box(360, 280, 400, 400), 0.0),
    "corner_75_75": (box(375, 275, 400, 400), 0.0),
    "far_100_01": (box(400.01, 0, 500, 200), 0.0),
    "far_100": (box(400, 0, 500, 200), 0.0),
}
"""By name: a layer's feature and its shared ground with WORK in sq ft."""

DISTANCE_FT: Mapping[str, float] = {
    "inside": 0.0,
    "half": 0.0,
    "all": 0.0,
    "same": 0.0,
    "touch_edge": 0.0,
    "touch_corner": 0.0,
    "sliver": 0.0,
    "hole_around": 10.0,
    "hole_inside": 0.0,
    "triangle": 0.0,
    "corner_60_80": 100.0,
    "corner_75_75": math.hypot(75, 75),
    "far_100_01": 100.01,
    "far_100": 100.0,
}
"""By name: how far the feature lies from WORK."""

EVERYWHERE = box(-60_000, -60_000, 60_000, 60_000)
"""A coverage that holds every shape with any reach, inside the mainland zone."""


def edition(layer_id: str, **changes: object) -> EditionRef:
    """Return an edition of a complete, exact layer; ``changes`` are fields of ``EditionRef``."""
    ref = EditionRef(
        layer_id=layer_id,
        part="state",
        edition="2026-01",
        title=layer_id.replace("_", " ").capitalize(),
        sha256="0" * 64,
        accuracy_ft=1.0,
        complete=True,
        retrieved="2026-10-01",
    )
    return replace(ref, **changes)  # type: ignore[arg-type]


def frame(  # one argument a thing that tests vary
    layer_id: str,
    features: Sequence[BaseGeometry],
    *,
    kind: Kind = "polygon",
    coverage: BaseGeometry = EVERYWHERE,
    attributes: Mapping[str, Sequence[Scalar]] | None = None,
    accuracy_ft: Sequence[float] | None = None,
    ids: Sequence[str] | None = None,
    zones: Mapping[str, Sequence[float]] | None = None,
    max_vertices: int = 256,
    **ref: object,
) -> LayerFrame:
    """Return an opened edition of some features, cut as an import cuts them; ``zones`` is theme → bands in feet."""
    geometry = np.empty(len(features), dtype=object)
    geometry[:] = features
    prepared = prepare(geometry, kind, max_vertices=max_vertices)
    names = np.array(list(ids) if ids else [f"{layer_id}-{n}" for n in range(len(features))], dtype=object)
    own = edition(layer_id, **ref)
    columns = {name: np.array([*values, None], dtype=object)[:-1] for name, values in (attributes or {}).items()}
    return LayerFrame(
        ref=own,
        kind=kind,
        ids=names,
        labels=names,
        accuracy_ft=np.array(accuracy_ft if accuracy_ft is not None else [own.accuracy_ft] * len(features), float),
        attributes=columns,
        geometry=geometry,
        pieces=prepared.pieces,
        edges=prepared.edges,
        coverage=coverage,
        zones={t: rings(prepared.pieces.geometry, bands, window=coverage) for t, bands in (zones or {}).items()},
    )


def theme(name: str, layer_id: str | None = None, **changes: object) -> Theme:
    """Return a question that asks for shared ground; ``changes`` are fields of ``Theme``."""
    asked = Theme(theme=name, title=name.replace("_", " ").capitalize(), layer_id=layer_id or name, within_ft=0.0)
    return replace(asked, **changes)  # type: ignore[arg-type]


def submission(*areas: BaseGeometry, features: Sequence[SiteFeature] = (), tree_points: int = 0) -> Submission:
    """Return a normalised submission of unnamed work, or of the features given."""
    plain = [SiteFeature(str(n), area, {}) for n, area in enumerate(areas)]
    every = (*plain, *features)
    work = shapely.union_all([f.geometry for f in every if f.role == "disturbance" and f.geometry.area > 0])
    return Submission(features=tuple(every), area=work, tree_points=tree_points)  # type: ignore[arg-type]


def turned(geometry: BaseGeometry, degrees: float, east_ft: float = 0.0, north_ft: float = 0.0) -> BaseGeometry:
    """Return a geometry turned about the corner and moved."""
    spun = rotate(geometry, degrees, origin=CORNER_M)
    return translate(spun, east_ft * FOOT_M, north_ft * FOOT_M)

"""Four ways to answer the same question; each gives the same figures, so that they can be held together.

``floor`` is bare GEOS work on our pieces, written out straight: what the geometry alone costs. ``ours`` is the pure
engine. ``plain`` is a tree over whole features, rings made when asked. ``overlay`` is geopandas over whole layers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import geopandas as gpd
import numpy as np
import shapely

from spatial.facts import Facts
from spatial.index import LayerStack
from spatial.model import LayerFrame, SiteFeature, Submission, Theme
from spatial.question import Question
from spatial.screen import measure
from spatial.units import m_from_ft
from benchmarks.layout import ON, THEMES

MILE_M = m_from_ft(5_280.0)
SQM_PER_SQFT = m_from_ft(1.0) ** 2


@dataclass(frozen=True)
class Figures:
    """What is compared: areas in the work and in its lots (m²), nearest (m), rings of the work (m²), by theme."""

    work: Mapping[str, float]
    lots: Mapping[str, float]
    nearest: Mapping[str, float | None]
    rings: Mapping[tuple[str, float], float]


Contender = Callable[[shapely.Polygon], object]


def ours(frames: Sequence[LayerFrame]) -> Callable[[shapely.Polygon], object]:
    """Return the engine: lots, all layers, findings, watersheds, cautions."""
    stack = LayerStack.build(frames, THEMES, {})

    def answer(work: shapely.Polygon) -> object:
        submission = Submission((SiteFeature("1", work, {}),), work)
        return measure(Question(submission, (), None, Facts({}), ON, {}), stack)[0]

    return answer


def figures_of(case: object) -> Figures:
    """Return the figures of an answer of ours."""
    found = case.findings  # type: ignore[attr-defined]
    return Figures(
        {f.theme: (f.disturbance_sqft or 0.0) * SQM_PER_SQFT for f in found},
        {f.theme: (f.parcel_sqft or 0.0) * SQM_PER_SQFT for f in found},
        {f.theme: None if f.nearest_ft is None else m_from_ft(f.nearest_ft) for f in found},
        {(f.theme, z.to_ft): z.disturbance_sqft * SQM_PER_SQFT for f in found for z in f.zones if z.to_ft},
    )


# ------------------------------------------------------------------------------------------------ the floor


@dataclass(frozen=True)
class _Trees:
    frame: LayerFrame
    pieces: shapely.STRtree
    edges: shapely.STRtree
    rings: tuple[tuple[shapely.STRtree, np.ndarray], ...]
    reach_m: float
    share: bool


def floor(frames: Sequence[LayerFrame]) -> Contender:
    """Return bare GEOS work on our pieces: tree, intersection, area, distance and rings, for work and lot."""
    held = {frame.ref.layer_id: frame for frame in frames}
    parcels = held.pop("parcels")
    lots = shapely.STRtree(parcels.geometry)
    trees = [_trees(frame) for frame in held.values()]

    def answer(work: shapely.Polygon) -> object:
        shapely.prepare(work)
        under = lots.query(work, predicate="intersects")
        on_lot = shapely.area(shapely.intersection(work, parcels.geometry[under]))
        ground = parcels.geometry[under[on_lot > 1.0]]
        shapely.prepare(ground)
        return [_bare(tree, work, ground) for tree in trees]

    return answer


def _trees(frame: LayerFrame) -> _Trees:
    themes = [t for t in THEMES if t.layer_id == frame.ref.layer_id]
    return _Trees(
        frame,
        shapely.STRtree(frame.pieces.geometry),
        shapely.STRtree(frame.edges.geometry),
        tuple((shapely.STRtree(z.geometry), z.geometry) for z in frame.zones.values()),
        m_from_ft(max(t.coverage_ft for t in themes) + frame.ref.accuracy_ft),
        all(t.share for t in themes),
    )


def _bare(tree: _Trees, work: shapely.Polygon, lots: np.ndarray) -> object:
    shapes = tree.frame.pieces.geometry
    west, south, east, north = work.bounds
    reach = tree.reach_m
    near = shapes[tree.pieces.query(shapely.box(west - reach, south - reach, east + reach, north + reach))]
    hit = shapely.intersects(work, near)
    areas = [shapely.area(shapely.intersection(work, near[hit]))]
    distance = None
    if not tree.share:
        distance = shapely.distance(work, near[~hit])
        if hit.any() and len(tree.frame.edges.geometry):
            tree.edges.query_nearest(work, return_distance=True, all_matches=False)
        elif not len(distance) or distance.min() > reach:
            tree.pieces.query_nearest(work, max_distance=MILE_M, return_distance=True, all_matches=False)
    for lot in lots:
        areas.append(_shared(lot, tree.pieces, shapes))
    for ring_tree, ring in tree.rings:
        areas.extend(_shared(ground, ring_tree, ring) for ground in (work, *lots))
    return areas, distance


def _shared(ground: shapely.Polygon, tree: shapely.STRtree, shapes: np.ndarray) -> np.ndarray:
    met = shapes[tree.query(ground, predicate="intersects")]
    return shapely.area(shapely.intersection(ground, met))


# ------------------------------------------------------------------------------------------------ whole features


def plain(frames: Sequence[LayerFrame]) -> Callable[[shapely.Polygon], Figures]:
    """Return a tree over whole features of each layer; rings are buffers of what is near, made when asked."""
    held = {frame.ref.layer_id: (frame, shapely.STRtree(frame.geometry)) for frame in frames}

    def answer(work: shapely.Polygon) -> Figures:
        lots = _lots(work, *held["parcels"])
        made = {t.theme: _whole(t, *held[t.layer_id], work, lots) for t in THEMES}
        rings = {(t.theme, band): area for t in THEMES for band, area in _rings(t, *held[t.layer_id], work).items()}
        return Figures(
            {k: v[0] for k, v in made.items()},
            {k: v[1] for k, v in made.items()},
            {k: v[2] for k, v in made.items()},
            rings,
        )

    return answer


def _lots(work: shapely.Polygon, frame: LayerFrame, tree: shapely.STRtree) -> list[shapely.Polygon]:
    return list(frame.geometry[tree.query(work, predicate="intersects")])


def _whole(
    theme: Theme, frame: LayerFrame, tree: shapely.STRtree, work: shapely.Polygon, lots: list[shapely.Polygon]
) -> tuple[float, float, float | None]:
    if frame.kind == "point":
        areas = (0.0, 0.0)
    else:
        areas = (_union(work, frame, tree), sum(_union(lot, frame, tree) for lot in lots))
    if theme.share:
        return (*areas, 0.0)
    _, distance = tree.query_nearest(work, max_distance=MILE_M, return_distance=True, all_matches=False)
    return (*areas, float(distance[0]) if len(distance) else None)


def _union(ground: shapely.Polygon, frame: LayerFrame, tree: shapely.STRtree) -> float:
    met = frame.geometry[tree.query(ground, predicate="intersects")]
    return float(shapely.union_all(shapely.intersection(ground, met)).area) if len(met) else 0.0


def _rings(theme: Theme, frame: LayerFrame, tree: shapely.STRtree, work: shapely.Polygon) -> dict[float, float]:
    if not theme.bands_ft:
        return {}
    near = frame.geometry[tree.query(work, predicate="dwithin", distance=m_from_ft(max(theme.bands_ft)))]
    if not len(near):
        return {}
    inner = float(shapely.union_all(shapely.intersection(work, near)).area)
    made = {}
    for band in theme.bands_ft:
        grown = shapely.union_all(shapely.intersection(work, shapely.buffer(near, m_from_ft(band), quad_segs=64)))
        made[band] = float(grown.area) - inner
        inner = float(grown.area)
    return made


def overlay(frames: Sequence[LayerFrame]) -> Contender:
    """Return geopandas: overlay for shared ground, nearest join for distances, layer by layer."""
    held = {f.ref.layer_id: gpd.GeoDataFrame(geometry=list(f.geometry), crs="EPSG:26986") for f in frames}

    def answer(work: shapely.Polygon) -> object:
        site = gpd.GeoDataFrame(geometry=[work], crs="EPSG:26986")
        lots = gpd.overlay(held["parcels"], site, how="intersection", keep_geom_type=True)
        found: list[object] = [lots]
        for layer, frame in held.items():
            if layer not in {"parcels", "pools"}:
                found.append(gpd.overlay(frame, site, how="intersection", keep_geom_type=True).area.sum())
            found.append(gpd.sjoin_nearest(site, frame, max_distance=MILE_M, distance_col="distance"))
        return found

    return answer

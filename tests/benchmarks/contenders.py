"""Ways to answer the same question.

``floor`` is bare GEOS work on our pieces, written out straight: what the geometry alone costs when every lot is
measured. ``ours`` is the pure engine over a library, which knows what its lots share with its layers; ``asked`` is
the same engine where it does not and measures them too. ``plain`` is a tree over whole features, rings made when
asked. ``overlay`` is geopandas over whole layers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import geopandas as gpd
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from benchmarks.layout import ON, THEMES
from spatial.facts import Facts
from spatial.index import LayerStack
from spatial.index.known import LotAreas
from spatial.model import LayerFrame, SiteFeature, Submission, Theme
from spatial.question import Question
from spatial.screen import measure
from spatial.units import m_from_ft

MILE_M = m_from_ft(5_280.0)
SQM_PER_SQFT = m_from_ft(1.0) ** 2
GRAZED_M2 = 1.0
"""A lot that work enters by less is no lot of it, for those who have nothing finer to tell by."""


Key = tuple[str, str]
"""Theme and layer."""


@dataclass(frozen=True)
class Figures:
    """What is compared, by theme: areas in m², the nearest in m.

    In the work, in its lots, of the work lot by lot, the nearest feature, the rings in the work and in its lots.
    """

    work: Mapping[Key, float]
    lots: Mapping[Key, float]
    work_by_lot: Mapping[Key, Mapping[str, float]]
    nearest: Mapping[Key, float | None]
    rings: Mapping[tuple[Key, float], tuple[float, float]]


Contender = Callable[[shapely.Polygon], object]


def ours(frames: Sequence[LayerFrame], known: Sequence[LotAreas] = ()) -> Callable[[shapely.Polygon], object]:
    """Return the engine: lots, all layers, findings, watersheds, cautions. ``known``: of its lots, beforehand."""
    stack = LayerStack.build(frames, THEMES, {}, lot_areas=known)

    def answer(work: shapely.Polygon) -> object:
        submission = Submission((SiteFeature("1", work, {}),), work)
        return measure(Question(submission, (), None, Facts({}), ON, {}), stack)[0]

    return answer


def figures_of(case: object) -> Figures:
    """Return the figures of an answer of ours."""
    found = {(f.theme, f.layer_id): f for f in case.findings}  # type: ignore[attr-defined]
    return Figures(
        {key: (f.disturbance_sqft or 0.0) * SQM_PER_SQFT for key, f in found.items()},
        {key: (f.parcel_sqft or 0.0) * SQM_PER_SQFT for key, f in found.items()},
        {key: {s.loc_id: s.disturbance_sqft * SQM_PER_SQFT for s in f.by_parcel} for key, f in found.items()},
        {key: None if f.nearest_ft is None else m_from_ft(f.nearest_ft) for key, f in found.items()},
        {
            (key, z.to_ft): (z.disturbance_sqft * SQM_PER_SQFT, z.parcel_sqft * SQM_PER_SQFT)
            for key, f in found.items()
            for z in f.zones
            if z.to_ft
        },
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
    """Return bare GEOS work on our pieces, no more calls than the figures need and nothing made of them.

    For work and lots: tree, intersection and area, a union where several features are met, work by lot where there
    are several, distance to the nearest piece or, from inside, to the nearest real edge, and the rings.
    """
    held = {frame.ref.layer_id: frame for frame in frames}
    parcels = held.pop("parcels")
    lots = shapely.STRtree(parcels.geometry)
    trees = [_trees(frame) for frame in held.values()]

    def answer(work: shapely.Polygon) -> object:
        shapely.prepare(work)
        under = lots.query(work, predicate="intersects")
        on_lot = shapely.area(shapely.intersection(work, parcels.geometry[under]))
        ground = parcels.geometry[under[on_lot > GRAZED_M2]]
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
    shapes, parent = tree.frame.pieces.geometry, tree.frame.pieces.parent
    west, south, east, north = work.bounds
    reach = tree.reach_m
    near = tree.pieces.query(shapely.box(west - reach, south - reach, east + reach, north + reach))
    hit = shapely.intersects(work, shapes[near])
    parts = shapely.intersection(work, shapes[near[hit]])
    areas = [_area(parts, parent[near[hit]])]
    if len(lots) > 1:
        areas.extend(shapely.area(shapely.intersection(parts, lot)).sum() for lot in lots)
    for lot in lots:
        met = tree.pieces.query(lot, predicate="intersects")
        areas.append(_area(shapely.intersection(lot, shapes[met]), parent[met]))
    for ring_tree, ring in tree.rings:
        areas.extend(_ring_area(ground, ring_tree, ring) for ground in (work, *lots))
    return areas, _distance(tree, work, shapes[near[~hit]], inside=bool(hit.any()))


def _area(parts: np.ndarray, parent: np.ndarray) -> float:
    if len(parts) > 1 and (parent != parent[0]).any():
        return float(shapely.area(shapely.union_all(parts)))
    return float(shapely.area(parts).sum())


def _ring_area(ground: shapely.Polygon, tree: shapely.STRtree, rings: np.ndarray) -> float:
    met = rings[tree.query(ground, predicate="intersects")]
    return float(shapely.area(shapely.intersection(ground, met)).sum())


def _distance(tree: _Trees, work: shapely.Polygon, apart: np.ndarray, *, inside: bool) -> object:
    if tree.share:
        return None
    distance = shapely.distance(work, apart)
    if inside and len(tree.frame.edges.geometry):
        return distance, tree.edges.query_nearest(work, return_distance=True, all_matches=False)
    if not len(distance) or distance.min() > tree.reach_m:
        return tree.pieces.query_nearest(work, max_distance=MILE_M, return_distance=True, all_matches=False)
    return distance


# ------------------------------------------------------------------------------------------------ whole features


def plain(frames: Sequence[LayerFrame]) -> Callable[..., Figures]:
    """Return a tree over whole features of each layer; rings are buffers of what is near, made when asked.

    Every figure that is compared and none besides: how deep work reaches into a feature is not asked of it. Asked
    with LOC_IDs it measures those lots, else every lot that the work enters.
    """
    held = {frame.ref.layer_id: (frame, shapely.STRtree(frame.geometry)) for frame in frames}

    def answer(work: shapely.Polygon, loc_ids: Sequence[str] | None = None) -> Figures:
        shapely.prepare(work)
        lots = _lots(work, *held["parcels"], loc_ids)
        whole = {(t.theme, t.layer_id): _whole(t, *held[t.layer_id], work, lots) for t in THEMES}
        rings = {(t.theme, t.layer_id): _rings(t, *held[t.layer_id], work, lots) for t in THEMES}
        return Figures(
            {key: made.work for key, made in whole.items()},
            {key: made.lots for key, made in whole.items()},
            {key: made.work_by_lot for key, made in whole.items()},
            {key: made.nearest for key, made in whole.items()},
            {(key, band): areas for key, made in rings.items() for band, areas in made.items()},
        )

    return answer


def _lots(
    work: shapely.Polygon, frame: LayerFrame, tree: shapely.STRtree, loc_ids: Sequence[str] | None
) -> dict[str, shapely.Polygon]:
    met = tree.query(work, predicate="intersects")
    entered = met[shapely.area(shapely.intersection(work, frame.geometry[met])) > GRAZED_M2]
    rows = entered if loc_ids is None else [row for row in met if frame.ids[row] in loc_ids]
    return {str(frame.ids[row]): frame.geometry[row] for row in rows}


@dataclass(frozen=True)
class _Whole:
    work: float
    lots: float
    work_by_lot: Mapping[str, float]
    nearest: float | None


def _whole(
    theme: Theme,
    frame: LayerFrame,
    tree: shapely.STRtree,
    work: shapely.Polygon,
    lots: Mapping[str, shapely.Polygon],
) -> _Whole:
    on_work, on_lots, by_lot = 0.0, 0.0, dict.fromkeys(lots, 0.0)
    if frame.kind == "polygon":
        shared = _shared(work, frame, tree)
        on_work = float(shared.area)
        on_lots = sum(float(_shared(lot, frame, tree).area) for lot in lots.values())
        if not shared.is_empty:
            by_lot = {name: float(shapely.intersection(shared, lot).area) for name, lot in lots.items()}
    if theme.share:
        return _Whole(on_work, on_lots, by_lot, 0.0)
    _, distance = tree.query_nearest(work, max_distance=MILE_M, return_distance=True, all_matches=False)
    return _Whole(on_work, on_lots, by_lot, float(distance[0]) if len(distance) else None)


def _shared(ground: shapely.Polygon, frame: LayerFrame, tree: shapely.STRtree) -> BaseGeometry:
    met = frame.geometry[tree.query(ground, predicate="intersects")]
    return shapely.union_all(shapely.intersection(ground, met))


def _rings(
    theme: Theme,
    frame: LayerFrame,
    tree: shapely.STRtree,
    work: shapely.Polygon,
    lots: Mapping[str, shapely.Polygon],
) -> dict[float, tuple[float, float]]:
    """Return the area of each ring in the work and in the lots; what is near is grown once a band for all."""
    if not theme.bands_ft:
        return {}
    grounds = np.array([work, *lots.values()], dtype=object)
    found = tree.query(grounds, predicate="dwithin", distance=m_from_ft(max(theme.bands_ft)))[1]
    near = frame.geometry[np.unique(found)]
    if not len(near):
        return {}
    inner, made = _areas(grounds, near), {}
    for band in theme.bands_ft:
        grown = _areas(grounds, shapely.buffer(near, m_from_ft(band), quad_segs=64))
        made[band] = (float(grown[0] - inner[0]), float((grown[1:] - inner[1:]).sum()))
        inner = grown
    return made


def _areas(grounds: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    return np.array([shapely.union_all(shapely.intersection(ground, shapes)).area for ground in grounds])


def overlay(frames: Sequence[LayerFrame]) -> Contender:
    """Return geopandas: overlay for shared ground, nearest join for distances, layer by layer."""
    held = {f.ref.layer_id: gpd.GeoDataFrame(geometry=list(f.geometry), crs="EPSG:26986") for f in frames}

    def answer(work: shapely.Polygon) -> object:
        site = gpd.GeoDataFrame(geometry=[work], crs="EPSG:26986")
        lots = gpd.overlay(held["parcels"], site, how="intersection", keep_geom_type=True)
        found: list[object] = [lots]
        for layer, frame in held.items():
            if layer not in {"parcels", "certified_vernal_pools"}:
                found.append(gpd.overlay(frame, site, how="intersection", keep_geom_type=True).area.sum())
            found.append(gpd.sjoin_nearest(site, frame, max_distance=MILE_M, distance_col="distance"))
        return found

    return answer

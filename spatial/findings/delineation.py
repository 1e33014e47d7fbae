"""Stage findings: a delineated wetland instead of the mapped one, on the lots it was delineated on.

Off those lots the map still speaks. A flagged area, or a flagged line that closes, is the wetland itself. An open
line is an edge whose wet side nobody said: it is measured to, and mapped ground under the work stays beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from spatial.dust import united
from spatial.findings import Delineated
from spatial.index import PARCELS, IndexedFrame, IndexedLayer, LayerStack, layer_of
from spatial.index.subdivide import prepare
from spatial.measure.union import SLIVER_SQFT, SLIVER_WIDTH_FT, is_sliver
from spatial.model import EditionRef, Geometries, Kind, LayerFrame, Pieces, SiteFeature, Submission
from spatial.site import Ground, LotGround, Site
from spatial.units import FOOT_M, m_from_ft, sqft_from_sqm

OVERRIDDEN = "wetlands"
"""Layers that feed this theme are what a wetland delineation speaks of."""

DRY_SIDE = "; an open line does not say which side is wet, and the work is taken to lie on the dry one"


def delineated_layers(
    site: Site, stack: LayerStack, submission: Submission, work_accuracy_ft: float, *, on: date
) -> dict[str, Delineated]:
    """Return, by layer id, the planning-grade wetland layers with the delineated ground put in.

    Empty when the submission holds no delineated area or line. Features that share no ground with a lot under the
    work, those of which nobody says who made them or when, and those whose day is still to come ``on`` the day
    asked for add to the map and take nothing away.
    """
    flagged = [f for f in submission.with_role("delineation") if shapely.get_dimensions(f.geometry) > 0]
    if not flagged:
        return {}
    vouched = [f for f in flagged if _said(f) and not _to_come(f, on)]
    names = [t.layer_id for t in stack.themes if t.theme == OVERRIDDEN]
    planning = [
        stack.layers[name] for name in names if name in stack.layers and _planning_grade(stack.layers[name])
    ]
    parcels_ft = stack.layers[PARCELS].accuracy_ft if PARCELS in stack.layers else 0.0
    return {
        layer.id: _put_in(site, layer, (flagged, vouched), (work_accuracy_ft, parcels_ft)) for layer in planning
    }


def _planning_grade(layer: IndexedLayer) -> bool:
    return not all(ref.complete for ref in layer.refs)


def _put_in(
    site: Site,
    layer: IndexedLayer,
    given: tuple[Sequence[SiteFeature], Sequence[SiteFeature]],
    accuracies_ft: tuple[float, float],
) -> Delineated:
    """Return the layer with what was flagged put in; where somebody vouches for it, instead of the map."""
    (flagged, vouched), (work_accuracy_ft, parcels_ft) = given, accuracies_ft
    areas, lines = _areas_and_lines(flagged)
    lots = [lot for lot in site.lots if any(_lies_on(f.geometry, lot) for f in vouched)]
    ground = _overridden(site, lots, keep_under_work=bool(lines))
    mapped = [IndexedFrame(_without(f.frame, ground)) for f in layer.frames] if lots else list(layer.frames)
    own = [
        IndexedFrame(_frame(layer, kind, features, work_accuracy_ft))
        for kind, features in (("polygon", areas), ("line", lines))
        if features
    ]
    covered = united([layer.coverage.geometry, *(lot.ground.geometry for lot in lots)])
    coverage = Ground(covered) if lots else layer.coverage
    made = layer_of(layer.id, (*own, *mapped), coverage, layer.themes)
    return Delineated(
        made,
        _words(flagged, lots) + (DRY_SIDE if lines and lots else ""),
        whole=bool(lots) and len(lots) == len(site.lots) and _hold_the_work(lots, site.work, parcels_ft),
    )


def _hold_the_work(lots: Sequence[LotGround], work: Ground, accuracy_ft: float) -> bool:
    """Say whether the delineated lots hold all the work, as well as their lines are known."""
    ground = united([lot.ground.geometry for lot in lots])
    if shapely.covers(ground, work.geometry):
        return True
    beyond = shapely.difference(work.geometry, shapely.buffer(ground, m_from_ft(accuracy_ft)))
    return sqft_from_sqm(float(beyond.area)) < SLIVER_SQFT


def _areas_and_lines(
    flagged: Sequence[SiteFeature],
) -> tuple[list[tuple[SiteFeature, BaseGeometry]], list[tuple[SiteFeature, BaseGeometry]]]:
    areas: list[tuple[SiteFeature, BaseGeometry]] = []
    lines: list[tuple[SiteFeature, BaseGeometry]] = []
    for feature in flagged:
        if shapely.get_dimensions(feature.geometry) == 2:
            areas.append((feature, feature.geometry))
            continue
        for line in shapely.get_parts(shapely.line_merge(feature.geometry)):
            closed = line.is_closed and line.is_simple
            (areas if closed else lines).append((feature, shapely.Polygon(line) if closed else line))
    return areas, lines


def _overridden(site: Site, lots: Sequence[LotGround], *, keep_under_work: bool) -> BaseGeometry:
    ground = united([lot.ground.geometry for lot in lots])
    return shapely.difference(ground, site.work.geometry) if keep_under_work else ground


def _without(frame: LayerFrame, ground: BaseGeometry) -> LayerFrame:
    """Return an edition without what it shows on some ground. Rings are left out: they would be the old ones."""
    return replace(frame, pieces=_less(frame.pieces, ground), edges=_less(frame.edges, ground), zones={})


def _less(pieces: Pieces, ground: BaseGeometry) -> Pieces:
    met = shapely.STRtree(pieces.geometry).query(ground)
    geometry = pieces.geometry.copy()
    geometry[met] = shapely.difference(geometry[met], ground)
    keep = ~shapely.is_empty(geometry)
    return Pieces(geometry[keep], pieces.parent[keep])


def _frame(
    layer: IndexedLayer, kind: str, features: Sequence[tuple[SiteFeature, BaseGeometry]], accuracy_ft: float
) -> LayerFrame:
    known: Kind = "polygon" if kind == "polygon" else "line"
    geometry: Geometries = np.array([shape for _, shape in features], dtype=object)
    prepared = prepare(geometry, known)
    first = layer.refs[0]
    ref = EditionRef(
        layer_id=layer.id,
        part="delineation",
        edition=_name(features[0][0]),
        title=f"Delineation given with the work, instead of {first.title}",
        sha256=first.sha256,
        accuracy_ft=accuracy_ft,
        complete=True,
    )
    return LayerFrame(
        ref=ref,
        kind=known,
        ids=np.array([f.id for f, _ in features], dtype=object),
        labels=np.array([f"delineation {_name(f)}" for f, _ in features], dtype=object),
        accuracy_ft=np.full(len(features), accuracy_ft),
        attributes={},
        geometry=geometry,
        pieces=prepared.pieces,
        edges=prepared.edges,
        coverage=layer.coverage.geometry,
    )


def _said(feature: SiteFeature) -> list[str]:
    return [str(feature.attributes[key]) for key in ("by", "on", "orad") if feature.attributes.get(key)]


def _to_come(feature: SiteFeature, on: date) -> bool:
    """Say whether a delineation is of a day after the one asked for; a day that cannot be read is none."""
    try:
        return date.fromisoformat(str(feature.attributes.get("on") or "")[: len("2026-01-01")]) > on
    except ValueError:
        return False


def _lies_on(geometry: BaseGeometry, lot: LotGround) -> bool:
    """Say whether a delineated area or line shares more with a lot than the noise along its line."""
    if not geometry.intersects(lot.ground.geometry):
        return False
    shared = shapely.intersection(geometry, lot.ground.geometry)
    if shapely.get_dimensions(geometry) == 1:
        return bool(shared.length > SLIVER_WIDTH_FT * FOOT_M and not geometry.touches(lot.ground.geometry))
    return not is_sliver([shared], [shared.area])


def _name(feature: SiteFeature) -> str:
    return ", ".join(_said(feature)) or f"feature {feature.id}, by whom and when not said"


def _words(flagged: Sequence[SiteFeature], lots: Sequence[LotGround]) -> str:
    who = "; ".join(dict.fromkeys(_name(f) for f in flagged))
    where = (
        ", ".join(lot.loc_id for lot in lots)
        or "no lot under the work that it could be taken for, so the map stands"
    )
    return f"{who}; on {where}"

"""The use case of drawing what lies around a kept screening: mapped shapes and distance rings, for a map alone.

Nothing is measured here. What cannot be drawn is named with its reason, for a blank on a map reads as "nothing".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import shapely
from shapely.geometry.base import BaseGeometry

from app.reports.drawing import Shape, unpack
from app.reports.geojson import Feature, feature_collection
from app.schemas.screening import FindingTold, Screening
from app.service import Service
from layers.snapshot import Snapshot
from layers.surroundings import AROUND_FT, beyond, frame_around, rings_in, shapes_in, thinned
from spatial.index import IndexedFrame
from spatial.model import Area, Theme
from spatial.units import SQFT_PER_ACRE, sqft_from_sqm

NOTE = (
    f"A picture, cut {AROUND_FT:,.0f} ft around the work. Distances and areas come from the answer and are never "
    "measured from these shapes. Watersheds and rasters are told in numbers and have no shape here."
)
MANY_CORNERS, MOST_CORNERS = 20_000, 60_000
"""Of all shapes of one finding: with more than the first they are thinned, with more than the last, even so, a map
stands still."""
THINNED_FT = 1.0
"""About how far a thinned outline may lie off; less than any map here is good to."""
MOST_ACRES = 3_000.0
"""Of the ground in the frame; more would take many seconds to draw for whoever asks."""
UNASKED = frozenset({"no_data", "not_checked"})


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What is drawn of one finding, or why nothing is; ``theme`` and ``editions`` are those it was measured on."""

    finding: FindingTold
    theme: Theme | None
    editions: tuple[IndexedFrame, ...]
    why_not: str | None
    drawn_to_ft: float | None = None


def surroundings(service: Service, screening_id: str) -> str:
    """Return mapped shapes and rings around the work of a kept screening as GeoJSON text (EPSG:4326).

    ``properties.what`` tells a shape (``resource``) from ground between two distances (``ring``), from ground that
    the map of a finding does not cover (``beyond``) and from the edge of the picture (``frame``). ``findings``
    beside the features has a row for each finding: whether it is drawn, else ``why_not``; ``drawn_to_ft`` where
    outlines had to be thinned.

    Raises
    ------
    NotFound
        There is no such screening.
    """
    told = Screening.model_validate_json(service.screenings.body(screening_id))
    frame = frame_around(_work(unpack(service.screenings.drawing(screening_id))))
    grounds = [_drawable(_ground(service.library.snapshot(), told, one), frame) for one in told.findings]
    shown = [(ground, features) for ground, features in grounds if ground.theme or ground.why_not]
    edge = Feature("frame", frame, {"what": "frame", "around_ft": AROUND_FT})
    features = chain([edge], *(features for _, features in shown))
    rows = [_row(ground, features) for ground, features in shown]
    collection = feature_collection(features, screening=told.id, note=NOTE, findings=rows)
    return json.dumps(collection, ensure_ascii=False, allow_nan=False)


def _work(shapes: Sequence[Shape]) -> Iterator[BaseGeometry]:
    return (shape.geometry for shape in shapes if shape.what == "disturbance")


def _ground(snapshot: Snapshot, told: Screening, finding: FindingTold) -> Ground:
    """Return the open editions of a finding, or why it is not drawn; neither for what has no shape."""
    if finding.status in UNASKED:
        return Ground(finding, None, (), finding.why)
    layer = snapshot.stack.layers.get(finding.layer.id)
    theme = next((one for one in layer.themes if one.theme == finding.theme), None) if layer else None
    if snapshot.status(finding.layer.id).spec.kind == "raster" or (theme and theme.share):
        return Ground(finding, None, (), None)
    if finding.delineation:
        return Ground(finding, None, (), "It was measured from the delineation, which is drawn with the work.")
    used = {(one.part, one.edition, one.sha256) for one in told.editions if one.layer == finding.layer.id}
    found = {_name(one): one for one in layer.frames if _name(one) in used} if layer else {}
    if theme is None or set(found) != used:
        return Ground(finding, None, (), "The map has changed since this was answered; screen again to see it.")
    return Ground(finding, theme, tuple(found.values()), None)


def _name(indexed: IndexedFrame) -> tuple[str, str, str]:
    ref = indexed.frame.ref
    return ref.part, ref.edition, ref.sha256


def _drawable(ground: Ground, frame: Area) -> tuple[Ground, list[Feature]]:
    """Return what is drawn of a finding; what a map could not carry is named instead."""
    if ground.theme and sqft_from_sqm(frame.area) > MOST_ACRES * SQFT_PER_ACRE:
        return Ground(ground.finding, None, (), "The ground around the work is too large to be drawn at once."), []
    features = list(_features(ground, frame))
    if _corners(features) <= MANY_CORNERS:
        return ground, features
    lighter = [replace(one, geometry=thinned(one.geometry, THINNED_FT)) for one in features]
    if _corners(lighter) <= MOST_CORNERS:
        return replace(ground, drawn_to_ft=THINNED_FT), lighter
    why = "Its shapes here have more corners than a map can draw at once."
    return Ground(ground.finding, None, (), why), []


def _corners(features: Sequence[Feature]) -> int:
    return sum(int(shapely.get_num_coordinates(one.geometry)) for one in features)


def _features(ground: Ground, frame: Area) -> Iterator[Feature]:
    finding, theme = ground.finding, ground.theme
    if theme is None:
        return
    own = {"theme": finding.theme, "layer": finding.layer.id, "title": finding.title}
    key = f"{finding.layer.id}/{finding.theme}"
    uncovered = beyond(ground.editions, frame)
    if not uncovered.is_empty:
        yield Feature(f"{key}/beyond", uncovered, {"what": "beyond", **own})
    for ring in reversed(rings_in(ground.editions, theme, frame)):
        limits = {"from_ft": ring.from_ft, "to_ft": ring.to_ft}
        yield Feature(f"{key}/{ring.to_ft:g}", ring.geometry, {"what": "ring", **own, **limits})
    for one in chain.from_iterable(shapes_in(edition, theme, frame) for edition in ground.editions):
        said = {"id": one.id, "label": one.label, "cut_to_map": one.cut}
        yield Feature(f"{key}/{one.id}", one.geometry, {"what": "resource", **own, **said})


def _row(ground: Ground, features: Sequence[Feature]) -> dict[str, object]:
    finding, kinds = ground.finding, [one.properties["what"] for one in features]
    return {
        "theme": finding.theme,
        "layer": finding.layer.id,
        "title": finding.title,
        "status": finding.status,
        "drawn": ground.why_not is None,
        "why_not": ground.why_not,
        "drawn_to_ft": ground.drawn_to_ft,
        "shapes": kinds.count("resource"),
        "bands_ft": [one.properties["to_ft"] for one in reversed(features) if one.properties["what"] == "ring"],
        "beyond": "beyond" in kinds,
    }

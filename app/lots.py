"""The use case of setbacks: a lot and what is said of it become classed lines, yards and an envelope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from shapely import LineString
from shapely.errors import ShapelyError
from shapely.geometry import shape

from app.notices.ground import fabric_of, surroundings_of
from app.reading import Upload
from app.service import Service
from layers.library import Snapshot
from layers.zoning import load_zoning
from spatial.crs import DISPLAY_CRS, reproject
from spatial.errors import GeometryRefused, ParameterRefused
from spatial.model import Area, Geometries, Note, Parcel, Town
from spatial.setbacks import lay_out
from spatial.setbacks.districts import DistrictShare, districts_under
from spatial.setbacks.lot_lines import classify
from spatial.setbacks.lot_model import Depths, Override, Setbacks, Stretch
from spatial.setbacks.no_disturb import Width, no_disturb
from spatial.setbacks.street_faces import faces

DRAWN_ACCURACY_FT = 1.0
"""How well the lines of a lot are taken to be known that somebody drew and sent."""
MOST_VERTICES = 3_000
"""A lot drawn by hand or surveyed has a few hundred; more is a coastline, or a try to keep the service busy."""
UNKNOWN_DEPTHS = Depths(None, None, None)


@dataclass(frozen=True, slots=True, eq=False)
class LotQuestion:
    """Which lot (a parcel, or a drawing), and what is said of it. ``depths`` stand instead of the district's."""

    parcel: str | None = None
    lot: Upload | None = None
    crs: str | None = None
    town: str | None = None
    district: str | None = None
    depths: Depths | None = None
    overrides: tuple[Override, ...] = ()
    no_disturb: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LotAnswer:
    """The lot laid out, and on what that rests. ``notes`` are sentences for the reader."""

    setbacks: Setbacks
    parcel: Parcel | None
    town: Town | None
    accuracy_ft: float
    needs: tuple[str, ...]
    notes: tuple[str, ...]
    lies_in: Town | None = None
    """The town the lot lies in by the parcels or the town map, whichever was asked for; None when neither says."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lot:
    area: Area
    parcel: Parcel | None
    accuracy_ft: float
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class _Yards:
    """The depths to use, what is wanting to know them, and what was found on the way."""

    depths: Depths
    needs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def lay(service: Service, question: LotQuestion) -> LotAnswer:
    """Answer where the yards of a lot lie.

    Raises
    ------
    MetesError
        The lot, the town, the district or an override cannot be used.
    """
    snapshot = service.library.snapshot()
    lot = _lot(service, snapshot, question)
    ground = _town_of_ground(snapshot, lot)
    town = snapshot.towns.find(question.town) if question.town else ground
    yards = _yards(snapshot, lot.area, town, question)
    roads = surroundings_of(snapshot, None).roads
    stretches, beside = _stretches(snapshot, lot.area, roads)
    lines = classify(lot.area, stretches, overrides=question.overrides, corner=yards.depths.corner)
    widths, unseen = _widths(snapshot, town) if question.no_disturb else ((), ())
    setbacks = lay_out(lot.area, lines, yards.depths, roads=roads, no_disturb=no_disturb(lot.area, widths))
    told = [n.message for n in lot.notes]
    return LotAnswer(
        setbacks=setbacks,
        parcel=lot.parcel,
        town=town,
        accuracy_ft=lot.accuracy_ft,
        needs=tuple(dict.fromkeys((*yards.needs, *beside, *setbacks.needs))),
        notes=tuple(dict.fromkeys((*elsewhere(town, ground), *told, *yards.notes, *unseen, *setbacks.notes))),
        lies_in=ground,
    )


def check_district(snapshot: Snapshot, town: Town | None, district: str | None) -> None:
    """Refuse a district that its town does not have; where no table of its districts is held, nobody can tell.

    Raises
    ------
    ParameterRefused
        ``bad_parameter``, with the districts there are.
    """
    if town is None or not district:
        return
    zoning, entries = load_zoning(), snapshot.law.towns.get(town.slug)
    if zoning.holds(town.slug, entries):
        zoning.depths(town.slug, district, entries)


def overrides_of(edge: str | dict[str, Any], number: int) -> str | LineString:
    """Return the edge an override means: an id, or a GeoJSON LineString (EPSG:4326) put into EPSG:26986.

    Raises
    ------
    GeometryRefused
        It is drawn as anything but a line.
    """
    if isinstance(edge, str):
        return edge
    refused = GeometryRefused(
        f"Override {number} is drawn as something other than a GeoJSON LineString of two points or more; draw the "
        "edge it means from end to end.",
        code="unsupported_geometry",
        feature=f"override {number}",
    )
    try:
        line = shape(edge.get("geometry") or edge)
    except (AttributeError, KeyError, TypeError, ValueError, ShapelyError) as error:
        raise refused from error
    if not isinstance(line, LineString) or line.is_empty or not np.isfinite(line.bounds).all():
        raise refused
    moved = reproject(line, DISPLAY_CRS)
    return LineString(moved.coords)


def _lot(service: Service, snapshot: Snapshot, question: LotQuestion) -> _Lot:
    if (question.parcel is None) == (question.lot is None):
        raise ParameterRefused(
            "Say which lot: either parcel with its LOC_ID, or lot with its polygon, and not both."
        )
    if question.parcel is not None:
        parcel = snapshot.parcels.get(question.parcel)
        accuracy = max((f.ref.accuracy_ft for f in snapshot.frame("parcels")), default=DRAWN_ACCURACY_FT)
        return _Lot(parcel.geometry, parcel, accuracy)
    assert question.lot is not None  # noqa: S101 (one of the two, by the test above)
    submission = service.understand(question.lot, crs=question.crs).submission
    vertices = shapely.get_num_coordinates(submission.area)
    if vertices > MOST_VERTICES:
        raise GeometryRefused(
            f"The lot has {vertices:,} vertices; at most {MOST_VERTICES:,} are taken: simplify its lines to 1 ft.",
            code="too_complex",
        )
    return _Lot(submission.area, None, DRAWN_ACCURACY_FT, submission.notes)


def elsewhere(town: Town | None, ground: Town | None) -> tuple[str, ...]:
    """Return that the yards are read onto another town's ground; empty where they are its own, or nobody knows."""
    if town is None or ground is None or town.id == ground.id:
        return ()
    return (
        f"The lot lies in {ground.name}, not in {town.name}: the rules of {town.name} are shown as if it lay "
        f"there, because that town was asked for; in {ground.name} they bind nobody.",
    )


def _town_of_ground(snapshot: Snapshot, lot: _Lot) -> Town | None:
    """Return the parcel's own town, or the one the lot lies in; None when nobody knows."""
    if lot.parcel is not None and lot.parcel.town_id is not None:
        return snapshot.towns.by_id.get(lot.parcel.town_id)
    inside = lot.area.representative_point()
    outlines = surroundings_of(snapshot, None).towns or ()
    return next((snapshot.towns.by_id.get(t.id) for t in outlines if t.geometry.covers(inside)), None)


def _yards(snapshot: Snapshot, lot: Area, town: Town | None, question: LotQuestion) -> _Yards:
    """Return the depths given, or those of the district given, or those of the district the zoning map shows."""
    if question.depths is not None:
        check_district(snapshot, town, question.district)
        return _given(snapshot, lot, question.depths)
    if town is None:
        return _Yards(
            UNKNOWN_DEPTHS, ("town",), ("The town of this lot is not known; name it, or send the yards.",)
        )
    entries = snapshot.law.towns.get(town.slug)
    if question.district:
        return _Yards(load_zoning().depths(town.slug, question.district, entries))
    shares = districts_under(lot, snapshot.frame("zoning"))
    if len(shares) != 1:
        return _Yards(UNKNOWN_DEPTHS, ("district",), (_which_district(shares),))
    try:
        depths = load_zoning().depths(town.slug, shares[0].code, entries)
    except ParameterRefused as unknown:
        return _Yards(UNKNOWN_DEPTHS, ("setbacks",), (unknown.detail,))
    note = f"The zoning map shows the district {shares[0].code} here; the town's own map rules."
    return _Yards(replace(depths, notes=(*depths.notes, note)))


def _given(snapshot: Snapshot, lot: Area, depths: Depths) -> _Yards:
    """Return the depths given, in the district that was named or else in the one the zoning map shows."""
    shares = () if depths.district else districts_under(lot, snapshot.frame("zoning"))
    if len(shares) != 1:
        return _Yards(depths, notes=(_which_district(shares),) if shares else ())
    stand = "the depths given with the question stand instead of that district's own"
    note = f"The zoning map shows the district {shares[0].code} here; {stand}."
    return _Yards(replace(depths, district=shares[0].code), notes=(note,))


def _which_district(shares: Sequence[DistrictShare]) -> str:
    if not shares:
        return "No zoning map loaded here shows the district of this lot; name it."
    told = ", ".join(f"{s.code} ({s.percent:.0f} %)" for s in shares)
    return f"The zoning map shows several districts on this lot: {told}; name the one that rules."


def _stretches(
    snapshot: Snapshot, lot: Area, roads: Geometries | None
) -> tuple[tuple[Stretch, ...], tuple[str, ...]]:
    """Return what lies beside the lot, and what is wanting to tell."""
    if not snapshot.frame("parcels"):
        return (), ("parcels",)
    return faces(lot, fabric_of(snapshot), roads=roads), ()


def _widths(snapshot: Snapshot, town: Town | None) -> tuple[tuple[Width, ...], tuple[str, ...]]:
    """Return the town's no-disturb widths with the layers loaded for them, and a sentence for each that is not."""
    rules = load_zoning().no_disturb(town.slug, snapshot.law.towns.get(town.slug)) if town else ()
    if not rules:
        return (), ("No no-disturb widths are held for this town; ask its Conservation Commission.",)
    widths = [
        Width(r.name, r.width_ft, r.citation, [f for layer in r.layers for f in snapshot.frame(layer)])
        for r in rules
    ]
    gone = [layer for r in rules for layer in r.layers if not snapshot.frame(layer)]
    unseen = [f"The layer {layer} is not loaded, so the no-disturb zone beside it is not shown." for layer in gone]
    maps = "Maps of wetlands and pools miss some that the law protects; a delineation decides."
    return tuple(widths), (*unseen, maps)

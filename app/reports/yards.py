"""Report: a lot's lines, yards and envelope, as data, as shapes and for a person at a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import RenderableType

from app.lots import LotAnswer
from app.reports.geojson import Feature, Json, feature_collection
from app.reports.page import bullets, entry, heading, pairs, paragraph, render
from app.reports.wants import wanted
from app.reports.words import area, counted, quantity
from app.schemas.setbacks import (
    DepthsTold,
    EdgeTold,
    EnvelopeTold,
    LotTold,
    NoDisturbTold,
    OverrideTold,
    SetbacksTold,
    YardTold,
)
from spatial.setbacks import envelope_parts
from spatial.setbacks.lot_model import LotLine, Override
from spatial.units import sqft_from_sqm


def setbacks_told(answer: LotAnswer) -> SetbacksTold:
    """Return a laid-out lot as ``/v1/setbacks`` says it."""
    laid = answer.setbacks
    depths = laid.depths
    return SetbacksTold(
        status="needs_input" if answer.needs else "ok",
        lot=lot_told(answer),
        town=answer.town.name if answer.town else None,
        district=depths.district,
        depths=DepthsTold(
            front_ft=depths.front_ft,
            side_ft=depths.side_ft,
            rear_ft=depths.rear_ft,
            centerline_ft=depths.centerline_ft,
            exterior_side_ft=depths.exterior_side_ft,
        ),
        citation=depths.citation,
        edges=[_edge(line) for line in laid.lines],
        yards=[YardTold(yard=y.name, depth_ft=y.depth_ft, area_sqft=y.area_sqft) for y in laid.yards],
        no_disturb=[
            NoDisturbTold(
                name=z.zone.name, width_ft=z.zone.width_ft, area_sqft=z.area_sqft, citation=z.zone.citation
            )
            for z in laid.no_disturb
        ],
        envelope=_envelope(answer),
        needs=list(answer.needs),
        notes=list(answer.notes),
        geojson=feature_collection(lot_features(answer)),
    )


def lot_told(answer: LotAnswer) -> LotTold:
    """Return the lot in words."""
    return LotTold(
        area_sqft=sqft_from_sqm(answer.setbacks.lot.area),
        loc_id=answer.parcel.loc_id if answer.parcel else None,
        accuracy_ft=answer.accuracy_ft,
    )


def _edge(line: LotLine) -> EdgeTold:
    return EdgeTold(
        id=line.id,
        line_class=line.line_class,
        why=line.why,
        length_ft=line.length_ft,
        overridden=line.override is not None,
        candidates=list(line.candidates),
        found=line.found,
        override=_override(line.override) if line.override else None,
    )


def _override(override: Override) -> OverrideTold:
    return OverrideTold(line_class=override.line_class, why=override.why, who=override.who)


def _envelope(answer: LotAnswer) -> EnvelopeTold | None:
    envelope = answer.setbacks.envelope
    if envelope is None:
        return None
    return EnvelopeTold(area_sqft=sqft_from_sqm(envelope.area), parts=envelope_parts(envelope))


def lot_features(answer: LotAnswer) -> Iterator[Feature]:
    """Yield everything drawn of a lot; ``what`` tells lot, edge, yard, no_disturb, envelope and street apart."""
    laid = answer.setbacks
    yield Feature("lot", laid.lot, {"what": "lot", **lot_told(answer).model_dump(exclude_none=True)})
    for yard in laid.yards:
        told = YardTold(yard=yard.name, depth_ft=yard.depth_ft, area_sqft=yard.area_sqft)
        yield Feature(f"yard/{yard.name}/{yard.depth_ft:g}", yard.area, {"what": "yard", **told.model_dump()})
    for number, taken in enumerate(laid.no_disturb, start=1):
        said = {"what": "no_disturb", "name": taken.zone.name, "citation": taken.zone.citation}
        yield Feature(f"no_disturb/{number}", taken.area, said)
    if laid.envelope is not None:
        yield Feature("envelope", laid.envelope, {"what": "envelope"})
    for line in laid.lines:
        yield Feature(f"edge/{line.id}", line.line, {"what": "edge", **_edge(line).model_dump(by_alias=True)})
    for number, street in enumerate(laid.centrelines, start=1):
        yield Feature(f"centerline/{number}", street, {"what": "street_centerline"})


def setbacks_geojson(answer: LotAnswer) -> str:
    """Return everything drawn of a lot as GeoJSON text (EPSG:4326)."""
    collection: Json = feature_collection(lot_features(answer))
    return json.dumps(collection, ensure_ascii=False, allow_nan=False)


def setbacks_table(answer: LotAnswer, *, width: int | None = None, colour: bool = False) -> str:
    """Return a laid-out lot for a person: lines with their reasons, yards, what is left, what is wanting."""
    return render(setbacks_page(answer), width=width, colour=colour)


def setbacks_page(answer: LotAnswer) -> Iterator[RenderableType]:
    """Yield the page of a laid-out lot."""
    laid = answer.setbacks
    named = answer.parcel.loc_id if answer.parcel else "the lot sent"
    yield entry(f"Setbacks of {named}: {_where(answer)}, district {laid.depths.district or 'not known'}")
    yield paragraph(f"{area(sqft_from_sqm(laid.lot.area))}; lines known to {quantity(answer.accuracy_ft, 'ft')}.")
    yield heading("Lot lines")
    for line in laid.lines:
        found = f" (found: {line.found})" if line.override else ""
        title = f"{line.id}  {line.line_class.replace('_', ' ')}, {quantity(line.length_ft, 'ft')}{found}"
        yield entry(title, line.why)
    yield heading("Yards")
    yield pairs((y.name, f"{quantity(y.depth_ft, 'ft')} deep, {area(y.area_sqft)}") for y in laid.yards)
    yield pairs((z.zone.name, f"{area(z.area_sqft)} ({z.zone.citation})") for z in laid.no_disturb)
    yield pairs([("left to build on", _left(answer)), ("by", laid.depths.citation or "")])
    if answer.needs:
        yield heading("Needs an answer")
        yield from bullets(wanted(answer.needs))
    yield heading("Notes")
    for note in answer.notes:
        yield paragraph(note)


def _where(answer: LotAnswer) -> str:
    """Return the town; rules read onto another town's ground are named as such."""
    town, ground = answer.town, answer.lies_in
    if town is None:
        return "town not known"
    if ground is None or ground.id == town.id:
        return town.name
    return f"{ground.name}, by the rules of {town.name} as asked"


def _left(answer: LotAnswer) -> str:
    envelope = answer.setbacks.envelope
    if envelope is None:
        return "not known: a depth is wanting"
    return f"{area(sqft_from_sqm(envelope.area))} in {counted(envelope_parts(envelope), 'part')}"

"""From what was sent about a lot to the question of the use case."""

from __future__ import annotations

import json
from typing import Any

from app.lots import LotQuestion, overrides_of
from app.reading import Upload
from app.schemas.setbacks import GivenSetbacks, LotAsked
from spatial.setbacks.lot_model import Depths, Override

GIVEN = "given with the question, without a source"


def lot_question(asked: LotAsked, lot: Upload | None = None) -> LotQuestion:
    """Return the question about a lot sent as JSON; ``lot`` is the file of a form, which stands before it."""
    return LotQuestion(
        parcel=asked.parcel,
        lot=lot or (drawn("lot", asked.lot) if asked.lot is not None else None),
        crs=asked.crs,
        town=asked.town,
        district=asked.district,
        depths=depths_of(asked.setbacks, asked.district) if asked.setbacks else None,
        overrides=tuple(
            Override(overrides_of(o.edge, number), o.line_class, o.why, o.who)
            for number, o in enumerate(asked.overrides, start=1)
        ),
        no_disturb=asked.no_disturb,
    )


def depths_of(given: GivenSetbacks, district: str | None = None) -> Depths:
    """Return yards as somebody gave them."""
    return Depths(
        front_ft=given.front_ft,
        side_ft=given.side_ft,
        rear_ft=given.rear_ft,
        centerline_ft=given.centerline_ft,
        exterior_side_ft=given.exterior_side_ft,
        district=district,
        citation=GIVEN,
    )


def drawn(name: str, shapes: dict[str, Any]) -> Upload:
    """Return shapes that came inside a JSON body as an upload, to be read like any other file."""
    return Upload(name, ((f"{name}.geojson", json.dumps(shapes).encode()),))

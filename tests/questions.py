"""Whole questions asked of lots drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence

import shapely
from shapes import ON, box, frame, theme

from spatial.facts import Facts
from spatial.index import LayerStack
from spatial.model import LayerFrame, SiteFeature, Submission, Town
from spatial.question import Question

DOVER = Town(78, "dover", "Dover", ("dover-159",))
LYNNFIELD = Town(164, "lynnfield", "Lynnfield", ("lynnfield-320",))
NATICK = Town(198, "natick", "Natick")
TOWNS = {town.id: town for town in (DOVER, LYNNFIELD, NATICK)}
LOTS = {"A": box(0, 0, 200, 200), "B": box(200, 0, 400, 200), "WAY": box(0, 200, 400, 250)}
WETLAND_THEMES = (
    theme("wetlands"),
    theme("buffer_zone", "wetlands", within_ft=100, bands_ft=(50.0, 100.0)),
)


def parcels(
    lots: dict[str, shapely.Geometry] = LOTS, towns: Sequence[int | None] = (78, 78, 78), **ref: object
) -> LayerFrame:
    return frame(
        "parcels",
        list(lots.values()),
        ids=list(lots),
        attributes={
            "town_id": towns,
            "poly_type": ["ROW" if name == "WAY" else "FEE" for name in lots],
            "lot_size_sqft": [39_000.0] * len(lots),
            "site_address": [f"{n} MAIN ST" for n in range(len(lots))],
        },
        **{"accuracy_ft": [5.0] * len(lots), **ref},  # type: ignore[arg-type]
    )


def question(
    work: Submission, loc_ids: tuple[str, ...] = (), town: Town | None = None, **facts: object
) -> Question:
    return Question(work, loc_ids, town, Facts(facts), ON, TOWNS)  # type: ignore[arg-type]


def stack(*frames: LayerFrame) -> LayerStack:
    themes = tuple(theme(f.ref.layer_id) for f in frames if f.ref.layer_id not in {"parcels", "towns"})
    return LayerStack.build(frames, themes, {})


def named(activity: str | None, shape: shapely.Geometry, **attributes: object) -> SiteFeature:
    return SiteFeature(f"{activity}-{shape.bounds[0]:.0f}", shape, attributes, activity=activity)  # type: ignore[arg-type]

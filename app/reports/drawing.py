"""The shapes of an answer, kept beside it: what was drawn, so that a map of it can be had after a restart.

Everything is in EPSG:26986 (metres); a report that wants another system transforms it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import shapely
from shapely.geometry.base import BaseGeometry

from spatial.model import Parcel, Scalar, Submission

What = Literal["disturbance", "delineation", "tree", "mitigation", "parcel", "hit"]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One shape of the answer. ``properties`` are the applicant's own attributes, or the parcel's address."""

    what: What
    id: str
    geometry: BaseGeometry
    properties: dict[str, Scalar]


def drawn(submission: Submission, parcels: Iterable[Parcel]) -> tuple[Shape, ...]:
    """Return the shapes of a submission and of the parcels it was screened on."""
    lots = (Shape("parcel", lot.loc_id, lot.geometry, {"site_address": lot.site_address}) for lot in parcels)
    work = (
        Shape(f.role, f.id, f.geometry, {**dict(f.attributes), "activity": f.activity}) for f in submission.features
    )
    return (*lots, *work)


def pack(shapes: Sequence[Shape]) -> str:
    """Return shapes as JSON text (geometry as WKB in hexadecimal)."""
    rows = [
        {"what": s.what, "id": s.id, "wkb": shapely.to_wkb(s.geometry, hex=True), "properties": s.properties}
        for s in shapes
    ]
    return json.dumps(rows)


def unpack(text: str) -> tuple[Shape, ...]:
    """Return the shapes of a text made by ``pack``."""
    return tuple(
        Shape(row["what"], row["id"], shapely.from_wkb(row["wkb"]), row["properties"]) for row in json.loads(text)
    )

"""What ``/v1/layers`` says: which layers there are, which editions they rest on, and what was loaded."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

PARCELS_EXAMPLE: JsonDict = {
    "id": "parcels",
    "title": "MassGIS Level 3 assessors' parcels",
    "themes": [],
    "state": "ready",
    "complete": True,
    "accuracy_ft": 5.0,
    "scale": 1200,
    "editions": [],
}


class Edition(BaseModel):
    """One immutable edition of a layer for one part (a town or the state), and how it came to be."""

    layer: str
    part: str = Field(description="The town's slug, or `state`.")
    edition: str
    current: bool = Field(description="Whether answers rest on it now.")
    added: str | None = Field(default=None, description="The day it was added, ISO.")
    source_file: str | None = None
    source_url: str | None = None
    retrieved: str | None = None
    sha256: str | None = None
    crs_in: str | None = None
    count_in: int | None = None
    count_kept: int | None = None
    repaired: int | None = None
    repaired_sqft: float | None = Field(default=None, description="By how much all repairs changed the area.")
    notes: list[str] = []


class Layer(BaseModel):
    """A layer we know of, and whether it can be asked now."""

    model_config = ConfigDict(json_schema_extra={"examples": [PARCELS_EXAMPLE]})

    id: str
    title: str
    themes: list[str] = Field(description="The questions it answers; empty for layers that only support others.")
    state: str = Field(description="`ready`, or why it cannot be asked: `missing`, `failed`, `stale`, `empty`.")
    why: str | None = None
    complete: bool = Field(description="False for maps known to miss things the law protects.")
    accuracy_ft: float
    scale: int | None = None
    about: str | None = None
    editions: list[Edition] = []


class Layers(BaseModel):
    """Every layer of the catalogue."""

    layers: list[Layer]

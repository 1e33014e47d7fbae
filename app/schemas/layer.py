"""What ``/v1/layers`` says: which layers there are, which editions they rest on, and what was loaded."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.schemas.quantities import Amount

PARCELS_EXAMPLE: JsonDict = {
    "id": "parcels",
    "title": "MassGIS Level 3 assessors' parcels",
    "kind": "polygon",
    "themes": [],
    "publisher": "the town's assessors, MassGIS",
    "state": "ready",
    "complete": True,
    "accuracy_ft": 5.0,
    "scale": 1200,
    "editions": [],
}


class Cells(BaseModel):
    """The cells of a raster edition."""

    width: int
    height: int
    cell_ft: float = Field(description="Side of a cell, US survey feet.")
    least: float = Field(description="Smallest value held.")
    most: float
    classes: list[int] = Field(description="Values that count; empty where cells hold heights.")
    values: dict[str, int] = Field(description="How many cells hold each value, of a raster of classes.")
    unit: str | None = Field(description="Of heights.")


class Edition(BaseModel):
    """One immutable edition of a layer for one part (a town or the state), and how it came to be."""

    part: str = Field(description="The town's slug, or `state`.")
    edition: str
    current: bool = Field(description="Whether answers rest on it now.")
    withdrawn: bool = Field(
        default=False, description="It was in force when its part was taken out of force; nothing of the part is."
    )
    title: str
    source_file: str
    source_url: str | None
    driver: str
    source_layer: str
    sha256: str = Field(description="Of the bytes of the file as it came.")
    retrieved: str
    published: str | None
    licence: str
    crs_in: str
    crs_source: str
    count_in: int
    count_kept: int = Field(description="After stacked copies were merged.")
    merged: int
    dropped: dict[str, int] = Field(description="Why features were not kept, and how many.")
    repaired: int = Field(description="Features whose shape was mended.")
    repaired_sqft: float = Field(description="By how much all repairs changed the area, signed.")
    covers: str = Field(description="How the ground answered for was decided.")
    covers_acres: float
    scale: int | None
    accuracy_ft: float
    complete: bool
    invented: bool
    remarks: list[str]
    cells: Cells | None = Field(default=None, description="Of a raster; its counts are of cells.")
    coverage: dict[str, Any] | None = Field(
        default=None, description="GeoJSON of the ground answered for; only where one layer is asked for."
    )


class WithdrawnPart(BaseModel):
    """A part taken out of force, and the edition that was in force; kept answers still name it."""

    part: str
    edition: str = Field(description="Empty when it cannot be told.")


class Source(BaseModel):
    """Where the agency offers the layer; `verified` False: the address or its fields were not seen to work."""

    kind: str = Field(description="`arcgis` (a feature service) or `zip` (a file).")
    url: str
    verified: bool
    beside: bool = Field(description="Fetched beside the others, not instead of them.")
    note: str | None = None


class Sorted(BaseModel):
    """Features of one sort of change: all counted, the first hundred named."""

    count: int
    ids: list[str]


class ClassChange(BaseModel):
    """How much of a class there was and is."""

    name: str
    before: Amount
    after: Amount


class Change(BaseModel):
    """An edition against the one before it in the same part; of rasters, cells are counted."""

    part: str
    before: str
    after: str
    comparable: bool
    why: str | None = Field(description="Why the two cannot be compared.")
    added: Sorted
    gone: Sorted
    changed: Sorted = Field(description="The same feature with another shape (`redrawn`) or value (`reworded`).")
    redrawn: int
    reworded: int
    same: int
    unit: str = Field(description="Of `classes`: `sqft`, `ft`, `features` or `cells`.")
    classes: list[ClassChange]


class Layer(BaseModel):
    """A layer we know of, and whether it can be asked now."""

    model_config = ConfigDict(json_schema_extra={"examples": [PARCELS_EXAMPLE]})

    id: str
    title: str
    kind: str = Field(description="`polygon`, `line`, `point` or `raster`.")
    themes: list[str] = Field(description="The questions it answers; empty for layers that only support others.")
    state: str = Field(description="`ready`, or why it cannot be asked: `missing`, `failed`, `stale`, `empty`.")
    why: str | None = None
    complete: bool = Field(description="False for maps known to miss things the law protects.")
    accuracy_ft: float
    scale: int | None = None
    publisher: str
    about: str | None = None
    sources: list[Source] = []
    editions: list[Edition] = Field(default=[], description="Those in force; all of them under `/editions`.")
    withdrawn: list[WithdrawnPart] = Field(default=[], description="Parts that were taken out of force.")


class Layers(BaseModel):
    """Every layer of the catalogue."""

    layers: list[Layer]


class Editions(BaseModel):
    """Every edition kept of one layer and what each changed, newest first, and where they may come from."""

    layer: str
    editions: list[Edition]
    changes: list[Change] = []
    sources: list[Source] = []

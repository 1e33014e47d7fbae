"""What ``/v1/setbacks`` is asked and says."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.schemas.quantities import Feet, Sqft
from spatial.setbacks.lot_model import LineClass

EXAMPLE: JsonDict = {
    "parcel": "F_715003_2914708",
    "district": "R-1",
    "overrides": [{"edge": "3", "class": "rear", "why": "deed of 1998", "who": "Building Inspector"}],
}


class Asked(BaseModel):
    """Root of what is sent: nothing unknown in it, texts short."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_max_length=2000)


class GivenSetbacks(Asked):
    """Yards as the asker knows them, feet; one left out is not known, and not zero."""

    front_ft: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    side_ft: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    rear_ft: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    centerline_ft: float | None = Field(
        default=None, ge=0, le=1000, allow_inf_nan=False, description="From the street's centre line, if tested."
    )
    exterior_side_ft: float | None = Field(
        default=None, ge=0, le=1000, allow_inf_nan=False, description="Along a second way; none: as the front."
    )


class OverrideAsked(Asked):
    """A reviewer's word on an edge: its id, or a GeoJSON LineString drawn along the boundary."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_max_length=2000, populate_by_name=True)

    edge: str | dict[str, Any] = Field(description="Id of an edge, or a LineString (EPSG:4326).")
    line_class: LineClass = Field(alias="class")
    why: str = Field(min_length=1)
    who: str = Field(min_length=1)


class LotAsked(Asked):
    """Which lot, in which district, with which yards."""

    parcel: str | None = Field(default=None, max_length=40, description="LOC_ID; or send the lot itself.")
    lot: dict[str, Any] | None = Field(default=None, description="GeoJSON or Esri JSON polygon.")
    crs: str | None = Field(default=None, description="Coordinate system of the lot when it is not EPSG:4326.")
    town: str | None = Field(default=None, description="Slug or TOWN_ID; found from the parcel when left out.")
    district: str | None = Field(default=None, max_length=80, description="Found from the zoning map if left out.")
    setbacks: GivenSetbacks | None = Field(default=None, description="Yards that stand instead of the district's.")
    overrides: tuple[OverrideAsked, ...] = Field(default=(), max_length=200)
    no_disturb: bool = Field(default=False, description="Join in the town's no-disturb zones beside resources.")


class SetbacksAsked(LotAsked):
    """A question about setbacks."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra={"examples": [EXAMPLE]})


class OverrideTold(BaseModel):
    """An override as it was given."""

    line_class: LineClass = Field(serialization_alias="class")
    why: str
    who: str


class EdgeTold(BaseModel):
    """An edge of the lot. ``candidates`` are the classes it may have; ``found`` what it was before an override."""

    id: str
    line_class: LineClass = Field(serialization_alias="class")
    why: str
    length_ft: Feet
    overridden: bool
    candidates: list[LineClass]
    found: LineClass
    override: OverrideTold | None = None


class YardTold(BaseModel):
    """A yard; yards do not overlap, and with the envelope give back the lot."""

    yard: Literal["front", "side", "rear", "unknown"]
    depth_ft: Feet
    area_sqft: Sqft


class NoDisturbTold(BaseModel):
    """Ground beside a resource, without the yards."""

    name: str
    width_ft: Feet
    area_sqft: Sqft
    citation: str


class EnvelopeTold(BaseModel):
    """What is left to build on; 0 parts: nothing is."""

    area_sqft: Sqft
    parts: int


class LotTold(BaseModel):
    """The lot. ``accuracy_ft``: how well its lines are known."""

    area_sqft: Sqft
    loc_id: str | None = None
    accuracy_ft: Feet


class DepthsTold(BaseModel):
    """The yards as they were used; null is not known."""

    front_ft: Feet | None
    side_ft: Feet | None
    rear_ft: Feet | None
    centerline_ft: Feet | None
    exterior_side_ft: Feet | None


class SetbacksTold(BaseModel):
    """Lot lines, yards and envelope. ``needs`` names what is wanting; ``envelope`` is null when a depth is."""

    status: Literal["ok", "needs_input"]
    lot: LotTold
    town: str | None
    district: str | None
    depths: DepthsTold
    citation: str | None
    edges: list[EdgeTold]
    yards: list[YardTold]
    no_disturb: list[NoDisturbTold]
    envelope: EnvelopeTold | None
    needs: list[str]
    notes: list[str]
    geojson: dict[str, Any]

"""What ``/v1/parcels`` says. No field here holds an owner, and none may be added: these answers are public."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.schemas.quantities import Feet, Sqft

EXAMPLE: JsonDict = {
    "loc_id": "F_715003_2914708",
    "map_par_id": "14-0003",
    "town_id": 901,
    "poly_type": "FEE",
    "site_address": "408 MILL ST",
    "area_sqft": 40000.0,
    "lot_size_sqft": 40000.0,
    "use_code": "101",
    "zoning": "R-1",
}


class ParcelSummary(BaseModel):
    """A parcel as the assessors' map draws it."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    loc_id: str
    map_par_id: str | None = None
    town_id: int | None = None
    poly_type: str = Field(description="FEE, TAX, ROW, PRIV_ROW, RAIL_ROW or WATER.")
    site_address: str | None = None
    area_sqft: Sqft = Field(description="Of the polygon, square feet.")
    lot_size_sqft: Sqft | None = Field(default=None, description="As assessed; null when not usable.")
    use_code: str | None = None
    zoning: str | None = Field(default=None, description="As the assessors have it; often out of date.")


class ParcelDetail(ParcelSummary):
    """A parcel with its shape in EPSG:4326 (GeoJSON)."""

    geometry: dict[str, Any] | None = Field(description="GeoJSON geometry, longitude first.")


class Parcels(BaseModel):
    """The parcels found; ``more`` says that the limit cut the list short."""

    parcels: list[ParcelSummary]
    more: bool


class Neighbor(BaseModel):
    """A parcel near another; never its owner."""

    loc_id: str
    map_par_id: str | None = None
    town_id: int | None = None
    site_address: str | None = None
    distance_ft: Feet = Field(description="Exact, from the nearest point of both lot lines.")
    relation: str = Field(description="`direct`, `across_way` or `within`.")


class Neighbors(BaseModel):
    """The parcels within a distance of a lot, nearest first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "loc_id": "F_715003_2914708",
                    "within_ft": 100.0,
                    "complete": True,
                    "neighbors": [
                        {
                            "loc_id": "F_715120_2914710",
                            "site_address": "410 MILL ST",
                            "distance_ft": 0.0,
                            "relation": "direct",
                        }
                    ],
                }
            ]
        }
    )

    loc_id: str
    within_ft: float
    complete: bool = Field(description="False when the distance reaches ground whose parcels are not loaded.")
    warnings: list[str] = Field(default=[], description="Whose parcels are missing, in words.")
    neighbors: list[Neighbor]

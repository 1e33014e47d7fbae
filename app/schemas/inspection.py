"""What ``POST /v1/inspections`` and ``metes inspect --json`` answer."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, Field
from shapely import box

from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject
from spatial.inspection import FeatureSeen, Inspection
from spatial.model import Note, Scalar

Bounds = tuple[float, float, float, float]


class NoteTold(BaseModel):
    """Something that was changed, ignored or assumed."""

    code: str
    message: str
    feature: str | None = None

    @classmethod
    def of(cls, note: Note) -> Self:
        """Return a note as it is told."""
        return cls(code=note.code, message=note.message, feature=note.feature)


class FeatureTold(BaseModel):
    """One usable feature."""

    id: str
    area_sqft: float
    parts: int
    holes: int
    has_z: bool
    values: dict[str, Scalar]
    geometry_type: str
    activity: str | None = None
    role: str

    @classmethod
    def of(cls, seen: FeatureSeen) -> Self:
        """Return a feature as it is told; areas to a hundredth of a square foot."""
        return cls(
            id=seen.id,
            area_sqft=round(seen.area_sqft, 2),
            parts=seen.parts,
            holes=seen.holes,
            has_z=seen.has_z,
            values=dict(seen.values),
            geometry_type=seen.geometry_type,
            activity=seen.activity,
            role=seen.role,
        )


class InspectionTold(BaseModel):
    """What is understood of an upload, before any screening."""

    status: Literal["ok"] = "ok"
    format: str = Field(examples=["shapefile"])
    driver: str = Field(examples=["ESRI Shapefile"])
    crs: str = Field(description="EPSG:n when certain, else custom.", examples=["EPSG:2249"])
    crs_title: str = Field(examples=["NAD83 / Massachusetts Mainland, US survey feet"])
    crs_source: Literal["file", "declared", "format"]
    layer: str
    layers: list[str]
    n_features: int
    area_sqft: float = Field(description="Of the union of the polygons of work, US survey square feet.")
    centroid_26986: tuple[float, float] | None
    bounds_26986: tuple[float, float, float, float] | None
    bounds_4326: tuple[float, float, float, float] | None = Field(
        description="West, south, east, north of a box around the same, longitude and latitude, to show on a map."
    )
    geometry_types: list[str]
    columns: list[str]
    features: list[FeatureTold] = Field(description="The first thousand.")
    notes: list[NoteTold]
    accuracy_ft: float = Field(description="How far the way from the file's system to EPSG:26986 may be off.")

    @classmethod
    def of(cls, seen: Inspection) -> Self:
        """Return an inspection as it is told; metres to a millimetre, areas to a hundredth of a square foot."""
        return cls(
            format=seen.format,
            driver=seen.driver,
            crs=seen.crs,
            crs_title=seen.crs_title,
            crs_source=seen.crs_source,
            layer=seen.layer,
            layers=list(seen.layers),
            n_features=seen.n_features,
            area_sqft=round(seen.area_sqft, 2),
            centroid_26986=None if seen.centroid_26986 is None else _pair(seen.centroid_26986),
            bounds_26986=None if seen.bounds_26986 is None else _four(seen.bounds_26986),
            bounds_4326=None if seen.bounds_26986 is None else _in_degrees(seen.bounds_26986),
            geometry_types=list(seen.geometry_types),
            columns=list(seen.columns),
            features=[FeatureTold.of(feature) for feature in seen.features],
            notes=[NoteTold.of(note) for note in seen.notes],
            accuracy_ft=round(seen.accuracy_ft, 1),
        )


def _pair(xy: tuple[float, float]) -> tuple[float, float]:
    return round(xy[0], 3), round(xy[1], 3)


def _four(bounds: Bounds, decimals: int = 3) -> Bounds:
    west, south, east, north = (round(value, decimals) for value in bounds)
    return west, south, east, north


def _in_degrees(bounds: Bounds) -> Bounds:
    return _four(reproject(box(*bounds), WORKING_CRS, DISPLAY_CRS).bounds, decimals=7)

"""What is understood of an upload, before any screening: shown to who sent it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spatial.model import CrsSource, Note, Scalar


@dataclass(frozen=True, slots=True)
class FeatureSeen:
    """One usable feature: its area after normalising (0 for points and lines), and its attributes."""

    id: str
    area_sqft: float
    parts: int
    holes: int
    has_z: bool
    values: Mapping[str, Scalar]
    geometry_type: str
    activity: str | None = None
    role: str = "disturbance"


@dataclass(frozen=True, slots=True)
class Inspection:
    """The reading of an upload in EPSG:26986; areas in US survey square feet, unrounded.

    ``n_features`` counts the usable features, ``features`` shows the first thousand of them. ``area_sqft``,
    ``centroid_26986`` and ``bounds_26986`` are of the union of the disturbance polygons; the last two None when
    there is none (trees only). ``accuracy_ft`` is how far the way from the file's system to ours may be off.
    """

    format: str
    driver: str
    crs: str
    crs_title: str
    crs_source: CrsSource
    layer: str
    layers: tuple[str, ...]
    n_features: int
    area_sqft: float
    centroid_26986: tuple[float, float] | None
    bounds_26986: tuple[float, float, float, float] | None
    geometry_types: tuple[str, ...]
    columns: tuple[str, ...]
    features: tuple[FeatureSeen, ...]
    notes: tuple[Note, ...]
    accuracy_ft: float = 0.0
    status: str = "ok"

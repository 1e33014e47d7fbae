"""The ground floor: the frozen shapes every stage speaks in. No law, no I/O, no rounding.

All geometry here is shapely; unless a docstring says otherwise it is 2-D, valid and in EPSG:26986 (metres).
Numbers end in their unit: ``_ft`` US survey feet, ``_sqft`` square feet, ``percent`` 0-100, never rounded here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pyproj import CRS
from shapely import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

Scalar = str | int | float | bool | None
Area = Polygon | MultiPolygon
Geometries = NDArray[np.object_]
Role = Literal["disturbance", "delineation", "tree", "mitigation"]
CrsSource = Literal["file", "declared", "format"]
Status = Literal["affected", "not_affected", "none_mapped", "no_data", "not_checked"]
Certainty = Literal["certain", "too_close_to_call"]
Relation = Literal["overlaps", "within", "contains", "touches", "near", "none"]
Coverage = Literal["full", "partial", "none"]
Kind = Literal["polygon", "line", "point"]

WAY_TYPES = frozenset({"ROW", "PRIV_ROW", "RAIL_ROW"})
"""Parcel types of MassGIS Level 3 that are ways."""

NO_LOT_TYPES = WAY_TYPES | {"WATER"}
"""Parcel types that are ways or water and no lot; every other word, an unknown one too, is a lot."""


# ------------------------------------------------------------------------------------------ what was read


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was changed, ignored or assumed while reading, in words."""

    code: str
    message: str
    feature: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SourceFeature:
    """One feature as it stood in the file; ``geometry`` in the file's CRS, None for a null shape."""

    id: str
    geometry: BaseGeometry | None
    attributes: Mapping[str, Scalar]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a reader understood of a file before anything was transformed or mended.

    ``crs`` is always known: a reader that finds none and is told none raises ``crs_missing``.
    ``crs_name`` is ``"EPSG:2249"`` when a code is certain, ``"custom"`` otherwise.
    """

    format: str
    driver: str
    crs: CRS
    crs_name: str
    crs_source: CrsSource
    layer: str
    layers: tuple[str, ...]
    columns: tuple[str, ...]
    features: tuple[SourceFeature, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SiteFeature:
    """One usable feature of a submission in EPSG:26986; polygons, but for trees (points) and flagged lines."""

    id: str
    geometry: BaseGeometry
    attributes: Mapping[str, Scalar]
    activity: str | None = None
    role: Role = "disturbance"


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """A normalised reading: features in EPSG:26986, 2-D and valid, with every change told in ``notes``.

    ``area`` is the union of the disturbance polygons, so overlapping features count once.
    ``tree_points`` counts tree-removal points that came without a canopy area. ``accuracy_ft`` is how far the
    way from the file's coordinate system to ours may be off (0 but for NAD27).
    """

    features: tuple[SiteFeature, ...]
    area: Area
    notes: tuple[Note, ...] = ()
    tree_points: int = 0
    accuracy_ft: float = 0.0

    def with_role(self, role: Role) -> tuple[SiteFeature, ...]:
        """Return the features of one role; empty when there are none."""
        return tuple(f for f in self.features if f.role == role)


# ------------------------------------------------------------------------------------------ what we hold


@dataclass(frozen=True, slots=True)
class EditionRef:
    """Which edition of which layer an answer rests on.

    ``part`` is a town slug or ``"state"``; ``retrieved`` and ``published`` are ISO dates; ``accuracy_ft``
    the horizontal accuracy used for certainty when a feature has none of its own; ``complete`` False for maps
    that are known to miss things the law protects; ``stale_after_days`` None when the layer never goes stale.
    """

    layer_id: str
    part: str
    edition: str
    title: str
    sha256: str
    accuracy_ft: float
    complete: bool
    source_url: str | None = None
    retrieved: str | None = None
    published: str | None = None
    scale: int | None = None
    stale_after_days: int | None = None
    invented: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Geometries cut small (at most 256 vertices), each with the row of the feature it came from."""

    geometry: Geometries
    parent: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ZoneRings:
    """Net, nested distance rings around the union of a layer's features, cut small.

    Row i is ground farther than ``from_ft[i]`` and at most ``to_ft[i]`` from the nearest feature of ``theme``.
    """

    geometry: Geometries
    from_ft: NDArray[np.float64]
    to_ft: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LayerFrame:
    """One opened edition: everything a question needs, as arrays.

    ``ids``, ``labels``, ``accuracy_ft`` and each column of ``attributes`` have one row a feature.
    ``geometry`` holds the whole features (same rows), ``pieces`` the same ground cut small, ``edges`` the real
    boundaries of polygons (never a cut), cut small. ``zones`` by theme, where the specification asks for rings.
    ``coverage`` is the ground this edition answers for.
    """

    ref: EditionRef
    kind: Kind
    ids: NDArray[np.object_]
    labels: NDArray[np.object_]
    accuracy_ft: NDArray[np.float64]
    attributes: Mapping[str, NDArray[np.object_]]
    geometry: Geometries
    pieces: Pieces
    edges: Pieces
    coverage: Area
    zones: Mapping[str, ZoneRings] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Theme:
    """A question asked of a layer: how far its rules reach, of which of its features, in which rings.

    ``where`` maps a column to the values that count (``{"sfha": ("T", "unknown")}``); empty means every feature.
    ``bands_ft`` are the outer limits of net rings (25, 50, 100 …). ``share`` themes (watersheds) split the site.
    ``reach_ft`` is farther than ``within_ft`` where some town's rule looks farther than the theme's own hit.
    """

    theme: str
    title: str
    layer_id: str
    within_ft: float
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bands_ft: tuple[float, ...] = ()
    share: bool = False
    report: tuple[str, ...] = ()
    reach_ft: float = 0.0

    @property
    def coverage_ft(self) -> float:
        """How far around the site an edition must cover the ground before its silence means anything."""
        return max(self.within_ft, self.reach_ft, *self.bands_ft, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Parcel:
    """A parcel as the assessors' map draws it; ``lot_size_sqft`` the assessed size, None when not usable."""

    loc_id: str
    town_id: int | None
    poly_type: str
    geometry: Area
    map_par_id: str | None = None
    site_address: str | None = None
    lot_size_sqft: float | None = None
    use_code: str | None = None
    zoning: str | None = None


@dataclass(frozen=True, slots=True)
class Town:
    """A town: MassGIS TOWN_ID, slug and name, and the bylaw files that apply in it beside the state's."""

    id: int
    slug: str
    name: str
    bylaws: tuple[str, ...] = ()
    invented: bool = False

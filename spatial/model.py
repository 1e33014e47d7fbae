"""The ground floor: the frozen shapes every stage speaks in. No law, no I/O, no rounding.

All geometry here is shapely; unless a docstring says otherwise it is 2-D, valid and in EPSG:26986 (metres).
Numbers end in their unit: ``_ft`` US survey feet, ``_sqft`` square feet, ``percent`` 0-100, never rounded here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

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


# ------------------------------------------------------------------------------------------ what was measured


@dataclass(frozen=True, slots=True)
class ZoneArea:
    """Ground of the work and of the lots in one net ring; ``from_ft`` 0 and ``to_ft`` 0 is the resource itself."""

    from_ft: float
    to_ft: float
    disturbance_sqft: float
    parcel_sqft: float


@dataclass(frozen=True, slots=True)
class FeatureHit:
    """One feature of a layer near or under the work. ``depth_ft``: how far the work reaches in (0 outside)."""

    id: str
    label: str
    attributes: Mapping[str, Scalar]
    overlap_sqft: float
    length_ft: float
    nearest_ft: float
    accuracy_ft: float
    depth_ft: float = 0.0


@dataclass(frozen=True, slots=True)
class ParcelShare:
    """Disturbance x parcel x layer, for one lot."""

    loc_id: str
    disturbance_sqft: float
    parcel_sqft: float


@dataclass(frozen=True, slots=True)
class GridMeasure:
    """What a raster holds under the work. Shares are percent of the work; None where the theme does not ask.

    ``at_most_*`` add the ground without data (``unknown_percent``) to what is seen. Slopes are rise over run in
    percent; elevations US survey feet in the raster's own vertical datum.
    """

    unknown_percent: float
    at_most_percent: float | None = None
    at_most_sqft: float | None = None
    slope_mean_percent: float | None = None
    slope_p90_percent: float | None = None
    slope_max_percent: float | None = None
    elevation_min_ft: float | None = None
    elevation_max_ft: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What one layer says of the work for one theme. Areas are of the union of the layer's features.

    ``searched_ft``: how far around the work features were looked for (at least ``within_ft``); a rule that reaches
    farther than this cannot take silence for absence. ``delineation_whole`` False: the delineation speaks of some
    of the lots under the work only, so it lifts nothing on the others.
    """

    theme: str
    title: str
    layer_id: str
    status: Status
    certainty: Certainty
    why: str
    relation: Relation = "none"
    margin_ft: float | None = None
    accuracy_ft: float | None = None
    disturbance_sqft: float | None = None
    percent_of_disturbance: float | None = None
    parcel_sqft: float | None = None
    percent_of_parcel: float | None = None
    length_ft: float | None = None
    count: int | None = None
    nearest_ft: float | None = None
    within_ft: float = 0.0
    zones: tuple[ZoneArea, ...] = ()
    features: tuple[FeatureHit, ...] = ()
    by_parcel: tuple[ParcelShare, ...] = ()
    edition: EditionRef | None = None
    coverage: Coverage = "none"
    complete: bool = False
    delineation: str | None = None
    searched_ft: float = 0.0
    delineation_whole: bool = True
    grid: GridMeasure | None = None


@dataclass(frozen=True, slots=True)
class LotMeasure:
    """One lot under the work. ``by_class_sqft`` is the union of the work of each activity class on this lot."""

    loc_id: str
    town_id: int | None
    area_sqft: float
    lot_size_sqft: float | None
    disturbed_sqft: float
    disturbed_percent: float
    by_class_sqft: Mapping[str, float]
    by_class_perimeter_ft: Mapping[str, float]
    map_par_id: str | None = None
    site_address: str | None = None
    poly_type: str = "FEE"
    use_code: str | None = None


@dataclass(frozen=True, slots=True)
class DisturbanceMeasure:
    """The work as a whole. Classes are ``grading`` and ``clearing``; activities are as the applicant named them.

    ``unheld_sqft``: work on ground that no parcel edition answers for, so that its lots are not known.
    """

    area_sqft: float
    perimeter_ft: float
    outside_parcels_sqft: float
    by_activity_sqft: Mapping[str, float]
    by_class_sqft: Mapping[str, float]
    by_class_perimeter_ft: Mapping[str, float]
    tree_points: int = 0
    unheld_sqft: float = 0.0


@dataclass(frozen=True, slots=True)
class WatershedShare:
    """A watershed under the work and its share of it, from unrounded areas. ``to_code``: the next downstream."""

    level: Literal["huc10", "huc12"]
    code: str
    name: str
    percent: float
    to_code: str | None = None


@dataclass(frozen=True, slots=True)
class Caution:
    """A sentence the reader must see before trusting the answer."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class NearbySite:
    """A kept screening near this one: the base of common plans."""

    id: str
    distance_ft: float
    area_sqft: float
    common_plan: str | None = None
    loc_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DownstreamWater:
    """An impaired water met when the site's watersheds are followed downstream; ``steps`` 0 is the site's own."""

    unit_id: str
    name: str
    category: str
    causes: str
    tmdl: str
    huc12: str
    steps: int


@dataclass(frozen=True, slots=True)
class Case:
    """All that was measured of one question; the only thing rules may look at besides the facts given.

    ``downstream`` lists the impaired waters in the site's HUC12s and those they drain to (``to_code``); None when
    that could not be followed, empty when it was and none lie on the way; ``downstream_end`` says where following
    broke off. ``mitigation`` are the watersheds of
    the features whose role is ``mitigation``.
    """

    on: str
    town: Town | None
    disturbance: DisturbanceMeasure
    lots: tuple[LotMeasure, ...]
    findings: tuple[Finding, ...]
    watersheds: tuple[WatershedShare, ...]
    nearby: tuple[NearbySite, ...] = ()
    warnings: tuple[Caution, ...] = ()
    downstream: tuple[DownstreamWater, ...] | None = None
    mitigation: tuple[WatershedShare, ...] = ()
    downstream_end: str | None = None

    def findings_of(self, *themes: str) -> tuple[Finding, ...]:
        """Return the findings of the named themes, in the order measured; empty when none was asked."""
        return tuple(f for f in self.findings if f.theme in themes)


Values = Mapping[str, Any]
Rows = Sequence[Mapping[str, Scalar]]

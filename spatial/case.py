"""What was measured of one question: findings, lots, work, watersheds; the only thing rules may look at.

Numbers end in their unit: ``_ft`` US survey feet, ``_sqft`` square feet, ``percent`` 0-100, never rounded here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from spatial.model import Certainty, Coverage, EditionRef, Relation, Scalar, Status, Town


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
    of the lots under the work only, so it lifts nothing on the others. ``delineation_measured``: its own line was
    sent and measured; else it is words, and every distance here is the map's.
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
    delineation_measured: bool = False
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
    broke off. ``mitigation`` are the watersheds of the features whose role is ``mitigation``,
    ``mitigation_drawn`` says that there are such features, on loaded watersheds or not. ``ground`` are the towns
    the work lies in by the parcels and the town map, whichever was asked for; empty when neither says.
    ``receiving`` are the assessed waters that the applicant named as receiving the runoff, ``steps`` 0 and
    ``huc12`` empty; one that is in no loaded list is missing there.
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
    mitigation_drawn: bool = False
    receiving: tuple[DownstreamWater, ...] = ()
    downstream_end: str | None = None
    ground: tuple[Town, ...] = ()

    def findings_of(self, *themes: str) -> tuple[Finding, ...]:
        """Return the findings of the named themes, in the order measured; empty when none was asked."""
        return tuple(f for f in self.findings if f.theme in themes)

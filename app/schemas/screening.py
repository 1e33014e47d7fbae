"""A screening as told over HTTP and by ``metes screen --format json``. Names are fixed; fields are only added."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.schemas.quantities import Acres, Amount, Feet, Percent, Sqft
from spatial.model import Certainty, Coverage, CrsSource, Relation, Scalar, Status
from spatial.rules.bylaw import LawKind
from spatial.rules.determination import Result

UNSEEN: tuple[Status, ...] = ("no_data", "not_checked")
"""Where nobody looked no ground is told as nought: it would read as none."""


class Told(BaseModel):
    """Root of what is told: immutable, nothing unknown in it."""

    model_config = ConfigDict(frozen=True, extra="forbid", from_attributes=True)


class TownName(Told):
    """The town a screening was made for."""

    id: int
    name: str
    invented: bool = False


class BylawEdition(Told):
    """A law file that was applied; ``edition`` is a hash of the file and the town's own entries."""

    id: str
    title: str
    edition: str


class NoteTold(Told):
    """Something that was changed, ignored or assumed while reading."""

    code: str
    message: str
    feature: str | None = None


class InputTold(Told):
    """What we understood of the upload."""

    name: str
    sha256: str
    format: str
    crs: str
    crs_source: CrsSource
    layer: str
    n_features: int
    notes: list[NoteTold]


class ActivityArea(Told):
    """The union of the work of one activity."""

    activity: str
    area_sqft: Sqft


class DisturbanceTold(Told):
    """The work as a whole; overlapping features count once."""

    area_sqft: Sqft
    area_acres: Acres
    perimeter_ft: Feet
    outside_parcels_sqft: Sqft
    by_activity: list[ActivityArea]
    tree_points: int = 0
    by_class: list[ActivityArea] = Field(
        default_factory=list,
        description="The work as thresholds count it: building, paving and storage are grading and clearing both.",
    )
    lots_unknown_sqft: Sqft = Field(
        default=0.0, description="Of the part outside parcels, what lies where no parcels are loaded."
    )


class ParcelTold(Told):
    """A parcel under the work. ``lot_size_sqft`` is the assessed size, null when not usable."""

    loc_id: str
    map_par_id: str | None
    town_id: int | None
    site_address: str | None
    area_sqft: Sqft
    lot_size_sqft: Sqft | None
    disturbed_sqft: Sqft
    disturbed_percent: Percent
    poly_type: str


class ZoneTold(Told):
    """Ground in one net ring of distance; 0 to 0 is the resource itself. The rings add up to the whole."""

    from_ft: Feet
    to_ft: Feet
    disturbance_sqft: Sqft
    parcel_sqft: Sqft


class FeatureTold(Told):
    """One feature of a layer under or near the work."""

    id: str
    label: str
    attributes: dict[str, Scalar]
    overlap_sqft: Sqft
    length_ft: Feet
    nearest_ft: Feet
    accuracy_ft: Feet


class ParcelShareTold(Told):
    """How much of one parcel, and of the work on it, the layer covers; null where nobody knows."""

    loc_id: str
    disturbance_sqft: Sqft | None
    parcel_sqft: Sqft | None


class LayerTold(Told):
    """The edition a finding rests on; ``edition`` null when none was to be had."""

    id: str
    edition: str | None
    part: str | None
    title: str | None
    source_url: str | None
    retrieved: str | None
    published: str | None
    sha256: str | None
    scale: int | None
    accuracy_ft: Feet | None
    complete: bool
    coverage: Coverage
    invented: bool = False


class ProvisionTold(Told):
    """A text of law behind a finding."""

    title: str
    section: str
    type: LawKind
    url: str | None


class GridTold(Told):
    """What a raster holds under the work; null where the theme does not ask.

    `at_most_*` add the ground without data to what is seen; slopes are rise over run.
    """

    unknown_percent: Percent
    at_most_percent: Percent | None = None
    at_most_sqft: Sqft | None = None
    slope_mean_percent: Amount | None = None
    slope_p90_percent: Amount | None = None
    slope_max_percent: Amount | None = None
    elevation_min_ft: Feet | None = None
    elevation_max_ft: Feet | None = None


class FindingTold(Told):
    """What one layer says of the work for one theme."""

    theme: str
    title: str
    status: Status
    certainty: Certainty
    margin_ft: Feet | None
    relation: Relation
    disturbance_sqft: Sqft | None = Field(
        description="Of the work, on the layer; null where nobody looked, and for layers without areas."
    )
    percent_of_disturbance: Percent | None
    parcel_sqft: Sqft | None
    percent_of_parcel: Percent | None
    length_ft: Feet | None
    count: int | None
    nearest_ft: Feet | None
    within_ft: Feet
    zones: list[ZoneTold]
    features: list[FeatureTold]
    by_parcel: list[ParcelShareTold]
    layer: LayerTold
    legal_provisions: list[ProvisionTold]
    authority: str | None
    why: str
    delineation: str | None = None
    delineation_measured: bool = Field(
        default=False,
        description="Its own line was sent and measured; else it is words, and every distance is the map's.",
    )
    grid: GridTold | None = None


class ReadingTold(Told):
    """One way to read an ambiguous text, and what it gives."""

    policy: str
    text: str
    measured: Amount | None
    threshold: Amount | None
    result: Result


class DeterminationTold(Told):
    """What one rule says of the work."""

    rule: str
    title: str
    citation: str
    result: Result
    certainty: Certainty
    measured: Amount | None
    threshold: Amount | None
    unit: str | None
    margin: Amount | None
    why: str
    needs: list[str]
    policies: list[str]
    readings: list[ReadingTold]
    approval: str | None
    authority: str
    quote: str | None = None
    loc_id: str | None = None
    advisory: bool = False
    unverified: bool = False
    delineation: str | None = Field(
        default=None,
        description="The answer is no by the word of this delineation alone, which was not measured here.",
    )


class WatershedTold(Told):
    """A watershed under the work and its share of it."""

    code: str
    name: str
    percent: Percent


class WatershedsTold(Told):
    """Shares of the work by watershed."""

    huc10: list[WatershedTold]
    huc12: list[WatershedTold]


class PolicyTold(Told):
    """A question the text of the law leaves open, and how it was read; `determinations` name it by id."""

    id: str
    question: str
    reading: str
    unverified: bool = False


class NextStepTold(Told):
    """What to do, and the rules because of which; none where a map or a town's own law is wanting."""

    text: str
    because: list[str]


class DeadlineTold(Told):
    """A date that follows from a rule: as counted, and as rolled off Sundays and holidays."""

    what: str
    citation: str
    raw: date
    rolled: date
    practical: date | None = None
    board_act_by: date | None = None
    applicant_may_rely_from: date | None = None
    policies: list[str] = Field(default_factory=list)


class WarningTold(Told):
    """A sentence the reader must see before trusting the answer."""

    code: str
    message: str


class EditionTold(Told):
    """A layer edition the answer rests on. Answers kept before its day was told have none."""

    layer: str
    part: str
    edition: str
    sha256: str
    published: str | None = Field(
        default=None, description="The publisher's own day; FY2016 is fiscal year 2016 of an assessors' map."
    )
    retrieved: str | None = Field(default=None, description="The day it was fetched or added.")
    source_url: str | None = Field(default=None, description="Whence it was fetched; null: a file was given.")


class Links(Told):
    """Where the answer is had in other shapes."""

    self: str
    geojson: str
    pdf: str | None = None


class SummaryTold(Told):
    """How many rules and maps are of which kind, the same on every report. None of it says that all is clear."""

    rules_triggered: int
    rules_triggered_as_advice: int
    rules_undecided: int
    rules_too_close: int
    rules_on_delineation: int
    maps_too_close: int
    maps_not_checked: int
    maps_on_delineation: int


class Screening(Told):
    """The whole answer to one question."""

    id: str = Field(description="The same for the same input, options, facts, day, layers, bylaws and engine.")
    url: str
    created: str = Field(description="When it was first asked (UTC).")
    on: date = Field(description="The day whose law and layers were applied.")
    town: TownName | None
    crs: Literal["EPSG:26986"] = "EPSG:26986"
    bylaws: list[BylawEdition]
    input: InputTold
    disturbance: DisturbanceTold
    parcels: list[ParcelTold]
    findings: list[FindingTold]
    determinations: list[DeterminationTold]
    watersheds: WatershedsTold
    next_steps: list[NextStepTold]
    deadlines: list[DeadlineTold]
    warnings: list[WarningTold]
    editions: list[EditionTold]
    facts: dict[str, Scalar] = Field(description="The project facts given, and the defaults of those not given.")
    engine: str
    links: Links
    lies_in: list[TownName] = Field(
        default_factory=list,
        description="The towns the work lies in by the parcels and the town map, whichever town was asked for.",
    )
    policies: list[PolicyTold] = Field(default_factory=list)
    summary: SummaryTold | None = Field(default=None, description="Null in answers kept before it was told.")
    not_looked_at: list[str] = Field(
        default_factory=list, description="Matters that no screening looks at; others may be wanting too."
    )

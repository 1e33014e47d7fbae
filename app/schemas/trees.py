"""What ``/v1/tree-protection-zones`` is asked and says."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.config import JsonDict

from app.schemas.quantities import Amount, Day, Feet, Percent, Sqft
from app.schemas.setbacks import Asked, LotAsked, SetbacksTold
from spatial.trees.model import Action, Duties, OnPlan, Verdict

EXAMPLE: JsonDict = {
    "parcel": "F_715003_2914708",
    "setbacks": {"front_ft": 40, "side_ft": 20, "rear_ft": 20},
    "trees": [{"id": "oak 1", "lon": -71.28, "lat": 42.24, "dbh_in": 24, "action": "keep"}],
}
MOST_TREES = 5_000


def _text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class TreeAsked(Asked):
    """A tree: where it stands, how thick it is, what is done with it. A diameter left out is reported, not zero."""

    id: Annotated[str | None, BeforeValidator(_text)] = Field(default=None, max_length=100)
    lon: float | None = Field(default=None, allow_inf_nan=False)
    lat: float | None = Field(default=None, allow_inf_nan=False)
    x: float | None = Field(default=None, allow_inf_nan=False, description="East, in the system named by crs.")
    y: float | None = Field(default=None, allow_inf_nan=False, description="North, in the system named by crs.")
    dbh_in: float | None = Field(
        default=None, allow_inf_nan=False, description="Diameter at breast height, inches."
    )
    dbh_cm: float | None = Field(default=None, allow_inf_nan=False, description="The same in centimetres.")
    stems_in: tuple[float, ...] = Field(default=(), max_length=50, description="Each stem's diameter, inches.")
    action: Action | None = None
    dripline_ft: float | None = Field(default=None, allow_inf_nan=False, description="Radius of the canopy, feet.")
    caliper_in: float | None = Field(default=None, allow_inf_nan=False, description="Measured low on the trunk.")


class TreesAsked(LotAsked):
    """A question about trees. Without a lot their zones are drawn, but nobody can say which are protected."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", str_max_length=2000, json_schema_extra={"examples": [EXAMPLE]}
    )

    trees: tuple[TreeAsked, ...] | dict[str, Any] | None = Field(
        default=None, description="A list, or GeoJSON points with dbh_in, action, dripline_ft as properties."
    )
    work: dict[str, Any] | None = Field(default=None, description="GeoJSON or Esri JSON polygons of the work.")
    unavoidable: dict[str, Any] | None = Field(
        default=None, description="The encroachment declared unavoidable; zones shrink by it and nothing else."
    )
    work_accuracy_ft: float = Field(default=1.0, ge=0, le=100, allow_inf_nan=False)
    permit_triggered: bool | None = Field(
        default=None,
        description="Whether the permit is needed that tree duties hang on; found from the work if not said.",
    )
    on: Day | None = Field(default=None, description="The day whose law applies; today when left out.")


class ReadingTold(BaseModel):
    """One way to read the zone's radius and what it gives."""

    policy: str
    text: str
    radius_ft: Feet
    zone_sqft: Sqft
    disturbed_sqft: Sqft
    disturbed_percent: Percent


class TreeTold(BaseModel):
    """One tree. ``zone_sqft`` and what follows are of ``zone_radius_used_ft``; protected null: cannot be told."""

    id: str
    dbh_in: Amount
    stems_in: list[Amount]
    dbh_rss_in: Amount = Field(description="One stem of the same cross-section.")
    action: Action | None
    yard: str | None = Field(description="front, side or rear; null outside the yards; unknown.")
    yards: list[str]
    protected: bool | None
    why: str
    zone_radius_ft: Feet = Field(description="From the centre of the stem.")
    zone_radius_from_face_ft: Feet
    dripline_ft: Feet | None
    zone_radius_used_ft: Feet
    zone_sqft: Sqft
    disturbed_sqft: Sqft
    disturbed_percent: Percent
    retained_sqft: Sqft
    avoidable_sqft: Sqft
    off_lot_sqft: Sqft | None
    verdict: Verdict
    certainty: Literal["certain", "too_close_to_call"]
    margin_ft: Feet | None
    on_plan: OnPlan | None
    readings: list[ReadingTold]
    flags: list[str]


class LeftOutTold(BaseModel):
    """A row that is not in the answer, and what to do about it."""

    id: str
    why: str


class SiteTold(BaseModel):
    """Zones of the trees that stay and are protected, or may be: merged, so that no ground counts twice."""

    zones_sqft: Sqft
    zones_from_centre_sqft: Sqft
    disturbed_sqft: Sqft
    disturbed_percent: Percent
    fence_ft: Feet
    fence_off_lot_ft: Feet | None
    counts: dict[str, int]


class MitigationTold(BaseModel):
    """What removing protected trees asks for; null where something named in ``needs`` is wanting."""

    removed_dbh_in: Amount
    undecided_dbh_in: Amount
    replacement_caliper_in: Amount | None
    trees_2in: int | None
    trees_2_5in: int | None
    contribution: Amount | None = Field(description="Dollars.")
    needs: list[str]
    open: list[str] = Field(
        default=[], description="Trees that leave these figures open, and why: then they are least amounts."
    )


class RuleTold(BaseModel):
    """What a bylaw's rule on trees says of this plan."""

    rule: str
    title: str
    citation: str
    result: str
    why: str
    needs: list[str]
    advisory: bool


class TreesTold(BaseModel):
    """The whole answer for the trees of a site."""

    status: Literal["ok", "needs_input"]
    duties: Duties = Field(description="Whether the tree rules bind: they follow the permit (AMB-34).")
    citations: list[str]
    trees: list[TreeTold]
    left_out: list[LeftOutTold]
    site: SiteTold
    mitigation: MitigationTold
    rules: list[RuleTold]
    setbacks: SetbacksTold | None
    needs: list[str]
    notes: list[str]
    geojson: dict[str, Any]

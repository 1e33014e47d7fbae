"""What asking kept screenings again says: which findings and determinations would be others today, and why."""

from __future__ import annotations

from pydantic import Field

from app.schemas.quantities import Amount, Feet, Percent, Sqft
from app.schemas.screening import Told
from spatial.model import Certainty, Coverage, Relation, Status
from spatial.rules.determination import Result


class EditionChange(Told):
    """A layer edition, a bylaw or the engine that is another one today; null where there was or is none."""

    kind: str = Field(description="`layer`, `bylaw` or `engine`.")
    id: str
    part: str | None = None
    before: str | None
    after: str | None


class FindingSide(Told):
    """A finding as it was, or as it would be today."""

    edition: str | None
    status: Status
    certainty: Certainty
    relation: Relation
    coverage: Coverage
    disturbance_sqft: Sqft | None
    percent_of_disturbance: Percent | None
    parcel_sqft: Sqft | None
    length_ft: Feet | None
    count: int | None
    nearest_ft: Feet | None


class FindingChange(Told):
    """A finding that would be another today. A side is null where the theme was not asked."""

    theme: str
    layer: str
    title: str
    before: FindingSide | None
    after: FindingSide | None
    why: list[str]


class DeterminationSide(Told):
    """A determination as it was, or as it would be today."""

    result: Result
    certainty: Certainty
    measured: Amount | None
    threshold: Amount | None
    unit: str | None
    why: str


class DeterminationChange(Told):
    """A determination that would be another today. A side is null where the rule was not asked."""

    rule: str
    title: str
    loc_id: str | None
    before: DeterminationSide | None
    after: DeterminationSide | None
    why: list[str]


class ScreeningChange(Told):
    """A kept screening whose answer would be another today; what was kept stays as it is."""

    id: str
    url: str
    created: str
    on: str = Field(description="The day it was asked for, and is asked for again.")
    input: str
    editions: list[EditionChange]
    findings: list[FindingChange]
    determinations: list[DeterminationChange]


class NotAsked(Told):
    """A kept screening that could not be asked again, and why."""

    id: str
    code: str
    detail: str


class Rescreened(Told):
    """What came of asking kept screenings again. `next` given: more are kept, ask with `after=next`."""

    layer: str | None
    looked_at: int
    asked: int = Field(description="Those whose editions are others today; the rest cannot differ.")
    changed: list[ScreeningChange]
    not_asked: list[NotAsked]
    next: int | None = None

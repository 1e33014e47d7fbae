"""What may be asked of abutters' lists: a new one, and the steps of its life."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.schemas.quantities import Day


class Asked(BaseModel):
    """Root of what is sent: nothing unknown in it, texts short."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_max_length=2000)


class Hearing(Asked):
    """What the notice says of the hearing and the project; goes into the mail-merge file word for word."""

    board: str | None = None
    time: str | None = None
    place: str | None = None
    applicant: str | None = Field(
        default=None, description="The applicant's name; shown beside the owners of the site, never taken for one."
    )
    project: str | None = None
    plans_at: str | None = Field(default=None, description="Where application and plans may be seen.")


class ListRequest(Asked):
    """What land, by which rule: parcels, a screening, or a drawn area, which alone is measured from itself."""

    parcels: tuple[str, ...] = Field(default=(), max_length=200)
    screening: str | None = None
    geometry: dict[str, Any] | None = Field(default=None, description="GeoJSON polygon, EPSG:4326.")
    within_ft: float | None = Field(default=None, gt=0, le=5280, allow_inf_nan=False)
    rule: str | None = Field(default=None, description="Id of a notice rule; none: a plain distance.")
    filed_on: Day | None = None
    hearing_on: Day | None = None
    dates: dict[str, Day] = Field(default={}, description="Other dates by fact name: hearing_closed_on …")
    hearing: Hearing = Hearing()
    condominium: Literal["units", "association"] | None = Field(
        default=None,
        description="Whom to write to of a condominium; none: as the town's staff entered, else every unit.",
    )
    reason: str | None = Field(default=None, description="Why the list is made; goes into the audit log.")


class Drop(Asked):
    """A row that staff leave out, with the reason that is kept."""

    loc_id: str
    reason: str = Field(min_length=3)


class EnteredOwner(Asked):
    """An owner the assessor determined, of a parcel the tax list has none for."""

    loc_id: str
    owner: str = Field(min_length=1)
    address: str = Field(min_length=1)
    city: str | None = None
    state: str | None = None
    zip: str | None = None
    country: str | None = None
    reason: str = Field(min_length=3)


class ReviewRequest(Asked):
    """What a reviewer changes; only owners opposite beyond the distance may be dropped.

    ``restore`` puts back what an earlier review dropped, as the rule named it; ``add`` takes a parcel the rule does
    not name. Several owners may be entered for one parcel.
    """

    drop: tuple[Drop, ...] = ()
    restore: tuple[Drop, ...] = ()
    add: tuple[Drop, ...] = ()
    owners: tuple[EnteredOwner, ...] = ()
    reason: str | None = None


class CertifyRequest(Asked):
    """Who certifies. ``despite`` answers for the warnings that would stand against it."""

    name: str = Field(min_length=2)
    title: str = Field(min_length=2)
    on: Day
    despite: str | None = None
    reason: str | None = None


class SupersedeRequest(Asked):
    """Why a list is no longer used, and the list that takes its place if there is one."""

    reason: str | None = None
    successor: str | None = None


class MailingReport(Asked):
    """What became of one letter; ``notice`` is its position in the list, from 0.

    What is not sent stays as it was reported before; null takes it back.
    """

    notice: int = Field(ge=0)
    article_number: str | None = Field(default=None, max_length=40)
    mailed_on: Day | None = None
    returned_on: Day | None = None


class MailingsRequest(Asked):
    """What became of letters."""

    mailings: tuple[MailingReport, ...] = Field(min_length=1, max_length=10_000)
    reason: str | None = None

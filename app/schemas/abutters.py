"""An abutters' list as told. Owners stand here: every route that answers with it needs a key."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from app.schemas.abutter_requests import Hearing
from app.schemas.quantities import Feet
from app.schemas.screening import Told
from spatial.abutters import AbutterRelation

ListStatus = Literal["draft", "reviewed", "certified", "expired", "superseded"]


class OwnerTold(Told):
    """One row of the tax list. ``names`` and ``street`` are its lines; ``flags`` say what is doubtful about it."""

    prop_id: str
    owner: str
    address: str
    city: str
    state: str
    zip: str
    country: str
    names: tuple[str, ...] = ()
    street: tuple[str, ...] = ()
    writes_to: bool = Field(default=True, description="Whether this row gets a letter.")
    entered_by_hand: str | None = None
    flags: tuple[str, ...] = ()


class AbutterTold(Told):
    """One parcel whose owners are told."""

    loc_id: str
    map_par_id: str | None
    town_id: int | None
    site_address: str | None
    distance_ft: Feet
    relation: AbutterRelation
    rules: tuple[str, ...]
    owners: tuple[OwnerTold, ...]
    flags: tuple[str, ...]


class SubjectTold(Told):
    """One parcel of the subject land and its owners of record, who all sign."""

    loc_id: str
    map_par_id: str | None = None
    site_address: str | None
    town_id: int | None
    owners: tuple[OwnerTold, ...] = ()


NameReads = Literal["the_same", "alike", "otherwise", "not_compared"]


class SignatureTold(Told):
    """One row of the tax list whose owner signs; ``owner`` empty: not known.

    ``reads``: how the name reads beside the applicant's. Whether two names are one person is for a person to say:
    ``to_be_confirmed`` is always true.
    """

    loc_id: str
    site_address: str | None
    prop_id: str
    owner: str
    reads: NameReads
    to_be_confirmed: Literal[True] = True


class SignaturesTold(Told):
    """Whose signatures the application needs, and the provision; ``applicant`` None: no name was given."""

    rule: str
    citation: str
    quote: str
    applicant: str | None
    needed: tuple[SignatureTold, ...]


class PolicyTold(Told):
    """How an unclear text is read; ``unverified``: nobody has confirmed that it may be read so."""

    id: str
    question: str
    reading: str
    unverified: bool = False


class RuleTold(Told):
    """The notice rule and how it asks for notice.

    ``quote`` has the law's words only with ``quoted_from``, whose copy they were held against; ``paraphrase`` ours.
    """

    id: str
    title: str
    citation: str
    quote: str
    quoted_from: str | None = None
    paraphrase: str | None = None
    unverified: bool = False
    url: str | None = None
    also_told: tuple[str, ...] = ()
    authority: str
    within_ft: Feet | None
    second_ring_ft: Feet | None = None
    opposite: bool = False
    methods: tuple[str, ...] = ()
    how: str = ""
    policies: tuple[PolicyTold, ...] = ()


class TaxListTold(Told):
    """Which tax list the owners come from."""

    town_id: int | None
    fiscal_year: int | None
    edition: str
    source: str = ""


class TaxListAdded(Told):
    """A town's own tax list as it was kept; ``mapping`` is ours → theirs."""

    town_id: int
    fiscal_year: int
    source: str
    sha256: str
    rows: int
    mapping: dict[str, str]


class NearMissTold(Told):
    """A parcel beyond the line by less than the parcels' accuracy."""

    loc_id: str
    distance_ft: Feet
    site_address: str | None = None


class ExcludedTold(Told):
    """A near parcel that is not on the list, and why."""

    loc_id: str
    reason: str


class NoticeTold(Told):
    """One letter, the parcels behind it and what became of it."""

    lines: tuple[str, ...]
    parcels: tuple[str, ...]
    prop_ids: tuple[str, ...] = ()
    article_number: str | None = None
    mailed_on: date | None = None
    returned_on: date | None = None


class AlikeTold(Told):
    """Two letters, by position from 0, that may be for one addressee; a person decides."""

    notices: tuple[int, ...]
    percent: float


class WarningTold(Told):
    """A sentence to read before relying on the list."""

    code: str
    message: str
    blocks: bool = Field(
        default=False,
        description="True: stands against certifying, and needs an answer or a reason in `despite`; false: told.",
    )


class DeadlineTold(Told):
    """A date that follows from a rule: as counted, by law, and in practice.

    ``raw``: as counted; ``rolled``: the last day by law, moved off Sundays and holidays where the law says so;
    ``practical``: the last day on which the doors that matter are open, none: as by law.
    """

    what: str
    citation: str
    raw: date
    rolled: date
    practical: date | None = None
    board_act_by: date | None = None
    applicant_may_rely_from: date | None = None
    closed: str = Field(default="", description="Which of these days are Sundays or legal holidays, by name.")


class Counts(Told):
    """How many."""

    parcels: int
    owners: int
    notices: int


class Reviewed(Told):
    """Who looked the draft through, and what was changed by hand, each with its reason."""

    at: str
    by: str
    dropped: tuple[ExcludedTold, ...] = ()
    added: tuple[ExcludedTold, ...] = ()
    restored: tuple[ExcludedTold, ...] = ()
    owners_entered: tuple[str, ...] = ()


class Certified(Told):
    """By whom the assessors' office certified the list. ``despite``: the reason given for standing warnings."""

    name: str
    title: str
    on: date
    wording: str | None = None
    expires_on: date | None = None
    despite: str | None = None


class Superseded(Told):
    """Why the list is no longer the one to use."""

    at: str
    by: str
    reason: str | None = None
    successor: str | None = None


class AbutterList(Told):
    """A list of abutters with their owners, frozen with the editions it was made from."""

    id: str
    url: str
    created: str
    on: date
    status: ListStatus
    rule: RuleTold
    measured_from: Literal["property_line"] = "property_line"
    subject: tuple[SubjectTold, ...]
    screening: str | None = None
    drawn: bool = False
    invented: bool = Field(default=False, description="Whether the land lies in an invented town, a sample.")
    parcels_editions: tuple[str, ...]
    tax_list: tuple[TaxListTold, ...]
    condominium: Literal["units", "association"]
    abutters: tuple[AbutterTold, ...]
    near_misses: tuple[NearMissTold, ...]
    excluded: tuple[ExcludedTold, ...]
    notices: tuple[NoticeTold, ...]
    alike: tuple[AlikeTold, ...] = ()
    hearing: Hearing = Hearing()
    filed_on: date | None = None
    hearing_on: date | None = None
    deadlines: tuple[DeadlineTold, ...]
    mail_by: date | None = Field(
        default=None, description="Last day on which the notices are taken in by the post and are timely."
    )
    mail_by_law: date | None = Field(
        default=None, description="The law's own last day for mailing, be the post open or not."
    )
    signatures: SignaturesTold | None = None
    warnings: tuple[WarningTold, ...]
    counts: Counts
    reviewed: Reviewed | None = None
    certified: Certified | None = None
    superseded: Superseded | None = None


class KeptListTold(Told):
    """A kept list in one line: enough to find it again; no owner stands here."""

    id: str
    url: str
    created: str
    status: ListStatus
    rule: str
    subject: tuple[str, ...]
    counts: Counts
    hearing_on: date | None = None
    mailed: int = Field(default=0, description="Letters reported as mailed.")


class KeptListsTold(Told):
    """The kept lists, newest first; ``more``: there are older ones."""

    lists: tuple[KeptListTold, ...]
    more: bool = False


class OwnersChanged(Told):
    """A parcel whose owners of record are others now."""

    loc_id: str
    was: tuple[str, ...]
    now: tuple[str, ...]


class ListChanges(Told):
    """What is different today from the list as it was made."""

    id: str
    compared_on: date
    unchanged: bool
    parcels_editions: tuple[str, ...]
    tax_list: tuple[TaxListTold, ...]
    added: tuple[AbutterTold, ...]
    gone: tuple[str, ...]
    moved: tuple[NearMissTold, ...] = Field(description="Parcels whose distance is another by more than 0.01 ft.")
    owners_changed: tuple[OwnersChanged, ...]


class DeadlinesTold(Told):
    """The dates that follow from a list's rule and the dates given."""

    rule: str
    how: str = ""
    mail_by: date | None = None
    mail_by_law: date | None = None
    deadlines: tuple[DeadlineTold, ...]
    warnings: tuple[WarningTold, ...] = ()

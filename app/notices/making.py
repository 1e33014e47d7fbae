"""Make a list: land → abutters → owners → letters → what stands against it. Nothing is kept here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from app.notices.asking import FILED, HEARING, Question, condominium_of
from app.notices.days import MailBy, cautions_of_hearing, cautions_of_mailing, deadlines_of, mail_by
from app.notices.doubts import warnings_of
from app.notices.editions import cautions_of_age
from app.notices.ground import fabric_of, outlines_of, surroundings_of
from app.notices.others_told import cautions_of_others
from app.notices.owners import letters_of, owned_abutter, owners_told
from app.notices.same_owner import cautions_of_same_owner
from app.notices.signatures import cautions_of_signatures, signatures_of, signing_rule
from app.notices.strays import cautions_of_strays
from app.notices.tax_book import TaxBook, TaxSource
from app.notices.tax_rows import TaxRow, owners_of
from app.notices.telling import counts_of, in_list_order, rule_told
from app.notices.years import cautions_of_years
from app.reports.abutters.shapes import Shapes, shapes_of
from app.schemas.abutters import (
    AbutterList,
    AbutterTold,
    ExcludedTold,
    NearMissTold,
    SignaturesTold,
    SubjectTold,
    TaxListTold,
)
from app.store.tax_lists import TaxLists
from layers.snapshot import Snapshot
from spatial.abutters import Abutting, NearMiss, abutters
from spatial.case import Caution
from spatial.fabric import ParcelFabric
from spatial.facts import Facts
from spatial.model import Town


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A list as made, and its shapes."""

    told: AbutterList
    shapes: Shapes


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a list is named and dated with; the only clock it sees."""

    id: str
    created: str
    today: date


def make(question: Question, snapshot: Snapshot, tax_lists: TaxLists, stamp: Stamp) -> Made:
    """Return the answer to one question about abutters, with owners.

    Parameters
    ----------
    snapshot
        The layers as they stand; the list says which editions it saw.

    Raises
    ------
    MetesError
        ``layer_unavailable`` without parcels, ``parcel_unknown``, or ``bad_parameter`` when the rule requires no
        notice and no distance was named.
    """
    fabric = fabric_of(snapshot)
    taxes = TaxBook(snapshot, fabric, tax_lists)
    around = surroundings_of(snapshot, taxes)
    found = abutters(question.land(fabric), question.rule, fabric, around)
    return Made(_told(_Work(question, snapshot, fabric, taxes, found), stamp), shapes_of(found, fabric))


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    question: Question
    snapshot: Snapshot
    fabric: ParcelFabric
    taxes: TaxBook
    found: Abutting

    @property
    def named(self) -> list[str]:
        return [*self.found.land.loc_ids, *(a.loc_id for a in self.found.abutters)]

    @property
    def towns(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(t for i in self.named if (t := self.town_of(i)) is not None))

    @property
    def subject_towns(self) -> tuple[Town, ...]:
        """The towns the subject lies in, as far as its parcels say."""
        known = self.snapshot.towns.by_id
        numbers = dict.fromkeys(self.town_of(i) for i in self.found.land.loc_ids)
        return tuple(known[n] for n in numbers if n is not None and n in known)

    def town_of(self, loc_id: str) -> int | None:
        town: int | None = self.fabric.town_id[self.fabric.places[loc_id][0]]
        return None if town is None else int(town)


def _told(work: _Work, stamp: Stamp) -> AbutterList:
    found, request, facts = work.found, work.question.request, work.question.facts
    rows = {loc_id: work.taxes.rows(loc_id) for loc_id in work.named}
    condominium = condominium_of(work.snapshot, request, work.towns)
    whose = owners_of(chain.from_iterable(rows[i] for i in found.land.loc_ids))
    owned = in_list_order(
        owned_abutter(a, rows[a.loc_id], condominium=condominium, subject_owners=whose) for a in found.abutters
    )
    sources = work.taxes.sources(rows)
    sent = letters_of(owned)
    subject = tuple(_subject(work, i, rows[i]) for i in found.land.loc_ids)
    signatures = _signatures(work, subject, owned, stamp.today)
    last = mail_by(work.question.rule, work.snapshot.law, facts, len(sent.notices))
    cautions = (*found.warnings, *_cautions(work, sources, signatures, stamp=stamp), *_of_dates(facts, last, stamp))
    return AbutterList(
        id=stamp.id,
        url=f"/v1/abutter-lists/{stamp.id}",
        created=stamp.created,
        on=stamp.today,
        status="draft",
        rule=rule_told(found.rule),
        subject=subject,
        screening=request.screening,
        drawn=found.land.work is not None,
        invented=any(t.invented for t in work.subject_towns),
        parcels_editions=tuple(f"{e.part}/{e.edition}" for e in found.editions),
        tax_list=tuple(_tax_list(s) for s in sources),
        condominium=condominium,
        abutters=owned,
        near_misses=tuple(_near_miss(work, m) for m in found.near_misses),
        excluded=tuple(ExcludedTold(loc_id=e.loc_id, reason=e.reason) for e in found.excluded),
        notices=sent.notices,
        alike=sent.alike,
        hearing=request.hearing,
        filed_on=facts.day(FILED),
        hearing_on=facts.day(HEARING),
        deadlines=deadlines_of(work.question.rule, work.snapshot.law, facts, len(sent.notices)),
        mail_by=last.practical,
        mail_by_law=last.law,
        signatures=signatures,
        warnings=warnings_of(owned, cautions, sources, found.rule),
        counts=counts_of(owned, len(sent.notices)),
    )


def _of_dates(facts: Facts, last: MailBy, stamp: Stamp) -> tuple[Caution, ...]:
    return (*cautions_of_hearing(facts.day(HEARING)), *cautions_of_mailing(last, stamp.today))


def _cautions(
    work: _Work,
    sources: Sequence[TaxSource],
    signatures: SignaturesTold | None,
    *,
    stamp: Stamp,
) -> tuple[Caution, ...]:
    """Return what the owners' other lots, the tax lists, the editions and the law leave open."""
    found, snapshot = work.found, work.snapshot
    lots = [work.fabric.map_par_id[work.fabric.places[i][0]] for i in work.named]
    filed = work.question.facts.day(FILED) or stamp.today
    return (
        *cautions_of_same_owner(found, work.fabric, work.taxes),
        *cautions_of_strays(
            work.taxes.strays(work.towns),
            found.land,
            addresses=[_address(work, i) for i in work.named],
            lots=lots,
        ),
        *cautions_of_years(sources, filed),
        *cautions_of_age(snapshot, work.towns, stamp.today),
        *cautions_of_others(found.rule, work.subject_towns, outlines_of(snapshot)),
        *cautions_of_signatures(signatures),
    )


def _signatures(
    work: _Work, subject: Sequence[SubjectTold], owned: Sequence[AbutterTold], on: date
) -> SignaturesTold | None:
    """Return whose signatures the land needs, with the parcels that work touches beside the subject."""
    law = work.snapshot.law
    named = [b for b in law.bylaws if b.id == work.found.rule.bylaw]
    rule = signing_rule((*named, *law.bylaws_for(work.subject_towns)), on)
    touched = [
        SubjectTold(loc_id=a.loc_id, site_address=a.site_address, town_id=a.town_id, owners=a.owners)
        for a in owned
        if "work_touches_this_parcel" in a.flags
    ]
    return signatures_of(rule, work.question.request.hearing.applicant, (*subject, *touched))


def _address(work: _Work, loc_id: str) -> str | None:
    found: str | None = work.fabric.site_address[work.fabric.places[loc_id][0]]
    return found


def _subject(work: _Work, loc_id: str, rows: Sequence[TaxRow]) -> SubjectTold:
    row = work.fabric.places[loc_id][0]
    return SubjectTold(
        loc_id=loc_id,
        map_par_id=work.fabric.map_par_id[row],
        site_address=_address(work, loc_id),
        town_id=work.town_of(loc_id),
        owners=owners_told(rows),
    )


def _near_miss(work: _Work, missed: NearMiss) -> NearMissTold:
    return NearMissTold(
        loc_id=missed.loc_id, distance_ft=missed.distance_ft, site_address=_address(work, missed.loc_id)
    )


def _tax_list(source: TaxSource) -> TaxListTold:
    return TaxListTold(
        town_id=source.town_id, fiscal_year=source.fiscal_year, edition=source.edition, source=source.source
    )

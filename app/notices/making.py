"""Make a list: land → abutters → owners → letters → what stands against it. Nothing is kept here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

from app.notices.addresses import plain
from app.notices.asking import FILED, HEARING, Question, condominium_of
from app.notices.days import deadlines_of
from app.notices.doubts import warnings_of
from app.notices.ground import fabric_of, surroundings_of
from app.notices.owners import letters_of, owned_abutter, owners_told
from app.notices.same_owner import cautions_of_same_owner
from app.notices.tax_book import TaxBook, TaxSource
from app.notices.tax_rows import TaxRow, owners_of
from app.reports.abutters.shapes import Shape, Shapes, shapes_of
from app.schemas.abutters import (
    AbutterList,
    AbutterTold,
    Counts,
    ExcludedTold,
    NearMissTold,
    PolicyTold,
    RuleTold,
    SubjectTold,
    TaxListTold,
)
from app.store.tax_lists import TaxLists
from layers.snapshot import Snapshot
from spatial.abutters import Abutter, Abutting, NearMiss, abutters
from spatial.errors import ParameterRefused
from spatial.fabric import ParcelFabric
from spatial.notice import NoticeRule

FARTHEST_FT = 2000.0
"""How far from the land a parcel may lie that a reviewer adds by hand."""


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


def added_by_hand(
    question: Question, snapshot: Snapshot, tax_lists: TaxLists, told: AbutterList, *, reasons: Mapping[str, str]
) -> tuple[tuple[AbutterTold, Shape], ...]:
    """Return parcels a reviewer adds, measured and with their owners, and how each is drawn.

    Raises
    ------
    ParameterRefused
        ``parcel_unknown`` for one that is not loaded, is a public way, is listed already, or lies farther off than
        ``FARTHEST_FT``.
    """
    fabric = fabric_of(snapshot)
    taxes = TaxBook(snapshot, fabric, tax_lists)
    wide = question.rule.exactly(FARTHEST_FT)
    found = abutters(question.land(fabric), wide, fabric, surroundings_of(snapshot, taxes))
    near = {a.loc_id: a for a in found.abutters}
    listed = {a.loc_id for a in told.abutters}
    whose = frozenset(plain(o.owner) for s in told.subject for o in s.owners)
    chosen = [(_addable(near, loc_id, listed), reason) for loc_id, reason in reasons.items()]
    rows = (
        owned_abutter(
            replace(one, clauses=(f"added by hand: {reason}",)),
            taxes.rows(one.loc_id),
            condominium=told.condominium,
            subject_owners=whose,
        )
        for one, reason in chosen
    )
    drawn = (Shape("abutter", one.loc_id, one.relation, fabric.geometry[one.row]) for one, _ in chosen)
    return tuple(zip(rows, drawn, strict=True))


def _addable(near: Mapping[str, Abutter], loc_id: str, listed: Collection[str]) -> Abutter:
    if loc_id not in near or loc_id in listed:
        raise ParameterRefused(
            f"The parcel {loc_id} cannot be added: it is listed already, is a public way, or is not within "
            f"{FARTHEST_FT:g} ft of the land.",
            code="parcel_unknown",
        )
    return near[loc_id]


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

    def town_of(self, loc_id: str) -> int | None:
        town: int | None = self.fabric.town_id[self.fabric.places[loc_id][0]]
        return None if town is None else int(town)


def _told(work: _Work, stamp: Stamp) -> AbutterList:
    found, request, facts = work.found, work.question.request, work.question.facts
    rows = {loc_id: work.taxes.rows(loc_id) for loc_id in work.named}
    condominium = condominium_of(work.snapshot, request, work.towns)
    whose = owners_of(chain.from_iterable(rows[i] for i in found.land.loc_ids))
    owned = tuple(
        owned_abutter(a, rows[a.loc_id], condominium=condominium, subject_owners=whose) for a in found.abutters
    )
    sources = work.taxes.sources(rows)
    sent = letters_of(owned)
    cautions = (*found.warnings, *cautions_of_same_owner(found, work.fabric, work.taxes))
    return AbutterList(
        id=stamp.id,
        url=f"/v1/abutter-lists/{stamp.id}",
        created=stamp.created,
        on=stamp.today,
        status="draft",
        rule=rule_told(found.rule),
        subject=tuple(_subject(work, i, rows[i]) for i in found.land.loc_ids),
        screening=request.screening,
        drawn=found.land.work is not None,
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
        warnings=warnings_of(owned, cautions, sources, found.rule),
        counts=counts_of(owned, len(sent.notices)),
    )


def counts_of(owned: Sequence[AbutterTold], letters: int) -> Counts:
    """Return how many parcels, rows of owners and letters."""
    return Counts(parcels=len(owned), owners=sum(len(a.owners) for a in owned), notices=letters)


def rule_told(rule: NoticeRule) -> RuleTold:
    """Return a notice rule as told."""
    return RuleTold(
        id=rule.id,
        title=rule.title,
        citation=rule.citation,
        quote=rule.quote,
        authority=rule.authority,
        within_ft=rule.within_ft,
        second_ring_ft=rule.second_ring_ft,
        opposite=rule.opposite,
        methods=rule.methods,
        how=rule.how,
        policies=tuple(PolicyTold(id=p.id, question=p.question, reading=p.reading) for p in rule.policies),
    )


def _subject(work: _Work, loc_id: str, rows: Sequence[TaxRow]) -> SubjectTold:
    row = work.fabric.places[loc_id][0]
    return SubjectTold(
        loc_id=loc_id,
        map_par_id=work.fabric.map_par_id[row],
        site_address=work.fabric.site_address[row],
        town_id=work.town_of(loc_id),
        owners=owners_told(rows),
    )


def _near_miss(work: _Work, missed: NearMiss) -> NearMissTold:
    row = work.fabric.places[missed.loc_id][0]
    return NearMissTold(
        loc_id=missed.loc_id, distance_ft=missed.distance_ft, site_address=work.fabric.site_address[row]
    )


def _tax_list(source: TaxSource) -> TaxListTold:
    return TaxListTold(
        town_id=source.town_id, fiscal_year=source.fiscal_year, edition=source.edition, source=source.source
    )

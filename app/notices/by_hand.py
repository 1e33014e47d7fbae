"""Parcels a reviewer puts on a list: one the rule does not name, or one that an earlier review dropped."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from app.notices.addresses import plain
from app.notices.asking import Question
from app.notices.ground import fabric_of, surroundings_of
from app.notices.owners import owned_abutter
from app.notices.tax_book import TaxBook
from app.reports.abutters.shapes import Shape
from app.schemas.abutters import AbutterList, AbutterTold
from app.store.tax_lists import TaxLists
from layers.snapshot import Snapshot
from spatial.abutters import Abutter, abutters
from spatial.errors import ParameterRefused
from spatial.notice import NoticeRule

FARTHEST_FT = 2000.0
"""How far from the land a parcel may lie that a reviewer adds by hand."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """LOC_IDs with the reason of each: ``add`` is measured anew, ``restore`` comes back as the rule names it."""

    add: Mapping[str, str]
    restore: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.add or self.restore)


def put_by_hand(
    question: Question, snapshot: Snapshot, tax_lists: TaxLists, told: AbutterList, *, wanted: ByHand
) -> tuple[tuple[AbutterTold, Shape], ...]:
    """Return parcels a reviewer adds or restores, measured and with their owners, and how each is drawn.

    Raises
    ------
    ParameterRefused
        ``parcel_unknown`` for one to add that is not loaded, is a public way, is listed already, or lies farther
        off than ``FARTHEST_FT``; for one to restore that no review dropped or that the rule no longer names.
    """
    fabric = fabric_of(snapshot)
    taxes = TaxBook(snapshot, fabric, tax_lists)
    land, around = question.land(fabric), surroundings_of(snapshot, taxes)

    def named_by(rule: NoticeRule) -> dict[str, Abutter]:
        return {a.loc_id: a for a in abutters(land, rule, fabric, around).abutters}

    chosen = (
        *_added(named_by(question.rule.exactly(FARTHEST_FT)) if wanted.add else {}, told, wanted.add),
        *_restored(named_by(question.rule) if wanted.restore else {}, told, wanted.restore),
    )
    whose = frozenset(plain(o.owner) for s in told.subject for o in s.owners)
    return tuple(
        (
            owned_abutter(one, taxes.rows(one.loc_id), condominium=told.condominium, subject_owners=whose),
            Shape("abutter", one.loc_id, one.relation, fabric.geometry[one.row]),
        )
        for one in chosen
    )


def _added(near: Mapping[str, Abutter], told: AbutterList, reasons: Mapping[str, str]) -> Iterator[Abutter]:
    listed = _listed(told)
    for loc_id, reason in reasons.items():
        if loc_id not in near or loc_id in listed:
            raise ParameterRefused(
                f"The parcel {loc_id} cannot be added: it is listed already, is a public way, or is not within "
                f"{FARTHEST_FT:g} ft of the land.",
                code="parcel_unknown",
            )
        yield replace(near[loc_id], clauses=(f"added by hand: {reason}",))


def _restored(named: Mapping[str, Abutter], told: AbutterList, reasons: Mapping[str, str]) -> Iterator[Abutter]:
    dropped = {d.loc_id for d in told.reviewed.dropped} if told.reviewed else set()
    for loc_id, reason in reasons.items():
        if loc_id not in dropped or loc_id in _listed(told) or loc_id not in named:
            raise ParameterRefused(
                f"The parcel {loc_id} cannot be restored: no review dropped it, or the rule names it no longer; "
                "add it instead.",
                code="parcel_unknown",
            )
        yield replace(named[loc_id], clauses=(*named[loc_id].clauses, f"restored in review: {reason}"))


def _listed(told: AbutterList) -> Collection[str]:
    return {a.loc_id for a in told.abutters}

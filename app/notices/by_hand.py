"""Parcels a reviewer puts on a list: one the rule does not name, or one that an earlier review dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

ADDED, RESTORED = "added by hand: ", "restored in review: "
"""How the reasons begin that a reviewer gave."""
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
    ground = _Ground(question, snapshot, tax_lists)
    chosen = (
        *_added(ground.named_by(question.rule.exactly(FARTHEST_FT)) if wanted.add else {}, told, wanted.add),
        *_restored(ground.named_by(question.rule) if wanted.restore else {}, told, wanted.restore),
    )
    return tuple(
        (
            ground.owned(one, told),
            Shape("abutter", one.loc_id, one.relation, ground.fabric.geometry[one.row]),
        )
        for one in chosen
    )


def again_by_hand(
    question: Question, snapshot: Snapshot, tax_lists: TaxLists, *, before: AbutterList, now: AbutterList
) -> tuple[AbutterTold, ...]:
    """Return the parcels a review added to a list as they are today; one that is there no more is left out.

    Parameters
    ----------
    now
        The question answered anew; what its rule names by now is in it already and not returned.
    """
    added = {a.loc_id for a in before.reviewed.added} if before.reviewed else set()
    wanted = [i for i in _listed(before) if i in added and i not in _listed(now)]
    if not wanted:
        return ()
    ground = _Ground(question, snapshot, tax_lists)
    near = ground.named_by(question.rule.exactly(FARTHEST_FT))
    return tuple(ground.owned(near[i], before) for i in wanted if i in near)


class _Ground:
    """The parcels and the tax list of today around the land of a question."""

    def __init__(self, question: Question, snapshot: Snapshot, tax_lists: TaxLists) -> None:
        self.fabric = fabric_of(snapshot)
        self._taxes = TaxBook(snapshot, self.fabric, tax_lists)
        self._land = question.land(self.fabric)
        self._around = surroundings_of(snapshot, self._taxes)

    def named_by(self, rule: NoticeRule) -> dict[str, Abutter]:
        return {a.loc_id: a for a in abutters(self._land, rule, self.fabric, self._around).abutters}

    def owned(self, one: Abutter, told: AbutterList) -> AbutterTold:
        whose = frozenset(plain(o.owner) for s in told.subject for o in s.owners)
        rows = self._taxes.rows(one.loc_id)
        return owned_abutter(one, rows, condominium=told.condominium, subject_owners=whose)


def _added(near: Mapping[str, Abutter], told: AbutterList, reasons: Mapping[str, str]) -> Iterator[Abutter]:
    listed = _listed(told)
    for loc_id, reason in reasons.items():
        if loc_id not in near or loc_id in listed:
            raise ParameterRefused(
                f"The parcel {loc_id} cannot be added: it is listed already, is a public way, or is not within "
                f"{FARTHEST_FT:g} ft of the land.",
                code="parcel_unknown",
            )
        yield replace(near[loc_id], clauses=(f"{ADDED}{reason}",))


def _restored(named: Mapping[str, Abutter], told: AbutterList, reasons: Mapping[str, str]) -> Iterator[Abutter]:
    dropped = {d.loc_id for d in told.reviewed.dropped} if told.reviewed else set()
    for loc_id, reason in reasons.items():
        if loc_id not in dropped or loc_id in _listed(told) or loc_id not in named:
            raise ParameterRefused(
                f"The parcel {loc_id} cannot be restored: no review dropped it, or the rule names it no longer; "
                "add it instead.",
                code="parcel_unknown",
            )
        yield replace(named[loc_id], clauses=(*named[loc_id].clauses, f"{RESTORED}{reason}"))


def _listed(told: AbutterList) -> dict[str, None]:
    """Return the LOC_IDs of a list in its order."""
    return dict.fromkeys(a.loc_id for a in told.abutters)

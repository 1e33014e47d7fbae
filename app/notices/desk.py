"""The desk where abutters' lists are asked for, looked through, certified and mailed. Every act is logged here."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.notices.asking import question_of
from app.notices.by_hand import ByHand, again_by_hand, put_by_hand
from app.notices.changes import changes
from app.notices.days import law_day, practical_day
from app.notices.editions import changed_since
from app.notices.life import certified, in_a_line, reviewed, status_on, superseded
from app.notices.mailed import after, with_mailings
from app.notices.making import Stamp, make
from app.reports.abutters.shapes import Shape, Shapes, unpack
from app.schemas.abutter_requests import (
    CertifyRequest,
    ListRequest,
    MailingsRequest,
    ReviewRequest,
    SupersedeRequest,
)
from app.schemas.abutters import AbutterList, AbutterTold, KeptListsTold, ListChanges
from app.screening import today
from app.service import Service
from app.store.abutter_lists import AbutterLists, KeptList, Mailing
from app.store.records import moment
from app.store.tax_lists import TaxLists
from spatial.errors import ParameterRefused

MOST_LISTS = 50
"""Kept lists that are told at once unless more are asked for."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, as the audit log names it: a key's id, or ``system:`` and the user of the machine."""

    name: str


class Desk:
    """Abutters' lists of one service.

    Parameters
    ----------
    service
        Layers and records.
    actor
        Whose acts these are.
    """

    def __init__(self, service: Service, actor: Actor) -> None:
        self._service = service
        self._actor = actor
        self._lists = AbutterLists(service.records)
        self._tax_lists = TaxLists(service.records)

    def create(self, request: ListRequest) -> AbutterList:
        """Make a list and keep it as a draft."""
        snapshot = self._service.library.snapshot()
        question = question_of(self._service, snapshot, request)
        made = make(question, snapshot, self._tax_lists, self._stamp(self._lists.new_id()))
        kept = KeptList(
            id=made.told.id,
            created=made.told.created,
            status="draft",
            body=made.told.model_dump_json(),
            question=request.model_dump_json(),
            drawing=made.shapes.pack(),
            life="{}",
        )
        self._lists.keep(kept)
        self._log("abutters.list", made.told, request.reason)
        return made.told

    def read(self, list_id: str, *, what: str = "json", reason: str | None = None) -> AbutterList:
        """Return a list as it stands today, and log that it was handed out."""
        told = self._told(self._lists.get(list_id))
        self._log(f"abutters.export.{what}", told, reason)
        return told

    def kept(self, limit: int = MOST_LISTS) -> KeptListsTold:
        """Return the lists made last, in a line each, newest first; no owner is in it, so nothing is logged."""
        found = self._lists.newest(limit + 1)
        mailed = self._lists.mailed([k.id for k in found])
        told = tuple(in_a_line(_body(k), today(), mailed.get(k.id, 0)) for k in found[:limit])
        return KeptListsTold(lists=told, more=len(found) > limit)

    def shapes(self, list_id: str) -> Shapes:
        """Return the shapes of a list."""
        return unpack(self._lists.get(list_id).drawing)

    def review(self, list_id: str, request: ReviewRequest) -> AbutterList:
        """Keep a list as reviewed."""
        kept = self._lists.get(list_id)
        before = _body(kept)
        self._unmailed(list_id)
        wanted = ByHand({a.loc_id: a.reason for a in request.add}, {a.loc_id: a.reason for a in request.restore})
        added = self._added(kept, before, wanted)
        after = reviewed(before, request, added=[a for a, _ in added], by=self._actor.name, at=moment())
        drawn = unpack(kept.drawing).reviewed({a.loc_id for a in after.abutters}, [s for _, s in added])
        return self._move(replace(kept, drawing=drawn.pack()), after, "abutters.review", request.reason)

    def certify(self, list_id: str, request: CertifyRequest) -> AbutterList:
        """Keep a list as certified; from now on it is frozen."""
        kept = self._lists.get(list_id)
        before = _body(kept)
        days, wordings = (self._entries(before, name) for name in ("list_validity_days", "certification_wording"))
        after = certified(
            before,
            request,
            today=today(),
            validity_days=min(map(float, days), default=None),
            wording=str(wordings[0]) if wordings else None,
            since=changed_since(before, self._service.library.snapshot(), self._tax_lists),
        )
        return self._move(kept, after, "abutters.certify", request.reason or request.despite)

    def supersede(self, list_id: str, request: SupersedeRequest) -> AbutterList:
        """Keep a list as one that is no longer used."""
        kept = self._lists.get(list_id)
        named = request.successor
        successor = self._told(self._lists.get(named)) if named is not None else None
        after = superseded(_body(kept), request, successor=successor, by=self._actor.name, at=moment())
        return self._move(kept, after, "abutters.supersede", request.reason)

    def mailed(self, list_id: str, request: MailingsRequest) -> AbutterList:
        """Keep what became of letters."""
        told = _body(self._lists.get(list_id))
        beyond = [m.notice for m in request.mailings if m.notice >= len(told.notices)]
        if beyond:
            raise ParameterRefused(
                f"The list has letters 1 to {len(told.notices)}; there is no letter {beyond[0] + 1} "
                f"(notice {beyond[0]}; that field counts from 0)."
            )
        known = self._lists.mailings(list_id)
        for report in request.mailings:
            known[report.notice] = after(report, known.get(report.notice, Mailing(report.notice)), today())
        self._lists.report(list_id, [known[n] for n in dict.fromkeys(m.notice for m in request.mailings)])
        self._log("abutters.mailed", told, request.reason)
        return self._told(self._lists.get(list_id))

    def changes(self, list_id: str, *, reason: str | None = None) -> ListChanges:
        """Return what is different today from a list as it was made."""
        kept = self._lists.get(list_id)
        before = _body(kept)
        snapshot = self._service.library.snapshot()
        question = question_of(self._service, snapshot, ListRequest.model_validate_json(kept.question))
        now = make(question, snapshot, self._tax_lists, self._stamp(list_id)).told
        still = again_by_hand(question, snapshot, self._tax_lists, before=before, now=now)
        self._log("abutters.changes", before, reason)
        return changes(before, now.model_copy(update={"abutters": (*now.abutters, *still)}), today())

    def _move(self, kept: KeptList, after: AbutterList, action: str, reason: str | None) -> AbutterList:
        moved = replace(kept, status=after.status, body=after.model_dump_json())
        self._lists.replace(moved, was=kept.status, read=kept.body)
        self._log(action, after, reason)
        return self._told(self._lists.get(kept.id))

    def _told(self, kept: KeptList) -> AbutterList:
        told = _body(kept)
        days = {"mail_by": practical_day(told), "mail_by_law": law_day(told)}
        dated = told.model_copy(update={"status": status_on(told, today()), **days})
        return with_mailings(dated, self._lists.mailings(kept.id), today())

    def _unmailed(self, list_id: str) -> None:
        if self._lists.mailings(list_id):
            raise ParameterRefused("Letters of this list were reported as mailed; make a new list to change it.")

    def _added(self, kept: KeptList, before: AbutterList, wanted: ByHand) -> tuple[tuple[AbutterTold, Shape], ...]:
        if not wanted:
            return ()
        snapshot = self._service.library.snapshot()
        question = question_of(self._service, snapshot, ListRequest.model_validate_json(kept.question))
        return put_by_hand(question, snapshot, self._tax_lists, before, wanted=wanted)

    def _entries(self, told: AbutterList, name: str) -> list[str | float]:
        """Return what the towns of the subject entered under a name, in the order of the subject; none: empty."""
        snapshot = self._service.library.snapshot()
        towns = [snapshot.towns.by_id.get(s.town_id) for s in told.subject if s.town_id is not None]
        entered = [snapshot.law.towns.get(t.slug) for t in towns if t is not None]
        found = [e.get(name) for e in entered if e is not None]
        return [f.value for f in found if f is not None]

    def _stamp(self, list_id: str) -> Stamp:
        return Stamp(list_id, moment(), today())

    def _log(self, action: str, told: AbutterList, reason: str | None) -> None:
        """Log who did what with which parcels: LOC_IDs and the list's id, never a name."""
        subject = [told.id, *(s.loc_id for s in told.subject), *(a.loc_id for a in told.abutters)]
        self._service.audit.write(action, subject, key_id=self._actor.name, reason=reason)


def _body(kept: KeptList) -> AbutterList:
    return AbutterList.model_validate_json(kept.body)

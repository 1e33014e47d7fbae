"""The deadlines of a list: the clocks of its rule and of the rule's bylaw, from the dates that were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app.schemas.abutters import AbutterList, DeadlineTold
from spatial.case import Caution
from spatial.clocks import closed_for
from spatial.decide.dates import PIECES, clocked
from spatial.facts import Facts
from spatial.notice import NoticeRule
from spatial.rules.book import LawBook
from spatial.rules.bylaw import Clock
from spatial.rules.determination import Deadline

MAILS = ("post_office", "business_mail")
"""A clock whose day is one on which mail is taken in is the clock of the mailing."""


def deadlines_of(rule: NoticeRule, law: LawBook, facts: Facts, letters: int) -> tuple[DeadlineTold, ...]:
    """Return the deadlines, earliest first; empty when no date was given.

    Parameters
    ----------
    letters
        How many letters are mailed together, for clocks that depend on it.
    """
    with_letters = Facts({**facts.values, PIECES: letters})
    return tuple(told(d) for d in clocked(_clocks(rule, law), with_letters))


@dataclass(frozen=True, slots=True)
class MailBy:
    """The last day for mailing: ``practical`` while mail is still taken in, ``law`` the law's own. None: none."""

    practical: date | None = None
    law: date | None = None


def mail_by(rule: NoticeRule, law: LawBook, facts: Facts, letters: int) -> MailBy:
    """Return the last days on which mailing the notices is timely; none without a clock or a date for it.

    TC-06: seven days before a hearing on 2 June 2025 is Memorial Day; mail is taken in up to Saturday the 24th, in
    bulk up to Friday the 23rd.
    """
    mailing = tuple(c for c in _clocks(rule, law) if c.practical in MAILS)
    found = clocked(mailing, Facts({**facts.values, PIECES: letters}))
    return MailBy(
        practical=min((in_practice(told(d)) for d in found), default=None),
        law=min((d.rolled for d in found), default=None),
    )


def in_practice(one: DeadlineTold) -> date:
    """Return the last day on which the act can be done: its doors are open, and it is no later than by law."""
    return min(one.practical or one.rolled, one.rolled)


def law_day(told: AbutterList) -> date | None:
    """Return the law's own last day for mailing a list's letters; one kept before both were told has only it."""
    return told.mail_by_law or told.mail_by


def practical_day(told: AbutterList) -> date | None:
    """Return the last day on which a list's letters are taken in and are timely."""
    if told.mail_by_law is not None:
        return told.mail_by
    same = (in_practice(d) for d in told.deadlines if d.practical and told.mail_by in (d.raw, d.rolled))
    return min(same, default=told.mail_by)


def closed_days(told: Sequence[DeadlineTold]) -> tuple[str, ...]:
    """Return why a day of some deadlines is not one to count on: a Sunday or a legal holiday, by name."""
    days = sorted({day for one in told for day in (one.raw, one.rolled, in_practice(one))})
    return tuple(f"{day} is {name}." for day in days if (name := closed_for(day)) is not None)


def cautions_of_hearing(hearing_on: date | None) -> tuple[Caution, ...]:
    """Return a sentence when the hearing is on a Sunday or legal holiday; every date counted from it may be off."""
    name = closed_for(hearing_on) if hearing_on is not None else None
    if name is None:
        return ()
    return (
        Caution(
            "hearing_on_closed_day",
            f"The hearing is on {hearing_on}, which is {name}; check that day: other dates are counted from it.",
        ),
    )


def cautions_of_mailing(last: MailBy, today: date) -> tuple[Caution, ...]:
    """Return a sentence when the last day for mailing is over already."""
    if last.law is None or last.law >= today:
        return ()
    text = f"The last day by law for mailing was {last.law}: letters mailed now are late for this hearing."
    return (Caution("mailing_day_over", text),)


def _clocks(rule: NoticeRule, law: LawBook) -> tuple[Clock, ...]:
    bylaw = next((b for b in law.bylaws if b.id == rule.bylaw), None)
    return (*rule.clocks, *(bylaw.clocks if bylaw is not None else ()))


def told(found: Deadline) -> DeadlineTold:
    """Return a deadline as told."""
    one = DeadlineTold(
        what=found.what,
        citation=found.citation,
        raw=found.raw,
        rolled=found.rolled,
        practical=found.practical,
        board_act_by=found.board_act_by,
        applicant_may_rely_from=found.applicant_may_rely_from,
    )
    return one.model_copy(update={"closed": " ".join(closed_days((one,)))})

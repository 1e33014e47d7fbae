"""The deadlines of a list: the clocks of its rule and of the rule's bylaw, from the dates that were given."""

from __future__ import annotations

from datetime import date

from app.schemas.abutters import DeadlineTold
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


def mail_by(rule: NoticeRule, law: LawBook, facts: Facts, letters: int) -> date | None:
    """Return the last day on which mailing the notices is timely; None without a clock or a date for it."""
    mailing = tuple(c for c in _clocks(rule, law) if c.practical in MAILS)
    with_letters = Facts({**facts.values, PIECES: letters})
    return min((d.raw for d in clocked(mailing, with_letters)), default=None)


def _clocks(rule: NoticeRule, law: LawBook) -> tuple[Clock, ...]:
    bylaw = next((b for b in law.bylaws if b.id == rule.bylaw), None)
    return (*rule.clocks, *(bylaw.clocks if bylaw is not None else ()))


def told(found: Deadline) -> DeadlineTold:
    """Return a deadline as told."""
    return DeadlineTold(
        what=found.what,
        citation=found.citation,
        raw=found.raw,
        rolled=found.rolled,
        practical=found.practical,
        board_act_by=found.board_act_by,
        applicant_may_rely_from=found.applicant_may_rely_from,
    )

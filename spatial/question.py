"""The ground floor of a screening: what is asked, in one frozen shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from spatial.case import NearbySite
from spatial.facts import Facts
from spatial.grid import GridFrame
from spatial.model import Submission, Town

DELINEATION = "delineation"
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b", re.ASCII)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b", re.ASCII)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the work, where, with which facts, on which day.

    ``loc_ids`` empty: the parcels are found. ``town`` None: it is the parcels', else the one the work lies in.
    ``towns`` by TOWN_ID. ``nearby`` are kept sites near this one. ``work_accuracy_ft``: how exact the limit of
    work is, in feet.
    """

    submission: Submission
    loc_ids: tuple[str, ...]
    town: Town | None
    facts: Facts
    on: date
    towns: Mapping[int, Town]
    allow_stale: bool = False
    nearby: tuple[NearbySite, ...] = ()
    work_accuracy_ft: float = 1.0
    grids: Mapping[str, tuple[GridFrame, ...]] = field(default_factory=dict)

    @property
    def exact_to_ft(self) -> float:
        """How exact the limit of work can be: as stated, but never better than its coordinate system allows."""
        return max(self.work_accuracy_ft, self.submission.accuracy_ft)

    @property
    def facts_judged(self) -> Facts:
        """The facts that rules look at: as given, with the accuracy of the work as it really can be.

        A delineation that names no day or year, or only some still to come, is none.
        """
        judged = dict(self.facts.values)
        if self.submission.accuracy_ft > self.work_accuracy_ft:
            judged["work_accuracy_ft"] = self.exact_to_ft
        if self.delineation_to_come:
            del judged[DELINEATION]
        return Facts(judged)

    @property
    def delineation_to_come(self) -> str | None:
        """The delineation given as a fact when it names no day or year up to the day asked for, else None."""
        text = self.facts.text(DELINEATION)
        return text if text is not None and not _was_by(self.on, text) else None


def _was_by(last: date, text: str) -> bool:
    """Say whether some words name a day that has been; only where they name no day, a year that has begun."""
    days = _DAY.findall(text)
    if days:
        return any(_is_day_up_to(last, day) for day in days)
    return any(int(year) <= last.year for year in _YEAR.findall(text))


def _is_day_up_to(last: date, text: str) -> bool:
    try:
        return date.fromisoformat(text) <= last
    except ValueError:
        return False

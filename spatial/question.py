"""The ground floor of a screening: what is asked, in one frozen shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from spatial.facts import Facts
from spatial.grid import GridFrame
from spatial.model import NearbySite, Submission, Town


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

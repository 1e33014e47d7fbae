"""What makes two questions the same: the input, what was declared, what the layers say, the bylaws and the engine.

Other kept screenings nearby are no part of it: the same question has the same answer whoever asked before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.metadata import version

from layers.library import Snapshot
from spatial.case import Case
from spatial.measure.theme import NEAREST_FT
from spatial.model import Area, EditionRef, Theme
from spatial.rules.determination import Screening as Judged
from spatial.units import m_from_ft

GROUND = frozenset({"parcels", "towns"})
"""Layers every question is asked on, whatever themes there are."""

Box = tuple[float, float, float, float]


def engine() -> str:
    """Return the version of the engine."""
    return version("metes")


def editions_used(snapshot: Snapshot, themes: Sequence[Theme], area: Area) -> tuple[EditionRef, ...]:
    """Return the editions an answer on ``area`` rests on: of every theme, parcels and towns, where they lie near.

    Near is the reach of the farthest theme, or how far the nearest feature is named, by boxes in EPSG:26986; an
    edition of a place farther away has no say.
    """
    reach_m = m_from_ft(max(NEAREST_FT, *(theme.coverage_ft for theme in themes)))
    wanted = sorted({theme.layer_id for theme in themes} | GROUND)
    grounds = (ground for layer_id in wanted for ground in snapshot.grounds(layer_id))
    return tuple(ref for ref, coverage in grounds if _apart_m(coverage.bounds, area.bounds) <= reach_m)


def _apart_m(one: Box, other: Box) -> float:
    """Return the larger of the gaps between two boxes, across and along; 0 or less when they meet."""
    return max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])


def screening_id(sha256: str, question: str, judged: Judged, editions: tuple[EditionRef, ...]) -> str:
    """Return the id: a hash of the input's bytes, what was declared, the editions, the bylaws and the engine.

    What was measured is hashed too, for it may rest on an edition far away: that a layer is loaded but not here,
    a water downstream, a parcel named elsewhere.
    """
    rests_on = sorted(f"{ref.layer_id}/{ref.part}/{ref.edition}/{ref.sha256}" for ref in editions)
    applied = sorted(f"{bylaw.id}/{bylaw.edition}" for bylaw in judged.bylaws)
    whole = json.dumps([sha256, question, rests_on, applied, engine(), _measured(judged.case)])
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def _measured(case: Case) -> list[str]:
    """Return in words what the layers said, whichever edition said it."""
    findings = [(f.theme, f.layer_id, f.status, f.coverage, f.nearest_ft, f.why) for f in case.findings]
    lots = [(lot.loc_id, lot.area_sqft, lot.disturbed_sqft) for lot in case.lots]
    waters = (case.watersheds, case.downstream, case.downstream_end, case.mitigation, case.receiving)
    return [repr(part) for part in (findings, lots, *waters)]

"""Stage findings: which editions an answer would rest on are older than their layer allows on the day asked."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import shapely

from spatial.dust import united
from spatial.findings.coverage import CoverageOf
from spatial.index import IndexedLayer
from spatial.model import EditionRef
from spatial.site import Ground, Site
from spatial.units import m_from_ft


def past_limit(layer: IndexedLayer, site: Site, on: date, reach_ft: float) -> tuple[tuple[EditionRef, int], ...]:
    """Return the editions past their limit whose ground is within reach of the work, each with its age in days.

    An edition of unknown date, or a layer without a limit, is never stale. None counts where those that are fresh
    answer for all the ground by themselves.
    """
    ages = {n: age for n, ref in enumerate(layer.refs) if (age := days_past(ref, on)) is not None}
    if not ages or _covered_without(layer, site, ages, reach_ft):
        return ()
    reach_m = m_from_ft(reach_ft)
    near = [n for n in ages if shapely.dwithin(layer.frames[n].frame.coverage, site.work.geometry, reach_m)]
    return tuple((layer.refs[n], ages[n]) for n in near)


def days_past(ref: EditionRef, on: date) -> int | None:
    """Return the age of an edition that is past its limit, None for one that is not."""
    if ref.stale_after_days is None or not ref.retrieved:
        return None
    age = (on - date.fromisoformat(ref.retrieved[:10])).days
    return age if age > ref.stale_after_days else None


def _covered_without(layer: IndexedLayer, site: Site, old: Iterable[int], reach_ft: float) -> bool:
    fresh = [f.frame.coverage for n, f in enumerate(layer.frames) if n not in set(old)]
    if not fresh:
        return False
    return CoverageOf(site, reach_ft).around_work(Ground(united(fresh)), reach_ft) == "full"

"""Stage measure: whether an edition answers for the ground asked about. Silence outside it means nothing."""

from __future__ import annotations

import shapely

from spatial.model import Coverage
from spatial.site import Ground, Site
from spatial.units import m_from_ft


class CoverageOf:
    """Answers of one site, remembered: many layers cover the same ground and reach equally far."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._known: dict[tuple[int, float], Coverage] = {}
        self._lots: dict[int, bool] = {}

    def around_work(self, ground: Ground, reach_ft: float) -> Coverage:
        """Return whether the coverage holds the work grown by a reach: full, partial or none."""
        key = (id(ground), reach_ft)
        if key not in self._known:
            self._known[key] = _around(ground, self._site.work, m_from_ft(reach_ft))
        return self._known[key]

    def of_lots(self, ground: Ground) -> bool:
        """Say whether the coverage holds every lot under the work; True when there is none."""
        key = id(ground)
        if key not in self._lots:
            self._lots[key] = all(
                _box_inside(ground, lot.ground, 0.0) or ground.geometry.covers(lot.ground.geometry)
                for lot in self._site.lots
            )
        return self._lots[key]


def _around(ground: Ground, work: Ground, reach_m: float) -> Coverage:
    if _box_inside(ground, work, reach_m):
        return "full"
    if not ground.geometry.covers(work.geometry):
        return "partial" if ground.geometry.intersects(work.geometry) else "none"
    return "full" if shapely.distance(work.geometry, ground.boundary) >= reach_m else "partial"


def _box_inside(ground: Ground, asked: Ground, reach_m: float) -> bool:
    """Answer quickly for most sites, which lie well inside; False only means that it must be asked exactly."""
    return bool(ground.geometry.covers(shapely.box(*asked.grown(reach_m))))

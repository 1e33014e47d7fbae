"""Stage findings: whether an edition answers for the ground asked about. Silence outside it means nothing."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from spatial.model import Area, Coverage, EditionRef
from spatial.site import Ground, Site
from spatial.units import ft_from_m, m_from_ft


class CoverageOf:
    """Answers of one site, remembered: many layers cover the same ground, and most sites lie well inside it.

    ``farthest_ft`` is the farthest that will be asked.
    """

    def __init__(self, site: Site, farthest_ft: float) -> None:
        self._site = site
        self._box = shapely.box(*site.work.grown(m_from_ft(farthest_ft)))
        self._inside: dict[int, bool] = {}
        self._lots: dict[int, bool] = {}

    def around_work(self, ground: Ground, reach_ft: float) -> Coverage:
        """Return whether the coverage holds the work grown by a reach: full, partial or none."""
        key = id(ground)
        if key not in self._inside:
            self._inside[key] = bool(shapely.covers(ground.geometry, self._box))
        return "full" if self._inside[key] else _around(ground, self._site.work, m_from_ft(reach_ft))

    def of_lots(self, ground: Ground) -> bool:
        """Say whether the coverage holds every lot under the work; True when there is none."""
        key = id(ground)
        if key not in self._lots:
            lots = [lot.ground.geometry for lot in self._site.lots]
            self._lots[key] = bool(shapely.covers(ground.geometry, lots).all())
        return self._lots[key]


def nearest_ground(grounds: Sequence[tuple[EditionRef, Area]], work: Area) -> tuple[EditionRef, float]:
    """Return the edition whose ground ends nearest to the work, and how far away that is in US survey feet.

    Parameters
    ----------
    grounds
        Editions with the ground each answers for, EPSG:26986; not empty.
    work
        The work, EPSG:26986.
    """
    apart = [float(shapely.distance(ground, work)) for _, ground in grounds]
    nearest = min(range(len(apart)), key=apart.__getitem__)
    return grounds[nearest][0], ft_from_m(apart[nearest])


def _around(ground: Ground, work: Ground, reach_m: float) -> Coverage:
    if not shapely.covers(ground.geometry, work.geometry):
        return "partial" if shapely.intersects(ground.geometry, work.geometry) else "none"
    return "full" if shapely.distance(work.geometry, ground.boundary) >= reach_m else "partial"

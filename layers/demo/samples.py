"""What an invented applicant would send: the work on two sample sites, with activities."""

from __future__ import annotations

from dataclasses import dataclass

from shapely import Polygon, box

from layers.demo.lots import QUARRY_LOT, SAMPLE_LOT


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """One piece of work in plan feet and what is done there."""

    name: str
    activity: str
    shape: Polygon


@dataclass(frozen=True, slots=True)
class SampleSite:
    """A sample submission: a file stem, the town's slug, what it is meant to show, and the facts told with it."""

    stem: str
    town: str
    about: str
    works: tuple[Work, ...]
    facts: tuple[tuple[str, str], ...] = ()


def sample_sites() -> tuple[SampleSite, ...]:
    """Return the sample sites; ``metes demo`` screens the first.

    Mill Street, worked out by hand (square feet): grading = house 3,000 + apron 4,200 - overlap 600 = 6,600,
    over the 5,500 of Dover's bylaw; clearing = house 3,000 + garden 2,400 = 5,400, 100 under it, which a limit
    of work drawn to 1 ft cannot tell. The swamp lies 60 ft north of the work, the flood zone 25 ft.
    """
    west, south = SAMPLE_LOT.bounds[:2]
    mill = (
        Work("house", "building", box(west + 40, south + 60, west + 100, south + 110)),
        Work("drive and yard", "grading", box(west + 40, south + 10, west + 110, south + 70)),
        Work("garden", "clearing", box(west + 40, south + 110, west + 100, south + 150)),
    )
    west, south = QUARRY_LOT.bounds[:2]
    quarry = (Work("house lots", "grading", box(west + 40, south + 100, west + 280, south + 300)),)
    return (
        SampleSite(
            "mill-street", "doverbrook", "A house, its drive and garden on 408 Mill Street", mill,
            (("stored_fill_cuyd", "120"),),
        ),
        SampleSite("quarry-road", "lynnmere", "Two house lots on Quarry Road: 48,000 sq ft of grading", quarry),
    )  # fmt: skip

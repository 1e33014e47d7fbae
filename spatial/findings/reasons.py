"""The sentences of a finding: what was seen, how sure, and what nobody looked at. Words only; nothing is judged."""

from __future__ import annotations

import re

from spatial.case import FeatureHit
from spatial.measure.theme import ThemeMeasure
from spatial.model import Certainty, Coverage, EditionRef, Status, Theme

NAMED = 3
"""Features named in a sentence; the rest are counted."""
FEET_PER_MILE = 5_280.0
UNTOLD = "unknown"
"""What stands in a column of ours where the map is silent."""
_MADE_ID = re.compile(r"g[0-9a-f]{10}")


def called(label: str) -> str:
    """Return what people call a feature; empty where it only has the id that was made from its shape.

    >>> called("PH 2084"), called("g11659af3bc")
    ('PH 2084', '')
    """
    return "" if _MADE_ID.fullmatch(label) else label


def seen(theme: Theme, measured: ThemeMeasure, coverage: Coverage = "full") -> str:
    """Return what the map shows of a theme, in a sentence.

    Distances and areas are rounded for reading; the unrounded ones stand beside the sentence.
    """
    if measured.relation in {"overlaps", "within", "contains"}:
        return _shared(theme, measured)
    touch = f"{theme.title}: the work touches {_named(measured.features)} without sharing ground with it."
    if measured.sliver_sqft:
        touch = (
            f"{theme.title}: {measured.sliver_sqft:.3f} sq ft of the work lie in {_named(measured.features)}, so "
            "little or so narrow that it is the noise of digitising and counts as a touch."
        )
    if measured.relation == "touches":
        return touch
    return _apart(theme, measured, coverage)


def _shared(theme: Theme, measured: ThemeMeasure) -> str:
    hit = tuple(f for f in measured.features if f.depth_ft > 0 or f.overlap_sqft > 0 or f.length_ft > 0)
    how = {"within": "lies wholly in", "contains": "holds", "overlaps": "reaches into"}[measured.relation]
    amounts = [
        f"{measured.disturbance_sqft:,.0f} sq ft" if measured.disturbance_sqft else "",
        f"{measured.length_ft:,.0f} ft of line" if measured.length_ft else "",
        f"{measured.count} point{'s' if measured.count != 1 else ''}" if measured.count else "",
    ]
    amount = ", ".join(a for a in amounts if a)
    return f"{theme.title}: the work {how} {_named(hit or measured.features)}{f' ({amount})' if amount else ''}."


def _apart(theme: Theme, measured: ThemeMeasure, coverage: Coverage) -> str:
    if measured.nearest_ft is None:
        reach = "" if coverage == "full" else ", as far as the map goes"
        return f"{theme.title}: none is mapped under the work or within a mile of it{reach}."
    nearest = min(measured.features, key=lambda f: f.nearest_ft, default=None)
    name = f" ({called(nearest.label)})" if nearest and called(nearest.label) else ""
    within = (
        f", {'within' if measured.relation == 'near' else 'beyond'} {theme.within_ft:g} ft"
        if theme.within_ft
        else ""
    )
    return f"{theme.title}: the nearest mapped one{name} is {measured.nearest_ft:,.2f} ft from the work{within}."


def _named(features: tuple[FeatureHit, ...]) -> str:
    names = list(dict.fromkeys(name for f in features if (name := called(f.label or f.id))))
    shown = ", ".join(names[:NAMED]) or "a feature without a name"
    return shown + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def untold(theme: Theme, measured: ThemeMeasure) -> str:
    """Return which column that decides the map leaves open of a feature met, or "" when it says all of them.

    Such a feature counts, as the layer's specification has it; nobody may read that as the map's own word.
    """
    met = [f for f in measured.features if f.overlap_sqft > 0 or f.length_ft > 0 or f.nearest_ft <= theme.within_ft]
    silent = [(column, f) for column in theme.where for f in met if f.attributes.get(column) == UNTOLD]
    if not silent:
        return ""
    columns = " and ".join(dict.fromkeys(column.replace("_", " ") for column, _ in silent))
    named = _named(tuple(f for _, f in silent))
    return f"The map does not say what {named} is ({columns} not given); it counts until somebody shows otherwise."


def doubt(certainty: Certainty, margin_ft: float | None, band_ft: float) -> str:
    """Return how near the verdict is to another, or "" when it is certain."""
    if certainty == "certain" or margin_ft is None:
        return ""
    return (
        f"Too close to call: {margin_ft:,.2f} ft decide, and the map or the limit of work may be off by {band_ft:g}"
        " ft; have it surveyed or delineated."
    )


def uncovered(theme: Theme, nearest: tuple[EditionRef, float]) -> str:
    """Return that no edition answers for the ground, and how far away the nearest one ends.

    Parameters
    ----------
    nearest
        The edition whose ground is nearest, and the US survey feet from the work to it.
    """
    ref, away_ft = nearest
    away = f"{away_ft:,.0f} ft" if away_ft < FEET_PER_MILE else f"{away_ft / FEET_PER_MILE:,.1f} miles"
    return (
        f"{theme.title}: what is loaded does not cover this place, so nothing is known of it here. The nearest of "
        f"{ref.title} ({ref.part}) ends {away} away."
    )


def gap(status: Status, coverage: Coverage, reach_ft: float, ref: EditionRef) -> str:
    """Return what the edition does not answer for, or "" when it answers."""
    around = f" and {reach_ft:g} ft around it" if reach_ft else ""
    if coverage != "full":
        held = "does not cover this place" if coverage == "none" else "covers only part of the work" + around
        unknown = "what lies beyond it is unknown" if status == "affected" else "nothing there means nothing"
        return f"The edition {ref.edition} of {ref.title} ({ref.part}) {held}: {unknown}."
    if status == "none_mapped":
        return f"{ref.title} is known to miss some of these: only a delineation can say that there is none."
    return ""


def delineated(words: str | None, *, measured: bool) -> str:
    """Return that a delineation is given, and that nobody here saw it where its own line was not sent; or ""."""
    if not words:
        return ""
    unseen = "" if measured else " What it found was not seen here: any distance told is the map's."
    return f"A delineation is given ({words}).{unseen}"


def stale(ref: EditionRef, age_days: int, status: Status, *, allowed: bool) -> str:
    """Return that an edition is older than its limit, and what that means."""
    end = "without a hit it does not count as checked"
    if allowed:
        end = "it was used because stale layers are allowed"
    elif status == "affected":
        end = "a hit stands all the same"
    return (
        f"The edition {ref.edition} of {ref.title} is stale: {age_days} days old, more than its limit of "
        f"{ref.stale_after_days}; {end}."
    )

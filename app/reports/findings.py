"""Report: what the maps show, each finding told once, under the heading its status belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import RenderableType

from app.reports.page import entry
from app.reports.tally import by_word
from app.reports.words import RELATION_WORDS, STATUS_WORDS, number, quantity, share
from app.schemas.screening import FindingTold
from spatial.findings.reasons import UNTOLD, called

TOUCHING = ("overlaps", "within", "contains")
SHARES = ("huc10", "huc12")
"""Themes that split the work instead of affecting it; their shares are told with the work."""
MEASURED = ("slope",)
"""Themes that are a measure of the ground itself: it lies nowhere but under the work."""
OF_THE_GROUND = (*MEASURED, "impervious")
"""Themes that describe the ground; no law speaks of them by themselves."""
DELINEATED_PART = "delineation"
"""The part of an edition that is a line sent with the work, where it is what lies nearest."""
MOST_LABELS = 4
LEAST = 1e-6
"""A share told as 0.00 % of ground that is met: little, not nothing."""


def affected_maps(findings: Iterable[FindingTold]) -> Iterator[RenderableType]:
    """Return what is affected, ground under the work before ground near it, nearest first."""
    hits = [f for f in findings if f.status == "affected" and f.theme not in SHARES]
    for finding in sorted(hits, key=lambda f: (f.relation not in TOUCHING, f.nearest_ft or 0.0)):
        close = "  [too close to call]" if finding.certainty == "too_close_to_call" else ""
        yield entry(
            f"{finding.title}{close}",
            measured(finding),
            by_distance(finding),
            named_features(finding),
            untold(finding),
            law(finding),
        )


def close_maps(findings: Iterable[FindingTold]) -> Iterator[RenderableType]:
    """Return what is not affected by so little that the map cannot tell."""
    for finding in findings:
        if finding.status in ("not_affected", "none_mapped") and finding.certainty != "certain":
            yield entry(f"{finding.title}: {STATUS_WORDS[finding.status]}", reason(finding))


def unchecked_maps(findings: Iterable[FindingTold]) -> Iterator[RenderableType]:
    """Return the maps that are not loaded or do not reach here, and why; those of one reason together, each named.

    A reason's first sentence gathers; what follows it is told once for the maps that share it.
    """
    gathered: dict[tuple[str, str], dict[str, list[FindingTold]]] = {}
    for finding in findings:
        if finding.status in ("not_checked", "no_data"):
            first, _, rest = reason(finding).partition(". ")
            gathered.setdefault((finding.status, first.rstrip(".")), {}).setdefault(rest, []).append(finding)
    for (status, first), by_rest in gathered.items():
        together = [finding for found in by_rest.values() for finding in found]
        if len(together) == 1:
            yield entry(f"{together[0].title}: {STATUS_WORDS[status]}", reason(together[0]))
        else:
            yield entry(f"{first} ({STATUS_WORDS[status]})", *_gathered(by_rest), _to_load(together))


def _gathered(by_rest: Mapping[str, Sequence[FindingTold]]) -> Iterator[str]:
    """Return the titles of the maps that share a reason, and what is left of the reason."""
    for rest, found in by_rest.items():
        titles = "; ".join(dict.fromkeys(finding.title for finding in found))
        yield f"{titles}. {rest}" if rest else titles


def _to_load(findings: Iterable[FindingTold]) -> str:
    """Return which layers would have to be loaded; empty when an edition of each is there."""
    wanted = dict.fromkeys(f.layer.id for f in findings if f.status == "not_checked" and f.layer.edition is None)
    return f"Layers wanting: {', '.join(wanted)}" if wanted else ""


def unmapped_maps(findings: Iterable[FindingTold]) -> Iterator[RenderableType]:
    """Return the maps that show nothing within reach and are known to miss things, a line each."""
    for finding in findings:
        if finding.status == "none_mapped" and finding.certainty == "certain":
            yield entry(f"{finding.title}: {how_near(finding)}", style="")


def clear_maps(findings: Iterable[FindingTold]) -> Iterator[RenderableType]:
    """Return the complete maps that show nothing within reach, a line each."""
    for finding in findings:
        if finding.status == "not_affected" and finding.certainty == "certain" and not by_word(finding):
            yield entry(f"{finding.title}: {how_near(finding)}", style="")


def told_maps(findings: Iterable[FindingTold]) -> Iterator[RenderableType]:
    """Return the maps whose silence is believed by the word of a delineation, with what the map itself shows."""
    for finding in findings:
        if by_word(finding) and finding.certainty == "certain":
            yield entry(f"{finding.title}: {how_near(finding)}", style="")


def how_near(finding: FindingTold) -> str:
    """Return how far off the nearest mapped ground of a layer is, which is not there under the work.

    Where a delineation's own line was measured, who made it is named; where it is words, the distance is the map's.
    """
    if by_word(finding):
        return f"on the map {_how_near(finding)}; what was delineated is not known here ({finding.delineation})"
    if not finding.delineation:
        return _how_near(finding)
    off_it = finding.nearest_ft is not None and finding.layer.part != DELINEATED_PART
    how = "as mapped, off the lots delineated" if off_it else "as delineated"
    return f"{_how_near(finding)} ({how}: {finding.delineation})"


def _how_near(finding: FindingTold) -> str:
    if finding.nearest_ft is not None:
        return f"nearest {quantity(finding.nearest_ft, 'ft')} away"
    return f"none within {quantity(finding.within_ft, 'ft')}" if finding.within_ft else "none under the work"


def reason(finding: FindingTold) -> str:
    """Return the reason without the title it may begin with, for that stands above it."""
    told = finding.why.removeprefix(f"{finding.title}: ").removeprefix(f"{finding.title} was not checked: ")
    return told[:1].upper() + told[1:]


def measured(finding: FindingTold) -> str:
    """Return what of the work and the lots a layer covers, in one line."""
    under = finding.disturbance_sqft or 0.0
    itself = " on the mapped ground itself" if finding.within_ft else ""
    told = [
        "" if finding.theme in MEASURED else RELATION_WORDS.get(finding.relation, finding.relation),
        f"nearest {quantity(finding.nearest_ft, 'ft')} away" if finding.nearest_ft else "",
        f"{quantity(under, 'sqft')} of the work ({share(finding.percent_of_disturbance or LEAST)}){itself}"
        if under
        else "",
        _reached(finding),
        _cells(finding),
        f"{quantity(finding.length_ft, 'ft')} of line under the work" if finding.length_ft else "",
        f"{quantity(finding.parcel_sqft, 'sqft')} of the mapped ground is on the lots"
        if finding.parcel_sqft
        else "",
    ]
    return "; ".join(part for part in told if part)


def _cells(finding: FindingTold) -> str:
    """Return what a raster shows beside the share of the work: the range left open, slopes, heights."""
    grid = finding.grid
    if grid is None:
        return ""
    told = [
        f"up to {number(grid.at_most_percent)} % where cells without data are counted"
        if grid.at_most_percent is not None and grid.unknown_percent
        else "",
        f"{number(grid.slope_mean_percent)} % on average, at most {number(grid.slope_max_percent)} %"
        if grid.slope_mean_percent is not None and grid.slope_max_percent is not None
        else "",
        f"ground from {quantity(grid.elevation_min_ft, 'ft')} to {quantity(grid.elevation_max_ft, 'ft')} high"
        if grid.elevation_min_ft is not None and grid.elevation_max_ft is not None
        else "",
    ]
    return "; ".join(part for part in told if part)


def _reached(finding: FindingTold) -> str:
    """Return how much of the work lies within the theme's reach, the mapped ground itself not counted."""
    near = [z.disturbance_sqft for z in finding.zones if 0.0 < z.to_ft <= finding.within_ft]
    return (
        f"{quantity(sum(near), 'sqft')} of the work within {quantity(finding.within_ft, 'ft')}" if sum(near) else ""
    )


def by_distance(finding: FindingTold) -> str:
    """Return the work in each ring around what is mapped; empty when there is none."""
    told = [
        f"{number(zone.from_ft)}-{number(zone.to_ft)} ft: {quantity(zone.disturbance_sqft, 'sqft')}"
        for zone in finding.zones
        if zone.to_ft and zone.disturbance_sqft
    ]
    return f"Work by distance: {'; '.join(told)}" if told else ""


def named_features(finding: FindingTold) -> str:
    """Return the names of what is mapped, the first few; empty when nothing has a name."""
    labels = list(dict.fromkeys(name for feature in finding.features if (name := called(feature.label))))
    rest = f" and {len(labels) - MOST_LABELS} more" if len(labels) > MOST_LABELS else ""
    return f"On the map: {', '.join(labels[:MOST_LABELS])}{rest}" if labels else ""


def untold(finding: FindingTold) -> str:
    """Return which columns the map leaves open of what is met: such a feature counts, but not by the map's word."""
    columns = dict.fromkeys(
        column.replace("_", " ")
        for feature in finding.features
        for column, value in feature.attributes.items()
        if value == UNTOLD
    )
    if not columns:
        return ""
    return f"The map does not give: {', '.join(columns)}. It counts until somebody shows otherwise"


def law(finding: FindingTold) -> str:
    """Return the law behind a finding and who asks for it, or that no law file held speaks of the theme."""
    if not finding.legal_provisions:
        none = "Law: none held here speaks of this map; the town or the state may have rules about it"
        return none if finding.status == "affected" and finding.theme not in OF_THE_GROUND else ""
    laws = "; ".join(
        f"{one.title}, {one.section}" if one.section else one.title for one in finding.legal_provisions
    )
    asked = f" ({finding.authority})" if finding.authority else ""
    return f"Law: {laws}{asked}"

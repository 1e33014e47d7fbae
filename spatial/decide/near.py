"""Ground of a theme at the site or on its lots: what a plan must show."""

from __future__ import annotations

from spatial.case import Finding
from spatial.decide.asking import Asked
from spatial.decide.limb import Limb, silence, unseen, weigh
from spatial.decide.phrases import feet, listed
from spatial.decide.sight import Sight, absence, not_asked, undecided, unsettled_here
from spatial.rules.determination import Determination


def near_theme(asked: Asked) -> tuple[Determination, ...]:
    """Return whether anything of the rule's themes was found at the work, or on its lots where the rule says so."""
    sights: list[Sight] = []
    for theme in asked.rule.themes:
        found = asked.findings_of(theme)
        sights.extend(_sight(asked, finding) for finding in found)
        sights.extend([] if found else [not_asked(theme)])
    limb = weigh(0.0, tuple(sights))
    return (asked.answer(limb.result, _why(asked, limb), needs=limb.needs, certainty=limb.certainty),)


def _sight(asked: Asked, finding: Finding) -> Sight:
    unsettled = [feature for feature in finding.features if unsettled_here(asked, feature)]
    if unsettled and len(unsettled) == len(finding.features):
        return undecided(finding, unsettled)
    on_lots = asked.option("whole_lot") == "yes" and (finding.parcel_sqft or 0.0) > 0
    if finding.status == "affected" or on_lots:
        return Sight("hit", finding, finding.certainty, finding.margin_ft or 0.0, finding.nearest_ft, finding.title)
    if asked.option("whole_lot") == "yes" and finding.disturbance_sqft is not None and finding.parcel_sqft is None:
        return Sight("unknown", finding, "certain", why=f"{finding.title} was not looked for on all of the lot")
    return absence(asked, finding, finding.within_ft)


def _why(asked: Asked, limb: Limb) -> str:
    hits = [s for s in limb.sights if s.seen == "hit"]
    if unseen(limb):
        return f"Whether there is any at the work or on its lots is not known.{silence(limb.sights)}"
    if not hits:
        return f"None found at the work or on its lots.{silence(limb.sights)}"
    seen = {s.finding.layer_id for s in hits if s.finding and s.finding.features}
    named = [label for s in hits if not _told_already(s, seen) for label in _labels(s)]
    return f"Found at the work or on its lots: {listed(named)}.{_beware(asked)}{_elevations(asked, hits)}"


def _told_already(sight: Sight, layers: set[str]) -> bool:
    """Say whether a find without a feature of its own is of a layer whose features are named."""
    return sight.finding is not None and not sight.finding.features and sight.finding.layer_id in layers


def _beware(asked: Asked) -> str:
    """Return what the rule's file says of such a find; empty when it says nothing."""
    words = asked.option("beware")
    return f" {words}" if words else ""


def _labels(sight: Sight) -> list[str]:
    """Return what was found, each with its distance from the work where it lies off it."""
    features = sight.finding.features if sight.finding else ()
    nearest: dict[str, float] = {}
    for feature in features:
        nearest[feature.label] = min(feature.nearest_ft, nearest.get(feature.label, feature.nearest_ft))
    said = [f"{label} ({feet(away)} from the work)" if away > 0 else label for label, away in nearest.items()]
    return said or [sight.label]


def _elevations(asked: Asked, hits: list[Sight]) -> str:
    """Return the mapped elevations, or that an engineer must compute one; nothing for rules that ask for none."""
    column = asked.option("elevation")
    if not column:
        return ""
    features = [f for s in hits if s.finding for f in s.finding.features]
    known = sorted({f"{float(v):g} ft" for f in features if (v := f.attributes.get(column)) is not None})
    return f" Mapped flood elevation: {listed(known)}." if known else " The map gives no flood elevation."

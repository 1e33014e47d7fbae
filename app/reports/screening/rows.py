"""What stands in the tables of the paper: findings by group, rules by result, features, editions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.reports.dated import dated
from app.reports.findings import SHARES, by_distance, how_near, law, measured, named_features, reason, untold
from app.reports.rulings import by_how_much, of_lot, read_so
from app.reports.tally import by_word, is_close
from app.reports.words import STATUS_WORDS, quantity
from app.schemas.screening import DeterminationTold, EditionTold, FeatureTold, FindingTold, LayerTold, Screening
from spatial.findings.reasons import called

GROUPS: Mapping[str, tuple[str, str]] = {
    "affected": ("Affected", "The work is on mapped ground of these layers, or within reach of a rule about it."),
    "close": ("Too close to call", "Within the accuracy of the map or of the limit of work: a survey decides."),
    "unknown": ("Could not be checked", "No map, or none that reaches here. This is not a no."),
    "delineated": (
        "Rests on the delineation named; not seen here",
        "The map cannot say no; somebody delineated, and the distance told is the map's, not theirs.",
    ),
    "none": (
        "None mapped within reach",
        "The map shows none under the work or within reach, and is known to miss things the law protects.",
    ),
    "clear": ("Not affected", "A complete map that covers the ground shows nothing within reach."),
}
RESULTS: Mapping[str, str] = {
    "triggered": "Triggered",
    "close": "Not triggered, but too close to call",
    "indeterminate": "Cannot be decided: a map is wanting",
    "needs_input": "Waits for an answer from you",
    "delineated": "Not triggered by the word of the delineation named; not seen here",
    "not_triggered": "Not triggered",
}
CALLED: Mapping[str, str] = {
    "triggered": "Needs: {}",
    "close": "If it were triggered it would need: {}",
    "indeterminate": "If it is triggered it needs: {}",
    "needs_input": "If it is triggered it needs: {}",
    "delineated": "If it were triggered it would need: {}",
    "not_triggered": "If it were triggered it would need: {}",
}
"""How the permit a rule hangs on is told, by the group the rule is told under."""


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """One mapped feature that is met; ``shape`` is the id of its shape on the map."""

    number: int
    shape: str
    layer: str
    label: str
    overlap: str
    nearest: str
    accuracy: str


def group_of(finding: FindingTold) -> str:
    """Return the group a finding is told under."""
    if finding.status in ("no_data", "not_checked"):
        return "unknown"
    if finding.status == "affected":
        return "affected"
    if finding.certainty != "certain":
        return "close"
    if by_word(finding):
        return "delineated"
    return "none" if finding.status == "none_mapped" else "clear"


def finding_groups(findings: Iterable[FindingTold]) -> Iterator[dict[str, object]]:
    """Yield the groups that hold something, each with its rows, in the order of the paper."""
    told = [f for f in findings if not (f.theme in SHARES and f.status == "affected")]
    for name, (title, meaning) in GROUPS.items():
        rows = [_finding(f) for f in told if group_of(f) == name]
        if rows:
            yield {"title": title, "meaning": meaning, "kind": name, "rows": rows}


def _finding(finding: FindingTold) -> dict[str, object]:
    close = ", too close to call" if finding.certainty != "certain" else ""
    by_its_word = " by its word alone" if by_word(finding) else ""
    affected = finding.status == "affected"
    shown = [measured(finding), by_distance(finding), named_features(finding)] if affected else [reason(finding)]
    if not affected and finding.certainty == "certain" and group_of(finding) != "unknown":
        shown = [how_near(finding)]
    if affected and finding.margin_ft is not None:
        shown.append(f"Margin: {quantity(finding.margin_ft, 'ft')}")
    return {
        "title": finding.title,
        "status": f"{STATUS_WORDS[finding.status]}{by_its_word}{close}",
        "told": [line for line in (*shown, untold(finding) if affected else "") if line],
        "law": law(finding),
        "edition": _edition(finding.layer),
    }


def _edition(layer: LayerTold) -> str:
    """Return the edition in words; empty where there is none, for the reason above it says why."""
    if layer.edition is None:
        return ""
    scale = f", 1:{layer.scale:,}" if layer.scale else ""
    good = (
        f", good to {quantity(layer.accuracy_ft, 'ft')} at what decides here"
        if layer.accuracy_ft is not None
        else ""
    )
    return f"{layer.title or layer.id}, edition {layer.edition}{scale}{good}"


def rule_groups(screening: Screening) -> Iterator[dict[str, object]]:
    """Yield the rules by result, what is triggered first."""
    for name, title in RESULTS.items():
        rows = [_rule(rule, screening) for rule in screening.determinations if _result(rule) == name]
        if rows:
            yield {"title": title, "kind": name, "rows": rows}


def _result(rule: DeterminationTold) -> str:
    if rule.result != "not_triggered":
        return rule.result
    return "close" if is_close(rule) else "delineated" if rule.delineation else "not_triggered"


def _rule(rule: DeterminationTold, screening: Screening) -> dict[str, object]:
    marks = [
        "too close to call" if rule.certainty != "certain" else "",
        "advice; no permit hangs on it" if rule.advisory else "",
        "rests on a reading nobody has verified" if rule.unverified else "",
    ]
    asked = ", ".join(name.replace("_", " ") for name in rule.needs)
    return {
        "title": f"{rule.title}{of_lot(rule, screening)}",
        "citation": rule.citation,
        "margin": _margin(rule),
        "marks": "; ".join(mark for mark in marks if mark),
        "why": rule.why,
        "needs": f"Tell us: {asked}." if asked else "",
        "approval": _approval(rule),
        "readings": [
            f"{one.policy}: {one.text}: {read_so(one.result)}" for one in rule.readings if len(rule.readings) > 1
        ],
        "quote": rule.quote if rule.result == "triggered" and rule.quote else "",
    }


def _margin(rule: DeterminationTold) -> str:
    """Return measured against limit; a distance that decides nothing yet, or not by itself, is the map's."""
    told = by_how_much(rule)
    if told and rule.unit == "ft" and _result(rule) in ("needs_input", "indeterminate", "delineated"):
        return f"On the map: {quantity(rule.measured or 0.0, 'ft')} away; that decides nothing by itself"
    return told


def _approval(rule: DeterminationTold) -> str:
    """Return the permit that hangs on a rule, and from whom; advice calls for none."""
    called = ", from ".join(part for part in (rule.approval, rule.authority) if part)
    return CALLED[_result(rule)].format(called) if called and rule.approval and not rule.advisory else ""


def ways_under(rules: Iterable[DeterminationTold]) -> Iterator[str]:
    """Yield by how much each triggered rule is over, and so what would bring it under."""
    for rule in rules:
        if rule.result == "triggered" and not rule.advisory and rule.measured is not None:
            yield f"{rule.title} ({rule.citation}): {_way_under(rule)}."


def _way_under(rule: DeterminationTold) -> str:
    assert rule.measured is not None  # noqa: S101 (asked before)
    threshold = rule.threshold or 0.0
    gap = quantity(abs(rule.measured - threshold), rule.unit)
    if rule.unit != "ft":
        return f"{gap} over; with that much less, and a little, it is under"
    return (
        f"{gap} from leaving the {quantity(threshold, 'ft')} zone"
        if threshold
        else "the work would have to leave it"
    )


def feature_rows(findings: Iterable[FindingTold]) -> tuple[FeatureRow, ...]:
    """Return every mapped feature of an affected finding once, numbered as on the map; watersheds left out."""
    met: dict[str, tuple[FindingTold, FeatureTold]] = {}
    for finding in findings:
        if finding.status == "affected" and finding.theme not in SHARES:
            for one in finding.features:
                met.setdefault(f"{finding.layer.id}/{one.id}", (finding, one))
    return tuple(
        FeatureRow(
            number=number,
            shape=shape,
            layer=finding.layer.title or finding.layer.id,
            label=called(one.label or one.id) or "without a name",
            overlap=_under(one),
            nearest=quantity(one.nearest_ft, "ft"),
            accuracy=quantity(one.accuracy_ft, "ft"),
        )
        for number, (shape, (finding, one)) in enumerate(met.items(), 1)
    )


def _under(feature: FeatureTold) -> str:
    if feature.overlap_sqft:
        return quantity(feature.overlap_sqft, "sqft")
    return quantity(feature.length_ft, "ft") if feature.length_ft else "none"


def _source(of: EditionTold | LayerTold | None) -> str:
    """Return whence and of what day; an answer kept before its editions told that has it of its findings."""
    if of is None:
        return ""
    return ", ".join(
        (*((of.source_url,) if of.source_url else ()), *dated(of.published, of.retrieved, of.source_url))
    )


def edition_rows(screening: Screening) -> Iterator[tuple[str, ...]]:
    """Yield every layer edition the answer rests on: layer, part, edition, its source and day, its hash."""
    about = {f.layer.id: f.layer for f in screening.findings if f.layer.edition}
    for edition in screening.editions:
        layer = about.get(edition.layer)
        title = layer.title if layer is not None and layer.title else edition.layer
        source = _source(edition if edition.retrieved else layer)
        yield title, edition.part, edition.edition, source, edition.sha256[:16]

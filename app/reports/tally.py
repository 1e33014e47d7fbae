"""Report: how many rules and maps of an answer are of which kind. Counted here once, for table, paper and page."""

from __future__ import annotations

from collections.abc import Sequence

from app.schemas.screening import UNSEEN, DeterminationTold, FindingTold, Screening, SummaryTold

OPEN_RESULTS = ("needs_input", "indeterminate")


def tally(findings: Sequence[FindingTold], rules: Sequence[DeterminationTold]) -> SummaryTold:
    """Return the counts of an answer; a rule asked of several lots counts once for each.

    A map too close to call counts whatever it shows; a layer that could not be checked counts once for all themes.
    """
    triggered = [rule for rule in rules if rule.result == "triggered"]
    return SummaryTold(
        rules_triggered=sum(not rule.advisory for rule in triggered),
        rules_triggered_as_advice=sum(rule.advisory for rule in triggered),
        rules_undecided=sum(rule.result in OPEN_RESULTS for rule in rules),
        rules_too_close=sum(is_close(rule) for rule in rules),
        rules_on_delineation=sum(rule.delineation is not None for rule in rules),
        maps_too_close=sum(is_close(finding) for finding in findings),
        maps_not_checked=len({finding.layer.id for finding in findings if finding.status in UNSEEN}),
        maps_on_delineation=sum(by_word(finding) for finding in findings),
    )


def counts(screening: Screening) -> SummaryTold:
    """Return the counts of a told answer; one kept before they were told is counted now."""
    return screening.summary or tally(screening.findings, screening.determinations)


def is_close(told: FindingTold | DeterminationTold) -> bool:
    """Say whether a survey could turn it."""
    return told.certainty == "too_close_to_call"


def by_word(finding: FindingTold) -> bool:
    """Say whether a map's "no" rests on the word of a delineation that was not measured here."""
    return finding.status == "not_affected" and bool(finding.delineation) and not finding.delineation_measured


def not_known(screening: Screening) -> bool:
    """Say whether a rule waits, a map could not be checked, or a "no" rests on what nobody here has seen."""
    of = counts(screening)
    return bool(of.rules_undecided or of.maps_not_checked or of.rules_on_delineation or of.maps_on_delineation)

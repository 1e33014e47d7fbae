"""Report: what an answer leaves open, short enough for a map's attribute table: a blank map is no answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.reports.rulings import in_short, of_lot
from app.reports.tally import OPEN_RESULTS, by_word, counts, is_close, not_known
from app.schemas.screening import UNSEEN, DeterminationTold, FindingTold, Screening

NOT_A_NO = "Unknown is not a no: what could not be answered or checked may still bind the work."


def members(screening: Screening) -> dict[str, object]:
    """Return what stands beside the features: the counts, and by name what is triggered, open and not looked at."""
    findings, rules = screening.findings, screening.determinations
    return {
        "summary": counts(screening).model_dump(mode="json"),
        "in_short": _in_short(screening),
        "triggered": [_rule(r) for r in rules if r.result == "triggered" and not r.advisory],
        "not_decided": [
            {**_rule(r), "result": r.result, "needs": r.needs} for r in rules if r.result in OPEN_RESULTS
        ],
        "not_checked": [_map(f) for f in findings if f.status in UNSEEN],
        "none_mapped": [_map(f) for f in findings if f.status == "none_mapped"],
        "on_delineation": [*(_rule(r) for r in rules if r.delineation), *(_map(f) for f in findings if by_word(f))],
        "not_looked_at": list(screening.not_looked_at),
        "warnings": [warning.message for warning in screening.warnings],
    }


def of_the_work(screening: Screening) -> Mapping[str, object]:
    """Return the same as plain columns for the features of the work: numbers and text, which any map shows."""
    findings, rules, of = screening.findings, screening.determinations, counts(screening)
    return {
        "in_short": _in_short(screening),
        "rules_triggered": of.rules_triggered,
        "triggered": _named(_title(r, screening) for r in rules if r.result == "triggered" and not r.advisory),
        "rules_not_decided": of.rules_undecided,
        "not_decided": _named(_title(r, screening) for r in rules if r.result in OPEN_RESULTS),
        "maps_not_checked": of.maps_not_checked,
        "not_checked": _named(f.title for f in findings if f.status in UNSEEN),
        "none_mapped": _named(f.title for f in findings if f.status == "none_mapped"),
        "too_close": _named(
            [*(_title(r, screening) for r in rules if is_close(r)), *(f.title for f in findings if is_close(f))]
        ),
        "on_delineation": _named(_title(r, screening) for r in rules if r.delineation),
    }


def _in_short(screening: Screening) -> str:
    told = f"{'; '.join(in_short(screening))}."
    return f"{told} {NOT_A_NO}" if not_known(screening) else told


def _title(rule: DeterminationTold, screening: Screening) -> str:
    return f"{rule.title} ({rule.citation}){of_lot(rule, screening)}"


def _named(titles: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(titles))


def _rule(rule: DeterminationTold) -> dict[str, object]:
    return {"rule": rule.rule, "title": rule.title, "citation": rule.citation, "loc_id": rule.loc_id}


def _map(finding: FindingTold) -> dict[str, object]:
    return {"theme": finding.theme, "title": finding.title, "layer": finding.layer.id, "status": finding.status}

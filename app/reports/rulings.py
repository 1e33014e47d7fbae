"""Report: what the rules say, each determination told once, under the law it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import RenderableType

from app.reports.page import entry, paragraph
from app.reports.words import RESULT_WORDS, against, counted, quantity
from app.schemas.screening import DeterminationTold, Screening

OPEN_RESULTS = ("needs_input", "indeterminate")
UNSEEN = ("no_data", "not_checked")


def in_short(screening: Screening) -> list[str]:
    """Return what was found, in counts; with nothing triggered and something open it is "so far"."""
    rules = screening.determinations
    advice = sum(rule.result == "triggered" and rule.advisory for rule in rules)
    triggered = sum(rule.result == "triggered" for rule in rules) - advice
    unanswered = sum(rule.result in OPEN_RESULTS for rule in rules)
    close = sum(rule.certainty == "too_close_to_call" for rule in rules)
    unchecked = len({f.layer.id for f in screening.findings if f.status in UNSEEN})
    so_far = " so far" if not triggered and not_known(screening) else ""
    also = f", {advice} more as advice" if advice else ""
    told = [
        f"{counted(triggered, 'rule is', 'rules are')} triggered{so_far}{also}",
        f"{counted(unanswered, 'rule')} cannot be answered yet" if unanswered else "",
        f"{counted(close, 'answer is', 'answers are')} too close to call" if close else "",
        f"{counted(unchecked, 'map')} could not be checked" if unchecked else "",
    ]
    return [part for part in told if part]


def not_known(screening: Screening) -> bool:
    """Say whether a rule waits for an answer or a map could not be checked."""
    unanswered = any(rule.result in OPEN_RESULTS for rule in screening.determinations)
    return unanswered or any(finding.status in UNSEEN for finding in screening.findings)


def approvals(screening: Screening) -> list[str]:
    """Return each permit that triggered rules call for, and from whom, once; advice calls for none."""
    called = [r for r in screening.determinations if r.result == "triggered" and r.approval and not r.advisory]
    return list(dict.fromkeys(f"{rule.approval}: {rule.authority}" for rule in called))


def triggered_rules(screening: Screening) -> Iterator[RenderableType]:
    """Return the triggered rules under the title of their law, each with by how much and why."""
    found = [rule for rule in screening.determinations if rule.result == "triggered"]
    for law, rules in groupby(found, key=lambda rule: _law(rule, screening)):
        yield paragraph(law, "underline")
        for rule in rules:
            close = "  [too close to call]" if rule.certainty == "too_close_to_call" else ""
            yield entry(f"{_named(rule)}{close}", by_how_much(rule), rule.why, *_otherwise(rule), _needs(rule))


def close_rules(screening: Screening) -> Iterator[RenderableType]:
    """Return the rules that are not triggered by so little that a survey could turn them."""
    for rule in screening.determinations:
        if rule.result == "not_triggered" and rule.certainty != "certain":
            yield entry(f"{_named(rule)}: not triggered as drawn", by_how_much(rule), rule.why, *_otherwise(rule))


def open_rules(screening: Screening) -> Iterator[RenderableType]:
    """Return the rules that wait, those of one reason together, and what would settle them."""
    gathered: dict[tuple[str, ...], list[DeterminationTold]] = {}
    for rule in screening.determinations:
        if rule.result in OPEN_RESULTS:
            gathered.setdefault((rule.why, *rule.needs), []).append(rule)
    for (why, *needs), rules in gathered.items():
        asked = ", ".join(f"--fact {name}=..." for name in needs)
        titles = "\n".join(dict.fromkeys(f"{_named(rule)}: {RESULT_WORDS[rule.result]}" for rule in rules))
        yield entry(titles, why, f"Tell us: {asked}" if asked else "")


def clear_rules(screening: Screening) -> Iterator[RenderableType]:
    """Return the rules that are surely not triggered."""
    for rule in screening.determinations:
        if rule.result == "not_triggered" and rule.certainty == "certain":
            yield entry(_named(rule), by_how_much(rule) or rule.why, *_otherwise(rule), style="")


def by_how_much(rule: DeterminationTold) -> str:
    """Return measured against threshold in words; empty when the rule measures nothing.

    A rule about ground under the work has the limit 0 ft: then only how far off it lies is told.
    """
    if rule.measured is None or rule.threshold is None:
        return ""
    if rule.unit == "ft" and rule.threshold == 0.0:
        return f"{quantity(rule.measured, 'ft')} away" if rule.measured else "under the work"
    return against(rule.measured, rule.threshold, rule.unit)


def _named(rule: DeterminationTold) -> str:
    advice = " (advice)" if rule.advisory and "advice" not in rule.title else ""
    return f"{rule.title}{advice} ({rule.citation})"


def _otherwise(rule: DeterminationTold) -> list[str]:
    """Return the readings of an ambiguous text that would have given another answer."""
    differing = [reading for reading in rule.readings if reading.result != rule.result]
    return [f"Read otherwise ({r.policy}: {r.text}): {RESULT_WORDS[r.result].lower()}" for r in differing]


def _law(rule: DeterminationTold, screening: Screening) -> str:
    law = rule.rule.partition(".")[0]
    return next((bylaw.title for bylaw in screening.bylaws if bylaw.id == law), law)


def _needs(rule: DeterminationTold) -> str:
    told = [part for part in (rule.approval, rule.authority) if part]
    return f"Needs: {', from '.join(told)}" if told and not rule.advisory else ""

"""Report: what the rules say, each determination told once, under the law it stands in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from rich.console import RenderableType

from app.reports.page import entry, paragraph
from app.reports.tally import OPEN_RESULTS, counts, is_close, not_known
from app.reports.words import RESULT_WORDS, against, counted, quantity
from app.schemas.screening import DeterminationTold, Screening
from spatial.rules.determination import Result

MORE_THAN_ONE = 2
READ_SO: Mapping[Result, str] = {
    "needs_input": "not known; somebody must look before this reading can be ruled out",
    "indeterminate": "not known; a map is wanting",
}


def in_short(screening: Screening) -> list[str]:
    """Return what was found, in counts; with nothing triggered and something not known it is "so far"."""
    of = counts(screening)
    so_far = " so far" if not of.rules_triggered and not_known(screening) else ""
    advice = of.rules_triggered_as_advice
    also = f", {advice} more as advice" if advice else ""
    close = _rules_and_maps(of.rules_too_close, of.maps_too_close)
    by_word = _rules_and_maps(of.rules_on_delineation, of.maps_on_delineation)
    told = [
        f"{counted(of.rules_triggered, 'rule is', 'rules are')} triggered{so_far}{also}",
        f"{counted(of.rules_undecided, 'rule')} cannot be answered yet" if of.rules_undecided else "",
        f"{close} too close to call" if close else "",
        f"{counted(of.maps_not_checked, 'map')} could not be checked" if of.maps_not_checked else "",
        f"{by_word} answered by the word of a delineation not seen here" if by_word else "",
    ]
    return [part for part in told if part]


def _rules_and_maps(rules: int, maps: int) -> str:
    """Return how many of either, with their verb; empty where there is none."""
    told = [counted(n, noun) for n, noun in ((rules, "rule"), (maps, "map")) if n]
    return f"{' and '.join(told)} {'is' if rules + maps == 1 else 'are'}" if told else ""


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
            title = f"{_named(rule, screening)}{close}"
            yield entry(title, by_how_much(rule), rule.why, *_otherwise(rule), _needs(rule))


def close_rules(screening: Screening) -> Iterator[RenderableType]:
    """Return the rules that are not triggered by so little that a survey could turn them."""
    for rule in screening.determinations:
        if rule.result == "not_triggered" and rule.certainty != "certain":
            title = f"{_named(rule, screening)}: not triggered as drawn"
            yield entry(title, by_how_much(rule), rule.why, *_otherwise(rule), tell_us(rule))


def marked_close(screening: Screening) -> Iterator[RenderableType]:
    """Return what else is too close to call and told under another heading: all that are counted are named."""
    rules = [r for r in screening.determinations if is_close(r) and r.result != "not_triggered"]
    maps = [f for f in screening.findings if is_close(f) and f.status not in ("not_affected", "none_mapped")]
    titles = [*(_named(rule, screening) for rule in rules), *(f"{f.title} (map)" for f in maps)]
    if titles:
        yield entry("Marked so where it is told", "; ".join(titles), style="")


def open_rules(screening: Screening) -> Iterator[RenderableType]:
    """Return the rules that wait, those of one reason together, and what would settle them."""
    gathered: dict[tuple[str, ...], list[DeterminationTold]] = {}
    for rule in screening.determinations:
        if rule.result in OPEN_RESULTS:
            gathered.setdefault((rule.why, *rule.needs), []).append(rule)
    for (why, *needs), rules in gathered.items():
        named = dict.fromkeys(f"{_named(rule, screening)}: {RESULT_WORDS[rule.result]}" for rule in rules)
        yield entry("\n".join(named), why, _tell_us(needs))


def clear_rules(screening: Screening) -> Iterator[RenderableType]:
    """Return the rules that are surely not triggered, each with its reason: it may name what would turn it."""
    for rule in screening.determinations:
        if rule.result == "not_triggered" and not is_close(rule) and rule.delineation is None:
            lines = (by_how_much(rule), rule.why, *_otherwise(rule), tell_us(rule))
            yield entry(_named(rule, screening), *lines, style="")


def told_rules(screening: Screening) -> Iterator[RenderableType]:
    """Return the rules that are not triggered by the word of a delineation alone; no distance of it is known."""
    for rule in screening.determinations:
        if rule.delineation is not None and not is_close(rule):
            yield entry(f"{_named(rule, screening)}: not triggered by its word", rule.why, style="")


def tell_us(rule: DeterminationTold) -> str:
    """Return how to give what would settle a rule, or turn it; empty when it asks for nothing."""
    return _tell_us(rule.needs)


def _tell_us(needs: Iterable[str]) -> str:
    asked = ", ".join(f"--fact {name}=..." for name in needs)
    return f"Tell us: {asked}" if asked else ""


def by_how_much(rule: DeterminationTold) -> str:
    """Return measured against threshold in words; empty when the rule measures nothing.

    A rule about ground under the work has the limit 0 ft: then only how far off it lies is told.
    """
    if rule.measured is None or rule.threshold is None:
        return ""
    if rule.unit == "ft" and rule.threshold == 0.0:
        return f"{quantity(rule.measured, 'ft')} away" if rule.measured else "under the work"
    return against(rule.measured, rule.threshold, rule.unit)


def _named(rule: DeterminationTold, screening: Screening) -> str:
    advice = " (advice)" if rule.advisory and "advice" not in rule.title else ""
    return f"{rule.title}{advice} ({rule.citation}){of_lot(rule, screening)}"


def of_lot(rule: DeterminationTold, screening: Screening) -> str:
    """Return which lot an answer is about, where there are several; empty where it is about all the work."""
    if rule.loc_id is None or len(screening.parcels) < MORE_THAN_ONE:
        return ""
    lot = next((p for p in screening.parcels if p.loc_id == rule.loc_id), None)
    named = (lot.site_address, lot.loc_id) if lot is not None else (rule.loc_id,)
    return f", lot {', '.join(part for part in named if part)}"


def _otherwise(rule: DeterminationTold) -> list[str]:
    """Return the readings of an ambiguous text that would have given another answer."""
    differing = [reading for reading in rule.readings if reading.result != rule.result]
    return [f"Read otherwise ({r.policy}: {r.text}): {read_so(r.result)}" for r in differing]


def read_so(result: Result) -> str:
    """Return what another reading of the text gives, in words.

    >>> read_so("triggered"), read_so("needs_input")
    ('triggered', 'not known; somebody must look before this reading can be ruled out')
    """
    return READ_SO.get(result, RESULT_WORDS[result].lower())


def _law(rule: DeterminationTold, screening: Screening) -> str:
    law = rule.rule.partition(".")[0]
    return next((bylaw.title for bylaw in screening.bylaws if bylaw.id == law), law)


def _needs(rule: DeterminationTold) -> str:
    told = [part for part in (rule.approval, rule.authority) if part]
    return f"Needs: {', from '.join(told)}" if told and not rule.advisory else ""

"""What to do next, in plain words: one step for all the rules that ask for the same."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.case import Case
from spatial.decide.asking import SEVERITY
from spatial.rules.bylaw import Bylaw, Rule
from spatial.rules.determination import Determination, NextStep, Result

MAPS = (
    "Have the maps looked up that could not be checked here, each named above: ask the town to load them, or their "
    "publishers. Until then nobody knows what they show, and unknown is not a no."
)
TOWN_LAW = (
    "Ask the town hall of {town} for its own wetlands, stormwater, tree and zoning rules: none of {town} is held "
    "here, so none was applied. They may ask for more than the state's."
)


DELINEATION = "delineation"


def next_steps(
    bylaws: Sequence[Bylaw], determinations: Sequence[Determination], *, delineated: bool = False
) -> tuple[NextStep, ...]:
    """Return the steps of rules that are triggered, then of those that ask for something, each text once.

    Advice gives no step: it binds nobody yet. Where the ground was ``delineated``, what is open to a rule that
    would ask for that waits for a map. Empty when nothing is triggered or asked.
    """
    rules = {rule.id: rule for bylaw in bylaws for rule in bylaw.rules}
    found: dict[str, list[str]] = {}
    for determination in sorted(_project(determinations), key=lambda d: -SEVERITY[d.result]):
        rule = rules.get(determination.rule)
        if rule is None or (delineated and _waits_for_a_map(rule, determination)):
            continue
        for text in _texts(rule, determination.result):
            because = found.setdefault(text, [])
            if determination.rule not in because:
                because.append(determination.rule)
    return tuple(NextStep(text, tuple(because)) for text, because in found.items())


def steps_of_place(
    case: Case, determinations: Sequence[Determination], townless: Sequence[str]
) -> tuple[NextStep, ...]:
    """Return what is wanting of the place itself: maps that could not be checked, the laws of towns not held.

    Parameters
    ----------
    case
        What was measured; a finding that was not checked, or that no edition covers, asks for its map.
    determinations
        All of them; those that cannot be decided are why the maps are wanted.
    townless
        Names of the towns the work lies in of which no bylaw file is held.
    """
    found: list[NextStep] = []
    if any(finding.status in {"no_data", "not_checked"} for finding in case.findings):
        open_rules = dict.fromkeys(d.rule for d in determinations if d.result == "indeterminate")
        found.append(NextStep(MAPS, tuple(open_rules)))
    return (*found, *(NextStep(TOWN_LAW.format(town=name), ()) for name in townless))


def _waits_for_a_map(rule: Rule, determination: Determination) -> bool:
    return (
        determination.result == "indeterminate"
        and DELINEATION in rule.facts
        and DELINEATION not in determination.needs
    )


def _project(determinations: Sequence[Determination]) -> list[Determination]:
    return [d for d in determinations if not d.advisory]


def _texts(rule: Rule, result: Result) -> tuple[str, ...]:
    if result == "not_triggered":
        return ()
    return rule.next_steps if result == "triggered" else rule.ask_steps

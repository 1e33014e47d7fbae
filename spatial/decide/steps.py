"""What to do next, in plain words: one step for all the rules that ask for the same."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.decide.asking import SEVERITY
from spatial.rules.bylaw import Bylaw, Rule
from spatial.rules.determination import Determination, NextStep, Result


def next_steps(bylaws: Sequence[Bylaw], determinations: Sequence[Determination]) -> tuple[NextStep, ...]:
    """Return the steps of rules that are triggered, then of those that ask for something, each text once.

    Advice gives no step: it binds nobody yet. Empty when nothing is triggered or asked.
    """
    rules = {rule.id: rule for bylaw in bylaws for rule in bylaw.rules}
    found: dict[str, list[str]] = {}
    for determination in sorted(_project(determinations), key=lambda d: -SEVERITY[d.result]):
        rule = rules.get(determination.rule)
        for text in _texts(rule, determination.result) if rule else ():
            because = found.setdefault(text, [])
            if determination.rule not in because:
                because.append(determination.rule)
    return tuple(NextStep(text, tuple(because)) for text, because in found.items())


def _project(determinations: Sequence[Determination]) -> list[Determination]:
    return [d for d in determinations if not d.advisory]


def _texts(rule: Rule, result: Result) -> tuple[str, ...]:
    if result == "not_triggered":
        return ()
    return rule.next_steps if result == "triggered" else rule.ask_steps

"""Rules that follow from others: what a plan must hold, once a threshold is met."""

from __future__ import annotations

from spatial.decide.asking import Asked, strictest
from spatial.decide.phrases import listed
from spatial.rules.determination import Determination, Result

FOLLOWED = "follows"
SAID = {
    "triggered": "Follows from {rules}.",
    "not_triggered": "Nothing it follows from is triggered ({rules}).",
    "indeterminate": "Not known, because {rules} could not be decided.",
    "needs_input": "Not known yet, because facts are missing for {rules}.",
}


def follows(asked: Asked) -> tuple[Determination, ...]:
    """Return the strictest result of the rules this one follows from, naming those that gave it."""
    result = gate(asked)
    because = [rule for rule in asked.words(FOLLOWED) if asked.decided.get(rule, "indeterminate") == result]
    return (asked.answer(result, SAID[result].format(rules=listed(asked.titles(because)))),)


def gate(asked: Asked) -> Result:
    """Return the strictest result of the rules named; one that was not decided is not known."""
    return strictest(tuple(asked.decided.get(rule, "indeterminate") for rule in asked.words(FOLLOWED)))

"""Decide: rules in force on a day, applied to what was measured and the facts given. Pure; holds no number of law.

A missing measurement gives ``indeterminate`` or ``needs_input``, never "no".
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from spatial.case import Case
from spatial.decide.asking import Asked, Memory, advised, strictest
from spatial.decide.cautions import Told, of_facts
from spatial.decide.dates import deadlines
from spatial.decide.steps import next_steps, steps_of_place
from spatial.decide.table import EVALUATORS
from spatial.facts import Facts
from spatial.rules.bylaw import Bylaw
from spatial.rules.determination import Determination, Result

__all__ = ["Told", "deadlines", "decide", "next_steps", "of_facts", "steps_of_place"]

UNBINDING = "Advice only: it binds when {rules} is triggered, which it is not."
UNDECIDED = "Advice for now: it binds if {rules} is triggered, which is not known yet."


def decide(bylaws: Sequence[Bylaw], case: Case, facts: Facts) -> tuple[Determination, ...]:
    """Return what every rule in force on ``case.on`` says of the case, in the order of the bylaws and their rules.

    A rule may answer several times (the project first, then each lot); a rule not in force that day, not at all.
    """
    on = date.fromisoformat(case.on)
    answers: list[Determination] = []
    decided: dict[str, Result] = {}
    memory = Memory()
    for bylaw in bylaws:
        for rule in (r for r in bylaw.rules if r.in_force(on)):
            given = _answered(Asked(rule, bylaw, case, facts, decided, memory))
            decided[rule.id] = strictest(tuple(d.result for d in given))
            answers.extend(given)
    return tuple(answers)


def _answered(asked: Asked) -> tuple[Determination, ...]:
    """Return the evaluator's answers; where a gate is not triggered they are advice only."""
    given = EVALUATORS[asked.rule.evaluate](asked)
    gates = asked.words("binding_when")
    found = {asked.decided.get(rule, "indeterminate") for rule in gates}
    if not gates or "triggered" in found:
        return given
    words = UNBINDING if found == {"not_triggered"} else UNDECIDED
    return tuple(advised(d, words.format(rules=" or ".join(asked.titles(gates)))) for d in given)

"""Decide: rules in force on a day, applied to what was measured and the facts given. Pure; holds no number of law.

A missing measurement gives ``indeterminate`` or ``needs_input``, never "no".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from spatial.case import Case
from spatial.decide.asking import SEVERITY, Asked, Memory, advised, strictest
from spatial.decide.cautions import Told, of_facts
from spatial.decide.dates import deadlines
from spatial.decide.steps import next_steps, steps_of_doubt, steps_of_place
from spatial.decide.table import EVALUATORS
from spatial.facts import Facts
from spatial.rules.bylaw import Bylaw
from spatial.rules.determination import Determination, Result

__all__ = ["Told", "deadlines", "decide", "next_steps", "of_facts", "steps_of_doubt", "steps_of_place"]

UNBINDING = "Advice only: it binds when {rules} is triggered, which it is not."
UNDECIDED = "Advice for now: it binds if {rules} is triggered, which is not known yet."


def decide(bylaws: Sequence[Bylaw], case: Case, facts: Facts) -> tuple[Determination, ...]:
    """Return what every rule in force on ``case.on`` says of the case, in the order of the bylaws and their rules.

    A rule may answer several times (the project first, then each lot); a rule not in force that day, not at all.
    Where a delineation is given, each answer that is "no" by its word alone names it.
    """
    answers = _decided(bylaws, case, facts)
    named = _delineation(case, facts)
    if named is not None:
        without = _decided(bylaws, case, facts, takes_word=False)
        answers = [_resting(own, other, named) for own, other in zip(answers, without, strict=True)]
    return tuple(answer for given in answers for answer in given)


def _decided(
    bylaws: Sequence[Bylaw], case: Case, facts: Facts, *, takes_word: bool = True
) -> list[tuple[Determination, ...]]:
    """Return the answers of each rule in force, rule by rule."""
    on = date.fromisoformat(case.on)
    answers: list[tuple[Determination, ...]] = []
    decided: dict[str, Result] = {}
    memory = Memory()
    for bylaw in bylaws:
        for rule in (r for r in bylaw.rules if r.in_force(on)):
            given = _answered(Asked(rule, bylaw, case, facts, decided, memory, takes_word))
            decided[rule.id] = strictest(tuple(d.result for d in given))
            answers.append(given)
    return answers


def _delineation(case: Case, facts: Facts) -> str | None:
    """Return the delineation that is given, as a fact or with the work; None when there is none."""
    drawn = (f.delineation for f in case.findings if f.delineation and f.delineation_whole)
    return facts.text("delineation") or next(drawn, None)


def _resting(
    given: tuple[Determination, ...], without: tuple[Determination, ...], named: str
) -> tuple[Determination, ...]:
    """Return a rule's answers; those that would not be "no" without the word of a delineation name it."""
    if len(given) != len(without):
        without = (max(without, key=lambda d: SEVERITY[d.result]),) * len(given)
    return tuple(
        replace(own, delineation=named) if own.result == "not_triggered" != other.result else own
        for own, other in zip(given, without, strict=True)
    )


def _answered(asked: Asked) -> tuple[Determination, ...]:
    """Return the evaluator's answers; where a gate is not triggered they are advice only."""
    given = EVALUATORS[asked.rule.evaluate](asked)
    gates = asked.words("binding_when")
    found = {asked.decided.get(rule, "indeterminate") for rule in gates}
    if not gates or "triggered" in found:
        return given
    words = UNBINDING if found == {"not_triggered"} else UNDECIDED
    return tuple(advised(d, words.format(rules=" or ".join(asked.titles(gates)))) for d in given)

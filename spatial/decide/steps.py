"""What to do next, in plain words: one step for all the rules that ask for the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from spatial.case import Case
from spatial.decide.asking import SEVERITY
from spatial.decide.phrases import listed
from spatial.facts import FactDefinition
from spatial.rules.bylaw import Bylaw, Rule
from spatial.rules.determination import Determination, NextStep

MAPS = (
    "Have the maps looked up that could not be checked here, each named above: ask the town to load them, or their "
    "publishers. Until then nobody knows what they show, and unknown is not a no."
)
TOWN_LAW = (
    "Ask the town hall of {town} for its own wetlands, stormwater, tree and zoning rules: none of {town} is held "
    "here, so none was applied. They may ask for more than the state's."
)


DELINEATION = "delineation"
BRING_PLAN = (
    "Bring the delineation's plan and report ({named}) to the boards, and send its flagged line with the work and "
    "it will be measured: nobody here has seen what it found, and {answers} by its word alone."
)
BRING_REPORT = (
    "Bring the delineation's plan and report ({named}) to the boards: the wetland line sent was measured here, but "
    "that it found no other protected ground (banks, rivers, pools) nobody here has seen, and {answers} by its "
    "word alone."
)
SURVEY = (
    "Have it surveyed: {titles} cannot be told for certain as drawn. A surveyor's plan of the limit of work, the "
    "lot and the line it is measured from settles what is too close to call."
)


def next_steps(
    bylaws: Sequence[Bylaw],
    determinations: Sequence[Determination],
    *,
    delineated: bool = False,
    facts: Sequence[FactDefinition] = (),
) -> tuple[NextStep, ...]:
    """Return the steps of rules that are triggered, then of those that ask for something, each text once.

    Advice gives no step: it binds nobody yet. Where the ground was ``delineated``, what is open to a rule that
    would ask for that waits for a map. ``facts`` say how to learn what a rule's own steps do not speak of. Empty
    when nothing is triggered or asked.
    """
    how = {fact.name: fact.step for fact in facts if fact.step}
    triggered = {d.rule for d in determinations if d.result == "triggered" and not d.advisory}
    rules = {rule.id: rule for bylaw in bylaws for rule in bylaw.rules}
    found: dict[str, list[str]] = {}
    for determination in sorted(_project(determinations), key=lambda d: -SEVERITY[d.result]):
        rule = rules.get(determination.rule)
        if rule is None or (delineated and _waits_for_a_map(rule, determination)):
            continue
        for text in _texts(rule, determination, triggered, how):
            because = found.setdefault(text, [])
            if determination.rule not in because:
                because.append(determination.rule)
    return tuple(NextStep(text, tuple(because)) for text, because in found.items())


def steps_of_doubt(case: Case, determinations: Sequence[Determination]) -> tuple[NextStep, ...]:
    """Return what settles answers that are too close to call, or that rest on a delineation not measured here.

    Empty where no answer that may bind is of the first kind and none of the second.
    """
    close = [d for d in _project(determinations) if d.certainty == "too_close_to_call"]
    resting = [d for d in determinations if d.delineation]
    found: list[NextStep] = []
    if resting:
        rules = tuple(dict.fromkeys(d.rule for d in resting))
        answers = "1 rule is answered" if len(rules) == 1 else f"{len(rules)} rules are answered"
        text = BRING_REPORT if any(f.delineation_measured for f in case.findings) else BRING_PLAN
        found.append(NextStep(text.format(named=resting[0].delineation, answers=answers), rules))
    if close:
        titles = listed(list(dict.fromkeys(f"“{d.title}”" for d in close)))
        found.append(NextStep(SURVEY.format(titles=titles), tuple(dict.fromkeys(d.rule for d in close))))
    return tuple(found)


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


def _texts(
    rule: Rule, determination: Determination, triggered: Set[str], how: Mapping[str, str]
) -> tuple[str, ...]:
    if determination.result == "not_triggered":
        return ()
    if determination.result == "triggered":
        return rule.next_steps if triggered.isdisjoint(rule.steps_yield_to) else rule.steps_beside
    own = [how[name] for name in determination.needs if name in how]
    asks = rule.ask_steps if len(own) < len(determination.needs) or not own else ()
    return (*asks, *own)

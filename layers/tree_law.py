"""From the bylaw files to the numbers trees are measured by: of the town asked, in force on the day asked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from spatial.errors import ParameterRefused
from spatial.model import Town
from spatial.rules.book import LawBook
from spatial.rules.bylaw import Bylaw, Rule
from spatial.trees.model import TreeRules

PROTECTION, MITIGATION, ON_PLAN = "tree_protection", "tree_mitigation", "trees_on_plan"


@dataclass(frozen=True, slots=True)
class TreeLaw:
    """The numbers, the rules they come from, and what a reader must know of them.

    ``gate`` is the rule that the duties hang on (AMB-34); None when none does.
    """

    rules: TreeRules
    citations: tuple[str, ...]
    rule_ids: tuple[str, ...]
    gate: str | None = None
    notes: tuple[str, ...] = ()
    lent: bool = False
    """No rule of the town's own on tree zones is held: the radius is another town's."""


def tree_law(law: LawBook, town: Town | None, on: date) -> TreeLaw:
    """Return the tree rules of a town.

    A town without one gets the radius of a town that has one, as advice and said so, and no protected diameter:
    then no tree is called protected or unprotected.

    Parameters
    ----------
    town
        None: not known.
    on
        The day whose law applies.

    Raises
    ------
    ParameterRefused
        No bylaw held has a rule on tree zones in force that day.
    """
    own = _by_evaluator(law.bylaws_for([town]) if town else (), on)
    protection = own.get(PROTECTION)
    lent = protection or _by_evaluator(law.bylaws, on).get(PROTECTION)
    radius = _number([lent], "radius_ft_per_in") if lent else None
    if lent is None or radius is None:
        raise ParameterRefused(f"No bylaw held here says how far a tree's zone reaches on {on}; name a later day.")
    mitigation, on_plan = own.get(MITIGATION), own.get(ON_PLAN)
    used = [lent, *(r for r in (mitigation, on_plan) if r is not None)]
    return TreeLaw(
        rules=_rules(radius, used),
        citations=tuple(f"{r.id}: {r.citation}" for r in used),
        rule_ids=tuple(r.id for r in (protection, mitigation, on_plan) if r is not None),
        gate=_gate(protection),
        notes=() if protection is not None else (_lent_note(town, lent),),
        lent=protection is None,
    )


def _by_evaluator(bylaws: Iterable[Bylaw], on: date) -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for rule in (r for b in bylaws for r in b.rules if r.evaluate in (PROTECTION, MITIGATION, ON_PLAN)):
        if rule.in_force(on):
            found.setdefault(rule.evaluate, rule)
    return found


def _rules(radius_ft_per_in: float, among: Sequence[Rule]) -> TreeRules:
    cap = _number(among, "radius_cap_ft")
    return TreeRules(
        radius_ft_per_in=radius_ft_per_in,
        floor_ft=_number(among, "radius_floor_ft") or 0.0,
        cap_ft=math.inf if cap is None else cap,
        protected_dbh_in=_number(among, "protected_dbh_in"),
        replacement_in_per_in=_number(among, "replacement_in_per_in"),
        contribution_usd_per_in=_number(among, "contribution_usd_per_in"),
        plan_caliper_in=_number(among, "plan_caliper_in"),
        plan_check_dbh_in=_number(among, "plan_check_dbh_in"),
    )


def _number(rules: Sequence[Rule], name: str) -> float | None:
    found = next((r.numbers[name] for r in rules if name in r.numbers), None)
    return found.value if found is not None else None


def _gate(rule: Rule | None) -> str | None:
    gate = rule.options.get("binding_when") if rule is not None else None
    return gate if isinstance(gate, str) else None


def _lent_note(town: Town | None, lent: Rule) -> str:
    unknown = "whether and how it protects trees is not known"
    whose = f"No rule of {town.name} on tree zones is held here; {unknown}" if town else "The town is not known"
    return f"{whose}. Zones are drawn by the formula of {lent.citation} ({lent.id}), as advice only."

"""Decide: what a tree plan says to the rules of a screening, as project facts. Pure; the unknown is left unsaid."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.trees.model import TreePlan, TreeZone
from spatial.trees.survey import LeftOut

REMOVED, RETAINED, LARGEST = "removed_protected_dbh_in", "retained_protected_trees", "largest_tree_dbh_in"


def tree_facts(plan: TreePlan, left_out: Sequence[LeftOut] = ()) -> dict[str, float]:
    """Return the facts a plan settles; one that hangs on a tree nobody can place or measure is never guessed.

    Parameters
    ----------
    left_out
        Rows of the survey that may be trees nobody measured.

    Returns
    -------
    dict
        ``removed_protected_dbh_in`` and ``retained_protected_trees`` when nothing leaves them open
        (:func:`open_facts`); ``largest_tree_dbh_in`` when every tree is measured, or one is large enough for the
        plan already.
    """
    facts: dict[str, float] = {}
    unsettled = open_facts(plan, left_out)
    staying = [z for z in plan.trees if z.verdict != "removed"]
    counted = {REMOVED: plan.mitigation.removed_dbh_in, RETAINED: float(sum(z.protected is True for z in staying))}
    facts.update((name, value) for name, value in counted.items() if name not in unsettled)
    if plan.trees and (not left_out or any(z.on_plan in ("show", "check_caliper") for z in plan.trees)):
        facts[LARGEST] = max(z.tree.dbh_in for z in plan.trees)
    return facts


def open_facts(plan: TreePlan, left_out: Sequence[LeftOut] = ()) -> frozenset[str]:
    """Return which of the two sums may be larger than what is counted.

    A tree nobody measured leaves both open; one whose protection is unknown that of those which go or stay as it
    does; one whose stem stands in the work, and of which nobody says that it stays, what is removed.
    """
    removed = any(z.verdict == "removed" and z.protected is None for z in plan.trees)
    in_work = any(stem_at_stake(z) for z in plan.trees)
    staying = any(z.verdict != "removed" and z.protected is None for z in plan.trees)
    found = {
        REMOVED: removed or in_work or bool(left_out),
        RETAINED: staying or bool(left_out),
    }
    return frozenset(name for name, is_open in found.items() if is_open)


def stem_at_stake(zone: TreeZone) -> bool:
    """Say whether a tree that is or may be protected has its stem in the work, and nobody says that it stays."""
    return "stem_in_work" in zone.flags and zone.tree.action is None and zone.protected is not False

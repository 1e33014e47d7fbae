"""Decide: what a tree plan says to the rules of a screening, as project facts. Pure; the unknown is left unsaid."""

from __future__ import annotations

from spatial.trees.model import TreePlan

REMOVED, RETAINED, LARGEST = "removed_protected_dbh_in", "retained_protected_trees", "largest_tree_dbh_in"


def tree_facts(plan: TreePlan, *, complete: bool = True) -> dict[str, float]:
    """Return the facts a plan settles; one that hangs on a tree nobody can place is left out, never guessed.

    Parameters
    ----------
    complete
        False when the survey has trees that could not be measured: then nothing is counted up.

    Returns
    -------
    dict
        ``removed_protected_dbh_in`` and ``retained_protected_trees`` when protection is known of every tree they
        count, ``largest_tree_dbh_in`` always when there are trees.
    """
    facts: dict[str, float] = {}
    removed = [z for z in plan.trees if z.verdict == "removed"]
    staying = [z for z in plan.trees if z.verdict != "removed"]
    if complete and all(z.protected is not None for z in removed):
        facts[REMOVED] = plan.mitigation.removed_dbh_in
    if complete and all(z.protected is not None for z in staying):
        facts[RETAINED] = float(sum(z.protected is True for z in staying))
    if plan.trees:
        facts[LARGEST] = max(z.tree.dbh_in for z in plan.trees)
    return facts

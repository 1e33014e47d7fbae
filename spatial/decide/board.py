"""Which board answers for a rule: the one the text names, or another that adopted the same regulations."""

from __future__ import annotations

from spatial.facts import Facts
from spatial.rules.bylaw import Rule

OTHER_BOARD = "{board}, which adopted these regulations and acts under its own notice and hearing rules"


def authority(rule: Rule, facts: Facts) -> str:
    """Return who decides on this rule; the fact ``approving_board`` counts only where the rule asks for it."""
    board = facts.text("approving_board") if "approving_board" in rule.facts else None
    if board is None or _same(board, rule.authority):
        return rule.authority
    return OTHER_BOARD.format(board=board.replace("_", " ").title())


def before_board(boards: tuple[str, ...], facts: Facts) -> bool:
    """Say whether a clock meant for some boards runs; it does for all when it names none."""
    return not boards or facts.text("approving_board") in {None, *boards}


def _same(board: str, named: str) -> bool:
    return board.replace("_", " ") in named.lower()

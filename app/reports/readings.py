"""Report: how ambiguous text was read, in words: a policy's id alone tells a reader nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from app.reports.page import entry
from app.schemas.screening import PolicyTold, Screening

UNVERIFIED = " (nobody has verified this reading yet)"


def spoken(screening: Screening) -> list[PolicyTold]:
    """Return the policies named by a reason, a warning, or a reading that would have decided otherwise."""
    texts = [rule.why for rule in screening.determinations]
    texts += [r.policy for rule in screening.determinations for r in rule.readings if r.result != rule.result]
    texts += [warning.message for warning in screening.warnings]
    return [policy for policy in screening.policies if any(policy.id in text for text in texts)]


def reading(policy: PolicyTold) -> str:
    """Return how we read it, and whether anybody has verified that."""
    return f"We read: {policy.reading}{UNVERIFIED if policy.unverified else ''}"


def readings(screening: Screening) -> Iterator[RenderableType]:
    """Return each question of the text that the page names, with its reading."""
    for policy in spoken(screening):
        yield entry(f"{policy.id}  {policy.question}", reading(policy), style="")

"""Report: how ambiguous text was read, in words: a policy's id alone tells a reader nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.console import RenderableType

from app.reports.page import entry
from app.schemas.screening import PolicyTold, Screening

LOST = re.compile(r"§ \S*\[[^\]]+\]")
UNVERIFIED = " (nobody has verified this reading yet)"


def spoken(screening: Screening, *, every_reading: bool = False) -> list[PolicyTold]:
    """Return the policies named by a reason, a warning, or a reading that would have decided otherwise.

    ``every_reading``: by any reading of a rule that has several, for a paper that prints them all.
    """
    texts = [rule.why for rule in screening.determinations]
    texts += [
        r.policy
        for rule in screening.determinations
        for r in rule.readings
        if r.result != rule.result or (every_reading and len(rule.readings) > 1)
    ]
    texts += [warning.message for warning in screening.warnings]
    return [policy for policy in screening.policies if any(policy.id in text for text in texts)]


def reading(policy: PolicyTold) -> str:
    """Return how we read it, and whether anybody has verified that."""
    return f"We read: {policy.reading}{UNVERIFIED if policy.unverified else ''}"


def readings(screening: Screening) -> Iterator[RenderableType]:
    """Return each question of the text that the page names, with its reading."""
    for policy in spoken(screening):
        yield entry(f"{policy.id}  {policy.question}", reading(policy), style="")
    if brackets := lost_numbers(screening):
        yield entry(*brackets, style="")


def lost_numbers(screening: Screening) -> tuple[str, str] | None:
    """Return what brackets in a citation mean, with the first of them; None where no citation has any."""
    cited = [*(rule.citation for rule in screening.determinations), *(one.citation for one in screening.deadlines)]
    first = next((found.group() for text in cited if (found := LOST.search(text))), None)
    return (
        (first, "A word in brackets stands where the number of the section is lost in the text held")
        if first
        else None
    )

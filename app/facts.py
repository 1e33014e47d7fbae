"""The project facts that can be told with the work, and which rules ask for each."""

from __future__ import annotations

from app.schemas.bylaw import FactsTold, FactTold
from spatial.rules.book import LawBook


def facts_told(law: LawBook) -> FactsTold:
    """Return every fact with its unit, its meaning and the rules that ask for it, by name."""
    known = sorted(law.facts, key=lambda fact: fact.name)
    return FactsTold(facts=[FactTold.of(fact, _asked_by(law, fact.name)) for fact in known])


def _asked_by(law: LawBook, fact: str) -> tuple[str, ...]:
    return tuple(rule.id for bylaw in law.bylaws for rule in bylaw.rules if fact in rule.facts)

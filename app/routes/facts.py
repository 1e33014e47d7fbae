"""The project facts a screening may be told."""

from __future__ import annotations

from fastapi import APIRouter

from app.deps import SnapshotDep
from app.schemas.bylaw import FactsTold, FactTold
from spatial.rules import LawBook

router = APIRouter(tags=["law"])


@router.get("/facts", summary="List the project facts")
def facts(snapshot: SnapshotDep) -> FactsTold:
    """Return every fact with its unit, its meaning and the rules that ask for it."""
    known = sorted(snapshot.law.facts, key=lambda fact: fact.name)
    return FactsTold(facts=[FactTold.of(fact, asked_by(snapshot.law, fact.name)) for fact in known])


def asked_by(law: LawBook, fact: str) -> tuple[str, ...]:
    """Return the ids of the rules that ask for a fact."""
    return tuple(rule.id for bylaw in law.bylaws for rule in bylaw.rules if fact in rule.facts)

"""The project facts a screening may be told."""

from __future__ import annotations

from fastapi import APIRouter

from app.deps import SnapshotDep
from app.facts import facts_told
from app.schemas.bylaw import FactsTold

router = APIRouter(tags=["law"])


@router.get("/facts", summary="List the project facts")
def facts(snapshot: SnapshotDep) -> FactsTold:
    """Return every fact with its unit, its meaning and the rules that ask for it."""
    return facts_told(snapshot.law)

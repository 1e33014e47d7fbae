"""The law files we hold, and each in whole."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from app.deps import SnapshotDep
from app.schemas.bylaw import Bylaws, BylawSummary, BylawTold

router = APIRouter(tags=["law"])


@router.get("/bylaws", summary="List the law files we hold")
def bylaws(snapshot: SnapshotDep) -> Bylaws:
    """Return every statute, regulation, bylaw and set of rules we apply."""
    return Bylaws(bylaws=[BylawSummary.of(bylaw) for bylaw in snapshot.law.bylaws])


@router.get("/bylaws/{bylaw_id}", summary="A law file in whole")
def bylaw(bylaw_id: Annotated[str, Path(max_length=100)], snapshot: SnapshotDep) -> BylawTold:
    """Return every rule with its numbers, citation, dates in force, and how we read it."""
    return BylawTold.of(snapshot.law.bylaw(bylaw_id))

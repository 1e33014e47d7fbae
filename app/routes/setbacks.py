"""Setbacks over HTTP: lot lines, yards and what is left to build on."""

from __future__ import annotations

from fastapi import APIRouter

from app.deps import ServiceDep
from app.lots import lay
from app.questions import lot_question
from app.reports.yards import setbacks_told
from app.schemas.setbacks import SetbacksAsked, SetbacksTold

router = APIRouter(tags=["setbacks and trees"])


@router.post("/setbacks", summary="Lot lines, yards and the building envelope of a lot")
def setbacks(asked: SetbacksAsked, service: ServiceDep) -> SetbacksTold:
    """Return each edge's class with the reason, the yards and the envelope; what nobody knows is in `needs`."""
    return setbacks_told(lay(service, lot_question(asked)))

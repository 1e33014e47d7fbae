"""Kept screenings asked again over HTTP, after a layer was swapped."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from app.deps import Admin, ServiceDep
from app.errors import named_in_path
from app.rescreen import MOST, USUAL, rescreen
from app.schemas.rescreen import Rescreened

router = APIRouter(tags=["layers"])


@router.post("/layers/{layer_id}/rescreen", summary="Which kept screenings a layer's new edition would change")
def rescreen_layer(
    layer_id: Annotated[str, Path(description="Id of a layer.", max_length=60, examples=["wetlands"])],
    service: ServiceDep,
    who: Admin,
    *,
    after: Annotated[int, Query(ge=0, description="`next` of an earlier answer.")] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST, description="How many are asked again at most.")] = USUAL,
) -> Rescreened:
    """Ask kept screenings that rest on another edition again, list what would differ, alter nothing."""
    with named_in_path():
        service.library.catalog.spec(layer_id)
    told = rescreen(service, layer_id, after=after, limit=limit)
    service.audit.write("layer.rescreen", [f"{told.layer}: {told.asked} asked"], key_id=who.key_id)
    return told

"""What we understand of an upload, before any screening. Nothing is kept."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from app.deps import ServiceDep
from app.routes.bodies import READING_PARAMETERS, UPLOAD_BODY
from app.schemas.inspection import InspectionTold
from app.screening import inspected
from app.uploads import Options, read_request
from spatial.errors import ParameterRefused

router = APIRouter(tags=["screening"])


@router.post(
    "/inspections",
    summary="Say what we understand of a file",
    openapi_extra={"requestBody": UPLOAD_BODY, "parameters": READING_PARAMETERS},
    response_model=InspectionTold,
)
async def inspect(request: Request, service: ServiceDep) -> InspectionTold:
    """Return format, coordinate system, layers, features and notes of what was sent."""
    upload, options = await read_request(request, service.settings)
    _refuse_others(options)
    return await run_in_threadpool(inspected, service, upload, options)


def _refuse_others(options: Options) -> None:
    """Refuse what a screening takes and an inspection would pass over in silence."""
    said = {"town": options.town, "on": options.on, **(options.facts or {})}
    for name in (name for name, value in said.items() if value):
        raise ParameterRefused(f"An inspection takes no {name[:60]!r}; it takes crs, layer and parcel.")

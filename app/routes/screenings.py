"""Screenings over HTTP: ask, fetch, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from starlette.concurrency import run_in_threadpool

from app.again import ask_again
from app.deps import Admin, ServiceDep
from app.reports.drawing import unpack
from app.reports.geojson import screening_geojson
from app.reports.screening.paper import report_pdf
from app.routes.bodies import FACTS_BODY, QUESTION_PARAMETERS, UPLOAD_BODY
from app.schemas.screening import Screening
from app.screening import Outcome, ask
from app.surroundings import surroundings
from app.uploads import read_fields, read_request

router = APIRouter(tags=["screening"])
JSON = "application/json"
GEOJSON = "application/geo+json"
PDF = "application/pdf"
ScreeningId = Annotated[str, Path(description="Id of a screening.", max_length=64)]


@router.post(
    "/screenings",
    status_code=201,
    response_model=Screening,
    responses={200: {"model": Screening, "description": "The same was asked before: the kept answer."}},
    openapi_extra={"requestBody": UPLOAD_BODY, "parameters": QUESTION_PARAMETERS},
    summary="Screen a piece of work",
)
async def create(request: Request, service: ServiceDep) -> Response:
    """Return what the maps and the law say of the work sent: 201 when it is new, 200 with the kept answer else."""
    upload, options = await read_request(request, service.settings)
    return _answered(await run_in_threadpool(ask, service, upload, options))


@router.post(
    "/screenings/{screening_id}/again",
    status_code=201,
    response_model=Screening,
    responses={200: {"model": Screening, "description": "The same was asked before: the kept answer."}},
    openapi_extra={"requestBody": FACTS_BODY},
    summary="Ask a kept screening again with more facts",
)
async def again(screening_id: ScreeningId, request: Request, service: ServiceDep) -> Response:
    """Return the answer to the same input with other facts, on today's layers; an empty fact takes one back."""
    given = await read_fields(request, service.settings)
    return _answered(await run_in_threadpool(ask_again, service, screening_id, given))


def _answered(outcome: Outcome) -> Response:
    headers = {"Location": f"/v1/screenings/{outcome.id}"}
    return Response(outcome.body, 201 if outcome.made else 200, headers, media_type=JSON)


@router.get(
    "/screenings/{screening_id}.geojson",
    responses={200: {"content": {GEOJSON: {"schema": {"type": "object"}}}}},
    response_class=Response,
    summary="A kept screening as shapes for a map",
)
def fetch_geojson(screening_id: ScreeningId, service: ServiceDep) -> Response:
    """Return lots, work and what it meets as a GeoJSON FeatureCollection (EPSG:4326)."""
    told = Screening.model_validate_json(service.screenings.body(screening_id))
    shapes = unpack(service.screenings.drawing(screening_id))
    return Response(screening_geojson(told, shapes), media_type=GEOJSON)


@router.get(
    "/screenings/{screening_id}/surroundings.geojson",
    responses={200: {"content": {GEOJSON: {"schema": {"type": "object"}}}}},
    response_class=Response,
    summary="What is mapped around a kept screening, to draw and never to measure",
)
def fetch_surroundings(screening_id: ScreeningId, service: ServiceDep) -> Response:
    """Return mapped shapes and distance rings near the work (EPSG:4326), and what is not drawn, and why.

    They are cut at a frame around the work; distances and areas are those of the answer.
    """
    return Response(surroundings(service, screening_id), media_type=GEOJSON)


@router.get(
    "/screenings/{screening_id}.pdf",
    responses={200: {"content": {PDF: {"schema": {"type": "string", "format": "binary"}}}}},
    response_class=Response,
    summary="A kept screening as a report on paper",
)
def fetch_pdf(screening_id: ScreeningId, service: ServiceDep) -> Response:
    """Return the report to attach to an application: a tagged PDF with a map of our own drawing."""
    told = Screening.model_validate_json(service.screenings.body(screening_id))
    paper = report_pdf(told, unpack(service.screenings.drawing(screening_id)))
    name = f'inline; filename="screening-{told.id}.pdf"'
    return Response(paper, media_type=PDF, headers={"Content-Disposition": name})


@router.get("/screenings/{screening_id}", response_model=Screening, summary="Fetch a kept screening")
def fetch(screening_id: ScreeningId, service: ServiceDep) -> Response:
    """Return a kept screening, word for word as it was answered."""
    return Response(service.screenings.body(screening_id), media_type=JSON)


@router.delete("/screenings/{screening_id}", status_code=204, summary="Delete a screening and its input")
def delete(screening_id: ScreeningId, service: ServiceDep, who: Admin) -> None:
    """Delete a screening with the input it was made from; the audit log keeps the id."""
    service.screenings.delete(screening_id)
    service.audit.write("screening.delete", [screening_id], key_id=who.key_id)

"""``create_app(settings)``: the service over HTTP. Nothing is read, opened or configured at import."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.callers import Admission
from app.compression import SmallJson
from app.correlation import Correlation, correlation_id
from app.document import REFUSALS, Documented
from app.errors import PROBLEM_JSON, problem_of
from app.faults import tell_fault
from app.gate import Gate, Heads, SafeHeaders
from app.routes import ROUTERS
from app.routes.pages import static_files
from app.service import Service
from app.settings import Settings
from spatial.errors import MetesError, NotFound, ParameterRefused

log = structlog.get_logger("metes")
SWEEP_SECONDS = 3600.0
DESCRIPTION = (
    "What do the rules say about this piece of ground, how sure are we, and who must be told? "
    "Unknown is an answer here: silence of a map never means no."
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application around one service.

    Parameters
    ----------
    settings
        What the operator set; read from ``METES_*`` when None.
    """
    service = Service(settings or Settings()).open()
    app = Documented(
        title="Metes",
        version=version("metes"),
        description=DESCRIPTION,
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        responses=REFUSALS,
    )
    app.state.service = service
    _tell_errors(app)
    _include(app)
    _surround(app, service)
    return app


def _include(app: FastAPI) -> None:
    """Put every router of the list under its prefix."""
    for name, prefix in ROUTERS.items():
        app.include_router(importlib.import_module(f"app.routes.{name}").router, prefix=prefix)
    app.mount("/static", static_files(), name="static")


def _surround(app: FastAPI, service: Service) -> None:
    """Put the rings around the routes; the last added stands outermost."""
    settings = service.settings
    app.add_middleware(SmallJson)
    app.add_middleware(Heads)
    app.add_middleware(Gate, admit=Admission(settings, service.keys))
    app.add_middleware(
        CORSMiddleware,
        allow_origins=list(settings.cors_origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "X-API-Key", "Content-Type"],
        expose_headers=["Location", "Retry-After", "X-Request-Id"],
    )
    app.add_middleware(Correlation, counters=service.counters)
    app.add_middleware(SafeHeaders)


def _tell_errors(app: FastAPI) -> None:
    app.add_exception_handler(MetesError, _refused)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Sweep old screenings while we run; close what was opened when we stop."""
    service: Service = app.state.service
    sweeping = asyncio.create_task(_sweep(service))
    try:
        yield
    finally:
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        service.close()


async def _sweep(service: Service) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        gone = await run_in_threadpool(service.screenings.sweep)
        log.info("swept", screenings=gone)


def _answer(request: Request, error: MetesError, headers: dict[str, str] | None = None) -> Response:
    problem = problem_of(error, correlation_id=correlation_id(request.scope))
    service: Service = request.app.state.service
    service.counters.refusal(problem.code)
    if problem.status == 500:
        tell_fault(log, error)
    return Response(problem.to_json(), problem.status, headers, media_type=PROBLEM_JSON)


def _refused(request: Request, error: Exception) -> Response:
    """Tell a refusal."""
    assert isinstance(error, MetesError)  # noqa: S101 (what the handler is registered for)
    return _answer(request, error, _advice(error))


def _advice(error: MetesError) -> dict[str, str]:
    if error.code == "unauthorized":
        return {"WWW-Authenticate": "Bearer"}
    return {"Retry-After": "5"} if error.code in {"busy", "layer_unavailable"} else {}


def _http(request: Request, error: Exception) -> Response:
    """Tell what the router itself refuses: no such path, no such method."""
    assert isinstance(error, HTTPException)  # noqa: S101
    if error.status_code == 405:
        told = problem_of(
            ParameterRefused(f"This address does not take {request.method}."),
            correlation_id=correlation_id(request.scope),
        ).model_copy(update={"status": 405})
        return Response(told.to_json(), 405, dict(error.headers or {}), media_type=PROBLEM_JSON)
    if error.status_code == 404:
        return _answer(request, NotFound("There is nothing at this address; /openapi.json lists what there is."))
    return _answer(request, ParameterRefused(f"The request cannot be read: {error.detail}."))


def _invalid(request: Request, error: Exception) -> Response:
    """Tell a parameter or body that does not fit its schema, the first fault only."""
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        return _answer(request, ParameterRefused(f"{where} is no field of this request; /docs shows which it has."))
    return _answer(request, ParameterRefused(f"{where}: {first['msg'].removeprefix('Value error, ')}."))

"""Whether the service is well (``/healthz``), and what it counts of itself (``/metrics``)."""

from __future__ import annotations

from importlib.metadata import version

import structlog
from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError

from app.deps import Admin, ServiceDep
from app.faults import tell_fault
from app.schemas.health import Health
from app.service import Service
from spatial.errors import MetesError

router = APIRouter(tags=["operation"])
log = structlog.get_logger("metes")


@router.get("/healthz", responses={503: {"model": Health}}, summary="Ready only when records and layers open")
def healthz(service: ServiceDep, response: Response) -> Health:
    """Return whether the service can answer; 503 when a part of it cannot be opened."""
    records = _records_answer(service)
    layers, failed = _layers_open(service)
    ready = records and not failed
    response.status_code = 200 if ready else 503
    return Health(
        status="ready" if ready else "not_ready",
        version=version("metes"),
        records=records,
        layers=layers,
        failed=failed,
    )


@router.get("/metrics", summary="Counters in Prometheus text", response_class=Response)
def metrics(service: ServiceDep, _who: Admin) -> Response:
    """Return what the service counts of itself; no names, no addresses, no ids."""
    return Response(service.counters.text(), media_type=CONTENT_TYPE_LATEST)


def _records_answer(service: Service) -> bool:
    try:
        return service.records.alive()
    except SQLAlchemyError as error:
        tell_fault(log, error)
        return False


def _layers_open(service: Service) -> tuple[int, list[str]]:
    """Return how many layers are loaded, and the ids of those whose edition does not open."""
    try:
        snapshot = service.library.snapshot()
    except (MetesError, OSError) as error:
        tell_fault(log, error)
        return 0, ["library"]
    failed = [layer.spec.id for layer in snapshot.layers if layer.failed]
    return sum(layer.loaded for layer in snapshot.layers), failed + ["towns"] * bool(snapshot.failures)

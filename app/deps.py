"""What a route may ask for, as annotated dependencies: the service, a snapshot of the layers, the caller's role.

A route that shows or changes something not public takes ``Staff``, ``Assessor`` or ``Admin``; the others are
listed one by one in the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPBearer

from app.callers import PUBLIC, Caller
from app.service import Service
from app.settings import Settings
from layers.library import Library, Snapshot
from spatial.errors import Denied

_bearer = HTTPBearer(auto_error=False, scheme_name="key", description="`Authorization: Bearer metes_…`")
_header = APIKeyHeader(name="X-API-Key", auto_error=False, scheme_name="key_header")


def service(request: Request) -> Service:
    """Return the service this app was created around."""
    found: Service = request.app.state.service
    return found


ServiceDep = Annotated[Service, Depends(service)]


def settings(found: ServiceDep) -> Settings:
    """Return the settings of the service."""
    return found.settings


def library(found: ServiceDep) -> Library:
    """Return the layers library."""
    return found.library


def snapshot(found: ServiceDep) -> Snapshot:
    """Return the layers, law, towns and parcels as they stand now; one for the whole request."""
    return found.library.snapshot()


def caller(request: Request) -> Caller:
    """Return who asks, as the gate found out."""
    found: Caller = getattr(request.state, "caller", PUBLIC)
    return found


def needs(*roles: str) -> Callable[..., Caller]:
    """Return a dependency that lets only the named roles in: 401 without a key, 403 with another's."""

    def admitted(
        who: Annotated[Caller, Depends(caller)],
        _bearer_key: Annotated[object, Security(_bearer)] = None,
        _header_key: Annotated[object, Security(_header)] = None,
    ) -> Caller:
        if who.role == "public":
            raise Denied(
                f"This needs a key with the role {' or '.join(roles)}; send it as Authorization: Bearer KEY.",
                code="unauthorized",
            )
        if who.role not in roles:
            raise Denied(f"This needs the role {' or '.join(roles)}; your key has the role {who.role}.")
        return who

    return admitted


SettingsDep = Annotated[Settings, Depends(settings)]
LibraryDep = Annotated[Library, Depends(library)]
SnapshotDep = Annotated[Snapshot, Depends(snapshot)]
CallerDep = Annotated[Caller, Depends(caller)]
Staff = Annotated[Caller, Depends(needs("staff", "assessor"))]
Assessor = Annotated[Caller, Depends(needs("assessor"))]
Admin = Annotated[Caller, Depends(needs("admin"))]

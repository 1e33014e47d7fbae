"""The address of this service as the one who asks has it, for answers that must name whole addresses."""

from __future__ import annotations

import re

from starlette.datastructures import URL
from starlette.requests import Request

from app.callers import is_within
from app.settings import Settings

_HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")


def address_of(request: Request, settings: Settings) -> URL:
    """Return the whole address of a request, its query included.

    ``X-Forwarded-Proto`` and ``X-Forwarded-Host`` count when a trusted proxy says them (``METES_TRUSTED_PROXIES``),
    as ``X-Forwarded-For`` does; from anybody else they are passed over.
    """
    url, peer = request.url, request.client.host if request.client else ""
    if not is_within(peer, settings.trusted_proxies):
        return url
    scheme = request.headers.get("x-forwarded-proto", "").lower()
    host = request.headers.get("x-forwarded-host", "")
    if scheme in ("http", "https"):
        url = url.replace(scheme=scheme)
    return url.replace(netloc=host) if _HOST.fullmatch(host) else url

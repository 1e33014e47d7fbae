"""The ring that watches: a number for every request, one log line, one count, and a 500 that says nothing.

Log lines hold the method, the route's template, the status and the time taken: never a query string, a body,
an address or a name.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import MutableMapping
from typing import Any

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.counting import Counters
from app.errors import PROBLEM_JSON, problem_of
from app.faults import tell_fault
from spatial.errors import Internal

log = structlog.get_logger("metes")
HEADER = b"x-request-id"
_GIVEN = re.compile(rb"[A-Za-z0-9-]{8,64}")


class Correlation:
    """ASGI middleware that numbers, times, logs and counts requests.

    Parameters
    ----------
    app
        What it stands around.
    counters
        The service's own counters.
    """

    def __init__(self, app: ASGIApp, counters: Counters) -> None:
        self.app = app
        self.counters = counters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; other scopes pass through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        number = _number_of(scope)
        scope.setdefault("state", {})["correlation_id"] = number
        answer: MutableMapping[str, Any] = {"status": 0}
        started = time.perf_counter()
        with structlog.contextvars.bound_contextvars(correlation_id=number):
            try:
                await self.app(scope, receive, _stamped(send, number, answer))
            except Exception as error:
                tell_fault(log, error)
                if not answer["status"]:
                    await _say_fault(_stamped(send, number, answer), number)
            finally:
                self._tell(scope, answer["status"] or 499, time.perf_counter() - started)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        """Write the log line and count the request, by route template and not by path."""
        route = template_of(scope)
        self.counters.request(scope["method"], route, status, seconds)
        log.info("request", method=scope["method"], route=route, status=status, ms=round(seconds * 1000, 1))


def template_of(scope: Scope) -> str:
    """Return the template of the route that answered (``/v1/parcels/{loc_id}``), or ``unmatched``.

    A route knows its path from where it was included; the prefix is what stands before that in the request.
    """
    route = scope.get("route")
    template = getattr(route, "path_format", getattr(route, "path", None))
    if template is None:
        return "unmatched"
    asked = scope["path"].split("/")
    return "/".join(asked[: len(asked) - template.count("/")]) + str(template)


def correlation_id(scope: Scope) -> str:
    """Return the number of this request."""
    return str(scope.get("state", {}).get("correlation_id", "none"))


def _number_of(scope: Scope) -> str:
    """Return the number a proxy gave this request when it is a plain word, or a new one."""
    given = dict(scope["headers"]).get(HEADER, b"")
    return given.decode() if _GIVEN.fullmatch(given) else secrets.token_hex(8)


def _stamped(send: Send, number: str, answer: MutableMapping[str, Any]) -> Send:
    async def stamped(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer["status"] = message["status"]
            message = {**message, "headers": [*message.get("headers", []), (HEADER, number.encode())]}
        await send(message)

    return stamped


async def _say_fault(send: Send, number: str) -> None:
    body = problem_of(Internal("unforeseen"), correlation_id=number).to_json().encode()
    headers = [(b"content-type", PROBLEM_JSON.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 500, "headers": headers})
    await send({"type": "http.response.body", "body": body})

"""What stands before any route: the size of the body, the pace of the posts, headers that keep browsers careful.

Starlette spools uploads to disk before a route runs, so the size is judged here, by the announced length and by
counting what arrives.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.correlation import correlation_id
from app.errors import PROBLEM_JSON, problem_of
from spatial.errors import MetesError, Refused

Admission = Callable[[Scope], Awaitable["Pass | Refusal"]]
SAFE_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"geolocation=(), camera=(), microphone=()"),
)
POLICY = (
    b"default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
    b"worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class Pass:
    """Leave to go on, with the largest body this caller may send."""

    def __init__(self, body_limit: int) -> None:
        self.body_limit = body_limit


class Refusal:
    """No leave: the error, and headers that say when to come back."""

    def __init__(self, error: MetesError, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        self.error = error
        self.headers = headers


class Gate:
    """ASGI middleware: asks ``admit`` for leave, then counts the body.

    Parameters
    ----------
    app
        What it stands in front of.
    admit
        Looks at the head of a request only and returns ``Pass`` or ``Refusal``.
    """

    def __init__(self, app: ASGIApp, admit: Admission) -> None:
        self.app = app
        self.admit = admit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request in or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        leave = await self.admit(scope)
        if isinstance(leave, Refusal):
            await _say(send, leave.error, scope, leave.headers)
            return
        if _announced(scope) > leave.body_limit:
            await _say(send, too_large(leave.body_limit), scope, ((b"connection", b"close"),))
            return
        await _Counted(self.app, leave.body_limit)(scope, receive, send)


class _Counted:
    """One request whose body is counted as it streams; past the limit the answer is 413 whatever the route says."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self.app = app
        self.limit = limit
        self.seen = 0
        self.started = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted() -> Message:
            message = await receive()
            self.seen += len(message.get("body", b""))
            if self.seen > self.limit:
                raise too_large(self.limit)
            return message

        async def heard(message: Message) -> None:
            if self.seen <= self.limit:
                self.started = self.started or message["type"] == "http.response.start"
                await send(message)

        try:
            await self.app(scope, counted, heard)
        except MetesError:
            if self.seen <= self.limit:
                raise
        if self.seen > self.limit and not self.started:
            await _say(send, too_large(self.limit), scope, ((b"connection", b"close"),))


class Heads:
    """ASGI middleware: a HEAD is answered as the GET of the same address, without its body (RFC 9110, 9.3.2)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; anything but a HEAD goes on untouched."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def bodiless(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self.app({**scope, "method": "GET"}, receive, bodiless)


class SafeHeaders:
    """ASGI middleware: careful headers on every answer, and ``no-store`` unless the route chose otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request with the headers added that it did not set itself."""

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message.get("headers", [])}
                wanted = (*SAFE_HEADERS, (b"content-security-policy", POLICY), (b"cache-control", b"no-store"))
                added = [pair for pair in wanted if pair[0] not in given]
                message = {**message, "headers": [*message.get("headers", []), *added]}
            await send(message)

        await self.app(scope, receive, dressed if scope["type"] == "http" else send)


def too_large(limit: int) -> Refused:
    """Return the refusal of a body past ``limit`` bytes."""
    return Refused(
        f"The request is larger than the {limit / 1_048_576:g} MiB we take; send only the layer of the work.",
        code="too_large",
    )


def _announced(scope: Scope) -> int:
    """Return the announced length of the body; 0 when none or nonsense was announced (then it is counted)."""
    given = Headers(scope=scope).get("content-length", "")
    return int(given) if given.isascii() and given.isdigit() else 0


async def _say(send: Send, error: MetesError, scope: Scope, headers: tuple[tuple[bytes, bytes], ...]) -> None:
    problem = problem_of(error, correlation_id=correlation_id(scope))
    body = problem.to_json().encode()
    head = [(b"content-type", PROBLEM_JSON.encode()), (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": "http.response.start", "status": problem.status, "headers": head})
    await send({"type": "http.response.body", "body": body})

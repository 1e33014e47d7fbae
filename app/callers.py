"""Who asks, and how often: keys to roles, clients told apart behind trusted proxies, the pace of posts."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import Scope

from app.gate import Pass, Refusal
from app.settings import Settings
from app.store.keys import Keys, Role
from spatial.errors import Denied, Unavailable

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
WRITING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: ``public`` without a key."""

    role: Role | Literal["public"] = "public"
    key_id: str | None = None


PUBLIC = Caller()


class Admission:
    """Decides from the head of a request whether it may go on, as whom, and with how large a body.

    Parameters
    ----------
    settings
        Rates, limits, trusted proxies.
    keys
        The keys in the records.
    """

    def __init__(self, settings: Settings, keys: Keys) -> None:
        self._settings = settings
        self._keys = keys
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._public = parse(settings.public_rate)
        self._keyed = parse(settings.keyed_rate)
        self._wrong = parse(settings.refused_key_rate)

    async def __call__(self, scope: Scope) -> Pass | Refusal:
        """Return leave or refusal; leave puts the ``Caller`` into the request's state."""
        client = client_of(scope, self._settings.trusted_proxies)
        caller = await self._caller(scope, client)
        if isinstance(caller, Refusal):
            return caller
        scope.setdefault("state", {})["caller"] = caller
        if scope["method"] in WRITING and not self._in_pace(caller, client):
            return self._too_fast(caller, client)
        return Pass(self._body_limit(caller))

    async def _caller(self, scope: Scope, client: str) -> Caller | Refusal:
        token = token_of(Headers(scope=scope))
        if token is None:
            return PUBLIC
        key = await run_in_threadpool(self._keys.find, token)
        return Caller(role=key.role, key_id=key.id) if key is not None else self._wrong_key(client)

    def _wrong_key(self, client: str) -> Refusal:
        """Refuse a wrong key, and after some slow its sender down; a right key from the same place still passes."""
        if not self._limiter.hit(self._wrong, "wrong", client):
            return _wait("Too many wrong keys were tried from here; wait a minute.", 60)
        error = Denied("This key is not known or was revoked; ask the operator for another.", code="unauthorized")
        return Refusal(error, ((b"www-authenticate", b"Bearer"),))

    def _in_pace(self, caller: Caller, client: str) -> bool:
        if caller.key_id is not None:
            return self._limiter.hit(self._keyed, "key", caller.key_id)
        return self._limiter.hit(self._public, "client", client)

    def _too_fast(self, caller: Caller, client: str) -> Refusal:
        pace, name = (self._keyed, ("key", caller.key_id)) if caller.key_id else (self._public, ("client", client))
        seconds = self._limiter.get_window_stats(pace, *name).reset_time - _now()
        return _wait(
            f"You may ask {pace.amount} times in {_period(pace.get_expiry())}; wait and ask again.", seconds
        )

    def _body_limit(self, caller: Caller) -> int:
        return self._settings.edition_limit_bytes if caller.role == "admin" else self._settings.body_limit_bytes


def token_of(headers: Headers) -> str | None:
    """Return the key sent as ``Authorization: Bearer`` or ``X-API-Key``; None when there is none.

    An Authorization header of another kind counts as a key that is not known: it is never passed over in silence.
    """
    authorization = headers.get("authorization")
    if authorization is not None:
        scheme, _, rest = authorization.partition(" ")
        return rest.strip() if scheme.lower() == "bearer" else ""
    return headers.get("x-api-key")


def client_of(scope: Scope, trusted: Sequence[Network]) -> str:
    """Return the address that a rate is kept for; a /64 counts as one.

    The peer itself, unless it is a trusted proxy: then the right-most address of ``X-Forwarded-For`` that is no
    trusted proxy. What stands left of it anybody could have written.
    """
    peer = (scope.get("client") or ("unknown", 0))[0]
    hops = [*_forwarded(scope), peer]
    while len(hops) > 1 and is_within(hops[-1], trusted):
        hops.pop()
    return _grouped(hops[-1])


def _forwarded(scope: Scope) -> list[str]:
    lines = Headers(scope=scope).getlist("x-forwarded-for")
    return [hop.strip() for line in lines for hop in line.split(",") if hop.strip()]


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_within(text: str, networks: Sequence[Network]) -> bool:
    """Return whether an address lies in one of some networks; False for what is no address."""
    address = _address(text)
    return address is not None and any(address in network for network in networks)


def _grouped(text: str) -> str:
    address = _address(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address) if address is not None else "unknown"


def _wait(sentence: str, seconds: float) -> Refusal:
    error = Unavailable(sentence, code="rate_limited")
    return Refusal(error, ((b"retry-after", str(max(1, round(seconds))).encode()),))


def _period(seconds: int) -> str:
    return {1: "a second", 60: "a minute", 3600: "an hour", 86400: "a day"}.get(seconds, f"{seconds} seconds")


def _now() -> float:
    return time.time()

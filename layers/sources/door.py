"""The one narrow door to the network: named hosts only, TLS verified, bounded in size, time and tries.

Every redirect is checked against the same list of hosts before it is followed. A plain-HTTP host is let in
only when it is a loopback address that the caller names (for tests); the default names none.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import httpx2

from layers.sources.errors import SourceFailed, SourceRefused

Answer = TypeVar("Answer")
RETRIED_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class DoorRules:
    """Who may be asked and how long we bear with it.

    ``hosts`` are exact host names; ``plain_http`` are loopback hosts that may speak plain HTTP (tests only).
    """

    hosts: frozenset[str]
    plain_http: frozenset[str] = frozenset()
    tries: int = 4
    first_wait_s: float = 0.5
    timeout_s: float = 60.0
    max_answer_bytes: int = 64 * 1024 * 1024
    max_download_bytes: int = 4 * 1024 * 1024 * 1024
    max_redirects: int = 5


class Door:
    """Asks and downloads under :class:`DoorRules`; a context manager."""

    def __init__(self, rules: DoorRules, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.rules = rules
        self._sleep = sleep
        self._client = httpx2.Client(timeout=rules.timeout_s, follow_redirects=False, trust_env=True)

    def __enter__(self) -> Door:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._client.close()

    def ask(self, url: str, params: Mapping[str, str]) -> dict[str, Any]:
        """Return the JSON object a service answers; an ``error`` member is an error whatever the status says.

        Raises
        ------
        SourceRefused
            The host is not on the list, or the answer is an error that asking again would not mend.
        SourceFailed
            No whole answer after all tries.
        """
        return self._with_tries(url, lambda: self._ask_once(url, params))

    def reach(self, url: str) -> None:
        """Ask for a file and take none of it; raises as ``download`` when it is not to be had."""

        def attempt() -> None:
            with self._open(url, {}):
                pass

        self._with_tries(url, attempt)

    def download(self, url: str, into: Path, *, progress: Callable[[int], None] | None = None) -> str:
        """Write the bytes of ``url`` to ``into`` and return their sha256; a cut connection leaves no file."""
        return self._with_tries(url, lambda: self._download_once(url, into, progress))

    def _with_tries(self, url: str, attempt: Callable[[], Answer]) -> Answer:
        wait_s = self.rules.first_wait_s
        for turn in range(1, self.rules.tries + 1):
            try:
                return attempt()
            except (SourceFailed, httpx2.HTTPError) as trouble:
                if turn == self.rules.tries:
                    raise SourceFailed(
                        f"{urlsplit(url).hostname} gave no whole answer in {turn} tries ({_reason(trouble)}); "
                        "try again later."
                    ) from trouble
                self._sleep(wait_s)
                wait_s *= 2
        raise SourceFailed(f"{urlsplit(url).hostname} was not asked: the number of tries is set to zero.")

    def _ask_once(self, url: str, params: Mapping[str, str]) -> dict[str, Any]:
        with self._open(url, params) as response:
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > self.rules.max_answer_bytes:
                    raise SourceRefused(
                        f"{response.url.host} answered more than {self.rules.max_answer_bytes:,} bytes to one "
                        "request; ask it for smaller pages."
                    )
        return _object(bytes(body), str(response.url.host))

    def _download_once(self, url: str, into: Path, progress: Callable[[int], None] | None) -> str:
        digest, written = hashlib.sha256(), 0
        aside = into.with_name(into.name + ".part")
        with self._open(url, {}) as response, aside.open("wb") as file:
            for chunk in response.iter_raw():
                written += len(chunk)
                if written > self.rules.max_download_bytes:
                    raise SourceRefused(
                        f"The file at {response.url.host} is larger than {self.rules.max_download_bytes:,} bytes; "
                        "download it by hand and use metes layers add."
                    )
                digest.update(chunk)
                file.write(chunk)
                if progress:
                    progress(written)
        _check_length(response, written)
        aside.replace(into)
        return digest.hexdigest()

    @contextmanager
    def _open(self, url: str, params: Mapping[str, str]) -> Iterator[httpx2.Response]:
        """Yield a streamed answer of status 200, following only redirects that stay on the list."""
        target, query = url, dict(params)
        for _ in range(self.rules.max_redirects + 1):
            self._check(target)
            with self._client.stream("GET", target, params=query or None) as response:
                if response.status_code in REDIRECTS:
                    target, query = urljoin(str(response.url), response.headers.get("location", "")), {}
                    continue
                _check_status(response)
                yield response
                return
        raise SourceRefused(f"{urlsplit(url).hostname} redirects more than {self.rules.max_redirects} times.")

    def _check(self, url: str) -> None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.scheme == "http" and host in self.rules.plain_http & LOOPBACK:
            return
        if parts.scheme != "https":
            raise SourceRefused(f"{host or url} is not asked over {parts.scheme or 'no scheme'}; only https is.")
        if host not in self.rules.hosts:
            raise SourceRefused(f"{host} is not one of the hosts that the layer specifications name.")


def _check_status(response: httpx2.Response) -> None:
    if response.status_code in RETRIED_STATUS:
        raise SourceFailed(f"status {response.status_code}")
    if response.status_code != 200:
        raise SourceRefused(
            f"{response.url.host} answered status {response.status_code}; check the address in the specification."
        )


def _check_length(response: httpx2.Response, written: int) -> None:
    said = response.headers.get("content-length")
    if said is not None and int(said) != written:
        raise SourceFailed(f"{written:,} of {int(said):,} bytes arrived")


def _object(body: bytes, host: str) -> dict[str, Any]:
    """Return the answer as an object, or raise what it says is wrong."""
    try:
        answer = json.loads(body)
    except ValueError as trouble:
        raise SourceFailed("the answer is not JSON") from trouble
    if not isinstance(answer, dict):
        raise SourceFailed("the answer is not a JSON object")
    if "error" in answer:
        raise _service_error(answer["error"], host)
    return answer


def _service_error(error: object, host: str) -> SourceFailed | SourceRefused:
    """ArcGIS answers 200 with an error member; codes from 500 up may pass, others will not."""
    code = error.get("code") if isinstance(error, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    said = f"{host} answered error {code}: {str(message)[:200]}"
    if isinstance(code, int) and code < 500:
        return SourceRefused(f"{said}.")
    return SourceFailed(said)


def _reason(trouble: Exception) -> str:
    return getattr(trouble, "detail", "") or str(trouble) or type(trouble).__name__

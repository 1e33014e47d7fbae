"""What the service counts of itself, in a registry of its own so that two services in a process do not mix."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest


class Counters:
    """Prometheus counters: requests by route template, screenings made and repeated, refusals by code."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "metes_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "metes_request_seconds", "Time to answer.", ["method", "route"], registry=self.registry
        )
        self._screenings = Counter(
            "metes_screenings", "Screenings answered, new or kept.", ["outcome"], registry=self.registry
        )
        self._refusals = Counter("metes_refusals", "Refusals by code.", ["code"], registry=self.registry)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def screening(self, *, made: bool) -> None:
        """Count one screening: ``made`` when it was not asked before."""
        self._screenings.labels("made" if made else "kept").inc()

    def refusal(self, code: str) -> None:
        """Count one refusal."""
        self._refusals.labels(code).inc()

    def text(self) -> bytes:
        """Return the counters in Prometheus text."""
        return generate_latest(self.registry)

"""A program of others that reads a service of ours by its address, and what it says it read."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2

POOLS = 1_234
"""Features of the layer that is longer than a page."""


@dataclass(frozen=True)
class Service:
    """Where a service listens, and a screening kept in it."""

    url: str
    screening: dict[str, Any]

    @property
    def lot(self) -> dict[str, Any]:
        """The lot under the screened work."""
        lots: list[dict[str, Any]] = self.screening["parcels"]
        return lots[0]

    @property
    def drawing(self) -> str:
        """Address of the kept screening as GeoJSON."""
        return f"{self.url}{self.screening['url']}.geojson"

    def items(self, limit: int = 10_000) -> str:
        """Return the address of the parcels about the screened lot as GeoJSON."""
        drawn = {one["id"]: one for one in self.features(self.drawing)}
        corners = drawn[f"parcel/{self.lot['loc_id']}"]["geometry"]["coordinates"][0]
        lons, lats = zip(*corners, strict=True)
        box = f"{min(lons) - 0.002:.4f},{min(lats) - 0.002:.4f},{max(lons) + 0.002:.4f},{max(lats) + 0.002:.4f}"
        return f"{self.url}/v1/layers/parcels/items?bbox={box}&limit={limit}"

    def features(self, address: str) -> list[dict[str, Any]]:
        """Return the features at an address as any reader of JSON has them."""
        found: list[dict[str, Any]] = httpx2.get(address, timeout=30).raise_for_status().json()["features"]
        return found


def told(command: Sequence[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Run a program that prints one JSON document last, and return it."""
    done = subprocess.run(command, capture_output=True, text=True, env=dict(environment), timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    last: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return last

"""Asking the service in tests: what a command said, a service in this process, small inputs."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings

ON = "2026-11-30"


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@contextmanager
def serving(settings: Settings) -> Iterator[TestClient]:
    """Run the service in this process for as long as the block lasts."""
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def square(lon: float, lat: float, side: float = 0.0002, **properties: object) -> dict[str, Any]:
    """Return a GeoJSON feature: a square whose south-west corner is given, in degrees."""
    ring = [[lon, lat], [lon + side, lat], [lon + side, lat + side], [lon, lat + side], [lon, lat]]
    return {"type": "Feature", "properties": properties, "geometry": {"type": "Polygon", "coordinates": [ring]}}


def without(archive: bytes, suffix: str) -> bytes:
    """Return a zip archive without the members of one suffix."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if not name.endswith(suffix):
                new.writestr(name, old.read(name))
    return out.getvalue()

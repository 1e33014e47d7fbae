"""What other programs read: one service on the invented towns, on a real port of loopback, one screening kept."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import httpx2
import pytest
import uvicorn
from app_service import ON
from reading_program import POOLS, Service

from app.main import create_app
from app.settings import Settings
from layers.demo.make import make_demo
from layers.ingest.request import AddRequest
from layers.library import Library


def add_pools(data: Path) -> None:
    """Put a layer of more features than any page of ours or of theirs into a library, away from the towns."""
    file = data.parent / "pools.geojson"
    points = [[-71.9 + 0.0005 * (n % 40), 42.1 + 0.0005 * (n // 40)] for n in range(POOLS)]
    features = [
        {"type": "Feature", "properties": {"PVP_NUM": n}, "geometry": {"type": "Point", "coordinates": point}}
        for n, point in enumerate(points)
    ]
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    on = date.fromisoformat(ON)
    Library(data).add(AddRequest("potential_vernal_pools", file, on, covers="bounds"))


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve the invented towns on a free port and screen their first sample."""
    demo = make_demo(tmp_path_factory.mktemp("clients") / "data", on=date.fromisoformat(ON))
    add_pools(demo.data)
    app = create_app(Settings(data=demo.data))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        work = demo.sample(demo.sites[0]).read_bytes()
        kept = httpx2.post(f"{url}/v1/screenings", params={"on": ON}, content=work, timeout=30)
        assert kept.status_code == 201, kept.text
        yield Service(url, kept.json())
        server.should_exit = True
        thread.join(timeout=20)

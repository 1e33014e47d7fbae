"""What other programs read: one service on the invented towns, on a real port of loopback, one screening kept."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from datetime import date

import httpx2
import pytest
import uvicorn
from app_service import ON
from reading_program import Service

from app.main import create_app
from app.settings import Settings
from layers.demo.make import make_demo


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve the invented towns on a free port and screen their first sample."""
    demo = make_demo(tmp_path_factory.mktemp("clients") / "data", on=date.fromisoformat(ON))
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

"""The service as it is run: ``metes serve`` in a process of its own, on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import httpx2
import pytest

from layers.demo.make import Demo

METES = [sys.executable, "-c", "from app.cli import main; main()"]


class Server:
    """A running ``metes serve``; its log lines, and where it listens."""

    def __init__(self, data: Path, records: Path, log: Path) -> None:
        self.log = log
        environment = {**os.environ, "METES_DATABASE_URL": f"sqlite:///{records}", "METES_PUBLIC_RATE": "4/minute"}
        with log.open("wb") as stream:
            command = [*METES, "--data", str(data), "serve", "--port", "0"]
            self.process = subprocess.Popen(command, stderr=stream, env=environment)
        self.url = self._listening()

    def _listening(self) -> str:
        limit = time.monotonic() + 30
        while time.monotonic() < limit and self.process.poll() is None:
            for line in self.lines():
                if "running on" in str(line.get("event")):
                    return str(line["event"]).split("running on ")[1].split(" ")[0]
            time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def lines(self) -> list[dict[str, object]]:
        """Return the log so far; every line is JSON."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def stop(self) -> int:
        """Ask it to stop and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


@pytest.fixture
def server(demo: Demo, tmp_path: Path) -> Iterator[Server]:
    running = Server(demo.data, tmp_path / "metes.db", tmp_path / "log")
    yield running
    running.stop()


def test_a_screening_survives_a_restart_and_names_stay_out_of_the_log(
    server: Server, demo: Demo, mill: bytes, tmp_path: Path
) -> None:
    made = httpx2.post(f"{server.url}/v1/screenings", params={"on": "2026-11-30"}, content=mill, timeout=30)
    assert made.status_code == 201, made.text
    found = httpx2.get(f"{server.url}/v1/parcels", params={"q": "SECRETNAME"})
    assert found.status_code in {200, 404}
    assert server.stop() in {0, -signal.SIGTERM}
    assert any("shutdown complete" in str(line.get("event")) for line in server.lines())
    logged = [line for line in server.lines() if line.get("event") == "request"]
    assert {(line["method"], line["route"], line["status"]) for line in logged} >= {("POST", "/v1/screenings", 201)}
    assert "SECRETNAME" not in server.log.read_text()
    again = Server(demo.data, tmp_path / "metes.db", tmp_path / "log2")
    try:
        kept = httpx2.get(again.url + made.headers["location"])
        same = httpx2.post(f"{again.url}/v1/screenings", params={"on": "2026-11-30"}, content=mill, timeout=30)
    finally:
        again.stop()
    assert (kept.status_code, same.status_code) == (200, 200)
    assert kept.content == same.content == made.content


def test_floods_and_giants_are_turned_away(server: Server) -> None:
    giant = HTTPConnection(server.url.removeprefix("http://"), timeout=10)
    giant.request("POST", "/v1/screenings", headers={"Content-Length": "100000000000"})
    assert giant.getresponse().status == 413
    giant.close()
    with httpx2.Client(base_url=server.url) as client:
        answers = [client.post("/v1/inspections", content=b"") for _ in range(5)]
    assert [a.status_code for a in answers][:3] == [422] * 3
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1


def test_the_web_process_never_loads_gdal(demo: Demo, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app.main import create_app; from app.settings import Settings;"
        f"app = create_app(Settings(data=Path({str(demo.data)!r}), database_url='sqlite:///{tmp_path / 'm.db'}'));"
        "app.state.service.library.snapshot(); app.state.service.close();"
        "print([n for n in ('pyogrio', 'rasterio', 'osgeo', 'fiona') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

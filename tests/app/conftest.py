"""The service on the invented towns: made once, asked through HTTP and the command line by many tests.

The service and its records are shared by all tests here; a test that counts what is kept counts before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from app_service import Said, serving
from starlette.testclient import TestClient

from app.cli import run
from app.settings import Settings
from layers.demo.make import Demo


@pytest.fixture(scope="session")
def settings(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return settings for the invented towns with records of the tests' own."""
    records = tmp_path_factory.mktemp("records") / "metes.db"
    return Settings(
        data=demo.data,
        database_url=f"sqlite:///{records}",
        public_rate="100000/minute",
        refused_key_rate="1000/minute",
    )


@pytest.fixture(scope="session")
def web(settings: Settings) -> Iterator[TestClient]:
    """Return a client of the service on the invented towns."""
    with serving(settings) as client:
        yield client


@pytest.fixture
def metes(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., Said]:
    """Return a function that runs a command on the same data and records as ``web``."""
    monkeypatch.setenv("METES_DATABASE_URL", str(settings.database_url))

    def command(*words: str, data: Path | None = None) -> Said:
        capfdbinary.readouterr()
        code = run(["--data", str(data or settings.data), *words])
        out, err = capfdbinary.readouterr()
        return Said(code, out.decode(), err.decode())

    return command


@pytest.fixture
def key(web: TestClient) -> Callable[[str], dict[str, str]]:
    """Return a function that makes a key of a role and gives the header that sends it."""

    def made(role: str) -> dict[str, str]:
        _, secret = web.app.state.service.keys.create(role, f"test {role}")  # type: ignore[attr-defined]
        return {"Authorization": f"Bearer {secret}"}

    return made


@pytest.fixture
def kept(web: TestClient) -> Callable[[], int]:
    """Return a function that counts the kept screenings."""
    return lambda: len(web.app.state.service.nearby)  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def mill(demo: Demo) -> bytes:
    """Return the GeoJSON of the house on 408 Mill Street."""
    return demo.sample(demo.sites[0]).read_bytes()

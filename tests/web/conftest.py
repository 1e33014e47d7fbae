"""The pages in a real browser: one service on the invented towns, one Chromium, a fresh window for every test.

The browser may speak to this service and to nobody else; a test fails when a page asks for anything elsewhere, is
stopped by its own content policy, or throws.
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
import uvicorn
from browsers import browser_found

pytest.importorskip("playwright", reason="the playwright package is not installed")

from browsing import DESK, Served
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from app.main import create_app
from app.settings import Settings
from layers.demo.make import Demo

QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
UNLOADED, DAMAGED = "iwpa", "zone2"
"""Layers taken out of the demo and spoilt in it, so that something is not checked."""


@pytest.fixture(scope="session")
def served(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve the invented towns on a free port for all tests here."""
    demo = replace(demo, data=shutil.copytree(demo.data, tmp_path_factory.mktemp("web") / "data"))
    shutil.rmtree(demo.data / "layers" / UNLOADED)
    for spoilt in (demo.data / "layers" / DAMAGED).rglob("*.parquet"):
        spoilt.write_bytes(b"no longer a table")
    app = create_app(Settings(data=demo.data, public_rate="100000/minute", refused_key_rate="1000/minute"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", app.state.service, demo)
        server.should_exit = True
        thread.join(timeout=20)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    opened = playwright.chromium.launch(executable_path=browser_found(), args=QUIET)
    yield opened
    opened.close()


@pytest.fixture
def opened(browser: Browser, served: Served) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a page of ours in a fresh window and waits for its map.

    Without ``map_drawn`` the map's library is kept from the page, as where it was not placed: all else must work.
    """
    troubles: list[str] = []
    contexts = []

    def go(path: str, size: tuple[int, int] = DESK, *, map_drawn: bool = True) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: troubles.append(f"thrown: {error}"))
        page.on("console", lambda said: troubles.append(said.text) if "Content Security" in said.text else None)
        page.on("request", lambda asked: troubles.append(asked.url) if _is_elsewhere(asked.url, served) else None)
        if not map_drawn:
            context.route("**/maplibre-gl.mjs", lambda route: route.abort())
        page.goto(served.url + path)
        if map_drawn:
            page.locator("#map canvas").wait_for()
        return page

    yield go
    for context in contexts:
        context.close()
    assert not troubles


def _is_elsewhere(url: str, served: Served) -> bool:
    return not url.startswith((served.url, "blob:", "data:"))


@pytest.fixture(scope="session")
def axe() -> str:
    """Return axe-core as a Python package carries it."""
    found = find_spec("axe_playwright_python")
    assert found is not None
    assert found.origin is not None
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")

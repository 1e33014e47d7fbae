"""The pages a person opens, and the few things a page must know that no other route tells."""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from app.deps import CallerDep, SettingsDep, SnapshotDep
from app.pages import Counts, Page, basemap_of, counts_told, page_told

router = APIRouter(include_in_schema=False)
STATIC = Path(str(files("app.web") / "static"))
ASK_AGAIN = "no-cache"
"""A browser keeps what it has and asks whether it is still the same: a new version is seen at once."""


PACKED = frozenset({".js", ".mjs", ".css", ".svg"})


class _Static(StaticFiles):
    """Scripts, styles and the libraries placed at build time, kept by browsers until they change."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, packed for a browser that can unpack it, or 304 when the browser has it."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = ASK_AGAIN
        if isinstance(response, FileResponse) and Path(path).suffix in PACKED:
            response.headers["vary"] = "Accept-Encoding"
            if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                return await run_in_threadpool(_packed, response)
        return response


def _packed(response: FileResponse) -> Response:
    """Return the same answer with its file packed."""
    content = _packed_file(Path(response.path), response.headers["etag"])
    headers = {name: value for name, value in response.headers.items() if name != "content-length"}
    return Response(content, headers={**headers, "content-encoding": "gzip"})


@lru_cache(maxsize=128)
def _packed_file(path: Path, etag: str) -> bytes:  # noqa: ARG001 (a changed file has another etag)
    """Return a file packed, once: the map's library takes longer to pack than all else takes to answer."""
    return gzip.compress(path.read_bytes(), compresslevel=6)


def static_files() -> ASGIApp:
    """Return the application that serves what the pages are made of."""
    return _Static(directory=STATIC)


def _page(name: str, basemap: str | None) -> FileResponse:
    """Return a page; only a background map the operator named may be fetched from elsewhere."""
    headers = {"cache-control": ASK_AGAIN}
    if basemap:
        parts = urlsplit(basemap.replace("{", "").replace("}", ""))
        host = f"{parts.scheme}://{parts.netloc}"
        headers["content-security-policy"] = (
            f"default-src 'self'; img-src 'self' data: blob: {host}; connect-src 'self' {host}; style-src 'self'; "
            "script-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
            "frame-ancestors 'none'"
        )
    return FileResponse(STATIC / name, headers=headers, media_type="text/html; charset=utf-8")


@router.get("/")
def screen_a_site(settings: SettingsDep, snapshot: SnapshotDep) -> FileResponse:
    """Return the page for applicants."""
    return _page("index.html", basemap_of(settings, snapshot))


@router.get("/abutters")
def abutters(settings: SettingsDep, snapshot: SnapshotDep) -> FileResponse:
    """Return the page for staff; it shows nothing without a key."""
    return _page("abutters.html", basemap_of(settings, snapshot))


@router.get("/layers")
def layers(settings: SettingsDep, snapshot: SnapshotDep) -> FileResponse:
    """Return the page of what is loaded."""
    return _page("layers.html", basemap_of(settings, snapshot))


@router.get("/v1/page")
def about(settings: SettingsDep, snapshot: SnapshotDep, who: CallerDep) -> Page:
    """Return what the pages need beside the answers."""
    return page_told(snapshot, basemap_of(settings, snapshot), who)


@router.get("/v1/page/counts")
def counts(
    snapshot: SnapshotDep,
    bbox: Annotated[str, Query(max_length=200)],
    layers: Annotated[str, Query(max_length=400)],
) -> Counts:
    """Return how many features of each layer (ids with commas between) lie in a box in degrees."""
    return counts_told(snapshot, bbox, [name for name in layers.split(",")[:20] if name])


@router.get("/docs")
def docs() -> FileResponse:
    """Return the API's page, drawn by Swagger UI from this package."""
    return _page("docs.html", None)

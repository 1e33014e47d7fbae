"""The pages a person opens, and the few things a page must know that no other route tells."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import APIRouter
from fastapi.responses import FileResponse
from starlette.staticfiles import StaticFiles

from app.deps import SettingsDep, SnapshotDep
from app.pages import Page, page_told

router = APIRouter(include_in_schema=False)
STATIC = Path(str(files("app.web") / "static"))


def static_files() -> StaticFiles:
    """Return the application that serves scripts, styles and the libraries placed at build time."""
    return StaticFiles(directory=STATIC)


def _page(name: str, basemap: str | None) -> FileResponse:
    """Return a page; only a background map the operator named may be fetched from elsewhere."""
    headers = {"cache-control": "no-cache"}
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
def screen_a_site(settings: SettingsDep) -> FileResponse:
    """Return the page for applicants."""
    return _page("index.html", settings.basemap)


@router.get("/abutters")
def abutters(settings: SettingsDep) -> FileResponse:
    """Return the page for staff; it shows nothing without a key."""
    return _page("abutters.html", settings.basemap)


@router.get("/layers")
def layers(settings: SettingsDep) -> FileResponse:
    """Return the page of what is loaded."""
    return _page("layers.html", settings.basemap)


@router.get("/v1/page")
def about(settings: SettingsDep, snapshot: SnapshotDep) -> Page:
    """Return what the pages need beside the answers."""
    return page_told(snapshot, settings.basemap)


@router.get("/docs")
def docs() -> FileResponse:
    """Return the API's page, drawn by Swagger UI from this package."""
    return _page("docs.html", None)

"""``metes serve``: the service over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer
import uvicorn

from app.logs import configure_logs
from app.main import create_app
from app.settings import Settings
from app.terminal import settings_of

command = typer.Typer(add_completion=False)


@command.command()
def serve(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 8000,
) -> None:
    """Serve screenings over HTTP until stopped."""
    listen(settings_of(ctx), host=host, port=port)


def listen(settings: Settings, *, host: str, port: int) -> None:
    """Serve until stopped. Our own log tells requests without their query; uvicorn's access log stays off.

    Forwarded headers are judged by ourselves (``METES_TRUSTED_PROXIES``), so uvicorn leaves them alone.
    """
    configure_logs(settings.log_format)
    uvicorn.run(
        create_app(settings),
        host=host,
        port=port,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        log_config=None,
        timeout_graceful_shutdown=10,
    )

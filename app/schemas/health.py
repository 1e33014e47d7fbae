"""What ``/healthz`` says."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class Health(BaseModel):
    """Whether the service can answer: its records answer and every layer edition opens."""

    status: Literal["ready", "not_ready"]
    version: str
    records: bool
    layers: int
    failed: list[str]

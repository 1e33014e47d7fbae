"""The OpenAPI document: FastAPI's own, with refusals told as what they are (``application/problem+json``)."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from app.errors import PROBLEM_JSON
from app.schemas.problem import Problem

REFUSALS: dict[int | str, dict[str, Any]] = {
    "default": {"model": Problem, "description": "Refused: why, and the remedy."},
}
"""What every operation may answer instead."""


class Documented(FastAPI):
    """An application whose document tells refusals under their own media type."""

    def openapi(self) -> dict[str, Any]:
        """Return the document, made once."""
        if self.openapi_schema is None:
            for operations in super().openapi()["paths"].values():
                for operation in operations.values():
                    _retell(operation["responses"]["default"])
        return super().openapi()


def _retell(refusal: dict[str, Any]) -> None:
    refusal["content"] = {PROBLEM_JSON: refusal["content"]["application/json"]}

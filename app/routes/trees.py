"""Trees over HTTP: protection zones, what the work takes of them, what must be planted."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from app.deps import ServiceDep
from app.reports.tree_zones import trees_told
from app.schemas.trees import EXAMPLE, TreesAsked, TreesTold
from app.tree_forms import FILES, trees_request
from app.tree_zones import plan_trees

router = APIRouter(tags=["setbacks and trees"])


def _inlined(model: type[BaseModel]) -> dict[str, Any]:
    """Return a model's JSON schema without references, to stand inside an OpenAPI document."""
    schema = model.model_json_schema()
    named = schema.pop("$defs", {})

    def opened(part: Any) -> Any:
        if isinstance(part, dict) and "$ref" in part:
            return opened(named[part["$ref"].rpartition("/")[2]])
        if isinstance(part, dict):
            return {key: opened(value) for key, value in part.items()}
        return [opened(one) for one in part] if isinstance(part, list) else part

    told: dict[str, Any] = opened(schema)
    return told


def _body() -> dict[str, Any]:
    asked = _inlined(TreesAsked)
    simple = {k: v for k, v in asked["properties"].items() if k not in FILES}
    files = {name: {"type": "array", "items": {"type": "string", "format": "binary"}} for name in FILES}
    form = {"type": "object", "required": ["trees"], "properties": {**simple, **files}}
    return {
        "required": True,
        "description": "A JSON object, or a form with files: shapefile, zip, CSV (lon, lat or x, y) or GeoJSON.",
        "content": {
            "application/json": {"schema": asked, "example": EXAMPLE},
            "multipart/form-data": {"schema": form},
        },
    }


@router.post(
    "/tree-protection-zones",
    openapi_extra={"requestBody": _body()},
    summary="Protection zones of trees, and what follows",
)
async def zones(request: Request, service: ServiceDep) -> TreesTold:
    """Return each tree's zone, yard, protection and verdict; for the site what is fenced and what is planted."""
    question = await trees_request(request, service.settings)
    answer = await run_in_threadpool(plan_trees, service, question)
    return await run_in_threadpool(trees_told, answer)

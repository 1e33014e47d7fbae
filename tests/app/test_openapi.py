"""The OpenAPI document is true: whatever fits it gets an answer that fits it, and never a 500."""

from __future__ import annotations

import json
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send


def references(node: Any) -> set[str]:
    """Return every ``$ref`` below a node."""
    if isinstance(node, dict):
        own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*(references(child) for child in node.values()))
    return set().union(*(references(child) for child in node)) if isinstance(node, list) else set()


def test_every_reference_of_the_document_leads_somewhere(web: TestClient) -> None:
    document = web.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    for reference in references(document):
        node = document
        for step in reference.removeprefix("#/").split("/"):
            node = node[step]


def test_every_operation_is_named_and_tells_its_refusals(web: TestClient) -> None:
    document = web.get("/openapi.json").json()
    operations = [op for path in document["paths"].values() for op in path.values()]
    assert len({op["operationId"] for op in operations}) == len(operations)
    for operation in operations:
        assert operation["summary"]
        assert operation["responses"]["default"]["content"] == {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        }


def test_the_examples_of_the_body_are_taken(web: TestClient) -> None:
    document = web.get("/openapi.json").json()
    body = document["paths"]["/v1/inspections"]["post"]["requestBody"]["content"]["application/json"]
    for example in body["examples"].values():
        answer = web.post("/v1/inspections", content=json.dumps(example["value"]))
        assert answer.status_code == 200, answer.text


@pytest.mark.slow
def test_whatever_fits_the_document_is_answered_by_it(web: TestClient) -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", without_lifespan(web.app))
    mine = schema.include(path_regex=r"^/(v1/(screenings|inspections|bylaws|facts)|healthz)")
    for found in mine.get_all_operations():
        _try(found.ok())


def without_lifespan(app: ASGIApp) -> ASGIApp:
    """Return the application as one that is neither started nor stopped, for callers that do so at every call."""

    async def bare(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})

    return bare


def _try(operation: Any) -> None:
    checks = [not_a_server_error, content_type_conformance, response_schema_conformance]

    @hypothesis.settings(
        max_examples=8,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy())
    def answered(case: Any) -> None:
        case.call_and_validate(checks=checks)

    answered()

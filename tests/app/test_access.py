"""Deny by default: every route is called without a key; only those listed here may answer otherwise than 401."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.routes import ROUTERS

PUBLIC = {
    ("GET", "/healthz"),
    ("POST", "/v1/inspections"),
    ("POST", "/v1/screenings"),
    ("GET", "/v1/screenings/{screening_id}"),
    ("GET", "/v1/screenings/{screening_id}.geojson"),
    ("GET", "/v1/screenings/{screening_id}.pdf"),
    ("GET", "/v1/screenings/{screening_id}/surroundings.geojson"),
    ("GET", "/v1/parcels"),
    ("GET", "/v1/parcels/{loc_id}"),
    ("GET", "/v1/parcels/{loc_id}/neighbors"),
    ("POST", "/v1/setbacks"),
    ("POST", "/v1/tree-protection-zones"),
    ("GET", "/v1/layers"),
    ("GET", "/v1/layers/{layer_id}"),
    ("GET", "/v1/layers/{layer_id}/editions"),
    ("GET", "/v1/layers/{layer_id}/items"),
    ("GET", "/v1"),
    ("GET", "/v1/"),
    ("GET", "/v1/conformance"),
    ("GET", "/v1/collections"),
    ("GET", "/v1/collections/{collection_id}"),
    ("GET", "/v1/collections/{collection_id}/items"),
    ("GET", "/v1/collections/{collection_id}/items/{feature_id:path}"),
    ("GET", "/v1/collections/{collection_id}/items/{feature_id}"),
    ("GET", "/v1/bylaws"),
    ("GET", "/v1/bylaws/{bylaw_id}"),
    ("GET", "/v1/facts"),
    ("GET", "/"),
    ("GET", "/docs"),
    ("GET", "/abutters"),
    ("GET", "/layers"),
    ("GET", "/v1/page"),
    ("GET", "/v1/page/counts"),
    ("POST", "/v1/screenings/{screening_id}/again"),
}
"""What anybody may call. A route that is not here must ask for a key."""


def routes(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Return method and path of every route of ours, those left out of the document too."""
    for name, prefix in ROUTERS.items():
        if find_spec(f"app.routes.{name}"):
            for route in import_module(f"app.routes.{name}").router.routes:
                yield from ((method, prefix + route.path_format) for method in route.methods)
    for path, methods in app.openapi()["paths"].items():
        yield from ((method.upper(), path) for method in methods)


def test_only_the_listed_routes_answer_without_a_key(web: TestClient) -> None:
    app: FastAPI = web.app  # type: ignore[assignment]
    called = sorted(set(routes(app)))
    assert ("GET", "/metrics") in called
    for method, path in called:
        answer = web.request(method, path.replace("{", "x").replace("}", "x"), content=b"")
        if (method, path) in PUBLIC:
            assert answer.status_code not in {401, 403, 500}, (method, path, answer.text)
        else:
            assert answer.status_code == 401, (method, path, answer.status_code)
            assert answer.json()["code"] == "unauthorized"


def test_a_key_of_the_wrong_role_is_told_so(web: TestClient, key: Callable[[str], dict[str, str]]) -> None:
    for role in ("portal", "staff", "assessor"):
        answer = web.get("/metrics", headers=key(role))
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    answer = web.get("/metrics", headers=key("admin"))
    assert answer.status_code == 200
    assert b"metes_requests_total" in answer.content


def test_a_wrong_key_is_refused_even_where_none_is_needed(web: TestClient) -> None:
    answer = web.get("/v1/bylaws", headers={"X-API-Key": "metes_0_0"})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")


def test_healthz_says_what_is_loaded(web: TestClient) -> None:
    answer = web.get("/healthz")
    told = answer.json()
    assert (answer.status_code, told["status"], told["failed"]) == (200, "ready", [])
    assert told["layers"] > 10


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nothing", 404, "not_found"),
        ("GET", "/v1/screenings/abc", 404, "not_found"),
        ("GET", "/v1/screenings/abc.geojson", 404, "not_found"),
        ("GET", "/v1/bylaws/abc", 404, "not_found"),
        ("PUT", "/v1/screenings", 405, "bad_parameter"),
    ],
)
def test_what_is_not_there_is_told_as_a_problem(
    method: str, path: str, status: int, code: str, web: TestClient
) -> None:
    answer = web.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"


def test_cross_origin_calls_only_from_the_origins_set(web: TestClient) -> None:
    answer = web.get("/v1/facts", headers={"Origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in answer.headers


def test_law_is_told_with_its_dates_and_citations(web: TestClient) -> None:
    listed = web.get("/v1/bylaws").json()["bylaws"]
    assert {"dover-159", "lynnfield-320", "ma-310cmr10"} <= {one["id"] for one in listed}
    for one in listed:
        told = web.get(one["self"]).json()
        assert told["kind"] in {"statute", "regulation", "bylaw", "rules"}
        assert [rule["id"] for rule in told["rules"]] == one["rules"]
        assert all(rule["citation"] and rule["in_force_from"] for rule in told["rules"])


def test_facts_name_the_rules_that_ask_for_them(web: TestClient) -> None:
    facts = {fact["name"]: fact for fact in web.get("/v1/facts").json()["facts"]}
    assert facts["stored_fill_cuyd"]["rules"] == ["dover-159.fill_storage"]
    assert facts["stored_fill_cuyd"]["unit"] == "cuyd"
    assert facts["work_accuracy_ft"]["default"] == 1


@pytest.mark.parametrize("path", ["/healthz", "/v1/layers", "/v1/layers/parcels/items?limit=3", "/", "/v1/nothing"])
def test_a_head_tells_what_a_get_would(web: TestClient, path: str) -> None:
    got, head = web.get(path), web.head(path)
    assert head.status_code == got.status_code
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    assert web.head("/v1/screenings").status_code == 405

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.callers import Admission
from app.correlation import Correlation
from app.counting import Counters
from app.gate import Gate, SafeHeaders
from app.settings import Settings
from app.store.keys import Keys
from app.store.records import Records


async def length(request: Request) -> PlainTextResponse:
    caller = request.state.caller
    return PlainTextResponse(f"{caller.role} {len(await request.body())}")


async def swallowing(request: Request) -> PlainTextResponse:
    try:
        await request.body()
    except Exception:
        return PlainTextResponse("fine")
    return PlainTextResponse("whole")


async def broken(request: Request) -> PlainTextResponse:
    raise RuntimeError(f"secret of {request.url}")


@pytest.fixture
def keys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keys]:
    records = Records(f"sqlite:///{tmp_path_factory.mktemp('records') / 'metes.db'}")
    yield Keys(records)
    records.close()


def client(keys: Keys, **settings: object) -> TestClient:
    app = Starlette(
        routes=[
            Route("/length", length, methods=["GET", "POST"]),
            Route("/swallowing", swallowing, methods=["POST"]),
            Route("/broken/{name}", broken, methods=["GET"]),
        ]
    )
    app.add_middleware(Gate, admit=Admission(Settings(**settings), keys))  # type: ignore[arg-type]
    app.add_middleware(Correlation, counters=Counters())
    app.add_middleware(SafeHeaders)
    return TestClient(app, raise_server_exceptions=False)


def chunks(total: int) -> Iterator[bytes]:
    for _ in range(total // 10):
        yield b"0123456789"


def test_a_body_at_the_limit_passes_and_one_past_it_does_not(keys: Keys) -> None:
    web = client(keys, body_limit_bytes=100)
    assert web.post("/length", content=b"x" * 100).text == "public 100"
    refused = web.post("/length", content=b"x" * 101)
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert refused.headers["content-type"] == "application/problem+json"


def test_a_body_of_unannounced_length_is_counted_as_it_comes(keys: Keys) -> None:
    web = client(keys, body_limit_bytes=100)
    assert web.post("/length", content=chunks(100)).text == "public 100"
    assert web.post("/length", content=chunks(110)).status_code == 413
    assert web.post("/swallowing", content=chunks(110)).json()["code"] == "too_large"


def test_only_an_admin_may_send_an_edition(keys: Keys) -> None:
    web = client(keys, body_limit_bytes=100, edition_limit_bytes=200)
    for role, status in (("staff", 413), ("admin", 200)):
        _, secret = keys.create(role, role)
        answer = web.post("/length", content=b"x" * 150, headers={"X-API-Key": secret})
        assert answer.status_code == status
    assert answer.text == "admin 150"


def test_posts_past_the_pace_wait_and_reads_do_not(keys: Keys) -> None:
    web = client(keys, public_rate="2/minute")
    assert [web.post("/length").status_code for _ in range(3)] == [200, 200, 429]
    refused = web.post("/length")
    assert refused.json()["code"] == "rate_limited"
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert web.get("/length").status_code == 200


def test_clients_behind_a_trusted_proxy_have_a_pace_each(keys: Keys) -> None:
    app = client(keys, public_rate="1/minute", trusted_proxies="10.0.0.0/8").app
    web = TestClient(app, client=("10.0.0.1", 50000))
    for address, status in (("198.51.100.1", 200), ("198.51.100.2", 200), ("9.9.9.9, 198.51.100.1", 429)):
        assert web.post("/length", headers={"X-Forwarded-For": address}).status_code == status


def test_a_forged_header_buys_no_second_bucket(keys: Keys) -> None:
    web = client(keys, public_rate="1/minute")
    answers = [web.post("/length", headers={"X-Forwarded-For": f"198.51.100.{n}"}).status_code for n in range(2)]
    assert answers == [200, 429]


def test_a_key_has_a_pace_of_its_own(keys: Keys) -> None:
    web = client(keys, public_rate="1/minute", keyed_rate="2/minute")
    _, secret = keys.create("portal", "portal")
    key = {"Authorization": f"Bearer {secret}"}
    assert [web.post("/length", headers=key).status_code for _ in range(3)] == [200, 200, 429]
    assert web.post("/length").status_code == 200


def test_wrong_keys_are_refused_then_kept_waiting(keys: Keys) -> None:
    web = client(keys, refused_key_rate="2/minute")
    wrong = {"Authorization": "Bearer metes_0_0"}
    first = web.get("/length", headers=wrong)
    assert (first.status_code, first.headers["www-authenticate"]) == (401, "Bearer")
    assert [web.get("/length", headers=wrong).status_code for _ in range(2)] == [401, 429]
    assert web.get("/length").status_code == 200
    _, secret = keys.create("staff", "somebody else in the same office")
    assert web.get("/length", headers={"X-API-Key": secret}).status_code == 200


def test_every_answer_wears_careful_headers_and_a_number(keys: Keys) -> None:
    web = client(keys)
    for path in ("/length", "/nowhere", "/broken/x"):
        headers = web.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert "script-src 'self'" in headers["content-security-policy"]
        assert len(headers["x-request-id"]) == 16
    assert web.get("/length", headers={"X-Request-Id": "portal-4711"}).headers["x-request-id"] == "portal-4711"
    assert web.get("/length", headers={"X-Request-Id": "a b<c>"}).headers["x-request-id"] != "a b<c>"


def test_a_fault_says_nothing_of_the_inside(keys: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    answer = client(keys).get("/broken/DOE?owner=DOE")
    told = json.loads(answer.text)
    assert (answer.status_code, told["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert told["correlation_id"] == answer.headers["x-request-id"]
    logged = capsys.readouterr().out
    assert told["correlation_id"] in logged
    assert "RuntimeError" in logged
    assert "test_gate.py" in logged
    assert "DOE" not in logged

"""Answers of JSON are small for whoever takes gzip, and what a key opened is never compressed."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

ITEMS = "/v1/layers/parcels/items?limit=200"
TAKES = {"accept-encoding": "gzip"}


def length(web: TestClient, path: str, **headers: str) -> int:
    with web.stream("GET", path, headers=headers) as answer:
        return len(b"".join(answer.iter_raw()))


@pytest.mark.parametrize("path", [ITEMS, "/v1/layers", "/v1/collections/parcels/items", "/openapi.json"])
def test_json_is_a_quarter_at_most_and_the_same(web: TestClient, path: str) -> None:
    plain = web.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with web.stream("GET", path, headers=TAKES) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in answer.headers["vary"].lower()
    assert int(answer.headers["content-length"]) == len(raw) < len(plain.content) / 4
    assert gzip.decompress(raw) == plain.content


@pytest.mark.parametrize("said", ["identity", "gzip;q=0", "br, gzip; q=0.0, deflate", ""])
def test_who_does_not_take_it_gets_it_plain(web: TestClient, said: str) -> None:
    answer = web.get(ITEMS, headers={"accept-encoding": said})
    assert "content-encoding" not in answer.headers
    assert answer.json()["numberReturned"] == 200


@pytest.mark.parametrize("role", ["portal", "staff", "assessor", "admin"])
def test_what_a_key_opened_is_never_compressed(
    web: TestClient, key: Callable[[str], dict[str, str]], role: str
) -> None:
    (header,) = key(role).items()
    secret = header[1].removeprefix("Bearer ")
    for sent in ({"authorization": f"Bearer {secret}"}, {"x-api-key": secret}):
        answer = web.get(ITEMS, headers=TAKES | sent)
        assert answer.status_code == 200
        assert "content-encoding" not in answer.headers


def test_a_short_answer_and_what_is_no_json_stay_as_they_are(web: TestClient) -> None:
    for path in ("/v1/conformance", "/healthz", "/"):
        assert "content-encoding" not in web.get(path, headers=TAKES).headers


def test_a_head_tells_of_the_answer_it_stands_for(web: TestClient) -> None:
    head = web.head(ITEMS, headers=TAKES)
    assert (head.headers["content-encoding"], head.content) == ("gzip", b"")
    assert int(head.headers["content-length"]) == length(web, ITEMS, **TAKES)

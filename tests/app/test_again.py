"""A kept screening asked again: the input stays, facts are added, changed and taken back."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient


@pytest.fixture
def first(web: TestClient, mill: bytes) -> dict[str, Any]:
    told: dict[str, Any] = web.post(
        "/v1/screenings", params={"parcel": "F_443712_2965268"}, files={"file": ("mill street.geojson", mill)}
    ).json()
    return told


def result(told: dict[str, Any], rule: str) -> str:
    return next(str(one["result"]) for one in told["determinations"] if one["rule"] == rule)


def test_a_fact_is_added_to_the_same_input(web: TestClient, first: dict[str, Any]) -> None:
    assert result(first, "dover-159.fill_storage") == "needs_input"
    answer = web.post(f"{first['url']}/again", files={"stored_fill_cuyd": (None, "120")})
    told = answer.json()
    assert answer.status_code in {200, 201}
    assert answer.headers["location"] == told["url"] != first["url"]
    assert result(told, "dover-159.fill_storage") == "triggered"
    assert told["input"] == first["input"]
    assert told["disturbance"] == first["disturbance"]
    assert web.get(told["url"]).json() == told


def test_asked_with_the_file_or_by_its_link_the_answer_is_the_same(
    web: TestClient, first: dict[str, Any], mill: bytes
) -> None:
    by_link = web.post(f"{first['url']}/again?stored_fill_cuyd=90&major_project=false").json()
    facts = {"stored_fill_cuyd": "90", "major_project": "false", "parcel": "F_443712_2965268"}
    by_file = web.post("/v1/screenings", params=facts, files={"file": ("mill street.geojson", mill)})
    assert by_file.status_code == 200
    assert by_file.json() == by_link


def test_a_fact_is_kept_until_it_is_changed_or_taken_back(web: TestClient, first: dict[str, Any]) -> None:
    with_fill = web.post(f"{first['url']}/again?stored_fill_cuyd=120&major_project=true").json()
    less = web.post(f"{with_fill['url']}/again?stored_fill_cuyd=20").json()
    assert (less["facts"]["stored_fill_cuyd"], less["facts"]["major_project"]) == (20.0, True)
    assert result(less, "dover-159.fill_storage") == "not_triggered"
    without = web.post(f"{less['url']}/again", files={"stored_fill_cuyd": (None, "")}).json()
    assert "stored_fill_cuyd" not in without["facts"]
    assert result(without, "dover-159.fill_storage") == "needs_input"
    assert web.post(f"{less['url']}/again?stored_fill_cuyd=&major_project=").json()["id"] == first["id"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("crs=EPSG:2249", "'crs' cannot be said of a kept screening"),
        ("parcel=F_1_1", "'parcel' cannot be said"),
        ("stored_fill=3", "no project fact"),
        ("on=yesterday", "not a date"),
    ],
)
def test_what_cannot_be_said_again_is_refused(
    query: str, words: str, web: TestClient, first: dict[str, Any]
) -> None:
    answer = web.post(f"{first['url']}/again?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")
    assert words in answer.json()["detail"]


def test_an_unknown_screening_cannot_be_asked_again(web: TestClient) -> None:
    answer = web.post("/v1/screenings/abc/again?stored_fill_cuyd=1")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")

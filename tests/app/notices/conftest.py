"""The desk of abutters' lists on the invented towns, with records of each module's own: a tax list stays put."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from app_service import serving
from starlette.testclient import TestClient

from app.settings import Settings
from layers.demo.make import Demo


@pytest.fixture(scope="module")
def settings(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    records = tmp_path_factory.mktemp("lists") / "metes.db"
    return Settings(
        data=demo.data,
        database_url=f"sqlite:///{records}",
        public_rate="100000/minute",
        refused_key_rate="1000/minute",
    )


@pytest.fixture(scope="module")
def web(settings: Settings) -> Iterator[TestClient]:
    with serving(settings) as client:
        yield client


@pytest.fixture
def parcel(web: TestClient) -> Callable[[str], str]:
    """Return a function from an address to the LOC_ID at it."""

    def found(address: str) -> str:
        parcels = web.get("/v1/parcels", params={"q": address}).json()["parcels"]
        return next(p["loc_id"] for p in parcels if p["site_address"] == address)

    return found


@pytest.fixture
def staff(key: Callable[[str], dict[str, str]]) -> dict[str, str]:
    return key("staff")


@pytest.fixture
def assessor(key: Callable[[str], dict[str, str]]) -> dict[str, str]:
    return key("assessor")


@pytest.fixture
def listed(web: TestClient, staff: dict[str, str]) -> Callable[..., dict[str, Any]]:
    """Return a function that makes a list and gives its body."""

    def made(*loc_ids: str, **more: object) -> dict[str, Any]:
        answer = web.post("/v1/abutter-lists", json={"parcels": list(loc_ids), **more}, headers=staff)
        assert answer.status_code == 201, answer.text
        assert answer.headers["Location"] == answer.json()["url"]
        body: dict[str, Any] = answer.json()
        return body

    return made


@pytest.fixture
def it_is(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sets the day it is at the desk: letters are only mailed on days that have come."""

    def on(day: str) -> None:
        monkeypatch.setattr("app.notices.desk.today", lambda: date.fromisoformat(day))

    return on

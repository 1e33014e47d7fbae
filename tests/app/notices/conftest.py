"""The desk of abutters' lists on the invented towns: parcels to ask about, and how to ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

CONDOMINIUM = "8 HERON LN"


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

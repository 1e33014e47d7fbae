"""Features of a layer page after page, in our own words and in those of OGC API – Features."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.items import editions_word
from app.main import create_app
from app.settings import Settings


def link(told: dict[str, Any], rel: str) -> str | None:
    """Return where a document leads."""
    return next((one["href"] for one in told["links"] if one["rel"] == rel), None)


def pages(web: TestClient, address: str) -> list[dict[str, Any]]:
    """Return a list page by page, as a client that knows nothing but ``next`` reads it."""
    read, following = [], address
    while following:
        read.append(web.get(following).raise_for_status().json())
        following = link(read[-1], "next") or ""
    return read


@pytest.mark.parametrize("path", ["/v1/layers/parcels/items", "/v1/collections/parcels/items"])
def test_next_leads_to_every_feature_once(web: TestClient, path: str) -> None:
    whole = web.get(f"{path}?limit=10000").json()
    assert (whole["numberMatched"], whole["numberReturned"], link(whole, "next")) == (334, 334, None)
    read = pages(web, f"{path}?limit=50")
    assert [page["numberReturned"] for page in read] == [50] * 6 + [34]
    assert [page["more"] for page in read] == [True] * 6 + [False]
    assert {page["numberMatched"] for page in read} == {334}
    assert [f["id"] for page in read for f in page["features"]] == [f["id"] for f in whole["features"]]


def test_next_keeps_the_box_that_was_asked_for(web: TestClient) -> None:
    west, south, east, north = web.get("/v1/page").json()["bounds"]
    box = f"{west},{south},{(west + east) / 2},{north}"
    whole = web.get("/v1/collections/parcels/items", params={"bbox": box, "limit": 10_000}).json()
    read = pages(web, f"/v1/collections/parcels/items?bbox={box}&limit=40")
    assert 100 < whole["numberMatched"] < 334
    assert [f["id"] for page in read for f in page["features"]] == [f["id"] for f in whole["features"]]


def test_a_page_of_other_editions_than_the_first_is_refused(web: TestClient) -> None:
    for path in ("/v1/layers/parcels/items", "/v1/collections/parcels/items"):
        answer = web.get(path, params={"offset": 50, "editions": "0123456789ab"})
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    frames = web.app.state.service.library.snapshot().frame("parcels")  # type: ignore[attr-defined]
    assert editions_word(frames) == editions_word(frames[::-1]) != editions_word(frames[:1])


def test_a_program_finds_its_way_from_one_address(web: TestClient) -> None:
    landing = web.get("/v1").json()
    collections = web.get(link(landing, "data") or "").json()["collections"]
    by_id = {one["id"]: one for one in collections}
    assert "elevation" not in by_id  # a raster
    assert "acec" not in by_id  # not loaded: told by /v1/layers, and 503 here, never an empty list
    for one in collections:
        assert one == web.get(link(one, "self") or "").json()
        (west, south, east, north) = one["extent"]["spatial"]["bbox"][0]
        features = web.get(link(one, "items") or "", params={"limit": "1"}).json()["features"]
        assert -72.4 < west < east < -72.1
        assert 42.2 < south < north < 42.5
        assert features[0]["geometry"]["type"]
    assert "nothing drawn does not mean nothing there" in by_id["wetlands"]["description"]
    assert "nothing drawn does not mean" not in by_id["floodplain"]["description"]
    assert web.get(link(landing, "conformance") or "").json()["conformsTo"]
    assert web.get(link(landing, "service-desc") or "").json()["openapi"]


def test_one_feature_has_an_address(web: TestClient) -> None:
    first = web.get("/v1/collections/parcels/items", params={"limit": 1}).json()["features"][0]
    assert web.get(f"/v1/collections/parcels/items/{first['id']}").json() == first
    gone = web.get("/v1/collections/parcels/items/no/such")
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")


def test_a_window_of_any_size_is_a_box(web: TestClient) -> None:
    items = "/v1/collections/parcels/items"
    assert web.get(items, params={"bbox": "-180,-90,180,90"}).json()["numberMatched"] == 334
    assert web.get(items, params={"bbox": "5,45,15,55"}).json()["numberMatched"] == 0
    assert web.get(items, params={"limit": "1000000", "f": "json", "datetime": "2026-01-01"}).status_code == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("town=dover", "no parameter 'town'"),
        ("limit=0", "limit='0'"),
        ("limit=many", "limit='many'"),
        ("offset=-1", "offset='-1'"),
        ("bbox=1,2,3", "not four numbers"),
        ("bbox=-71,42,-72,43", "west below east"),
        ("f=gml", "f='gml'"),
        ("crs=http://www.opengis.net/def/crs/EPSG/0/26986", "not to be had"),
    ],
)
def test_a_query_that_cannot_be_is_400_as_the_standard_has_it(web: TestClient, query: str, said: str) -> None:
    answer = web.get(f"/v1/collections/parcels/items?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_parameter")
    assert said in answer.json()["detail"]


def test_a_box_with_its_name_misspelt_is_no_map_of_everything(web: TestClient) -> None:
    answer = web.get("/v1/layers/parcels/items", params={"bboox": "-71.3,42.2,-71.2,42.3"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")
    assert "no parameter 'bboox'; there are bbox" in answer.json()["detail"]


@pytest.mark.parametrize(("layer", "status"), [("swamps", 404), ("acec", 503), ("elevation", 422)])
def test_what_has_no_features_is_no_empty_collection(web: TestClient, layer: str, status: int) -> None:
    for path in (f"/v1/collections/{layer}", f"/v1/collections/{layer}/items", f"/v1/collections/{layer}/items/1"):
        assert web.get(path).status_code == status


@pytest.mark.parametrize(
    ("trusted", "host", "known_as"),
    [
        ("127.0.0.0/8", "maps.town.example", "https://maps.town.example"),
        ("127.0.0.0/8", "evil.example/path?", "https://testserver"),
        ("10.0.0.0/8", "maps.town.example", "http://testserver"),
    ],
)
def test_a_trusted_proxy_alone_says_under_which_name_we_are_known(
    settings: Settings, trusted: str, host: str, known_as: str
) -> None:
    said = {"x-forwarded-proto": "https", "x-forwarded-host": host}
    behind = settings.model_copy(update={"trusted_proxies": (ip_network(trusted),)})
    with TestClient(create_app(behind), client=("127.0.0.1", 50_000)) as client:
        landing = client.get("/v1", headers=said).json()
        page = client.get("/v1/layers/parcels/items?limit=1", headers=said).json()
    assert link(landing, "data") == f"{known_as}/v1/collections"
    assert (link(page, "next") or "").startswith(f"{known_as}/v1/layers/parcels/items?limit=1&offset=1&editions=")


def test_the_first_address_is_counted_under_its_own_name(
    web: TestClient, key: Callable[[str], dict[str, str]]
) -> None:
    web.get("/v1")
    assert 'route="/v1"' in web.get("/metrics", headers=key("admin")).text

"""What may be sent and how: names, forms and options that are not what they should be."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from app_service import ON, serving
from starlette.testclient import TestClient

from app.settings import Settings
from app.uploads import day_of, options_of
from layers.demo.make import Demo
from spatial.errors import ParameterRefused


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd.geojson",
        "/vsicurl/http://127.0.0.1:9/x.geojson",
        "a" * 5000 + ".zip",
        "lot.geojson\x00.zip",
        "C:\\Users\\me\\lot.geojson",
        "<script>alert(1)</script>.geojson",
        "",
    ],
)
def test_a_file_name_is_only_ever_a_word(name: str, web: TestClient, mill: bytes, tmp_path: Path) -> None:
    answer = web.post("/v1/inspections", files={"file": (name, mill)})
    assert answer.status_code in {200, 415, 422}, answer.text
    if answer.status_code == 200:
        assert answer.json()["n_features"] == 3


def form(*parts: tuple[str, str | None, bytes]) -> tuple[bytes, dict[str, str]]:
    """Return a multipart body written by hand, and its headers."""
    lines = []
    for field, name, content in parts:
        file = f'; filename="{name}"' if name is not None else ""
        lines.append(f'--b\r\nContent-Disposition: form-data; name="{field}"{file}\r\n\r\n'.encode() + content)
    return b"\r\n".join([*lines, b"--b--\r\n"]), {"Content-Type": "multipart/form-data; boundary=b"}


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ([("town", None, b"dover")], "empty_upload"),
        ([("file", "x.geojson", b"")], "empty_upload"),
        ([("file", f"{n}.geojson", b"{}") for n in range(13)], "bad_parameter"),
        ([(f"fact{n}", None, b"1") for n in range(101)], "bad_parameter"),
        ([("town", None, b"x" * 2_000_000)], "bad_parameter"),
        ([("town", None, b"x" * 5_000), ("file", "x.geojson", b"{}")], "bad_parameter"),
    ],
)
def test_forms_that_cannot_be_used(parts: list[tuple[str, str | None, bytes]], code: str, web: TestClient) -> None:
    content, headers = form(*parts)
    refused = web.post("/v1/screenings", content=content, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (422, code)


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=zzz"])
def test_a_form_that_is_none(kind: str, web: TestClient) -> None:
    refused = web.post("/v1/screenings", content=b"not a form", headers={"Content-Type": kind})
    assert refused.status_code == 422
    assert refused.json()["code"] in {"bad_parameter", "empty_upload"}


@pytest.mark.parametrize("where", ["activity", "note", "id"])
@pytest.mark.parametrize("text", ["\ud800x", "\x00x", "\u202eoops"])
def test_odd_characters_are_a_word_or_a_refusal(where: str, text: str, web: TestClient, mill: bytes) -> None:
    site = json.loads(mill)
    feature = site["features"][0]
    (feature if where == "id" else feature["properties"])[where] = text
    answer = web.post("/v1/screenings", content=json.dumps(site))
    if text.startswith("\ud800"):
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_json")
    else:
        assert answer.status_code in {200, 201}, answer.text


def test_a_fact_with_control_characters_is_refused() -> None:
    with pytest.raises(ParameterRefused, match="control characters"):
        options_of([("common_plan", "Oak\x00Estates")])


def test_options_are_sorted_from_facts() -> None:
    pairs = [("parcel", "B"), ("parcel", "A"), ("parcel", "B"), ("on", ON), ("use", "house"), ("town", " dover ")]
    read = options_of([*pairs, ("layer", ""), ("use", "house")])
    assert (read.parcels, read.town, read.layer, read.crs) == (("B", "A"), "dover", None, None)
    assert read.facts == {"use": "house"}
    assert str(read.on) == ON


def test_one_thing_said_two_ways_is_refused() -> None:
    with pytest.raises(ParameterRefused, match=r"'use' was given 2 times"):
        options_of([("use", "house"), ("use", "shop")])


def test_origins_that_were_set_may_call(settings: Settings) -> None:
    origin = "https://maps.example.org"
    with serving(settings.model_copy(update={"cors_origins": (origin,)})) as web:
        answer = web.get("/v1/facts", headers={"Origin": origin})
        asked = web.options("/v1/screenings", headers={"Origin": origin, "Access-Control-Request-Method": "POST"})
    assert answer.headers["access-control-allow-origin"] == origin
    assert "Location" in answer.headers["access-control-expose-headers"]
    assert (asked.status_code, "POST" in asked.headers["access-control-allow-methods"]) == (200, True)


def test_a_damaged_layer_is_said_and_never_taken_for_clear_ground(
    settings: Settings, demo: Demo, mill: bytes, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(demo.data, data, ignore=shutil.ignore_patterns("sources", "metes.db*"))
    for path in (data / "layers" / "wetlands").rglob("*.parquet"):
        path.write_bytes(b"damaged")
    url = f"sqlite:///{tmp_path / 'metes.db'}"
    with serving(settings.model_copy(update={"data": data, "database_url": url})) as web:
        health = web.get("/healthz")
        told = web.post("/v1/screenings", params={"on": ON}, content=mill).json()
    assert (health.status_code, health.json()["status"], health.json()["failed"]) == (
        503,
        "not_ready",
        ["wetlands"],
    )
    statuses = {f["status"] for f in told["findings"] if f["layer"]["id"] == "wetlands"}
    assert statuses == {"not_checked"}
    buffer = next(d for d in told["determinations"] if d["rule"] == "ma-310cmr10.buffer_zone")
    assert buffer["result"] == "indeterminate"
    assert str(data) not in json.dumps(told)


@pytest.mark.parametrize(
    "text", ["0001-01-01", "1899-12-31", "2200-01-01", "9999-12-31", "20261130", "2026-W48-1", ""]
)
def test_a_day_is_one_of_these_centuries_written_one_way(text: str) -> None:
    with pytest.raises(ParameterRefused, match="write it YYYY-MM-DD"):
        day_of(text)


@pytest.mark.parametrize("fact", ["application_received_on", "swmp_received_on", "cost_notice_received_on"])
@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
def test_a_day_no_clock_can_be_counted_from_is_refused(web: TestClient, mill: bytes, fact: str, day: str) -> None:
    answer = web.post("/v1/screenings", params={"on": ON, fact: day}, content=mill)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")


NOT_TEXT = [
    (("town", None, b"dov\xffer"), "the field 'town' is not utf-8 text"),
    (("t\xff", None, b"dover"), "the name of a field is not utf-8 text"),
]


@pytest.mark.parametrize("path", ["/v1/screenings", "/v1/inspections", "/v1/tree-protection-zones"])
@pytest.mark.parametrize(("part", "said"), NOT_TEXT)
def test_a_field_that_is_not_text_is_refused(
    path: str, part: tuple[str, str | None, bytes], said: str, web: TestClient, mill: bytes
) -> None:
    name, file, content = part
    body, headers = form(("NAME", file, content), ("file", "lot.zip", mill))
    answer = web.post(path, content=body.replace(b"NAME", name.encode("latin-1")), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")
    assert said in answer.json()["detail"]


def test_a_field_of_an_edition_that_is_not_text_is_refused(
    web: TestClient, key: Callable[..., dict[str, str]]
) -> None:
    body, headers = form(("edition", None, b"\xff"), ("file", "wetlands.zip", b"PK"))
    answer = web.post("/v1/layers/wetlands/editions", content=body, headers={**headers, **key("admin")})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")
    assert "'edition' is not utf-8 text" in answer.json()["detail"]


def test_a_query_that_is_not_text_is_refused(web: TestClient, mill: bytes) -> None:
    answer = web.post("/v1/screenings?town=dov%FFer", files={"file": ("lot.zip", mill)})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")
    assert "'town' is not UTF-8" in answer.json()["detail"]


def test_a_file_may_be_called_what_its_senders_system_calls_it(web: TestClient, mill: bytes) -> None:
    body, headers = form(("file", "NAME.zip", mill))
    answer = web.post("/v1/inspections", content=body.replace(b"NAME", b"Caf\xe9"), headers=headers)
    assert answer.status_code == 200, answer.text

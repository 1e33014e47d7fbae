"""The pages as they are served: careful headers, nothing from elsewhere, no text in code, what a map may draw."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from app_service import serving
from starlette.testclient import TestClient

from app.routes.pages import STATIC
from app.settings import Settings
from spatial.read.detect import ACCEPTED

PAGES = ("/", "/abutters", "/layers", "/docs")
BOX = "-72.31,42.37,-72.25,42.39"
OWN = sorted((STATIC / "js").glob("*.js"))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_comes_with_a_strict_policy_and_no_cookie(path: str, web: TestClient) -> None:
    answer = web.get(path)
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "no-cache"
    links = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert links
    assert all(link.startswith(("/", "#")) for link in links)
    assert not re.search(r"<script(?![^>]*src=)|<style| style=| on\w+=", answer.text)


def test_everything_a_page_names_is_served_and_packed(web: TestClient) -> None:
    for path in PAGES:
        for link in re.findall(r'(?:src|href)="(/static/(?!vendor)[^"]+)"', web.get(path).text):
            answer = web.get(link, headers={"accept-encoding": "gzip"})
            assert answer.status_code == 200
            again = web.get(link, headers={"if-none-match": answer.headers["etag"]})
            assert again.status_code == 304


def test_a_script_is_packed_for_who_can_unpack_it_and_is_the_same(web: TestClient) -> None:
    packed = web.get("/static/js/screen.js", headers={"accept-encoding": "gzip, br"})
    plain = web.get("/static/js/screen.js", headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert all("Accept-Encoding" in one.headers["vary"] for one in (packed, plain))
    assert packed.content == plain.content == (STATIC / "js" / "screen.js").read_bytes()
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert packed.headers["etag"] == plain.headers["etag"]
    assert web.head("/static/js/screen.js").status_code == 200


def test_only_the_background_map_that_was_named_may_be_fetched(tmp_path: Path) -> None:
    template = "https://tiles.example/{z}/{x}/{y}.png"
    with serving(Settings(data=tmp_path, basemap=template)) as client:
        policy = client.get("/").headers["content-security-policy"]
        assert "img-src 'self' data: blob: https://tiles.example;" in policy
        assert client.get("/v1/page").json()["basemap"] == template
        assert "tiles.example" not in client.get("/docs").headers["content-security-policy"]


@pytest.mark.parametrize(("setting", "host"), [({}, "https://tiles.arcgis.com"), ({"basemap": ""}, None)])
def test_a_town_has_the_states_background_unless_it_wants_none(
    setting: dict[str, str], host: str | None, tmp_path: Path
) -> None:
    with serving(Settings(data=tmp_path, **setting)) as client:
        policy = client.get("/").headers["content-security-policy"]
        assert ("https://" in policy) == (host is not None)
        assert host is None or f"connect-src 'self' {host};" in policy


def test_invented_towns_have_no_background(web: TestClient) -> None:
    assert web.get("/v1/page").json()["basemap"] is None
    assert "https://" not in web.get("/").headers["content-security-policy"]


def test_a_page_learns_where_to_look_and_whose_key_it_holds(
    web: TestClient, key: Callable[[str], dict[str, str]]
) -> None:
    about = web.get("/v1/page").json()
    west, south, east, north = about["bounds"]
    assert -72.4 < west < east < -72.2
    assert 42.3 < south < north < 42.5
    assert about["role"] == "public"
    assert web.get("/v1/page", headers=key("staff")).json()["role"] == "staff"
    assert web.get("/v1/page", headers={"X-API-Key": "metes_0_0"}).status_code == 401
    assert {"id", "title"} == set(about["notice_rules"][0])


def test_counts_agree_with_what_the_layer_gives(web: TestClient) -> None:
    told = web.get("/v1/page/counts", params={"bbox": BOX, "layers": "parcels,wetlands,iwpa"}).json()
    for layer, count in told["counts"].items():
        items = web.get(f"/v1/layers/{layer}/items", params={"bbox": BOX, "limit": told["limit"]}).json()
        assert (len(items["features"]), items["more"]) == (count, False)
    assert web.get("/v1/page/counts", params={"bbox": BOX, "layers": "nonsense"}).json()["code"] == "layer_unknown"
    assert web.get("/v1/page/counts", params={"bbox": "1,2", "layers": "parcels"}).status_code == 422


@pytest.mark.parametrize("script", OWN, ids=lambda path: path.name)
def test_a_script_makes_no_markup_of_text_and_is_small(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert set(re.findall(r"https?://[\w./]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert len(text.splitlines()) <= 270 or script.name == "texts.js"


def test_words_of_a_person_stand_in_one_place() -> None:
    """A capital and two words in a row, in quotes or backticks outside texts.js, are a text out of place."""
    for script in OWN:
        if script.name in ("texts.js", "docs.js"):
            continue
        code = re.sub(r"^\s*(//|/?\*).*$|\s//.*$", "", script.read_text(encoding="utf-8"), flags=re.MULTILINE)
        sentences = re.findall(r"[\"`]([A-Z][a-z]+ [a-z]+[^\"`]*)[\"`]", code)
        assert not sentences, (script.name, sentences)


def test_the_page_names_the_formats_that_are_read_and_no_other(web: TestClient) -> None:
    hint = re.search(r'<p id="formats"[^>]*>(.+?)</p>', web.get("/").text)
    assert hint is not None

    def formats(said: str) -> set[str]:
        plain = re.sub(r"\(.*?\)|\b(a|zipped|file)\b", "", said.rstrip(".").lower())
        return {name.strip() for name in re.split(r",| or ", plain) if name.strip()}

    assert formats(hint[1]) == formats(ACCEPTED)
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    listed = " ".join(readme.partition("formats are ")[2].partition(". ")[0].split()).lower()
    assert all(name in listed for name in formats(ACCEPTED))

"""Only the hosts on the list are asked, also after a redirect, and nothing is unbounded."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from layers.sources.door import Door, DoorRules
from layers.sources.errors import SourceFailed, SourceRefused

sys.path.insert(0, str(Path(__file__).parent))
from standin import Service, running

RULES = DoorRules(hosts=frozenset(), plain_http=frozenset({"127.0.0.1"}), timeout_s=0.5, first_wait_s=0.001)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://127.0.0.1:9/x", "not asked over http"),
        ("ftp://example.org/x", "not asked over ftp"),
        ("https://example.org/x", "example.org is not one of the hosts"),
        ("file:///etc/hostname", "not asked over file"),
    ],
)
def test_nobody_else_is_asked(url: str, says: str) -> None:
    with (
        Door(DoorRules(hosts=frozenset({"arcgisserver.digital.mass.gov"}))) as door,
        pytest.raises(SourceRefused, match=says),
    ):
        door.ask(url, {})


def test_plain_http_is_for_loopback_even_when_another_host_is_named() -> None:
    rules = DoorRules(hosts=frozenset(), plain_http=frozenset({"example.org"}))
    with Door(rules) as door, pytest.raises(SourceRefused, match="only https is"):
        door.ask("http://example.org/x", {})


def test_a_redirect_to_another_host_is_not_followed() -> None:
    other = Service({})
    with (
        running(other) as elsewhere,
        running(Service({}, elsewhere=elsewhere.replace("127.0.0.1", "localhost"))) as url,
    ):
        with Door(RULES) as door, pytest.raises(SourceRefused, match="localhost"):
            door.ask(url, {})
    assert other.asked == []


def test_a_redirect_on_the_list_is_followed(tmp_path: Path) -> None:
    target = Service({}, files={"/town.zip": b"PK town"})
    with running(target) as there, running(Service({}, elsewhere=there.split("/arcgis")[0] + "/town.zip")) as url:
        with Door(RULES) as door:
            digest = door.download(url, tmp_path / "town.zip")
    assert (tmp_path / "town.zip").read_bytes() == b"PK town"
    assert digest == hashlib.sha256(b"PK town").hexdigest()


def test_redirects_end() -> None:
    loop = Service({}, elsewhere="/again")
    with (
        running(loop) as url,
        Door(RULES) as door,
        pytest.raises(SourceRefused, match="redirects more than 5 times"),
    ):
        door.ask(url, {})


def test_a_cut_download_leaves_no_file(tmp_path: Path) -> None:
    service = Service({}, files={"/town.zip": b"x" * 100}, faults={"cut"}, fail_first=99)
    with running(service) as url, Door(RULES) as door, pytest.raises(SourceFailed):
        door.download(url.split("/arcgis")[0] + "/town.zip", tmp_path / "town.zip")
    assert not (tmp_path / "town.zip").exists()


def test_an_answer_larger_than_allowed_is_refused(tmp_path: Path) -> None:
    service = Service({}, files={"/big": b'{"a": "' + b"x" * 5000 + b'"}'})
    with running(service) as url:
        big = url.split("/arcgis")[0] + "/big"
        with (
            Door(replace(RULES, max_answer_bytes=1000)) as door,
            pytest.raises(SourceRefused, match="more than 1,000 bytes"),
        ):
            door.ask(big, {})
        with (
            Door(replace(RULES, max_download_bytes=1000)) as door,
            pytest.raises(SourceRefused, match="larger than 1,000"),
        ):
            door.download(big, tmp_path / "big")

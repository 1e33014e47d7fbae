from __future__ import annotations

import ipaddress

import pytest
from starlette.datastructures import Headers

from app.callers import client_of, token_of

TRUSTED = (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("fd00::/8"))


def scope(peer: str | None, *forwarded: str) -> dict[str, object]:
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    return {"type": "http", "client": (peer, 1234) if peer else None, "headers": headers}


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.7", (), "203.0.113.7"),
        ("203.0.113.7", ("198.51.100.1",), "203.0.113.7"),
        ("10.0.0.1", ("198.51.100.1",), "198.51.100.1"),
        ("10.0.0.1", ("1.2.3.4, 198.51.100.1",), "198.51.100.1"),
        ("10.0.0.1", ("1.2.3.4", "198.51.100.1, 10.0.0.9"), "198.51.100.1"),
        ("10.0.0.1", ("10.0.0.5, 10.0.0.9",), "10.0.0.5"),
        ("10.0.0.1", ("<script>",), "unknown"),
        ("10.0.0.1", (), "10.0.0.1"),
        ("::ffff:10.0.0.1", ("198.51.100.1",), "198.51.100.1"),
        ("2001:db8:1:2:3:4:5:6", (), "2001:db8:1:2::/64"),
        ("fd00::1", ("2001:db8:9:9::1",), "2001:db8:9:9::/64"),
        (None, (), "unknown"),
    ],
)
def test_a_client_is_the_last_address_nobody_could_have_forged(
    peer: str | None, forwarded: tuple[str, ...], client: str
) -> None:
    assert client_of(scope(peer, *forwarded), TRUSTED) == client


def test_without_trusted_proxies_the_header_is_not_believed() -> None:
    assert client_of(scope("10.0.0.1", "198.51.100.1"), ()) == "10.0.0.1"


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ({}, None),
        ({"authorization": "Bearer abc"}, "abc"),
        ({"authorization": "bearer  abc "}, "abc"),
        ({"x-api-key": "abc"}, "abc"),
        ({"authorization": "Basic dXNlcjpwYXNz"}, ""),
        ({"authorization": "Bearer abc", "x-api-key": "other"}, "abc"),
    ],
)
def test_a_key_comes_in_either_header_and_is_never_passed_over(headers: dict[str, str], token: str | None) -> None:
    assert token_of(Headers(headers)) == token

"""``metes parcels`` finds what ``/v1/parcels`` finds, and says when it could not look."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from app_service import Said
from starlette.testclient import TestClient

Metes = Callable[..., Said]


@pytest.mark.parametrize("words", [("408", "mill", "st"), ("8-0002",), ("F_443712",), ("orchard",)])
def test_the_command_says_what_http_says(metes: Metes, web: TestClient, words: tuple[str, ...]) -> None:
    told = metes("parcels", *words, "--limit", "3", "--json").json()
    assert told == web.get("/v1/parcels", params={"q": " ".join(words), "limit": 3}).json()
    assert told["parcels"]


def test_a_line_begins_with_the_loc_id(metes: Metes, web: TestClient) -> None:
    (first, *_) = web.get("/v1/parcels", params={"q": "408 mill st"}).json()["parcels"]
    line = metes("parcels", "408", "mill").out.splitlines()[0].split(maxsplit=1)
    assert line == [first["loc_id"], f"408 MILL ST; {first['map_par_id']}; 40,000 sq ft"]


def test_a_list_cut_short_and_an_empty_one_say_so(metes: Metes) -> None:
    assert "There are more than these 2" in metes("parcels", "mill", "--limit", "2").out
    nothing = metes("parcels", "no", "such", "street")
    assert (nothing.code, nothing.err) == (0, "")
    assert "No parcel is found in the towns loaded: doverbrook, lynnmere." in nothing.out


def test_without_parcels_nothing_was_looked_for(metes: Metes, tmp_path: Path) -> None:
    told = metes("parcels", "mill", data=tmp_path / "d")
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("layer_unavailable: Parcels cannot be looked for: no edition is loaded")


def test_a_box_is_a_place_to_look(metes: Metes, web: TestClient) -> None:
    west, south, east, north = web.get("/v1/page").json()["bounds"]
    half = f"--bbox={west},{south},{(west + east) / 2},{north}"
    assert 0 < len(metes("parcels", half, "--limit", "1000", "--json").json()["parcels"]) < 334
    assert metes("parcels", "--bbox", "1,2,3").err.startswith("bad_parameter: ")

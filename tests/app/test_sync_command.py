"""``metes layers sync`` where no agency can be reached: what is said, and with which exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from app_service import Said
from layer_files import add, box_ft, write

from layers.catalog import load_specs
from layers.library import Library

Metes = Callable[..., Said]


@pytest.fixture(autouse=True)
def nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send every request to a port of this machine where nobody listens."""
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), "bad_parameter", "--town SLUG or --state"),
        (("--town", "dover", "--state"), "bad_parameter", "one of them"),
        (("--town", "atlantis"), "town_unknown", "atlantis"),
        (("--town", "dover"), "bad_parameter", "does not hold Dover; sync it first"),
        (("swamps", "--state"), "layer_unknown", "swamps"),
        (("elevation", "--state"), "layer_unavailable", "names no source"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    metes: Metes, tmp_path: Path, words: tuple[str, ...], code: str, said: str
) -> None:
    told = metes("layers", "sync", *words, data=tmp_path / "d")
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith(f"{code}: "), told.err
    assert said in told.err


def test_a_source_out_of_reach_leaves_what_is_in_force_and_says_what_that_is(metes: Metes, tmp_path: Path) -> None:
    told = metes("layers", "sync", "acec", "--state", data=tmp_path / "d")
    assert told.code == 1
    assert told.out.startswith("acec (state): not brought, and no edition of it is in force. ")
    assert "gave no whole answer in 4 tries" in told.out
    assert "stays" not in told.out
    library = Library(tmp_path / "d")
    drawn = write(tmp_path / "acec.gpkg", [box_ft(0, 0, 9, 9)], {"NAME": ["x"]})
    add(library, "acec", drawn, covers="bounds", part="east", edition="E1")
    told = metes("layers", "sync", "acec", "--state", data=tmp_path / "d")
    assert told.out.startswith(
        "acec (state): not brought, and no edition of it is in force; of other parts in force: "
    )
    add(library, "acec", drawn, covers="bounds", part="state", edition="E2")
    told = metes("layers", "sync", "acec", "--state", data=tmp_path / "d")
    assert told.out.startswith("acec (state): not brought, the edition E2 stays in force. ")


def test_check_asks_for_the_file_of_a_town_that_is_named_or_held(metes: Metes, tmp_path: Path) -> None:
    named = metes("layers", "sync", "--check", "--town", "bellingham", data=tmp_path / "d")
    assert "L3_SHP_M025_BELLINGHAM.zip" in named.out and "DOVER" not in named.out
    columns = {"LOC_ID": ["F_1"], "POLY_TYPE": ["FEE"], "TOWN_ID": [25]}
    lots = write(tmp_path / "lots.gpkg", [box_ft(0, 0, 9, 9)], columns)
    add(Library(tmp_path / "d"), "parcels", lots, covers="bounds", part="bellingham")
    held = metes("layers", "sync", "--check", data=tmp_path / "d")
    assert "L3_SHP_M025_BELLINGHAM.zip" in held.out and "DOVER" not in held.out
    assert "stays" not in held.out


def test_check_names_every_source_once(metes: Metes, tmp_path: Path) -> None:
    told = metes("layers", "sync", "--check", data=tmp_path / "d")
    assert told.code == 1
    specs = load_specs().specs.values()
    asked = sum(1 + len(source.tables) for spec in specs for source in spec.sources)
    lines = told.out.splitlines()
    assert len(lines) == asked
    assert all("gave no whole answer in 1 tries" in line for line in lines)
    assert sum("(its address is not verified)" in line for line in lines) >= 4
    assert any("L3_SHP_M078_DOVER.zip" in line for line in lines)


def test_what_is_said_of_an_address_is_checked_before_anybody_is_asked(metes: Metes, tmp_path: Path) -> None:
    told = metes("layers", "sync", "wetlands", "--from", "https://gis.town.example/w.kml", data=tmp_path / "d")
    assert (told.code, told.err.split(":")[0]) == (2, "bad_parameter")
    assert "--covers" in told.err
    plain = ("--from", "http://gis.town.example/w.kml", "--covers", "bounds", "--map", "kind=Name")
    told = metes("layers", "sync", "wetlands", *plain, data=tmp_path / "d")
    assert told.code == 1
    assert "https" in told.out

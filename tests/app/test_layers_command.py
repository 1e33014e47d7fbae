"""``metes layers``: what a keeper of the library sees, and what is refused with exit 2 and one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from app_service import Said, square

from layers.demo.make import Demo

Metes = Callable[..., Said]


@pytest.fixture
def habitat(tmp_path: Path) -> Path:
    """Return a habitat file in the agency's columns, one polygon crossing itself."""
    bowtie = square(-72.28, 42.38, PRIHAB_ID="PH 2", VERSION="X")
    ring = [[-72.27, 42.38], [-72.269, 42.381], [-72.269, 42.38], [-72.27, 42.381], [-72.27, 42.38]]
    bowtie["geometry"]["coordinates"] = [ring]
    whole = square(-72.28, 42.38, PRIHAB_ID="PH 1", VERSION="X")
    path = tmp_path / "habitat.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [whole, bowtie]}))
    return path


def _refused(said: Said, code: str, *words: str) -> None:
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"{code}: "), said.err
    assert said.err.count("\n") == 1
    assert all(word in said.err for word in words), said.err


def test_list_groups_layers_by_state(metes: Metes) -> None:
    said = metes("layers", "list")
    assert said.code == 0
    ready, missing = said.out.split("NOT LOADED", 1)
    assert "wetlands: MassDEP wetlands" in ready
    assert "doverbrook: edition" in ready
    assert "acec: " in missing
    lots = " ".join(ready.split()).partition("doverbrook: edition ")[2].partition("invented")[0]
    assert "202 features, fiscal year 2026, added 2026-11-30" in lots
    assert "answers for 688.7 acres (the polygon of Doverbrook" in lots
    assert "fetched" not in said.out, "the invented layers were given as files"


def test_list_as_json_is_what_http_says(metes: Metes, web: object) -> None:
    told = metes("layers", "list", "--json").json()
    assert told == web.get("/v1/layers").json()  # type: ignore[attr-defined]


def test_list_of_an_empty_folder_says_what_that_means(metes: Metes, tmp_path: Path) -> None:
    said = metes("layers", "list", data=tmp_path / "nothing")
    assert "NOT LOADED: FINDINGS ON THESE SAY NOT_CHECKED" in said.out
    assert "READY" not in said.out


def test_add_tells_what_was_kept_and_mended(metes: Metes, habitat: Path, tmp_path: Path) -> None:
    said = metes(
        "layers",
        "add",
        "priority_habitat",
        str(habitat),
        "--covers",
        "bounds",
        "--edition",
        "e1",
        data=tmp_path / "d",
    )
    assert said.code == 0, said.err
    assert "edition e1 is in force" in said.out
    assert "2 in, 2 kept" in said.out
    assert "1 feature: self-intersection; area changed by" in said.out
    assert "habitat_id from PRIHAB_ID" in said.out
    assert "the box around its features" in said.out or "bounds" in said.out
    assert said.err == ""


def test_verify_and_rollback(metes: Metes, habitat: Path, tmp_path: Path) -> None:
    data = tmp_path / "d"
    for name in ("e1", "e2"):
        habitat.write_text(habitat.read_text().replace('"X"', f'"{name}"'))
        words = ("layers", "add", "priority_habitat", str(habitat), "--covers", "bounds", "--edition", name)
        assert metes(*words, data=data).code == 0
    assert "edition e2" in metes("layers", "list", data=data).out
    back = metes("layers", "rollback", "priority_habitat", "e1", data=data)
    assert (back.code, back.out) == (0, "priority_habitat (habitat): edition e1 is in force\n")
    assert "edition e1" in metes("layers", "list", data=data).out
    checked = metes("layers", "verify", data=data)
    assert checked.code == 0
    assert "2 editions" in checked.out
    assert "0 failed" in checked.out


def test_a_part_added_by_mistake_is_taken_back_as_it_was_told(metes: Metes, habitat: Path, tmp_path: Path) -> None:
    data = tmp_path / "d"
    words = ("layers", "add", "priority_habitat", "--covers", "bounds")
    assert "If not meant" not in metes(*words, str(habitat), data=data).out
    wrong = habitat.rename(habitat.with_name("wrong.geojson"))
    told = " ".join(metes(*words, str(wrong), data=data).out.split())
    assert "If not meant metes layers withdraw priority_habitat wrong" in told
    said = metes("layers", "withdraw", "priority_habitat", "wrong", data=data)
    assert (said.code, said.err) == (0, "")
    assert "Still in force: habitat. What else lay on its ground is unknown from now on." in said.out
    (edition,) = [
        one
        for one in metes("layers", "editions", "priority_habitat", "--json", data=data).json()["editions"]
        if one["part"] == "wrong"
    ]
    assert (edition["current"], edition["withdrawn"]) == (False, True)
    assert "kept; withdrawn" in metes("layers", "editions", "priority_habitat", data=data).out
    said = metes("layers", "withdraw", "priority_habitat", "habitat", data=data)
    assert "what is asked of it is not checked from now on" in said.out
    listed = " ".join(metes("layers", "list", data=data).out.split()).partition("NOT LOADED")[2]
    assert "habitat: withdrawn, nothing of it is in force; back: metes layers rollback priority_habitat" in listed
    _refused(metes("layers", "withdraw", "priority_habitat", "habitat", data=data), "not_found", "it has none")
    assert metes("layers", "rollback", "priority_habitat", f"wrong/{edition['edition']}", data=data).code == 0


def test_verify_finds_damage_and_ends_with_one(metes: Metes, habitat: Path, tmp_path: Path) -> None:
    data = tmp_path / "d"
    metes("layers", "add", "priority_habitat", str(habitat), "--covers", "bounds", data=data)
    features = next(data.rglob("features.parquet"))
    features.write_bytes(features.read_bytes()[:-20] + bytes(20))
    said = metes("layers", "verify", data=data)
    assert said.code == 1
    assert "features.parquet is not the file that was written" in said.out
    assert str(tmp_path) not in said.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("priority_habitat", "{file}"), "bad_parameter", "--covers"),
        (("swamps", "{file}", "--covers", "bounds"), "layer_unknown", "swamps"),
        (("priority_habitat", "nowhere.zip", "--covers", "bounds"), "bad_parameter", "nowhere.zip"),
        (("priority_habitat", "{file}", "--covers", "town:atlantis"), "town_unknown", "atlantis"),
        (("priority_habitat", "{file}", "--covers", "bounds", "--map", "x"), "bad_parameter", "ours=theirs"),
        (("priority_habitat", "{file}", "--covers", "bounds", "--layer", "none"), "layer_unknown", "none"),
        (("wetlands", "{file}", "--covers", "bounds"), "bad_parameter", "--map kind="),
        (("elevation", "{file}"), "unsupported_format", "no GeoTIFF"),
    ],
)
def test_add_refuses_in_one_sentence(
    metes: Metes, habitat: Path, tmp_path: Path, words: tuple[str, ...], code: str, said: str
) -> None:
    spoken = [word.replace("{file}", str(habitat)) for word in words]
    _refused(metes("layers", "add", *spoken, data=tmp_path / "d"), code, said)
    assert not list((tmp_path / "d").glob("layers/*/*/current"))


def test_rollback_to_what_is_not_kept_is_refused(metes: Metes, demo: Demo) -> None:
    _refused(metes("layers", "rollback", "wetlands", "1999", data=demo.data), "not_found", "1999")


def test_add_tells_the_cells_of_a_raster(metes: Metes, demo: Demo, tmp_path: Path) -> None:
    source = demo.data / "sources"
    said = metes("layers", "add", "elevation", str(source / "lidar-dem.tif"), data=tmp_path / "d")
    told = " ".join(said.out.split())
    assert said.code == 0
    assert "800 by 450 cells of 20 ft, heights from" in told
    said = metes("layers", "add", "impervious", str(source / "land-cover-2016.tif"), data=tmp_path / "d")
    assert "class 2 counts, 5,644 cells of it" in " ".join(said.out.split())
    said = metes("layers", "list", data=tmp_path / "d")
    assert "360,000 cells with data" in " ".join(said.out.split())
    assert metes("layers", "verify", data=tmp_path / "d").code == 0


def test_editions_are_listed_with_the_name_to_roll_back_to(metes: Metes, habitat: Path, tmp_path: Path) -> None:
    words = ("layers", "add", "priority_habitat", str(habitat), "--covers", "bounds", "--edition")
    for name in ("e1", "e2"):
        assert metes(*words, name, data=tmp_path / "d").code == 0
    said = metes("layers", "editions", "priority_habitat", data=tmp_path / "d")
    assert said.out.index("habitat/e2, in force") < said.out.index("habitat/e1, kept")
    assert metes("layers", "rollback", "priority_habitat", "habitat/e1", data=tmp_path / "d").code == 0
    told = metes("layers", "editions", "priority_habitat", "--json", data=tmp_path / "d").json()
    assert {(one["edition"], one["current"]) for one in told["editions"]} == {("e1", True), ("e2", False)}
    none = metes("layers", "editions", "acec", data=tmp_path / "d")
    assert "No edition of 'acec' is kept" in none.out
    _refused(metes("layers", "editions", "swamps"), "layer_unknown", "swamps")

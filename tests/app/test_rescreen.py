"""Kept screenings asked again: what a swap would change and why, by HTTP and by command; what was kept stays."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from app_service import ON, Said, serving
from shapely import box
from shapely.geometry import mapping
from starlette.testclient import TestClient

from app.cli import run
from app.settings import Settings
from layers.demo.make import Demo
from layers.demo.plan import placed
from layers.ingest.request import AddRequest
from layers.library import Library
from spatial.crs import reproject

DAY = date.fromisoformat(ON)


@pytest.fixture(scope="module")
def place(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return the invented towns in a folder where editions may be swapped."""
    data = tmp_path_factory.mktemp("swapped") / "data"
    shutil.copytree(demo.data, data)
    return Settings(data=data, public_rate="100000/minute")


@pytest.fixture(scope="module")
def client(place: Settings) -> Iterator[TestClient]:
    with serving(place) as made:
        yield made


@pytest.fixture(scope="module")
def admin(client: TestClient) -> dict[str, str]:
    _, secret = client.app.state.service.keys.create("admin", "test")  # type: ignore[attr-defined]
    return {"Authorization": f"Bearer {secret}"}


@pytest.fixture(scope="module")
def swamp(place: Settings, client: TestClient, mill: bytes, admin: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Screen Mill Street and Quarry Road, then swap the wetlands for a swamp under the garden on Mill Street."""
    quarry = (place.data / "samples" / "quarry-road.geojson").read_bytes()
    kept = [client.post("/v1/screenings", params={"on": ON}, content=sent).json() for sent in (mill, quarry)]
    library = Library(place.data)
    (before,) = library.current("wetlands")
    shape = reproject(placed(box(4_050, 2_680, 4_090, 2_900)), "EPSG:26986", "EPSG:4326")
    feature = {
        "type": "Feature",
        "properties": {"IT_VALC": "SS", "IT_VALDESC": "SHRUB SWAMP", "SOURCE_SCA": 5_000},
        "geometry": mapping(shape),
    }
    path = place.data / "swamp.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    covers = place.data / "sources" / "invented-towns.geojson"
    after = library.add(AddRequest("wetlands", path, DAY, covers=str(covers), invented=True))
    assert after.part == before.part
    told = client.post("/v1/layers/wetlands/rescreen", headers=admin)
    assert told.status_code == 200, told.text
    yield {"told": told.json(), "kept": kept, "before": before.edition, "after": after.edition}
    library.rollback("wetlands", before.edition)


def _of(told: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    (one,) = [change for change in told["changed"] if change["id"] == kept["id"]]
    return one  # type: ignore[no-any-return]


def test_a_finding_tells_before_after_and_why(swamp: dict[str, Any]) -> None:
    """The garden reaches y 2,700; the new swamp begins at 2,680 and is 40 ft wide."""
    one = _of(swamp["told"], swamp["kept"][0])
    (wetlands,) = [f for f in one["findings"] if f["theme"] == "wetlands"]
    assert (wetlands["before"]["status"], wetlands["before"]["nearest_ft"]) == ("none_mapped", 60.0)
    assert (wetlands["after"]["status"], wetlands["after"]["disturbance_sqft"]) == ("affected", 800.0)
    assert (wetlands["before"]["edition"], wetlands["after"]["edition"]) == (swamp["before"], swamp["after"])
    assert wetlands["why"] == [f"wetlands (invented-towns): {swamp['before']} before, {swamp['after']} now"]


def test_only_what_the_layer_feeds_is_listed(swamp: dict[str, Any]) -> None:
    one = _of(swamp["told"], swamp["kept"][0])
    assert {f["layer"] for f in one["findings"]} == {"wetlands"}
    (edition,) = one["editions"]
    assert (edition["kind"], edition["id"]) == ("layer", "wetlands")


def test_a_determination_tells_before_after_and_why(swamp: dict[str, Any]) -> None:
    rules = {d["rule"]: d for d in _of(swamp["told"], swamp["kept"][0])["determinations"]}
    area = rules["ma-310cmr10.resource_area"]
    assert (area["before"]["result"], area["after"]["result"]) == ("needs_input", "triggered")
    assert area["why"] == [f"wetlands (invented-towns): {swamp['before']} before, {swamp['after']} now"]
    assert "dover-159.fill_storage" not in rules


def test_what_was_kept_stays_word_for_word(client: TestClient, swamp: dict[str, Any]) -> None:
    for kept in swamp["kept"]:
        assert client.get(kept["url"]).json() == kept
    assert len(client.app.state.service.nearby) == 2  # type: ignore[attr-defined]


def test_only_answers_on_another_edition_are_asked(
    client: TestClient, swamp: dict[str, Any], admin: dict[str, str]
) -> None:
    assert (swamp["told"]["looked_at"], swamp["told"]["asked"], swamp["told"]["not_asked"]) == (2, 2, [])
    told = client.post("/v1/layers/floodplain/rescreen", headers=admin).json()
    assert (told["looked_at"], told["asked"], told["changed"]) == (2, 0, [])


def test_a_long_list_is_told_in_pieces(client: TestClient, swamp: dict[str, Any], admin: dict[str, str]) -> None:
    first = client.post("/v1/layers/wetlands/rescreen", params={"limit": 1}, headers=admin).json()
    assert (first["asked"], first["next"] is not None) == (1, True)
    rest = client.post("/v1/layers/wetlands/rescreen", params={"after": first["next"]}, headers=admin).json()
    assert (rest["asked"], rest["next"]) == (1, None)
    assert first["changed"] + rest["changed"] == swamp["told"]["changed"]


def test_only_admin_may_ask_and_only_of_layers_there_are(client: TestClient, admin: dict[str, str]) -> None:
    assert client.post("/v1/layers/wetlands/rescreen").status_code == 401
    answer = client.post("/v1/layers/swamps/rescreen", headers=admin)
    assert (answer.status_code, answer.json()["code"]) == (404, "layer_unknown")


def test_one_at_a_time(client: TestClient, admin: dict[str, str]) -> None:
    with client.app.state.service.rescreening:  # type: ignore[attr-defined]
        answer = client.post("/v1/layers/wetlands/rescreen", headers=admin)
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")


@pytest.fixture
def metes(place: Settings, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Said]:
    def command(*words: str) -> Said:
        capfdbinary.readouterr()
        code = run(["--data", str(place.data), *words])
        out, err = capfdbinary.readouterr()
        return Said(code, out.decode(), err.decode())

    return command


def test_the_command_says_the_same(metes: Callable[..., Said], swamp: dict[str, Any]) -> None:
    assert metes("rescreen", "--layer", "wetlands", "--json").json() == swamp["told"]
    said = metes("rescreen")
    told = " ".join(said.out.split())
    assert said.code == 0
    asked = (
        "2 rest on other maps, law or program than when they were made, and were asked again: 2 would be answered"
    )
    assert f"2 kept answers looked at. {asked} otherwise." in told
    assert f"Kept as {swamp['kept'][0]['id']}" in told
    assert "none mapped, nearest 60 ft away before; affected, too close to call, 800 sq ft of the work now" in told


def test_the_command_refuses_a_layer_there_is_not(metes: Callable[..., Said]) -> None:
    said = metes("rescreen", "--layer", "swamps")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("layer_unknown: ")


def test_parcels_that_are_gone_are_said_not_skipped(
    place: Settings, client: TestClient, mill: bytes, admin: dict[str, str], tmp_path: Path, swamp: dict[str, Any]
) -> None:
    lot = swamp["kept"][0]["parcels"][0]["loc_id"]
    client.post("/v1/screenings", params={"on": ON, "parcel": lot}, content=mill)
    service = client.app.state.service  # type: ignore[attr-defined]
    part = place.data / "layers" / "parcels" / "doverbrook" / "current"
    name = part.read_text()
    part.unlink()
    try:
        service.library.refresh()
        told = client.post("/v1/layers/parcels/rescreen", headers=admin).json()
    finally:
        part.write_text(name)
        service.library.refresh()
    assert [one["code"] for one in told["not_asked"]] == ["parcel_unknown"]
    changed = _of(told, swamp["kept"][0])
    assert any("parcels (doverbrook)" in line for d in changed["determinations"] for line in d["why"])


def test_a_layer_withdrawn_is_unknown_from_then_on_and_kept_answers_stay(
    place: Settings, client: TestClient, admin: dict[str, str], swamp: dict[str, Any], metes: Callable[..., Said]
) -> None:
    (force,) = Library(place.data).current("wetlands")
    said = metes("layers", "withdraw", "wetlands", force.part)
    try:
        assert (said.code, said.err) == (0, "")
        told = " ".join(said.out.split())
        assert f"wetlands ({force.part}): edition {force.edition} is withdrawn" in told
        assert f"back: metes layers rollback wetlands {force.part}/{force.edition}" in told
        again = client.post("/v1/layers/wetlands/rescreen", headers=admin).json()
        one = _of(again, swamp["kept"][0])
        (wetlands,) = [f for f in one["findings"] if f["theme"] == "wetlands"]
        assert wetlands["after"]["status"] == "not_checked"
        (listed,) = [x for x in client.get("/v1/layers").json()["layers"] if x["id"] == "wetlands"]
        assert (listed["state"], listed["editions"]) == ("missing", [])
        assert listed["withdrawn"] == [{"part": force.part, "edition": force.edition}]
        assert "withdrawn, nothing of it is in force; back: metes layers rollback" in " ".join(
            metes("layers", "list").out.split()
        )
        kept = client.get(swamp["kept"][0]["url"]).json()
        assert kept == swamp["kept"][0]
        assert client.get("/v1/layers/wetlands/items").status_code == 503
    finally:
        assert metes("layers", "rollback", "wetlands", f"{force.part}/{force.edition}").code == 0
    back = client.post("/v1/layers/wetlands/rescreen", headers=admin).json()
    assert _of(back, swamp["kept"][0]) == _of(swamp["told"], swamp["kept"][0]), "rolled back, all is as it was"


def test_a_site_on_a_layer_withdrawn_is_not_checked(
    place: Settings, client: TestClient, mill: bytes, swamp: dict[str, Any]
) -> None:
    library = Library(place.data)
    taken = library.withdraw("floodplain", library.current("floodplain")[0].part)
    try:
        told = client.post("/v1/screenings", params={"on": ON}, content=mill).json()
    finally:
        library.rollback("floodplain", f"{taken.part}/{taken.edition}")
    (flood,) = [f for f in told["findings"] if f["theme"] == "floodplain"]
    assert flood["status"] == "not_checked"
    assert f"no edition is in force, as the part {taken.part} was withdrawn" in flood["why"]
    assert told["id"] not in {one["id"] for one in swamp["kept"]}


def test_editions_tell_what_changed_and_where_they_come_from(client: TestClient, swamp: dict[str, Any]) -> None:
    """Six wetlands went, one swamp of 40 by 220 ft came; the agency's address is told with its doubts."""
    told = client.get("/v1/layers/wetlands/editions").json()
    assert {e["edition"] for e in told["editions"]} == {swamp["before"], swamp["after"]}
    (change,) = told["changes"]
    assert (change["before"], change["after"], change["comparable"]) == (swamp["before"], swamp["after"], True)
    assert (change["gone"]["count"], change["added"]["count"], change["changed"]["count"]) == (6, 1, 0)
    swamps = next(c for c in change["classes"] if c["name"] == "SHRUB SWAMP")
    assert (change["unit"], swamps["after"]) == ("sqft", pytest.approx(8_800, abs=0.1))
    assert {s["verified"] for s in told["sources"]} <= {True, False}
    assert told["sources"] == client.get("/v1/layers/wetlands").json()["sources"]
    assert not client.get("/v1/layers/impaired_waters").json()["sources"][0]["verified"]

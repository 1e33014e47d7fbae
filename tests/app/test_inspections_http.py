"""An inspection beside a parcel: the lot named helps to say which system a file without one is in."""

from __future__ import annotations

from typing import Any

import lots
import pytest
import shapely
from starlette.testclient import TestClient

from spatial.crs import DISPLAY_CRS, reproject


def site(web: TestClient, loc_id: str, crs: str) -> bytes:
    """Return the lot itself as Esri JSON that says no system, in the numbers of one."""
    told = web.get(f"/v1/parcels/{loc_id}").json()["geometry"]
    ground = reproject(shapely.geometry.shape(told), DISPLAY_CRS, "EPSG:26986")
    return lots.esri_json(ground, None, crs)


@pytest.fixture(scope="module")
def loc_id(web: TestClient) -> str:
    found: str = web.get("/v1/parcels", params={"q": "408 MILL ST"}).json()["parcels"][0]["loc_id"]
    return found


@pytest.mark.parametrize("crs", ["EPSG:2249", "EPSG:26986", "EPSG:26919"])
def test_the_system_that_puts_the_work_on_the_lot_comes_first(web: TestClient, loc_id: str, crs: str) -> None:
    answer = web.post("/v1/inspections", params={"parcel": loc_id}, content=site(web, loc_id, crs))
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["code"], problem["suggestions"][0]) == (422, "crs_missing", crs)


def test_a_parcel_nobody_holds_is_refused(web: TestClient, loc_id: str) -> None:
    answer = web.post("/v1/inspections", params={"parcel": "F_1_1"}, content=site(web, loc_id, "EPSG:26986"))
    assert answer.json()["code"] == "parcel_unknown"


def test_a_shape_sent_alone_goes_by_the_name_it_was_given(web: TestClient) -> None:
    alone = (b"\x00\x00\x27\x0a" + b"\x00" * 200,)
    answer = web.post("/v1/inspections", files={"file": ("Mill St lot.shp", *alone)})
    assert answer.json()["code"] == "missing_component"
    assert answer.json()["detail"].startswith("The shapefile 'Mill St lot' comes without its .shx file")


@pytest.mark.parametrize("name", ["town", "on", "stored_fill_cuyd"])
def test_what_only_a_screening_takes_is_refused(web: TestClient, loc_id: str, name: str) -> None:
    said = {"town": "doverbrook", "on": "2026-11-30", "stored_fill_cuyd": "5"}[name]
    answer = web.post("/v1/inspections", params={name: said}, content=site(web, loc_id, "EPSG:26986"))
    assert answer.json()["code"] == "bad_parameter"
    assert "crs, layer and parcel" in answer.json()["detail"]


def test_the_command_takes_a_parcel_too(metes: Any, web: TestClient, loc_id: str, tmp_path: Any) -> None:
    file = tmp_path / "site.json"
    file.write_bytes(site(web, loc_id, "EPSG:2249"))
    said = metes("inspect", str(file), "--parcel", loc_id, "--json")
    assert said.code == 2
    assert '"suggestions":["EPSG:2249"' in said.out.replace(" ", "")
    detail = said.json()["detail"]
    assert "EPSG:2249 (NAD83 / Massachusetts Mainland, US survey feet; on the parcel)" in detail
    fitting = said.json()["suggestions"]
    assert f" or {len(fitting) - 3} more. Say which it is" in detail


def test_where_a_file_lies_is_told_in_degrees_for_a_map(web: TestClient, loc_id: str) -> None:
    lot = shapely.geometry.shape(web.get(f"/v1/parcels/{loc_id}").json()["geometry"])
    told = web.post("/v1/inspections", params={"crs": "EPSG:2249"}, content=site(web, loc_id, "EPSG:2249")).json()
    west, south, east, north = told["bounds_4326"]
    around = shapely.box(west, south, east, north)
    assert shapely.covers(shapely.buffer(around, 1e-7), lot)
    assert around.bounds == pytest.approx(lot.bounds, abs=2e-5)

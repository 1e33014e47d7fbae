"""Reading under load and under limits, seen from outside: others are served, too many are told when to come."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import lots
import pytest
import shapely
from app_service import serving
from starlette.testclient import TestClient

from app.settings import Settings

LOT = lots.geojson((lots.LOT, {}))
KML = lots.kml(lots.kml_polygon())


def slow_content() -> bytes:
    rings = [shapely.Point(*lots.CENTROID).buffer(40 + i * 0.01, quad_segs=40) for i in range(400)]
    return lots.geojson(*[(ring, {}) for ring in rings])


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(
        data=tmp_path,
        public_rate="100000/minute",
        readers=1,
        uploads_waiting=1,
        reading_seconds=1.0,
        upload_features=500,
        upload_vertices=80_000,
    )
    with serving(settings) as client:
        client.post("/v1/inspections", files={"file": ("a.geojson", LOT)})
        yield client


def test_while_one_is_read_others_are_served_and_too_many_are_told_when_to_come_back(client: TestClient) -> None:
    slow = slow_content()
    statuses: list[tuple[int, str | None, str]] = []

    def ask() -> None:
        answer = client.post("/v1/inspections", files={"file": ("a.geojson", slow)})
        statuses.append((answer.status_code, answer.headers.get("Retry-After"), answer.json().get("code")))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    began = time.monotonic()
    assert client.get("/v1/facts").status_code == 200
    assert time.monotonic() - began < 1.0
    for thread in threads:
        thread.join()
    told = sorted({(status, code) for status, _, code in statuses})
    assert (503, "busy") in told
    assert all(after for status, after, _ in statuses if status == 503)
    assert {code for status, _, code in statuses if status == 422} <= {"timeout"}
    assert client.post("/v1/inspections", files={"file": ("a.geojson", LOT)}).status_code == 200


def test_loose_parts_of_a_shapefile_in_one_request(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    lots.ogr_files(folder, "ESRI Shapefile", "EPSG:2249", lots.LOT)
    files = [("file", (f.name, f.read_bytes())) for f in sorted(folder.iterdir())]
    seen = client.post("/v1/inspections", files=files).json()
    assert (seen["crs"], seen["crs_source"], seen["area_sqft"]) == ("EPSG:2249", "file", 60_000.0)
    without_prj = [part for part in files if not part[1][0].endswith(".prj")]
    problem = client.post("/v1/inspections", files=without_prj).json()
    assert (problem["code"], problem["suggestions"][0]) == ("crs_missing", "EPSG:2249")
    declared = client.post("/v1/inspections", files=without_prj, data={"crs": "EPSG:2249"}).json()
    assert declared["crs_source"] == "declared"


def test_limits_are_settings_and_named(client: TestClient) -> None:
    many = lots.geojson(*[(lots.box_ft(i), {}) for i in range(501)])
    problem = client.post("/v1/inspections", files={"file": ("a.geojson", many)}).json()
    assert (problem["status"], problem["code"]) == (422, "too_complex")
    assert "500 features" in problem["detail"]


def test_a_kml_in_the_body_by_its_bytes(client: TestClient) -> None:
    answer = client.post("/v1/inspections", content=KML, headers={"Content-Type": "application/octet-stream"})
    assert answer.json()["format"] == "kml"

"""The picture around an answer, over HTTP: what the answer measured by, and by name what of it is not drawn."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import shapely
from app_service import serving
from starlette.testclient import TestClient

from app.settings import Settings
from app.surroundings import surroundings
from layers.demo.make import Demo
from spatial.crs import reproject
from spatial.units import m_from_ft, sqft_from_sqm


def asked(web: TestClient, work: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    told = web.post("/v1/screenings", content=work, headers={"content-type": "application/geo+json"}).json()
    return told, web.get(f"{told['url']}/surroundings.geojson").json()


def of(drawn: dict[str, Any], **wanted: object) -> list[dict[str, Any]]:
    return [one for one in drawn["features"] if wanted.items() <= one["properties"].items()]


def ground(feature: dict[str, Any]) -> shapely.Geometry:
    return reproject(shapely.from_geojson(json.dumps(feature["geometry"])), "EPSG:4326", "EPSG:26986")


def outline(shape: shapely.Geometry) -> shapely.Geometry:
    return shape.boundary if shapely.get_dimensions(shape) == 2 else shape


def test_the_rings_drawn_are_the_ground_the_answer_measured(web: TestClient, mill: bytes) -> None:
    told, drawn = asked(web, mill)
    finding = next(f for f in told["findings"] if f["theme"] == "buffer_zone" and f["status"] == "affected")
    work = shapely.union_all([ground(one) for one in json.loads(mill)["features"]])
    measured = {(z["from_ft"], z["to_ft"]): z["disturbance_sqft"] for z in finding["zones"] if z["to_ft"]}
    rings = of(drawn, what="ring", theme="buffer_zone", layer=finding["layer"]["id"])
    assert {(one["properties"]["from_ft"], one["properties"]["to_ft"]) for one in rings} == set(measured)
    for one in rings:
        shown = sqft_from_sqm(shapely.intersection(ground(one), work).area)
        limits = one["properties"]["from_ft"], one["properties"]["to_ft"]
        assert shown == pytest.approx(measured[limits], abs=10.0)
    row = next(r for r in drawn["findings"] if r["layer"] == finding["layer"]["id"] and r["theme"] == "buffer_zone")
    assert (row["title"], row["status"], row["drawn"]) == (finding["title"], "affected", True)
    assert row["bands_ft"] == [25.0, 50.0, 100.0, 150.0, 200.0]
    assert "never measured" in drawn["note"]
    assert len(of(drawn, what="frame", around_ft=600.0)) == 1


def test_every_finding_is_drawn_or_named_but_for_watersheds_and_rasters(web: TestClient, mill: bytes) -> None:
    told, drawn = asked(web, mill)
    numbers = {"huc10", "huc12", "impervious", "slope"}
    findings = {(f["theme"], f["layer"]["id"]) for f in told["findings"] if f["theme"] not in numbers}
    assert {(row["theme"], row["layer"]) for row in drawn["findings"]} == findings


def test_what_was_not_checked_and_what_has_changed_since_is_named_and_not_drawn(
    tmp_path: Path, demo: Demo, mill: bytes
) -> None:
    data = shutil.copytree(demo.data, tmp_path / "data")
    shutil.rmtree(data / "layers" / "zone2")
    with serving(Settings(data=data)) as client:
        told, drawn = asked(client, mill)
        row = next(r for r in drawn["findings"] if r["layer"] == "zone2")
        assert (row["drawn"], row["shapes"]) == (False, 0)
        assert "no edition is loaded" in row["why_not"]
    shutil.rmtree(data / "layers" / "wetlands")
    with serving(Settings(data=data)) as client:
        later = client.get(f"{told['url']}/surroundings.geojson").json()
        rows = [r for r in later["findings"] if r["layer"] == "wetlands"]
        assert rows
        assert all(not r["drawn"] and "has changed" in r["why_not"] for r in rows)
        assert of(later, layer="wetlands") == []


def test_a_delineation_takes_the_place_of_the_maps_rings(web: TestClient, mill: bytes) -> None:
    sent = json.loads(mill)
    west, _, east, north = shapely.total_bounds(
        [shapely.from_geojson(json.dumps(one["geometry"])) for one in sent["features"]]
    )
    flagged = {"role": "delineation", "by": "A. Botanist", "on": "2026-05-01", "orad": "123-456"}
    edge = {"type": "LineString", "coordinates": [[west, north], [east, north]]}
    sent["features"].append({"type": "Feature", "properties": flagged, "geometry": edge})
    told, drawn = asked(web, json.dumps(sent).encode())
    delineated = {(f["theme"], f["layer"]["id"]) for f in told["findings"] if f["delineation"]}
    rows = [r for r in drawn["findings"] if (r["theme"], r["layer"]) in delineated]
    assert rows
    assert all("delineation" in r["why_not"] for r in rows)


def test_it_is_packed_for_who_can_unpack_and_light(web: TestClient, mill: bytes) -> None:
    told, _ = asked(web, mill)
    url = f"{told['url']}/surroundings.geojson"
    packed = web.get(url, headers={"accept-encoding": "gzip"})
    plain = web.get(url, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < 40_000
    assert web.get("/v1/screenings/unheard-of/surroundings.geojson").status_code == 404


def test_a_finding_with_many_corners_is_thinned_and_says_so_and_with_too_many_is_not_drawn(
    web: TestClient, mill: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, exact = asked(web, mill)
    monkeypatch.setattr("app.surroundings.MANY_CORNERS", 3)
    thin = json.loads(surroundings(web.app.state.service, told["id"]))  # type: ignore[attr-defined]
    for lighter, whole in zip(thin["features"], exact["features"], strict=True):
        corners = shapely.points(shapely.get_coordinates(ground(whole)))
        assert shapely.distance(corners, outline(ground(lighter))).max() <= m_from_ft(1.0) + 0.02
    assert {row["drawn_to_ft"] for row in thin["findings"] if row["shapes"]} == {1.0}
    with monkeypatch.context() as small:
        small.setattr("app.surroundings.MOST_ACRES", 1.0)
        far = json.loads(surroundings(web.app.state.service, told["id"]))  # type: ignore[attr-defined]
    assert [one["properties"]["what"] for one in far["features"]] == ["frame"]
    assert all(row["why_not"] for row in far["findings"])
    monkeypatch.setattr("app.surroundings.MOST_CORNERS", 3)
    drawn = json.loads(surroundings(web.app.state.service, told["id"]))  # type: ignore[attr-defined]
    assert [one["properties"]["what"] for one in drawn["features"]] == ["frame"]
    row = next(r for r in drawn["findings"] if r["theme"] == "buffer_zone" and r["status"] == "affected")
    assert "more corners" in row["why_not"]

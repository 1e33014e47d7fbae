"""The same question has one id; the id is another as soon as what the layers say here is another."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from app_service import ON, serving
from starlette.testclient import TestClient

from app.rescreen import rescreen
from app.settings import Settings
from layers.demo.make import Demo
from layers.ingest.request import AddRequest
from layers.library import Library

SQUARE_M = 30.0


@pytest.fixture
def town(demo: Demo, tmp_path: Path) -> Path:
    """Return a copy of the invented towns without impaired waters."""
    data = tmp_path / "data"
    shutil.copytree(demo.data, data)
    shutil.rmtree(data / "layers" / "impaired_waters")
    return data


@pytest.fixture
def own(town: Path, settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    """Return a client of a service on that copy."""
    there = settings.model_copy(update={"data": town, "database_url": f"sqlite:///{tmp_path / 'metes.db'}"})
    with serving(there) as web:
        yield web


def ask(web: TestClient, content: bytes) -> dict[str, Any]:
    answer = web.post("/v1/screenings", params={"on": ON}, content=content)
    assert answer.status_code in {200, 201}, answer.text
    told: dict[str, Any] = answer.json()
    return told


def _status(told: dict[str, Any], layer: str) -> str:
    (found,) = {f["status"] for f in told["findings"] if f["layer"]["id"] == layer}
    return str(found)


def _square(folder: Path, x: float, y: float, **properties: object) -> Path:
    ring = [[x, y], [x + SQUARE_M, y], [x + SQUARE_M, y + SQUARE_M], [x, y + SQUARE_M], [x, y]]
    feature = {"type": "Feature", "properties": properties, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::26986"}}
    path = folder / f"square-{x:.0f}.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "crs": crs, "features": [feature]}))
    return path


def _add(town: Path, layer: str, path: Path, covers: str, mapping: dict[str, str] | None = None) -> str:
    request = AddRequest(layer, path, covers=covers, mapping=mapping or {}, on=date.fromisoformat(ON))
    return Library(town).add(request).edition


def test_a_layer_that_was_absent_and_is_now_loaded_elsewhere_asks_another_question(
    own: TestClient, mill: bytes, town: Path, tmp_path: Path
) -> None:
    absent = ask(own, mill)
    assert _status(absent, "impaired_waters") == "not_checked"
    assert ask(own, mill) == absent
    far = _square(tmp_path, 300_000.0, 850_000.0, unit_id="MA1", name="Far", category="5")
    _add(town, "impaired_waters", far, "bounds")
    (change,) = rescreen(own.app.state.service).changed  # type: ignore[attr-defined]
    assert change.id == absent["id"]
    elsewhere = ask(own, mill)
    assert _status(elsewhere, "impaired_waters") == "no_data"
    assert elsewhere["id"] != absent["id"]
    assert ask(own, mill) == elsewhere


def test_rolling_back_gives_the_earlier_answer_under_its_own_id(
    own: TestClient, mill: bytes, town: Path, tmp_path: Path
) -> None:
    first = ask(own, mill)
    before = next(e for e in first["editions"] if e["layer"] == "wetlands")
    library = Library(town)
    x, y = _middle(first, library)
    path = _square(tmp_path, x, y, kind="BOG")
    covers = _square(tmp_path, x + 1.0, y + 1.0)
    part = _add(town, "wetlands", path, str(covers), {"kind": "kind"})
    second = ask(own, mill)
    assert second["id"] != first["id"]
    assert part in {e["edition"] for e in second["editions"]}
    shutil.rmtree(town / "layers" / "wetlands" / covers.stem)
    assert before["edition"] in {e["edition"] for e in ask(own, mill)["editions"]}
    assert ask(own, mill) == first


def _middle(told: dict[str, Any], library: Library) -> tuple[float, float]:
    lot = library.snapshot().parcels.get(told["parcels"][0]["loc_id"])
    return lot.geometry.centroid.x, lot.geometry.centroid.y

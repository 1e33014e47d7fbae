"""A layer past its limit: told in words, silent findings not checked, hits standing, and the operator's choice."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from app_service import serving, square

from app.differences import difference
from app.schemas.screening import Screening
from app.screening import today
from app.settings import Settings
from layers.library import AddRequest, Library

DAYS = 500
"""Flood zones are stale after 400 days."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library with one flood zone, fetched 500 days ago."""
    folder = tmp_path_factory.mktemp("stale")
    zones = [square(-71.28, 42.24, 0.01, FLD_AR_ID="1", FLD_ZONE="AE", SFHA_TF="T"), _dry()]
    path = folder / "zones.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": zones}))
    on = today() - timedelta(days=DAYS)
    Library(folder / "data").add(AddRequest("floodplain", path, on, covers="bounds", edition="old"))
    return folder / "data"


def _dry() -> dict[str, Any]:
    return square(-71.26, 42.24, 0.01, FLD_AR_ID="2", FLD_ZONE="X", SFHA_TF="F")


def asked(data: Path, lon: float, *, allow_stale: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the layer and its finding for a small square at a longitude."""
    with serving(Settings(data=data, allow_stale=allow_stale)) as client:
        layer = client.get("/v1/layers/floodplain").json()
        told = client.post("/v1/screenings", json=square(lon, 42.245)).json()
        listed = next(one for one in client.get("/v1/layers").json()["layers"] if one["id"] == "floodplain")
    assert listed["why"] == layer["why"]
    return layer, next(f for f in told["findings"] if f["theme"] == "floodplain")


@pytest.mark.parametrize(
    ("lon", "allow_stale", "status", "words"),
    [
        (-71.255, False, "not_checked", "without a hit it does not count as checked"),
        (-71.255, True, "not_affected", "it was used because stale layers are allowed"),
        (-71.275, False, "affected", "a hit stands all the same"),
        (-71.275, True, "affected", "it was used because stale layers are allowed"),
    ],
)
def test_a_stale_layer_in_words_and_in_findings(
    data: Path, lon: float, allow_stale: bool, status: str, words: str
) -> None:
    layer, found = asked(data, lon, allow_stale=allow_stale)
    assert layer["state"] == "stale"
    assert "past its limit of 400 days (zones: edition old is 500 days old)" in layer["why"]
    meaning = "it answers all the same" if allow_stale else "without one its findings say not_checked"
    assert meaning in layer["why"]
    assert found["status"] == status
    assert words in found["why"]


@pytest.mark.parametrize(
    ("lon", "allow_stale", "status", "sqft"),
    [
        (-71.255, False, "not_checked", None),
        (-71.255, True, "not_affected", 0.0),
        (-71.31, True, "no_data", None),
    ],
)
def test_where_nobody_looked_no_ground_is_told_as_nought(
    data: Path, lon: float, allow_stale: bool, status: str, sqft: float | None
) -> None:
    _, found = asked(data, lon, allow_stale=allow_stale)
    assert (found["status"], found["disturbance_sqft"], found["percent_of_disturbance"]) == (status, sqft, sqft)


def test_an_answer_kept_when_nought_was_told_is_no_other_today(data: Path) -> None:
    with serving(Settings(data=data)) as client:
        after = Screening.model_validate(client.post("/v1/screenings", json=square(-71.31, 42.245)).json())
    told = [
        f.model_copy(update={"disturbance_sqft": 0.0, "percent_of_disturbance": 0.0})
        if f.status == "no_data"
        else f
        for f in after.findings
    ]
    assert told != after.findings
    assert difference(after.model_copy(update={"findings": told}), after, {}) is None

"""Several files in one call: all in force, or none."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from layers.library import AddRequest, Library
from spatial.errors import ParameterRefused, Refused

ON = date(2026, 11, 30)


def _pools(folder: Path, name: str, column: str) -> Path:
    points = [[-72.28, 42.38], [-72.281, 42.381]]
    features = [
        {"type": "Feature", "properties": {column: n}, "geometry": {"type": "Point", "coordinates": place}}
        for n, place in enumerate(points)
    ]
    path = folder / f"{name}.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def _request(layer: str, path: Path) -> AddRequest:
    return AddRequest(layer, path, ON, covers="bounds")


def test_manifests_come_in_the_order_asked(tmp_path: Path) -> None:
    library = Library(tmp_path / "data")
    asked = [
        _request("potential_vernal_pools", _pools(tmp_path, "p", "PVP_NUMBER")),
        _request("certified_vernal_pools", _pools(tmp_path, "c", "CVP_NUM")),
    ]
    made = library.add_all(asked)
    assert [m.layer_id for m in made] == ["potential_vernal_pools", "certified_vernal_pools"]
    assert all(library.current(m.layer_id) == (m,) for m in made)
    assert not list((tmp_path / "data" / "layers" / ".aside").iterdir())


def test_one_that_is_refused_keeps_all_out(tmp_path: Path) -> None:
    library = Library(tmp_path / "data")
    good = _request("potential_vernal_pools", _pools(tmp_path, "p", "PVP_NUMBER"))
    bad = _request("certified_vernal_pools", _pools(tmp_path, "c", "SOMETHING"))
    with pytest.raises(Refused, match="pool_id"):
        library.add_all([good, bad])
    assert library.current("potential_vernal_pools") == ()


def test_a_file_that_is_not_there_starts_no_process(tmp_path: Path) -> None:
    library = Library(tmp_path / "data")
    with pytest.raises(ParameterRefused, match="nowhere"):
        library.add_all([_request("wetlands", tmp_path / "nowhere.zip")])


def test_nothing_asked_nothing_done(tmp_path: Path) -> None:
    assert Library(tmp_path / "data").add_all([]) == ()

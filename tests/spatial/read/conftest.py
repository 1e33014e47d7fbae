"""The parts of a shapefile, lying loose."""

from __future__ import annotations

from pathlib import Path

import lots
import pytest


@pytest.fixture
def shapefile(tmp_path: Path) -> Path:
    folder = tmp_path / "parts"
    folder.mkdir()
    lots.ogr_files(folder, "ESRI Shapefile", "EPSG:26986", lots.LOT, lots.box_ft(500), layer="lot")
    return folder

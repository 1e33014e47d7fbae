"""Trees from a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from read_files import refused

from spatial.normalise import normalise
from spatial.read.upload import read


def test_trees_from_a_table(tmp_path: Path) -> None:
    path = tmp_path / "upload.csv"
    path.write_text("id;x;y;dbh_in\nA;217500;888000;24\nB;217510;888000;\n;;;9\n")
    found = read(path, purpose="trees", crs="EPSG:26986")
    site = normalise(found, purpose="trees")
    assert [f.attributes["dbh_in"] for f in site.features] == ["24", None]
    assert {f.role for f in site.features} == {"tree"}
    assert site.area.is_empty
    assert refused(path, crs="EPSG:26986").code == "no_polygon"
    assert refused(path, purpose="trees").code == "crs_missing"
    assert refused(path, purpose="trees", layer="other").code == "layer_unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n", "no_geometry"),
        ("x,y\n1\n", "corrupt_file"),
        ("lon,lat\nhere,there\n", "bad_coordinates"),
        ("lon,lat\nnan,42\n", "bad_coordinates"),
        ("lon,lat\n", "no_features"),
        ("lat,lon\n-71.3,42.2\n", "axes_swapped"),
    ],
)
def test_table_refusals(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "upload.csv"
    path.write_text(text)
    assert refused(path, purpose="trees").code == expected

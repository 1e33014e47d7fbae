"""Which file, and which layer of it, becomes the edition."""

from __future__ import annotations

from pathlib import Path

import pytest
from layer_files import ON, add, box_ft, grid, make_here, pack, wetlands, write

from layers.library import AddRequest, Library
from spatial.errors import FormatRefused, ParameterRefused


def test_another_count_than_the_source_says_is_refused(tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "a.gpkg", grid(2))
    with pytest.raises(FormatRefused, match="5 features, the file 4") as caught:
        make_here(tmp_path, "wetlands", path, covers=covers, count_expected=5)
    assert caught.value.code == "incomplete_source"


def test_several_layers_must_be_told_apart(tmp_path: Path, covers: str) -> None:
    path = tmp_path / "two.gpkg"
    wetlands(path, grid(1), layer="one")
    wetlands(path, grid(2), layer="two")
    with pytest.raises(FormatRefused) as caught:
        make_here(tmp_path, "wetlands", path, covers=covers)
    assert (caught.value.code, caught.value.suggestions) == ("several_layers", ("one", "two"))
    assert make_here(tmp_path, "wetlands", path, covers=covers, source_layer="TWO").count_kept == 4


def test_the_agencys_own_layer_name_is_found_among_several(tmp_path: Path, covers: str) -> None:
    path = tmp_path / "two.gpkg"
    wetlands(path, grid(1), layer="WETLANDSDEP_POLY")
    wetlands(path, grid(2), layer="other")
    manifest = make_here(tmp_path, "wetlands", path, covers=covers)
    assert manifest.count_kept == 1
    assert [r.code for r in manifest.remarks] == ["other_layers"]


def test_a_virtual_dataset_is_not_opened(library: Library, tmp_path: Path, covers: str) -> None:
    real = wetlands(tmp_path / "real.gpkg", grid(1))
    layer = f'<OGRVRTLayer name="real"><SrcDataSource>{real}</SrcDataSource></OGRVRTLayer>'
    (tmp_path / "w.geojson").write_text(f"<OGRVRTDataSource>{layer}</OGRVRTDataSource>")
    with pytest.raises(FormatRefused, match="damaged or of a format"):
        add(library, "wetlands", tmp_path / "w.geojson", covers=covers)


def test_a_layer_that_finds_nothing_says_so(tmp_path: Path, covers: str) -> None:
    path = write(tmp_path / "f.gpkg", [box_ft(0, 0, 9, 9)], {"FLD_ZONE": ["X"], "SFHA_TF": ["F"]})
    assert "nothing_counts" in {r.code for r in make_here(tmp_path, "floodplain", path, covers=covers).remarks}


def test_a_file_that_is_not_there_is_refused(library: Library, tmp_path: Path) -> None:
    with pytest.raises(ParameterRefused, match=r"'nothing\.zip'"):
        library.add(AddRequest("wetlands", tmp_path / "nothing.zip", ON))


def test_a_zipped_geojson_is_taken(tmp_path: Path, covers: str) -> None:
    shape = box_ft(0, 0, 100, 100)
    path = wetlands(tmp_path / "w.geojson", [shape])
    packed = pack(tmp_path / "w.zip", [path], inside="deep/")
    manifest = make_here(tmp_path, "wetlands", packed, covers=covers, crs="EPSG:26986")
    assert manifest.crs_source in ("declared", "file")
    assert manifest.area_sqft == pytest.approx(10_000, rel=1e-5)

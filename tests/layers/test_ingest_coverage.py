"""Which ground an edition answers for."""

from __future__ import annotations

from pathlib import Path

import pytest
from layer_files import add, box_ft, grid, make_here, town_file, wetlands, write

from layers.library import Library
from spatial.errors import ParameterRefused


def test_an_edition_without_features_is_an_honest_negative(library: Library, tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "none.gpkg", [], geometry_type="Polygon")
    manifest = add(library, "wetlands", path, covers=covers)
    (frame,) = library.frame("wetlands")
    assert (manifest.count_in, manifest.count_kept, len(frame)) == (0, 0, 0)
    assert library.snapshot().status("wetlands").absent is None
    assert all(c.ok for c in library.verify())


@pytest.mark.parametrize("covers", [None, "bounds", "features"])
def test_an_edition_without_features_must_say_its_ground(tmp_path: Path, covers: str | None) -> None:
    path = wetlands(tmp_path / "none.gpkg", [], geometry_type="Polygon")
    with pytest.raises(ParameterRefused):
        make_here(tmp_path, "wetlands", path, covers=covers)


def test_watersheds_without_features_must_say_their_ground(tmp_path: Path) -> None:
    path = write(tmp_path / "none.gpkg", [], {"HUC12": []}, geometry_type="Polygon")
    with pytest.raises(ParameterRefused, match="--covers"):
        make_here(tmp_path, "huc12", path)


def test_a_layer_that_tiles_the_ground_covers_its_features(library: Library, tmp_path: Path) -> None:
    shapes = [box_ft(0, 0, 100, 100), box_ft(100, 0, 200, 100)]
    manifest = add(
        library, "huc12", write(tmp_path / "h.gpkg", shapes, {"HUC12": ["010900010101", "010900010102"]})
    )
    assert (manifest.part, manifest.coverage.area_sqft) == ("state", pytest.approx(20_000))
    assert library.frame("huc12")[0].ids.tolist() == ["010900010101", "010900010102"]


def test_a_town_or_the_state_is_covered_by_the_towns_loaded(library: Library, tmp_path: Path) -> None:
    rows = [(78, "DOVER", box_ft(0, 0, 500, 500)), (317, "WELLESLEY", box_ft(500, 0, 900, 500))]
    path = wetlands(tmp_path / "w.gpkg", [box_ft(0, 0, 9, 9)])
    for how in ("town:dover", "state"):
        with pytest.raises(ParameterRefused, match="layer 'towns'"):
            add(library, "wetlands", path, covers=how)
    add(library, "towns", town_file(tmp_path / "towns.gpkg", rows))
    town, state = (add(library, "wetlands", path, covers=how) for how in ("town:78", "state"))
    assert (town.part, town.coverage.area_sqft) == ("dover", pytest.approx(250_000))
    assert (state.part, state.coverage.area_sqft) == ("state", pytest.approx(450_000))


def test_coverage_by_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterRefused, match=r"nowhere\.geojson"):
        make_here(
            tmp_path, "wetlands", wetlands(tmp_path / "w.gpkg", grid(1)), covers=str(tmp_path / "nowhere.geojson")
        )

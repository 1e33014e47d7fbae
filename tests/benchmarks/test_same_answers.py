"""The benchmark's own region at a small scale: the engine's answers are those of the plain tree."""

from __future__ import annotations

import pytest
import shapely

from benchmarks import contenders
from benchmarks.compare import check
from benchmarks.layout import known_lots, open_region
from benchmarks.region import make_region, make_work


@pytest.mark.slow
def test_the_engine_answers_as_whole_features_do() -> None:
    region = make_region(0.002, seed=11)
    frames = open_region(region)
    plain, works = contenders.plain(frames), make_work(region, 200, seed=3)
    assert check(contenders.ours(frames), plain, works) > 5_000
    assert check(contenders.ours(frames, known_lots(region, frames)), plain, works) > 5_000


def test_a_region_is_the_same_from_the_same_seed() -> None:
    one, two = make_region(0.001, seed=4), make_region(0.001, seed=4)
    assert one.features.keys() == two.features.keys()
    for layer, shapes in one.features.items():
        assert shapely.equals_exact(shapes, two.features[layer]).all()
        assert shapely.is_valid(shapes).all()


def test_watersheds_tile_the_ground() -> None:
    region = make_region(0.001)
    assert len(region.features["huc12"]) == 25
    assert shapely.area(region.features["huc12"]).sum() == pytest.approx(region.ground.area, rel=1e-9)
    assert shapely.area(region.features["huc10"]).sum() == pytest.approx(region.ground.area, rel=1e-9)

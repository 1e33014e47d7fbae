"""A library of its own, empty or stocked, and ground for it to cover."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from layer_files import add, box_ft, grid, wetlands, write

from layers.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "data")


@pytest.fixture
def covers(tmp_path: Path) -> str:
    """A coverage of 1,000 by 1,000 ft, as a file."""
    return str(write(tmp_path / "ground.gpkg", [box_ft(0, 0, 1_000, 1_000)], {"n": [1]}))


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with wetlands editions of one, four and nine features, nine in force, and a layer beside."""
    folder = tmp_path_factory.mktemp("stock")
    ground = str(write(folder / "ground.gpkg", [box_ft(0, 0, 1_000, 1_000)], {"n": [1]}))
    library = Library(folder / "data")
    for n, name in ((1, "one"), (2, "four"), (3, "nine")):
        add(library, "wetlands", wetlands(folder / f"{name}.gpkg", grid(n)), covers=ground, edition=name)
    add(library, "acec", write(folder / "b.gpkg", [box_ft(0, 0, 9, 9)], {"NAME": ["x"]}), covers=ground)
    return folder / "data"


@pytest.fixture
def stocked(stock: Path, tmp_path: Path) -> Library:
    """A copy of the stock, to change."""
    return Library(Path(shutil.copytree(stock, tmp_path / "data")))

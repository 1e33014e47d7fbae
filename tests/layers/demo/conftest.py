"""The invented towns, made once for the tests of this folder."""

from __future__ import annotations

from datetime import date

import pytest

from layers.demo.make import Demo, make_demo
from layers.library import Library

MADE_ON = date(2026, 11, 30)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Return the demo, loaded through the library's own door."""
    return make_demo(tmp_path_factory.mktemp("made") / "demo-data", on=MADE_ON)


@pytest.fixture(scope="session")
def library(made: Demo) -> Library:
    """Return the library of the demo."""
    return Library(made.data)

"""Every example in the docstrings of the law's modules runs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import spatial.decide

MODULES = [
    "spatial.clocks",
    "spatial.facts",
    *(f"spatial.decide.{m.name}" for m in pkgutil.iter_modules(spatial.decide.__path__)),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0

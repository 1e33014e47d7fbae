"""A sync against the stand-in: our catalogue with some sources changed, a door that opens to loopback only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from layers.catalog import Catalog, catalog_of, load_specs
from layers.library import Library
from layers.sources.door import Door, DoorRules
from layers.sources.sync import Errand
from layers.spec import SourceSpec

DAY = date(2026, 11, 2)
RULES = DoorRules(hosts=frozenset(), plain_http=frozenset({"127.0.0.1"}), timeout_s=5.0, first_wait_s=0.001)


def source(url: str, **how: Any) -> SourceSpec:
    """Return a source at an address of the stand-in; our own specifications may name https only."""
    return SourceSpec(kind="arcgis", url="https://example.org").model_copy(update={"url": url, **how})


def catalog(layer_id: str, *sources: SourceSpec) -> Catalog:
    """Return our catalogue with other sources for one layer."""
    ours = load_specs()
    changed = ours.spec(layer_id).model_copy(update={"sources": sources})
    return catalog_of([changed if s.id == layer_id else s for s in ours.specs.values()])


@contextmanager
def errand(data: Path, known: Catalog, *, on: date = DAY) -> Iterator[Errand]:
    """Give a sync into a library of its own."""
    with Door(RULES) as door:
        yield Errand(Library(data, known), door, on, data / "sync")

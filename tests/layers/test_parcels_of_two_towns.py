"""A lot on the line of two towns: one LOC_ID in two editions, with rows in both tax lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from layer_files import add
from level3_files import write_level3

from layers.library import Library
from layers.parcels import ParcelBook


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> ParcelBook:
    """Return the same drawn lots as Dover's and as Medfield's."""
    folder = Path(tmp_path_factory.mktemp("two"))
    library = Library(folder / "data")
    for town in (78, 175):
        add(library, "parcels", write_level3(folder / str(town), town=town))
    return library.snapshot().parcels


def test_the_rows_of_both_towns_are_found(book: ParcelBook) -> None:
    assert [r.owner for r in book.assess("F_3")] == ["OAK, CARL", "FIR, DORA"] * 2
    assert book.assess("F_5") == ()


def test_rows_without_a_parcel_are_asked_town_by_town(book: ParcelBook) -> None:
    assert [r.prop_id for r in book.unmatched(["dover"])] == ["9-8", "9-9"]
    assert [r.prop_id for r in book.unmatched()] == ["9-8", "9-9"] * 2
    assert book.unmatched([]) == ()

"""Lot lines of a real town: every answer whole, no exception, nothing guessed; most plain lots told in full."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import pytest
import shapely

from app.notices.ground import fabric_of
from layers.ingest.request import AddRequest
from layers.library import Library
from spatial.fabric import ParcelFabric
from spatial.setbacks import lay_out
from spatial.setbacks.lot_lines import classify
from spatial.setbacks.lot_model import Depths
from spatial.setbacks.street_faces import faces
from spatial.units import ft_from_m, sqft_from_sqm

pytestmark = [pytest.mark.shared, pytest.mark.slow]
DEPTHS = Depths(front_ft=40.0, side_ft=20.0, rear_ft=30.0)
SAMPLE = 1_200


@pytest.fixture(scope="module")
def fabric(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> ParcelFabric:
    library = Library(tmp_path_factory.mktemp("bellingham"))
    archive = shared / "data" / "parcels" / "L3_SHP_M025_BELLINGHAM.zip"
    library.add(AddRequest("parcels", archive, on=date(2026, 11, 30)))
    return fabric_of(library.snapshot())


def test_lots_of_a_town(fabric: ParcelFabric) -> None:
    lots = np.flatnonzero(fabric.poly_type == "FEE")
    classes: Counter[str] = Counter()
    told_in_full, seconds = 0, []
    for row in np.random.default_rng(6).choice(lots, SAMPLE, replace=False):
        lot = fabric.geometry[row]
        start = perf_counter()
        lines = classify(lot, faces(lot, fabric))
        seconds.append(perf_counter() - start)
        classes.update(line.line_class for line in lines)
        told_in_full += all(line.line_class != "unknown" for line in lines)
        assert all(line.why and line.candidates for line in lines)
        assert sum(line.length_ft for line in lines) == pytest.approx(ft_from_m(lot.boundary.length), rel=1e-9)
    assert len(lots) > 6_000
    assert set(classes) == {"front", "rear", "interior_side", "unknown"}
    assert 0.2 < classes["unknown"] / classes.total() < 0.4
    assert told_in_full > 0.5 * SAMPLE
    assert median(seconds) < 0.1


def test_yards_of_real_lots_add_up(fabric: ParcelFabric) -> None:
    lots = np.flatnonzero(fabric.poly_type == "FEE")
    for row in np.random.default_rng(7).choice(lots, 200, replace=False):
        lot = fabric.geometry[row]
        laid = lay_out(lot, classify(lot, faces(lot, fabric)), DEPTHS)
        parts = sum(y.area_sqft for y in laid.yards) + sqft_from_sqm(laid.envelope.area)
        assert parts == pytest.approx(sqft_from_sqm(lot.area), rel=1e-9)
        assert shapely.difference(laid.envelope, lot).area < 1e-6

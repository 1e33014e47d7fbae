"""The account of a reading."""

from __future__ import annotations

import json

import lots
import pytest
import shapely
from site_readings import feet, reading

from spatial.normalise import inspect, normalise


def test_the_account_of_a_reading() -> None:
    holed = shapely.difference(lots.LOT, lots.box_ft(50, 100, 100, 100))
    read = reading(
        lots.moved(holed, "EPSG:2249"), crs="EPSG:2249", attributes=({"OWN_ZIP": 2030, "activity": "paving"},)
    )
    seen = inspect(read, normalise(read))
    assert (seen.crs, seen.crs_title) == ("EPSG:2249", "NAD83 / Massachusetts Mainland, US survey feet")
    assert seen.area_sqft == pytest.approx(50_000, abs=0.01)
    assert seen.centroid_26986 == pytest.approx(lots.CENTROID, abs=0.01)
    (feature,) = seen.features
    assert (feature.parts, feature.holes, feature.has_z, feature.activity) == (1, 1, False, "paving")
    assert feature.values == {"OWN_ZIP": "02030", "activity": "paving"}


def test_only_a_thousand_features_are_shown() -> None:
    read = reading(*[lots.box_ft(i * 10, 0, 9, 9) for i in range(1_001)])
    seen = inspect(read, normalise(read))
    assert (seen.n_features, len(seen.features)) == (1_001, 1_000)


def test_json_of_notes_is_plain() -> None:
    site = normalise(reading(feet((0, 0), (200, 300), (200, 0), (0, 300), (0, 0))))
    json.dumps([note.message for note in site.notes], allow_nan=False)

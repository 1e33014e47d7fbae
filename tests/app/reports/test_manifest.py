"""The account of an edition: what came, what was kept, what was changed."""

from __future__ import annotations

from datetime import date
from typing import Any

from app.reports.manifest import manifest_text
from layers.manifest import Manifest


def _manifest(**changes: Any) -> Manifest:
    told: dict[str, Any] = {
        "layer_id": "wetlands",
        "part": "state",
        "edition": "e1",
        "title": "Wetlands",
        "kind": "polygon",
        "source": {
            "name": "w.zip",
            "sha256": "ab" * 32,
            "size_bytes": 1,
            "driver": "ESRI Shapefile",
            "layer": "W",
        },
        "retrieved": date(2026, 1, 1),
        "licence": "public",
        "crs_in": "EPSG:2249",
        "crs_in_wkt": "",
        "crs_source": "declared",
        "count_in": 1_012,
        "count_kept": 1_000,
        "merged": 2,
        "coverage": {"how": "the state", "area_sqft": 43_560_000.0, "bounds": (0, 0, 1, 1)},
        "bounds": (0, 0, 1, 1),
        "area_sqft": 1.0,
        "length_ft": 1.0,
        "scale": 5000,
        "accuracy_ft": 13.9,
        "complete": False,
        "stale_after_days": None,
    }
    return Manifest.model_validate({**told, **changes})


def test_counts_and_system_are_said() -> None:
    told = manifest_text(_manifest(count_expected=1_012))
    assert "1,012 in, 1,000 kept; 2 stacked copies merged; the source says 1,012" in told
    assert "EPSG:2249 (declared by you), now EPSG:26986" in told
    assert "1,000 acres (the state); good to 13.9 ft" in told


def test_repairs_say_by_how_much() -> None:
    repairs = (
        {"reason": "self-intersection", "count": 3, "area_change_sqft": -12.4, "largest_change_sqft": -9.0},
        {"reason": "ring not closed", "count": 1, "area_change_sqft": 1e-9, "largest_change_sqft": 1e-9},
    )
    told = manifest_text(_manifest(repaired=repairs), width=160)
    assert "3 features: self-intersection; area changed by -12.4 sq ft in all, -9 sq ft at most" in told
    assert "1 feature: ring not closed; areas stayed the same to 0.01 sq ft" in told


def test_what_was_not_kept_and_not_understood_is_said() -> None:
    columns = (
        {"name": "code", "read_from": "IT_VALC", "empty": 7, "unlisted": {"ZZ": 2}},
        {"name": "kind", "read_from": None},
    )
    told = manifest_text(_manifest(dropped=({"reason": "null shape", "count": 10},), columns=columns))
    assert "10 features: null shape" in told
    assert "code from IT_VALC (7 empty); not in the file: kind" in told
    assert "code: 'ZZ' 2 times" in told


def test_the_tax_list_is_accounted_for() -> None:
    assess = {
        "rows": 100,
        "matched": 98,
        "unmatched": 2,
        "without_loc_id": 1,
        "parcels_without_row": 5,
        "repeated_prop_ids": 0,
        "lot_sizes_used": 90,
        "lot_sizes_refused": 4,
    }
    told = manifest_text(_manifest(assess=assess), width=160)
    assert "100 rows, 98 on a parcel; 2 on none (kept); 1 without a LOC_ID; 5 parcels without a row" in told
    assert "4 lot sizes not believed" in told


def test_columns_the_file_has_none_of_are_said_to_lack() -> None:
    columns = ({"name": "code", "read_from": None}, {"name": "name", "read_from": None})
    assert "not in the file: code, name" in manifest_text(_manifest(columns=columns), width=160)


def test_the_edition_that_was_in_force_before_is_named_with_the_way_back() -> None:
    told = manifest_text(_manifest(edition="e2"), before=_manifest(), width=200)
    assert "e1, w.zip, 1,000 features, which answers no longer" in told
    assert "metes layers rollback wetlands state/e1" in told
    assert "In place of" not in manifest_text(_manifest(), before=_manifest())
    assert "In place of" not in manifest_text(_manifest())

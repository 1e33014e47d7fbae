"""A told screening made by hand, for reports: every status, every result, hostile texts."""

from __future__ import annotations

from datetime import date
from typing import Any

from app.schemas.screening import DeterminationTold, FindingTold, LayerTold, Screening


def layer(layer_id: str = "wetlands", **changes: Any) -> LayerTold:
    told: dict[str, Any] = {
        "id": layer_id,
        "edition": "2026-01",
        "part": "state",
        "title": layer_id,
        "source_url": None,
        "retrieved": "2026-01-01",
        "published": None,
        "sha256": "0" * 64,
        "scale": 5000,
        "accuracy_ft": 13.9,
        "complete": False,
        "coverage": "full",
    }
    return LayerTold(**{**told, **changes})


def finding(theme: str, status: str, **changes: Any) -> FindingTold:
    told: dict[str, Any] = {
        "theme": theme,
        "title": theme,
        "status": status,
        "certainty": "certain",
        "margin_ft": None,
        "relation": "none",
        "disturbance_sqft": None,
        "percent_of_disturbance": None,
        "parcel_sqft": None,
        "percent_of_parcel": None,
        "length_ft": None,
        "count": None,
        "nearest_ft": None,
        "within_ft": 100.0,
        "zones": [],
        "features": [],
        "by_parcel": [],
        "layer": layer(),
        "legal_provisions": [],
        "authority": None,
        "why": "",
    }
    return FindingTold(**{**told, **changes})


def determination(rule: str, result: str, **changes: Any) -> DeterminationTold:
    told: dict[str, Any] = {
        "rule": rule,
        "title": rule,
        "citation": "§ 1",
        "result": result,
        "certainty": "certain",
        "measured": None,
        "threshold": None,
        "unit": None,
        "margin": None,
        "why": "",
        "needs": [],
        "policies": [],
        "readings": [],
        "approval": None,
        "authority": "Board",
    }
    return DeterminationTold(**{**told, **changes})


def screening(**changes: Any) -> Screening:
    told: dict[str, Any] = {
        "id": "a1" * 16,
        "url": "/v1/screenings/" + "a1" * 16,
        "created": "2026-01-02T00:00:00Z",
        "on": date(2026, 1, 2),
        "town": {"id": 901, "name": "Doverbrook (invented)", "invented": True},
        "bylaws": [{"id": "dover-159", "title": "Dover chapter 159", "edition": "abc"}],
        "input": {
            "name": "site.geojson",
            "sha256": "0" * 64,
            "format": "GeoJSON",
            "crs": "EPSG:4326",
            "crs_source": "format",
            "layer": "site",
            "n_features": 3,
            "notes": [],
        },
        "disturbance": {
            "area_sqft": 9000.0,
            "area_acres": 0.2066,
            "perimeter_ft": 420.0,
            "outside_parcels_sqft": 0.0,
            "by_activity": [{"activity": "grading", "area_sqft": 4200.0}],
        },
        "parcels": [],
        "findings": [],
        "determinations": [],
        "watersheds": {"huc10": [], "huc12": []},
        "next_steps": [],
        "deadlines": [],
        "warnings": [],
        "editions": [],
        "facts": {},
        "engine": "0.1.0",
        "links": {"self": "/", "geojson": "/"},
    }
    return Screening(**{**told, **changes})

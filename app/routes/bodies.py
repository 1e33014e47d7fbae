"""How the body and the free query fields of an upload are told in the OpenAPI document."""

from __future__ import annotations

from typing import Any

SQUARE: dict[str, Any] = {
    "type": "Feature",
    "properties": {"activity": "grading"},
    "geometry": {
        "type": "Polygon",
        "coordinates": [
            [[-71.28, 42.24], [-71.2795, 42.24], [-71.2795, 42.2404], [-71.28, 42.2404], [-71.28, 42.24]]
        ],
    },
}
ESRI_SQUARE: dict[str, Any] = {
    "rings": [[[219000, 887000], [219000, 887040], [219040, 887040], [219040, 887000], [219000, 887000]]],
    "spatialReference": {"wkid": 26986},
}
_ANY_OBJECT = {"type": "object", "additionalProperties": True}
_BINARY = {"schema": {"type": "string", "format": "binary"}}

UPLOAD_BODY: dict[str, Any] = {
    "required": True,
    "description": "The work: GeoJSON or Esri JSON, or a file (shapefile zip, file geodatabase zip, GeoPackage, "
    "KML, DXF), in the body or in a form.",
    "content": {
        "application/json": {
            "schema": _ANY_OBJECT,
            "examples": {
                "geojson": {"summary": "A GeoJSON feature (longitude, latitude)", "value": SQUARE},
                "esri": {"summary": "An Esri polygon in State Plane metres", "value": ESRI_SQUARE},
            },
        },
        "application/geo+json": {"schema": _ANY_OBJECT},
        "application/octet-stream": _BINARY,
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {
                        "type": "array",
                        "items": {"type": "string", "format": "binary"},
                        "description": "One file, or the loose parts of a shapefile.",
                    },
                    "town": {"type": "string"},
                    "parcel": {"type": "array", "items": {"type": "string"}},
                    "crs": {"type": "string"},
                    "layer": {"type": "string"},
                    "on": {"type": "string", "format": "date"},
                    "district": {"type": "string"},
                },
                "additionalProperties": {"type": "string"},
            }
        },
    },
}
"""The request body of an upload."""


def _query(name: str, meaning: str, example: str, **schema: Any) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": meaning,
        "schema": {"type": "string", **schema},
        "example": example,
    }


READING_PARAMETERS: list[dict[str, Any]] = [
    _query("crs", "Coordinate system when the file names none.", "EPSG:26986"),
    _query("layer", "Layer of a file that holds several.", "site"),
    {
        "name": "parcel",
        "in": "query",
        "required": False,
        "description": "LOC_ID of a parcel under the work; sorts the systems proposed for a file without one.",
        "schema": {"type": "array", "items": {"type": "string"}},
        "explode": True,
        "style": "form",
    },
]
"""What may be said of how to read an upload; a screening finds the parcels by themselves when none is named."""

QUESTION_PARAMETERS: list[dict[str, Any]] = [
    *READING_PARAMETERS,
    _query("town", "Slug or TOWN_ID; found from the parcels when left out.", "dover"),
    _query("district", "Zoning district, for trees drawn among the work.", "R-1"),
    _query("on", "The day whose law applies; today when left out.", "2026-11-30", format="date"),
    {
        "name": "facts",
        "in": "query",
        "required": False,
        "description": "Project facts by name (`stored_fill_cuyd=120&common_plan=no`); /v1/facts lists them.",
        "schema": {"type": "object", "additionalProperties": {"type": "string"}},
        "explode": True,
        "style": "form",
        "example": {"stored_fill_cuyd": "120"},
    },
]
"""What may be said beside an upload."""

FACTS_BODY: dict[str, Any] = {
    "required": False,
    "description": "Project facts by name; an empty value takes a fact back. /v1/facts lists them.",
    "content": {
        "multipart/form-data": {
            "schema": {"type": "object", "additionalProperties": {"type": "string"}},
            "example": {"stored_fill_cuyd": "120"},
        }
    },
}
"""The request body of a question asked again."""

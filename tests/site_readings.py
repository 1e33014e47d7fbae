"""Readings made by hand in feet from the corner of the lot, and what normalising them gives or refuses."""

from __future__ import annotations

from typing import Any

import lots
import pytest
from pyproj import CRS
from shapely import Polygon

from spatial.crs_names import name_of
from spatial.errors import MetesError
from spatial.model import Note, Reading, SourceFeature, Submission
from spatial.normalise import normalise
from spatial.units import FOOT_M, sqft_from_sqm


def reading(*shapes: Any, crs: str = "EPSG:26986", attributes: tuple[dict[str, Any], ...] = ()) -> Reading:
    """A reading of shapes given in ``crs``."""
    rows = [
        SourceFeature(str(i), shape, attributes[i - 1] if attributes else {}) for i, shape in enumerate(shapes, 1)
    ]
    return Reading("geojson", "GeoJSON", CRS(crs), name_of(CRS(crs)), "file", "x", ("x",), (), tuple(rows))


def feet(*corners: tuple[float, float]) -> Polygon:
    """A polygon by feet from the lot's corner."""
    return Polygon([(lots.WEST_M + x * FOOT_M, lots.SOUTH_M + y * FOOT_M) for x, y in corners])


def notes(site: Submission, code: str) -> list[Note]:
    return [note for note in site.notes if note.code == code]


def area_sqft(site: Submission) -> float:
    return sqft_from_sqm(site.area.area)


def refused(read: Reading, **options: Any) -> MetesError:
    with pytest.raises(MetesError) as caught:
        normalise(read, **options)
    return caught.value

"""QGIS opens our addresses as an analyst does: Data Source Manager, Vector, Protocol HTTP."""

from __future__ import annotations

import os
from typing import Any

import pytest
from reading_program import POOLS, Service, told

PYTHON_OF_QGIS = "/usr/bin/python3"
READ = """
import json, sys
from qgis.core import (QgsApplication, QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsProject,
                       QgsVectorLayer)
QgsApplication.setPrefixPath("/usr", True)
QgsApplication([], False).initQgis()
layer = QgsVectorLayer("/vsicurl/" + sys.argv[1], "read", "ogr")
plane = QgsCoordinateTransform(layer.crs(), QgsCoordinateReferenceSystem("EPSG:26986"), QgsProject.instance())
areas = {}
for feature in layer.getFeatures():
    geometry = feature.geometry()
    geometry.transform(plane)
    areas.setdefault(str(feature["loc_id"]), []).append(geometry.area())
print(json.dumps({"valid": layer.isValid(), "crs": layer.crs().authid(), "count": layer.featureCount(),
                  "fields": layer.fields().names(), "areas_m2": areas}))
"""
SQFT_IN_M2 = (3937 / 1200) ** 2


def read_by_qgis(address: str) -> dict[str, Any]:
    """Return what QGIS understands of an address; areas by LOC_ID are planar in EPSG:26986, square metres."""
    return told([PYTHON_OF_QGIS, "-c", READ, address], surroundings())


def surroundings() -> dict[str, str]:
    """Return an environment in which QGIS needs no screen."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": os.environ.get("HOME", "/tmp"),
        "QT_QPA_PLATFORM": "offscreen",
    }


@pytest.mark.qgis
def test_qgis_reads_the_parcels_of_a_box(service: Service) -> None:
    address = service.items()
    read = read_by_qgis(address)
    assert (read["valid"], read["crs"]) == (True, "EPSG:4326")
    assert read["count"] == len(service.features(address)) > 3
    assert {"loc_id", "site_address", "town_id"} <= set(read["fields"])
    (area_m2,) = read["areas_m2"][service.lot["loc_id"]]
    assert area_m2 * SQFT_IN_M2 == pytest.approx(service.lot["area_sqft"], rel=1e-3)


@pytest.mark.qgis
def test_qgis_pages_through_a_whole_layer(service: Service) -> None:
    """Layer, Add Layer, WFS / OGC API - Features, with the address /v1."""
    program = """
import json, sys
from qgis.core import QgsApplication, QgsVectorLayer
QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
where = f"url='{sys.argv[1]}' typename='potential_vernal_pools' pageSize='500'"
layer = QgsVectorLayer(where, "read", "OAPIF")
numbers = [str(feature["pool_id"]) for feature in layer.getFeatures()]
print(json.dumps({"valid": layer.isValid(), "crs": layer.crs().authid(), "numbers": numbers}))
"""
    read = told([PYTHON_OF_QGIS, "-c", program, f"{service.url}/v1"], surroundings())
    assert (read["valid"], read["crs"]) == (True, "EPSG:4326")
    assert {str(n) for n in range(POOLS)} <= set(read["numbers"])
    assert len(read["numbers"]) == len(set(read["numbers"]))


@pytest.mark.qgis
def test_qgis_reads_a_screening(service: Service) -> None:
    read = read_by_qgis(service.drawing)
    assert (read["valid"], read["crs"]) == (True, "EPSG:4326")
    assert read["count"] == len(service.features(service.drawing)) > 3
    (area_m2,) = read["areas_m2"][service.lot["loc_id"]]
    assert area_m2 * SQFT_IN_M2 == pytest.approx(40_000, rel=1e-3)  # 408 Mill Street, as the demo draws it

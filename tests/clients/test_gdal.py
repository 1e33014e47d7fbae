"""GDAL opens our addresses by itself, in a process that knows nothing of the service."""

from __future__ import annotations

import os
import sys
from typing import Any

import httpx2
import pytest
from reading_program import POOLS, Service, told

READ = """
import json, sys
import numpy, pyogrio, shapely
from pyproj import Transformer
address = sys.argv[1]
about = pyogrio.read_info(address)
meta, _, shapes, columns = pyogrio.raw.read(address)
plane = Transformer.from_crs(meta["crs"], "EPSG:26986", always_xy=True)
drawn = shapely.transform(shapely.from_wkb(shapes), lambda xy: numpy.column_stack(plane.transform(*xy.T)))
named = columns[meta["fields"].tolist().index("loc_id")].tolist()
areas = [[name, area] for name, area in zip(named, shapely.area(drawn).tolist()) if name]
print(json.dumps({"driver": about["driver"], "crs": meta["crs"], "count": about["features"],
                  "fields": meta["fields"].tolist(), "areas_m2": areas}))
"""
SQFT_IN_M2 = (3937 / 1200) ** 2


def read_by_gdal(address: str) -> dict[str, Any]:
    """Return what GDAL understands of an address; areas are planar in EPSG:26986, square metres."""
    return told([sys.executable, "-c", READ, address], os.environ)


@pytest.mark.parametrize("what", ["parcels", "screening"])
def test_gdal_reads_an_address_of_ours(service: Service, what: str) -> None:
    address = service.items() if what == "parcels" else service.drawing
    read = read_by_gdal(address)
    assert (read["driver"], read["crs"]) == ("GeoJSON", "EPSG:4326")
    assert read["count"] == len(service.features(address)) > 3
    areas = [area for name, area in read["areas_m2"] if name == service.lot["loc_id"]]
    assert [area * SQFT_IN_M2 for area in areas] == [pytest.approx(40_000, rel=1e-3)]


def test_gdal_pages_through_a_whole_layer(service: Service) -> None:
    program = """
import json, sys
import pyogrio
meta, _, shapes, columns = pyogrio.raw.read(sys.argv[1], layer=sys.argv[2], datetime_as_string=True)
print(json.dumps({"layers": pyogrio.list_layers(sys.argv[1])[:, 0].tolist(), "shapes": len(shapes),
                  "numbers": columns[meta["fields"].tolist().index("pool_id")].tolist()}))
"""
    command = [sys.executable, "-c", program, f"OAPIF:{service.url}/v1", "potential_vernal_pools"]
    read = told(command, os.environ)
    assert {"parcels", "wetlands", "potential_vernal_pools"} <= set(read["layers"])
    assert "elevation" not in read["layers"]
    assert {str(n) for n in range(POOLS)} <= set(read["numbers"])
    told_by_us = httpx2.get(f"{service.url}/v1/layers/potential_vernal_pools/items").json()
    assert read["shapes"] == len(read["numbers"]) == told_by_us["numberMatched"]


def test_a_list_that_was_cut_short_says_so(service: Service) -> None:
    address = service.items(limit=2)
    assert read_by_gdal(address)["count"] == 2
    assert httpx2.get(address).json()["more"] is True

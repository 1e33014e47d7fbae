"""Hard overlays met in the wild: overlapping layers, touches, slivers, splits, round zones, mixed units."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pyogrio
import pytest
import shapely
from shapes import EVERYWHERE, ON, frame, theme

from spatial.case import Finding
from spatial.crs import WORKING_CRS, reproject
from spatial.findings import Asking, find
from spatial.index import LayerStack
from spatial.model import Theme
from spatial.site import Ground, Site

pytestmark = pytest.mark.shared


def read(path: Path, layer: str) -> list[shapely.Geometry]:
    """Return the features of one layer of a case file in the working system."""
    about, _, shapes, _ = pyogrio.raw.read(path, layer=layer)
    return [reproject(shape, about["crs"], WORKING_CRS) for shape in shapely.from_wkb(shapes)]


def answer(shared: Path, name: str, asked: Theme, **about: object) -> Finding:
    """Return the finding of a case's layer for a case's site."""
    path = shared / "cases" / "files" / name
    (site,) = read(path, "site")
    held = frame(asked.layer_id, read(path, "layer"), coverage=shapely.box(0, 700_000, 400_000, 1_000_000), **about)
    (found,) = find(Site(Ground(site)), LayerStack.build([held], (asked,), {}), Asking(ON))
    assert EVERYWHERE.is_valid
    return found


def test_overlapping_features_are_dissolved_first(shared: Path) -> None:
    found = answer(shared, "ovl01_overlapping_layer.gpkg", theme("wetlands"))
    assert found.disturbance_sqft == pytest.approx(45_000, abs=0.05)
    assert found.percent_of_disturbance == pytest.approx(75.0, abs=1e-4)


def test_a_touch_shares_nothing(shared: Path) -> None:
    found = answer(shared, "ovl02_touch.gpkg", theme("priority_habitat"))
    assert (found.relation, found.status, found.certainty) == ("touches", "not_affected", "too_close_to_call")
    assert found.disturbance_sqft == pytest.approx(0, abs=1e-3)


def test_a_sliver_is_noise_and_said(shared: Path) -> None:
    found = answer(shared, "ovl03_sliver.gpkg", theme("floodplain"))
    assert (found.relation, found.status, found.certainty) == ("touches", "not_affected", "too_close_to_call")
    assert found.disturbance_sqft == pytest.approx(0.3, abs=0.01)
    assert "noise of digitising" in found.why


def test_shares_of_a_split_site_add_up(shared: Path) -> None:
    found = answer(shared, "ovl04_huc_split.gpkg", theme("huc12", share=True), ids=["HUC-A", "HUC-B"])
    shares = {f.id: 100 * f.overlap_sqft / (found.disturbance_sqft or 1) for f in found.features}
    assert shares == {"HUC-A": pytest.approx(40.0, abs=1e-4), "HUC-B": pytest.approx(60.0, abs=1e-4)}
    assert sum(shares.values()) == pytest.approx(100.0, abs=1e-9)


@pytest.mark.parametrize("made_before", [True, False])
def test_the_zone_of_a_tiny_wetland_is_round(shared: Path, made_before: bool) -> None:
    zones = {"buffer_zone": (100.0,)} if made_before else None
    asked = theme("buffer_zone", within_ft=100, bands_ft=(100.0,))
    found = answer(shared, "ovl05_buffer.gpkg", asked, zones=zones)
    inside, ring = found.zones
    assert inside.disturbance_sqft + ring.disturbance_sqft == pytest.approx(32_219.9, abs=10)


def test_feet_and_metres_meet(shared: Path) -> None:
    found = answer(shared, "ovl07_mixed_crs.gpkg", theme("wetlands"))
    assert found.disturbance_sqft == pytest.approx(30_000, abs=0.5)
    assert found.percent_of_disturbance == pytest.approx(50.0, abs=1e-3)
    assert math.isfinite(found.margin_ft or np.nan)

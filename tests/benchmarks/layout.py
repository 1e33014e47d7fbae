"""The region as opened editions, and the questions asked of them: the same for every contender."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from spatial.model import EditionRef, Kind, LayerFrame, Theme
from spatial.rings import rings
from spatial.subdivide import prepare
from benchmarks.region import Region

BANDS_FT = (25.0, 50.0, 100.0, 150.0, 200.0)
ON = date(2026, 11, 30)

THEMES = (
    Theme("wetlands", "Mapped wetland", "wetlands", 0.0),
    Theme("buffer_zone", "Buffer zone", "wetlands", 100.0, bands_ft=BANDS_FT),
    Theme("priority_habitat", "Priority habitat", "priority_habitat", 500.0),
    Theme("vernal_pools", "Vernal pool", "pools", 500.0, bands_ft=(100.0, 500.0)),
    Theme("floodplain", "Flood zone", "floodplain", 0.0, where={"sfha": ("T",)}, reach_ft=100.0),
    Theme("huc10", "HUC10", "huc10", 0.0, share=True, report=("code", "name")),
    Theme("huc12", "HUC12", "huc12", 0.0, share=True, report=("code", "name", "to_code")),
)
ACCURACY_FT = {"wetlands": 33.3, "priority_habitat": 41.7, "floodplain": 33.3, "pools": 33.3, "parcels": 5.0}
KINDS: dict[str, Kind] = {"pools": "point"}
INCOMPLETE = frozenset({"wetlands", "pools"})


def open_region(region: Region, layers: Sequence[str] = ()) -> list[LayerFrame]:
    """Return every layer of a region cut, ringed and ready, as an import makes it."""
    return [_frame(region, layer) for layer in layers or region.features]


def _frame(region: Region, layer: str) -> LayerFrame:
    geometry = region.features[layer]
    kind = KINDS.get(layer, "polygon")
    prepared = prepare(geometry, kind)
    names = np.array(
        [f"F_{n}" if layer == "parcels" else f"{layer}-{n}" for n in range(len(geometry))], dtype=object
    )
    accuracy = ACCURACY_FT.get(layer, 40.0)
    zones = {
        theme.theme: rings(prepared.pieces.geometry, theme.bands_ft, window=region.ground)
        for theme in THEMES
        if theme.layer_id == layer and theme.bands_ft
    }
    return LayerFrame(
        ref=EditionRef(layer, "state", "invented", layer, "0" * 64, accuracy, layer not in INCOMPLETE),
        kind=kind,
        ids=names,
        labels=names,
        accuracy_ft=np.full(len(geometry), accuracy),
        attributes={name: _column(values) for name, values in region.columns[layer].items()},
        geometry=geometry,
        pieces=prepared.pieces,
        edges=prepared.edges,
        coverage=region.ground,
        zones=zones,
    )


def _column(values: Sequence[object]) -> np.ndarray:
    held = np.empty(len(values), dtype=object)
    held[:] = values
    return held

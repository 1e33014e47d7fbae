"""The region as opened editions, and the questions asked of them: the same for every contender."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import geopandas as gpd
import numpy as np
import shapely

from benchmarks.region import Region
from layers.catalog import load_specs
from layers.ingest.request import AddRequest
from layers.library import Library
from spatial.crs import WORKING_CRS
from spatial.index import PARCELS, LayerStack
from spatial.index.known import LotAreas
from spatial.index.rings import rings
from spatial.index.subdivide import prepare
from spatial.measure.lot_areas import lot_areas
from spatial.model import Area, EditionRef, LayerFrame, Pieces, Theme

ON = date(2026, 11, 30)
LAYERS = ("parcels", "wetlands", "priority_habitat", "floodplain", "huc12", "huc10", "certified_vernal_pools")
CATALOG = load_specs()
THEMES = tuple(theme for theme in CATALOG.themes if theme.layer_id in LAYERS)
"""The questions of the specifications themselves, of the layers that a region has."""


MARGIN_M = 250.0
"""More than work reaches beyond its lot, and a neighbouring lot beyond that."""


def open_region(region: Region, *, share: float = 1.0) -> list[LayerFrame]:
    """Return every layer of a region cut, ringed and ready, as an import makes it, without a file.

    Rings are made on a share of the ground only, and a margin around it: most of the time of an import goes there.
    """
    window = region.window(share).buffer(MARGIN_M, join_style="mitre").intersection(region.ground)
    return [_frame(region, layer, window) for layer in LAYERS]


def _frame(region: Region, layer: str, window: Area) -> LayerFrame:
    spec, geometry = CATALOG.spec(layer), region.features[layer]
    prepared = prepare(geometry, spec.kind)  # type: ignore[arg-type]
    names = _column(region.columns[layer].get("LOC_ID") or [f"{layer}-{n}" for n in range(len(geometry))])
    columns = {name: _column(values) for name, values in region.columns[layer].items()}
    zones = {
        theme.theme: rings(_near(theme, geometry, prepared.pieces, columns), theme.bands_ft, window=window)
        for theme in THEMES
        if theme.layer_id == layer and theme.bands_ft
    }
    return LayerFrame(
        ref=EditionRef(layer, "state", "invented", layer, "0" * 64, spec.accuracy_ft, spec.complete),
        kind=spec.kind,  # type: ignore[arg-type]
        ids=names,
        labels=names,
        accuracy_ft=np.full(len(geometry), spec.accuracy_ft),
        attributes=columns,
        geometry=geometry,
        pieces=prepared.pieces,
        edges=prepared.edges,
        coverage=region.ground,
        zones=zones,
    )


def known_lots(region: Region, frames: Sequence[LayerFrame], *, share: float = 1.0) -> list[LotAreas]:
    """Return what the lots near the places where work is drawn share with each layer, as an import measures it."""
    window = region.window(share).buffer(MARGIN_M / 2.0, join_style="mitre")
    shapely.prepare(window)
    stack = LayerStack.build(frames, THEMES, {})
    (parcels,) = stack.frames_of(PARCELS)
    rows = np.flatnonzero(shapely.covers(window, parcels.frame.geometry))
    return [lot_areas(parcels, layer, rows) for layer in stack.layers.values() if layer.themes]


def _near(theme: Theme, geometry: np.ndarray, pieces: Pieces, columns: dict[str, np.ndarray]) -> np.ndarray:
    """Return the pieces of the features that a theme asks for."""
    chosen = np.ones(len(geometry), dtype=bool)
    for name, values in theme.where.items():
        chosen &= np.isin(columns[name].astype(str), values)
    return pieces.geometry[chosen[pieces.parent]]


def open_through_library(region: Region, data: Path) -> list[LayerFrame]:
    """Return the same layers written to files, imported by the library and opened again; made once a folder."""
    library = Library(data)
    for layer in LAYERS:
        if not library.editions(layer):
            library.add(_request(region, layer, data))
    return [frame for layer in LAYERS for frame in library.snapshot().frame(layer)]


def _request(region: Region, layer: str, data: Path) -> AddRequest:
    data.mkdir(parents=True, exist_ok=True)
    path, ground = data / f"{layer}.gpkg", data / "ground.geojson"
    made = gpd.GeoDataFrame(region.columns[layer], geometry=region.features[layer], crs=WORKING_CRS)
    made.to_file(path, layer=layer)
    gpd.GeoDataFrame(geometry=[region.ground], crs=WORKING_CRS).to_crs("EPSG:4326").to_file(ground)
    mapping = {"loc_id" if name == "LOC_ID" else name: name for name in region.columns[layer]}
    return AddRequest(layer_id=layer, path=path, on=ON, covers=str(ground), mapping=mapping)


def _column(values: Sequence[object]) -> np.ndarray:
    held = np.empty(len(values), dtype=object)
    held[:] = values
    return held

"""An edition's arrays on disk and in memory: written once, opened as a ``LayerFrame``.

``features`` holds whole features with id, label, accuracy and our columns; ``pieces`` only what had to be cut
(a feature of one piece is not stored twice); ``edges`` the real boundaries; ``zones`` the rings; ``coverage`` the
ground answered for.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from layers.geoparquet import Columns, read_columns, write_columns
from layers.manifest import read_manifest
from spatial.errors import Internal
from spatial.model import Area, Geometries, LayerFrame, Pieces, ZoneRings

FEATURES, PIECES, EDGES, ZONES, COVERAGE = (
    f"{name}.parquet" for name in ("features", "pieces", "edges", "zones", "coverage")
)
OWN_COLUMNS = ("id", "label", "accuracy_ft")


def write_frame(folder: Path, frame: LayerFrame) -> None:
    """Write the arrays of a frame into an edition's folder (everything but the manifest)."""
    own = {"id": frame.ids, "label": frame.labels, "accuracy_ft": frame.accuracy_ft}
    write_columns(folder / FEATURES, Columns({**own, **frame.attributes}, frame.geometry))
    write_columns(folder / PIECES, _cut_only(frame.pieces, len(frame)))
    write_columns(folder / EDGES, Columns({"parent": frame.edges.parent}, frame.edges.geometry))
    write_columns(folder / ZONES, _zones_table(frame.zones))
    write_columns(folder / COVERAGE, Columns({}, np.array([frame.coverage], dtype=object)))


def open_frame(folder: Path) -> LayerFrame:
    """Return an edition as arrays; raises ``OSError`` or ``ValueError`` when a file is missing or damaged."""
    manifest = read_manifest(folder)
    if manifest.kind == "raster":
        raise ValueError("a raster has no features")
    table = read_columns(folder / FEATURES)
    geometry = _geometry(table)
    return LayerFrame(
        ref=manifest.ref(),
        kind=manifest.kind,
        ids=table.values["id"],
        labels=table.values["label"],
        accuracy_ft=np.asarray(table.values["accuracy_ft"], dtype=np.float64),
        attributes={name: _objects(v) for name, v in table.values.items() if name not in OWN_COLUMNS},
        geometry=geometry,
        pieces=_all_pieces(read_columns(folder / PIECES), geometry),
        edges=_edges(read_columns(folder / EDGES)),
        coverage=_coverage(read_columns(folder / COVERAGE)),
        zones=_zones(read_columns(folder / ZONES)),
    )


def _geometry(table: Columns) -> Geometries:
    if table.geometry is None:
        raise Internal("An edition's file holds no geometry.")
    return table.geometry


def _objects(values: NDArray[Any]) -> NDArray[np.object_]:
    """Return Python values, so that nothing of numpy reaches an answer."""
    held = np.empty(len(values), dtype=object)
    held[:] = values.tolist()
    return held


def _cut_only(pieces: Pieces, features: int) -> Columns:
    """Return the pieces with a null where the piece is the whole feature."""
    count = np.bincount(pieces.parent, minlength=features)
    whole = count[pieces.parent] == 1
    geometry = pieces.geometry.copy()
    geometry[whole] = None
    return Columns({"parent": pieces.parent}, geometry)


def _all_pieces(table: Columns, features: Geometries) -> Pieces:
    geometry = _geometry(table).copy()
    parent = np.asarray(table.values["parent"], dtype=np.int64)
    whole = shapely.is_missing(geometry)
    geometry[whole] = features[parent[whole]]
    return Pieces(geometry, parent)


def _edges(table: Columns) -> Pieces:
    return Pieces(_geometry(table), np.asarray(table.values["parent"], dtype=np.int64))


def _coverage(table: Columns) -> Area:
    area: Area = _geometry(table)[0]
    return area


def _zones_table(zones: Mapping[str, ZoneRings]) -> Columns:
    """Return the rings of all themes as one table; none gives a table without rows."""
    themes = [np.full(len(r.from_ft), theme, dtype=object) for theme, r in zones.items()]
    join = np.concatenate
    none = np.empty(0)
    return Columns(
        {
            "theme": join([np.empty(0, dtype=object), *themes]),
            "from_ft": join([none, *(r.from_ft for r in zones.values())]),
            "to_ft": join([none, *(r.to_ft for r in zones.values())]),
        },
        join([np.empty(0, dtype=object), *(r.geometry for r in zones.values())]),
    )


def _zones(table: Columns) -> Mapping[str, ZoneRings]:
    theme, geometry = table.values["theme"], _geometry(table)
    from_ft, to_ft = (np.asarray(table.values[n], dtype=np.float64) for n in ("from_ft", "to_ft"))
    rows = {name: np.flatnonzero(theme == name) for name in dict.fromkeys(theme.tolist())}
    return {name: ZoneRings(geometry[at], from_ft[at], to_ft[at]) for name, at in rows.items()}

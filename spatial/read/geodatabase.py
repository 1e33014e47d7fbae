"""Reading: a file geodatabase, a folder of tables."""

from __future__ import annotations

from pathlib import Path

from spatial.read import ogr
from spatial.read.choice import choose_layer
from spatial.read.raw import Gathering, Raw, Wanted

MARK = "a00000001.gdbtable"


def read(folder: Path, wanted: Wanted) -> Raw:
    """Return what the one spatial layer of a geodatabase folder holds, or the one asked for.

    Raises
    ------
    FormatRefused
        ``corrupt_file``.
    GeometryRefused
        ``several_layers``, ``layer_unknown``, ``no_polygon``, ``no_geometry``, ``too_complex``.
    """
    layers = [layer for layer in ogr.layers_of(folder) if layer.geometry_type is not None]
    layer, notes = choose_layer(layers, wanted, "geodatabase")
    rows = ogr.read_rows(folder, "OpenFileGDB", wanted, layer=layer)
    gathering = Gathering(wanted.limits)
    for geometry, attributes in rows:
        gathering.add(geometry, attributes)
    return Raw(
        format="filegdb",
        driver="OpenFileGDB",
        layer=layer,
        layers=tuple(candidate.name for candidate in layers),
        columns=rows.columns,
        features=gathering.features,
        crs=ogr.crs_of(rows.crs),
        stated_in="its feature class",
        no_crs=f"The geodatabase's feature class {layer!r} has an unknown coordinate system",
        notes=(*notes, *rows.notes, *gathering.notes),
    )

"""Reading: a file geodatabase, a folder of tables."""

from __future__ import annotations

from pathlib import Path

from spatial.read.choice import Container, read_chosen
from spatial.read.raw import Raw, Wanted

MARK = "a00000001.gdbtable"
GEODATABASE = Container(
    format="filegdb",
    driver="OpenFileGDB",
    called="geodatabase",
    stated_in="its feature class",
    no_crs="The geodatabase's feature class {layer} has an unknown coordinate system",
)


def read(folder: Path, wanted: Wanted) -> Raw:
    """Return what the one spatial layer of a geodatabase folder holds, or the one asked for.

    Raises
    ------
    FormatRefused, GeometryRefused
        As :func:`spatial.read.choice.read_chosen`.
    """
    return read_chosen(folder, wanted, GEODATABASE)

"""Reading: rows through GDAL, for the formats that are its own. Runs in the child process only.

The driver that opened the file is compared with the one that was meant; pictures, links and lists of commands
that GDAL would also open are kept out by the drivers the child was started with.
"""

from __future__ import annotations

import datetime
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import pyogrio.raw
import shapely
from pyogrio.errors import DataLayerError, DataSourceError, FeatureError, FieldError
from pyproj import CRS
from pyproj.exceptions import CRSError
from shapely.errors import GEOSException
from shapely.geometry.base import BaseGeometry

from spatial.errors import CrsRefused, FormatRefused, GeometryRefused
from spatial.model import Note, Scalar
from spatial.read.raw import Wanted, too_many

ARC_STEP_DEGREES = 0.5
"""A chord of an arc is never farther from it than a hundred-thousandth of its radius."""

Row = tuple[BaseGeometry | None, dict[str, Scalar]]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A layer as GDAL gave it: geometry and attributes row by row; ``crs`` as it stands in the file."""

    columns: tuple[str, ...]
    crs: str | None
    geometries: tuple[BaseGeometry | None, ...]
    values: tuple[tuple[Scalar, ...], ...]
    notes: tuple[Note, ...] = ()

    def __iter__(self) -> Iterator[Row]:
        for geometry, values in zip(self.geometries, self.values, strict=True):
            yield geometry, dict(zip(self.columns, values, strict=True))

    def __len__(self) -> int:
        return len(self.geometries)


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer's name and the geometry type it declares; None for a table without geometry."""

    name: str
    geometry_type: str | None

    @property
    def may_hold_polygons(self) -> bool:
        """Return whether polygons can be in it."""
        kind = self.geometry_type or ""
        return any(word in kind for word in ("Polygon", "Surface", "Unknown", "Collection", "TIN"))

    @property
    def may_hold_points(self) -> bool:
        """Return whether points can be in it."""
        kind = self.geometry_type or ""
        return any(word in kind for word in ("Point", "Unknown", "Collection"))


def layers_of(path: Path) -> tuple[Layer, ...]:
    """Return the layers of a data source in its own order."""
    with _told():
        found = pyogrio.list_layers(path)
    return tuple(Layer(str(name), None if kind is None else str(kind)) for name, kind in found)


def read_rows(
    path: Path,
    driver: str,
    wanted: Wanted,
    *,
    layer: str | None = None,
    encoding: str | None = None,
    **options: Any,
) -> Rows:
    """Return the rows of one layer.

    Raises
    ------
    FormatRefused
        ``corrupt_file`` when GDAL cannot read it, ``unsupported_format`` when another driver took it.
    GeometryRefused
        ``too_complex`` beyond the limits, ``unsupported_geometry`` for shapes that are neither of the plane.
    """
    pyogrio.set_gdal_config_options({"OGR_ARC_STEPSIZE": ARC_STEP_DEGREES})
    with _told():
        info = pyogrio.read_info(path, layer=layer, encoding=encoding, force_feature_count=True, **options)
        _check(info, driver, wanted)
        meta, _, geometry, fields = pyogrio.raw.read(
            path, layer=layer, encoding=encoding, max_features=wanted.limits.features + 1, **options
        )
    columns = tuple(str(name) for name in meta["fields"])
    geometries, notes = _shapes(geometry, len(fields[0]) if len(fields) else 0)
    if len(geometries) > wanted.limits.features:
        raise too_many("features", wanted.limits.features)
    return Rows(columns, meta["crs"], geometries, _values(fields, len(geometries), wanted), notes)


def _check(info: dict[str, Any], driver: str, wanted: Wanted) -> None:
    if info["driver"] != driver:
        raise FormatRefused("The file is of another kind than its bytes begin like; export it again.")
    if info["features"] > wanted.limits.features:
        raise too_many("features", wanted.limits.features)
    if len(info["fields"]) > wanted.limits.columns:
        raise too_many("attribute columns", wanted.limits.columns)


@contextmanager
def _told() -> Iterator[None]:
    """Turn what GDAL says into our words; its warnings are about things our own checks have told already."""
    with warnings.catch_warnings(action="ignore"):
        try:
            yield
        except (DataSourceError, DataLayerError, FeatureError, FieldError, IndexError, UnicodeDecodeError) as error:
            raise FormatRefused(
                "The file is damaged and cannot be read; export it again.", code="corrupt_file"
            ) from error
        except GEOSException as error:
            raise _not_of_the_plane() from error


def _not_of_the_plane() -> GeometryRefused:
    return GeometryRefused(
        "The file holds shapes that are not points, lines or polygons; export the site as polygons.",
        code="unsupported_geometry",
    )


def _shapes(geometry: Any, rows: int) -> tuple[tuple[BaseGeometry | None, ...], tuple[Note, ...]]:
    """Return shapes from WKB; rings that do not end where they begin are closed, and that is said."""
    if geometry is None:
        return (None,) * rows, ()
    try:
        return tuple(shapely.from_wkb(geometry)), ()
    except GEOSException:
        note = Note("ring_closed", "Rings that did not end where they began were closed.")
        return _closed(geometry), (note,)


def _closed(geometry: Any) -> tuple[BaseGeometry | None, ...]:
    try:
        return tuple(shapely.from_wkb(geometry, on_invalid="fix"))
    except GEOSException as error:
        raise _not_of_the_plane() from error


def _values(fields: Any, rows: int, wanted: Wanted) -> tuple[tuple[Scalar, ...], ...]:
    columns = [_column(field, wanted) for field in fields]
    return tuple(tuple(column[row] for column in columns) for row in range(rows))


def _column(field: Any, wanted: Wanted) -> list[Scalar]:
    """Return a column as plain values; whole numbers stay whole though a null made the column one of floats."""
    values = [_plain(value, wanted) for value in field]
    floats = [value for value in values if isinstance(value, float)]
    if floats and np.issubdtype(np.asarray(field).dtype, np.floating) and any(value is None for value in values):
        whole = all(value.is_integer() and abs(value) < 2**53 for value in floats)
        return [int(value) if whole and isinstance(value, float) else value for value in values]
    return values


def _plain(value: Any, wanted: Wanted) -> Scalar:
    if isinstance(value, np.generic):
        value = None if isinstance(value, np.datetime64) and np.isnat(value) else value.item()
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, datetime.date | datetime.datetime):
        return value.isoformat()
    if isinstance(value, str | bytes) and len(value) > wanted.limits.text_chars:
        raise too_many("characters in one attribute", wanted.limits.text_chars)
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, str | int | float | bool) else str(value)[: wanted.limits.text_chars]


def crs_of(text: str | None) -> CRS | None:
    """Return the system GDAL states; None when it states none."""
    if not text:
        return None
    try:
        crs = CRS.from_user_input(text)
        return None if crs.name.lower().startswith("undefined") else crs
    except CRSError as error:
        raise CrsRefused(
            "The file states a coordinate system that is not known; export it in EPSG:26986."
        ) from error

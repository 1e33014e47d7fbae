"""Reading: tables of points with columns for the coordinates: trees, never a site."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import shapely
from pyproj import CRS
from shapely.geometry.base import BaseGeometry

from spatial.errors import FormatRefused, GeometryRefused
from spatial.model import Scalar
from spatial.read.detect import ACCEPTED
from spatial.read.json_text import decoded
from spatial.read.raw import Gathering, Raw, Wanted, check_only_layer

_DEGREES = (("lon", "lat"), ("longitude", "latitude"), ("lng", "lat"), ("long", "lat"))
_PLANE = (("x", "y"), ("easting", "northing"), ("x_coord", "y_coord"), ("point_x", "point_y"), ("east", "north"))


def read(path: Path, wanted: Wanted) -> Raw:
    """Return the points of a table whose header names their columns: ``lon, lat`` or ``x, y`` and the like.

    Raises
    ------
    GeometryRefused
        ``no_polygon`` when a site was wanted.
    FormatRefused
        ``no_geometry`` without such columns; ``corrupt_file`` for a row of another length.
        ``bad_coordinates`` naming the row (as GeometryRefused).
    """
    if wanted.purpose == "site":
        raise GeometryRefused(
            f"The file is a table, which is read for trees only; send the site's polygons as {ACCEPTED}.",
            code="no_polygon",
        )
    check_only_layer(wanted)
    text, notes = decoded(path.read_bytes())
    header, rows = _rows(text, wanted)
    x, y, degrees = _columns(header)
    gathering = Gathering(wanted.limits)
    for number, row in enumerate(rows, 1):
        if len(row) != len(header):
            raise FormatRefused(
                f"Row {number} of the table has {len(row)} cells and the header {len(header)}.", code="corrupt_file"
            )
        attributes: dict[str, Scalar] = dict(zip(header, (_value(cell) for cell in row), strict=True))
        gathering.add(_point(row[x], row[y], str(number)), attributes)
    return Raw(
        format="csv",
        driver="CSV",
        layer=wanted.name,
        layers=(wanted.name,),
        columns=tuple(header),
        features=gathering.features,
        crs_of_format=CRS("EPSG:4326") if degrees else None,
        no_crs="A table does not say its coordinate system",
        notes=(*notes, *gathering.notes),
    )


def _rows(text: str, wanted: Wanted) -> tuple[list[str], list[list[str]]]:
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    csv.field_size_limit(wanted.limits.text_chars)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]
    except csv.Error as error:
        raise FormatRefused("The table is damaged; export it again as CSV.", code="corrupt_file") from error
    if not rows:
        raise FormatRefused("The table is empty; send the trees.", code="no_features")
    return [cell.strip() for cell in rows[0]], rows[1:]


def _columns(header: list[str]) -> tuple[int, int, bool]:
    lower = [name.lower() for name in header]
    for pairs, degrees in ((_DEGREES, True), (_PLANE, False)):
        for x, y in pairs:
            if x in lower and y in lower:
                return lower.index(x), lower.index(y), degrees
    raise FormatRefused(
        "The table has no columns for coordinates; name them lon and lat, or x and y. A site is sent as polygons.",
        code="no_geometry",
    )


def _point(x: str, y: str, feature: str) -> BaseGeometry | None:
    if not x.strip() and not y.strip():
        return None
    try:
        return shapely.Point(float(x), float(y))
    except ValueError as error:
        raise GeometryRefused(
            f"Row {feature} of the table has no numbers for coordinates; correct it.",
            code="bad_coordinates",
            feature=feature,
        ) from error


def _value(cell: str) -> Scalar:
    text = cell.strip()
    return text or None

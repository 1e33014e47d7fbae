"""Move and mend: shapes into EPSG:26986, valid and of one kind; every change counted with its square feet."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS
from pyproj.exceptions import CRSError
from shapely.geometry.base import BaseGeometry

from layers.ingest.tables import LONLAT_FORMATS, Rows
from layers.manifest import Dropped, Repaired
from layers.verify import STATE_BOUNDS_M
from spatial.crs import DISPLAY_CRS, WORKING_CRS, transformer
from spatial.dust import all_without_dust
from spatial.errors import CrsRefused, GeometryRefused
from spatial.model import CrsSource, Geometries, Kind
from spatial.units import sqft_from_sqm

_DIMENSION: dict[Kind, int] = {"point": 0, "line": 1, "polygon": 2}
_WORDS: dict[Kind, str] = {"point": "points", "line": "lines", "polygon": "polygons"}


@dataclass(frozen=True, slots=True)
class SourceCrs:
    """The CRS the shapes are in, how it is called and who said so."""

    crs: CRS
    name: str
    source: CrsSource


@dataclass(slots=True)
class Mended:
    """Shapes ready to be cut. ``rows`` are the rows of the file that were kept, in order."""

    geometry: Geometries
    rows: NDArray[np.int64]
    kind: Kind
    dropped: list[Dropped] = field(default_factory=list)
    repaired: list[Repaired] = field(default_factory=list)

    def drop(self, reason: str, count: int) -> None:
        """Count features that are not kept; none is not worth a line."""
        if count > 0:
            self.dropped.append(Dropped(reason=reason, count=int(count)))


def source_crs(rows: Rows, declared: str | None) -> SourceCrs:
    """Return the CRS of a table: its own, else the one staff declare; raises ``CrsRefused``.

    GeoJSON, TopoJSON and KML are longitude and latitude by their own rules; a declared CRS overrides that for the
    first two only, because many old files break the rule.
    """
    own = _parsed(rows.crs_wkt) if rows.crs_wkt else None
    by_rule = rows.driver in LONLAT_FORMATS and (own is None or own == CRS(DISPLAY_CRS))
    if declared is not None:
        said = _parsed(declared)
        if own is None or (by_rule and rows.driver != "LIBKML"):
            return SourceCrs(said, crs_name(said), "declared")
        if not said.equals(own, ignore_axis_order=True) and said.to_epsg() != own.to_epsg():
            raise CrsRefused(
                f"The file says its coordinate system is {crs_name(own)}, not {declared}; leave --crs out.",
                code="bad_parameter",
            )
    if by_rule:
        return SourceCrs(CRS(DISPLAY_CRS), DISPLAY_CRS, "format")
    if own is None:
        raise CrsRefused(
            f"The layer '{rows.name}' does not say its coordinate system; declare it, such as --crs EPSG:26986.",
            code="crs_missing",
            layer=rows.name,
            suggestions=("EPSG:26986", "EPSG:2249", "EPSG:4326"),
        )
    return SourceCrs(own, crs_name(own), "file")


def _parsed(text: str) -> CRS:
    try:
        return CRS(text)
    except CRSError as error:
        raise CrsRefused(
            f"'{text[:60]}' is no coordinate system we know; give a code such as EPSG:26986.", code="crs_unknown"
        ) from error


def crs_name(crs: CRS) -> str:
    """Return ``EPSG:n`` of a system that surely is that code's, else ``custom``."""
    code = crs.to_epsg(min_confidence=90)
    return f"EPSG:{code}" if code is not None else "custom"


def moved(geometry: Geometries, crs: CRS) -> Geometries:
    """Return shapes in EPSG:26986; those already there are not touched."""
    if crs_name(crs) == WORKING_CRS and crs.axis_info[0].unit_conversion_factor == 1.0:
        return geometry
    move = transformer(crs)

    def there(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.column_stack(move.transform(xy[:, 0], xy[:, 1]))

    return np.asarray(shapely.transform(geometry, there))


def mend(rows: Rows, crs: SourceCrs, kinds: tuple[Kind, ...]) -> Mended:
    """Return the usable shapes of a table in EPSG:26986.

    Parameters
    ----------
    rows
        The table as read.
    kinds
        Kinds of geometry the layer may have, the usual first; the one that most shapes have is taken.

    Raises
    ------
    GeometryRefused
        ``outside_area`` a shape lies far from Massachusetts; ``no_features`` shapes there were, none is usable;
        ``mixed_geometry`` for several kinds that the layer may have, none of which may be left out.
    """
    kept = ~(shapely.is_missing(rows.geometry) | shapely.is_empty(rows.geometry))
    at = np.flatnonzero(kept)
    mended = Mended(moved(rows.geometry[at], crs.crs), at, kinds[0])
    mended.drop("no shape (null or empty)", len(rows) - len(at) - rows.unreadable)
    mended.drop("shape cannot be read", rows.unreadable)
    _check_place(mended.geometry)
    mended.kind = _main_kind(mended.geometry, kinds)
    _make_valid(mended)
    _keep_kind(mended)
    _fill_dust(mended)
    if len(at) and not len(mended.rows):
        raise GeometryRefused(f"The layer holds no {_WORDS[mended.kind]}.", code="no_features")
    return mended


def _check_place(geometry: Geometries) -> None:
    if not len(geometry):
        return
    bounds = shapely.bounds(geometry)
    west, south, east, north = STATE_BOUNDS_M
    inside = (bounds[:, 0] >= west) & (bounds[:, 1] >= south) & (bounds[:, 2] <= east) & (bounds[:, 3] <= north)
    if not inside.all():
        first = int(np.flatnonzero(~inside)[0])
        x, y = bounds[first, 0], bounds[first, 1]
        raise GeometryRefused(
            f"{int((~inside).sum())} of {len(geometry)} shapes lie outside Massachusetts (the first at x {x:.0f}, "
            f"y {y:.0f} m in EPSG:26986); check the file and its coordinate system.",
            code="outside_area",
        )


def _main_kind(geometry: Geometries, kinds: tuple[Kind, ...]) -> Kind:
    dimension = shapely.get_dimensions(geometry)
    counts = {kind: int((dimension == _DIMENSION[kind]).sum()) for kind in kinds}
    held = [f"{count:,} {_WORDS[kind]}" for kind, count in counts.items() if count]
    if len(held) > 1:
        raise GeometryRefused(
            f"The file holds {' and '.join(held)}, which all count, and an edition holds one kind; add each kind "
            "as a file of its own, with a --covers file of another name.",
            code="mixed_geometry",
        )
    return max(kinds, key=lambda kind: (counts[kind], -kinds.index(kind)))


def _make_valid(mended: Mended) -> None:
    """Repair what crosses itself; wanting parts thrown off by a repair are dropped with the kind check."""
    bad = np.flatnonzero(~shapely.is_valid(mended.geometry))
    by_reason: dict[str, list[float]] = defaultdict(list)
    for i in bad:
        before = mended.geometry[i]
        after = shapely.make_valid(before, method="structure", keep_collapsed=False)
        by_reason[_reason(before)].append(sqft_from_sqm(after.area - before.area))
        mended.geometry[i] = after
    for reason, changes in sorted(by_reason.items()):
        largest = max(changes, key=abs)
        mended.repaired.append(
            Repaired(
                reason=reason, count=len(changes), area_change_sqft=float(sum(changes)), largest_change_sqft=largest
            )
        )


def _fill_dust(mended: Mended) -> None:
    """Fill holes of no size: they are no ground, and overlays with them may come out empty."""
    if mended.kind != "polygon":
        return
    before = float(shapely.area(mended.geometry).sum())
    mended.geometry, count = all_without_dust(mended.geometry)
    if count:
        change = sqft_from_sqm(float(shapely.area(mended.geometry).sum()) - before)
        reason = "holes of no size filled"
        mended.repaired.append(
            Repaired(reason=reason, count=count, area_change_sqft=change, largest_change_sqft=change)
        )


def _reason(geometry: shapely.Geometry) -> str:
    return str(shapely.is_valid_reason(geometry)).split("[", maxsplit=1)[0].strip().lower()


def _keep_kind(mended: Mended) -> None:
    """Keep parts of the layer's kind; features without one are dropped, others only lose the odd parts."""
    wanted = _DIMENSION[mended.kind]
    parts, owner = shapely.get_parts(mended.geometry, return_index=True)
    fits = (shapely.get_dimensions(parts) == wanted) & ~shapely.is_empty(parts)
    left = np.bincount(owner[fits], minlength=len(mended.geometry))
    odd = np.bincount(owner[~fits], minlength=len(mended.geometry))
    for i in np.flatnonzero((odd > 0) & (left > 0)):
        mended.geometry[i] = _gathered(parts[(owner == i) & fits])
    keep = left > 0
    for reason, count in sorted(Counter(_why_not(g, mended.kind) for g in mended.geometry[~keep]).items()):
        mended.drop(reason, count)
    lost = int(((odd > 0) & keep).sum())
    if lost:
        reason = f"parts that are no {_WORDS[mended.kind]} left out of a feature"
        mended.repaired.append(Repaired(reason=reason, count=lost, area_change_sqft=0.0, largest_change_sqft=0.0))
    mended.geometry, mended.rows = _unwrapped(mended.geometry[keep]), mended.rows[keep]
    if mended.kind == "polygon" and len(mended.geometry):
        mended.geometry = np.asarray(shapely.orient_polygons(mended.geometry))


def _unwrapped(geometry: Geometries) -> Geometries:
    """Return multi-part shapes of one part as that part: formats differ in this, the ground does not."""
    single = shapely.get_num_geometries(geometry) == 1
    return np.where(single, shapely.get_geometry(geometry, 0), geometry)


def _why_not(geometry: BaseGeometry, kind: Kind) -> str:
    if geometry.is_empty:
        return "nothing is left of the shape when it is repaired"
    return f"{geometry.geom_type} where {_WORDS[kind]} are wanted"


def _gathered(parts: Geometries) -> shapely.Geometry:
    made: shapely.Geometry = parts[0] if len(parts) == 1 else shapely.union_all(parts)
    return made

"""Normalise: make a polygon valid by the structure of its rings, and say what that did to its area."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from spatial.dust import without_dust
from spatial.errors import GeometryRefused
from spatial.model import Area, Note
from spatial.normalise.crossings import more_crossings_than
from spatial.normalise.spikes import without_spikes
from spatial.read.limits import ReadLimits
from spatial.units import sqft_from_sqm

_REASON = re.compile(r"^(.*?)\[(\S+) (\S+)\]$")
_SAME_SQFT = 0.005


@dataclass(frozen=True, slots=True, eq=False)
class Mended:
    """A valid polygon, and the note on what was changed; ``geometry`` None when nothing with area was left."""

    geometry: Area | None
    notes: tuple[Note, ...]


def mend(geometry: BaseGeometry, feature: str, limits: ReadLimits) -> Mended:
    """Return a valid polygon or multipolygon in EPSG:26986.

    Parameters
    ----------
    geometry
        Polygon or MultiPolygon, perhaps crossing itself.
    feature
        Its id, for notes and refusals.

    Raises
    ------
    GeometryRefused
        ``too_complex`` when it crosses itself more often than the limit: that is no site boundary.
    """
    if shapely.is_valid(geometry):
        return _trimmed(Mended(_polygonal(geometry), ()), feature)
    _check_tangle(geometry, feature, limits)
    reason = shapely.is_valid_reason(geometry)
    mended = _polygonal(_by_structure(geometry, feature))
    before, after = drawn_area_sqft(geometry), 0.0 if mended is None else sqft_from_sqm(mended.area)
    note = Note("geometry_repaired", _told(feature, reason, before, after), feature)
    return _trimmed(Mended(mended, (note,)), feature)


def _trimmed(mended: Mended, feature: str) -> Mended:
    """Return the polygon without spikes that enclose nothing."""
    if mended.geometry is None:
        return mended
    trimmed, spikes = without_spikes(mended.geometry)
    if not spikes:
        return mended
    change = sqft_from_sqm(trimmed.area - mended.geometry.area)
    text = (
        f"Feature {feature} had {spikes} spike(s) thinner than a hundredth of a foot, which were taken off; "
        f"its area changed by {change:+,.2f} sq ft."
    )
    return Mended(trimmed, (*mended.notes, Note("geometry_repaired", text, feature)))


def _by_structure(geometry: BaseGeometry, feature: str) -> BaseGeometry:
    """Return a valid geometry; of some tangles GEOS needs a second look, or corners a micrometre apart made one."""
    mended = _structured(geometry)
    if not shapely.is_valid(mended):
        mended = _structured(mended)
    if not shapely.is_valid(mended):
        mended = _structured(shapely.set_precision(geometry, 1e-6, mode="pointwise"))
    if shapely.is_valid(mended):
        return mended
    raise GeometryRefused(
        f"Feature {feature} crosses itself in a way that cannot be mended; draw it again.", feature=feature
    )


def _structured(geometry: BaseGeometry) -> BaseGeometry:
    mended: BaseGeometry = shapely.make_valid(geometry, method="structure", keep_collapsed=False)
    return mended


def _told(feature: str, reason: str, before_sqft: float, after_sqft: float) -> str:
    match = _REASON.match(reason)
    what = match.group(1).lower() if match else reason.lower()
    where = f" at {float(match.group(2)):.1f}, {float(match.group(3)):.1f}" if match else ""
    change = after_sqft - before_sqft
    same = "its area stays" if abs(change) < _SAME_SQFT else f"its area changed by {change:+,.2f} sq ft to"
    return f"Feature {feature} was not valid ({what}{where}) and was mended; {same} {after_sqft:,.2f} sq ft."


def _check_tangle(geometry: BaseGeometry, feature: str, limits: ReadLimits) -> None:
    vertices = int(shapely.get_num_coordinates(geometry))
    if vertices > limits.crossings_vertices or more_crossings_than(geometry, limits.crossings):
        raise GeometryRefused(
            f"Feature {feature} has {vertices:,} vertices and crosses itself more than {limits.crossings:,} times; "
            "that is no boundary of a site. Draw it again.",
            code="too_complex",
            feature=feature,
        )


def _polygonal(geometry: BaseGeometry) -> Area | None:
    """Return the polygons of a geometry as one area, without holes of no size; None when there are none."""
    parts = [p for p in _flat(geometry) if p.geom_type == "Polygon" and not p.is_empty and p.area > 0.0]
    if not parts:
        return None
    return without_dust(parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts))


def _flat(geometry: BaseGeometry) -> list[shapely.Polygon]:
    return list(shapely.get_parts(shapely.get_parts(geometry)))


def drawn_area_sqft(geometry: BaseGeometry) -> float:
    """Return the area a polygon's rings enclose as drawn: shells less holes, each by the surveyor's formula.

    For a ring that crosses itself the halves cancel: a bow-tie has 0.
    """
    total = 0.0
    for polygon in _flat(geometry):
        shell, *holes = (abs(_signed_sqm(ring)) for ring in shapely.get_rings(polygon))
        total += shell - sum(holes)
    return sqft_from_sqm(total)


def _signed_sqm(ring: BaseGeometry) -> float:
    xy = shapely.get_coordinates(ring)
    x, y = xy[:, 0] - xy[0, 0], xy[:, 1] - xy[0, 1]
    return float(0.5 * np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))

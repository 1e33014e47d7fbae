"""Coordinate systems people send: their names, whether numbers fit them, and what numbers look like.

Nothing here relabels anything. A system is proposed, never assumed; a code is only a name, the transformation
always uses the file's own definition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS
from pyproj.exceptions import CRSError, ProjError
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from spatial.crs import NAD27_ACCURACY_M, WORKING_CRS, is_nad27, transformer
from spatial.errors import CrsRefused

Coordinates = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class System:
    """A system in use in Massachusetts; ``island`` for those of Dukes and Nantucket."""

    code: str
    title: str
    island: bool = False


SYSTEMS = (
    System("EPSG:26986", "NAD83 / Massachusetts Mainland, metres"),
    System("EPSG:2249", "NAD83 / Massachusetts Mainland, US survey feet"),
    System("EPSG:4326", "WGS 84, degrees"),
    System("EPSG:4269", "NAD83, degrees"),
    System("EPSG:6491", "NAD83(2011) / Massachusetts Mainland, metres"),
    System("EPSG:6492", "NAD83(2011) / Massachusetts Mainland, US survey feet"),
    System("EPSG:3857", "Web Mercator"),
    System("EPSG:26919", "NAD83 / UTM zone 19N"),
    System("EPSG:32619", "WGS 84 / UTM zone 19N"),
    System("EPSG:26918", "NAD83 / UTM zone 18N"),
    System("EPSG:32618", "WGS 84 / UTM zone 18N"),
    System("EPSG:6348", "NAD83(2011) / UTM zone 19N"),
    System("EPSG:6347", "NAD83(2011) / UTM zone 18N"),
    System("EPSG:6318", "NAD83(2011), degrees"),
    System("EPSG:2805", "NAD83(HARN) / Massachusetts Mainland, metres"),
    System("EPSG:2894", "NAD83(HARN) / Massachusetts Mainland, US survey feet"),
    System("EPSG:3585", "NAD83(NSRS2007) / Massachusetts Mainland, metres"),
    System("EPSG:3586", "NAD83(NSRS2007) / Massachusetts Mainland, US survey feet"),
    System("EPSG:5070", "NAD83 / Conus Albers"),
    System("EPSG:26786", "NAD27 / Massachusetts Mainland, US survey feet"),
    System("EPSG:4267", "NAD27, degrees"),
    System("EPSG:26719", "NAD27 / UTM zone 19N"),
    System("EPSG:26718", "NAD27 / UTM zone 18N"),
    System("EPSG:26987", "NAD83 / Massachusetts Island, metres", island=True),
    System("EPSG:2250", "NAD83 / Massachusetts Island, US survey feet", island=True),
    System("EPSG:6489", "NAD83(2011) / Massachusetts Island, metres", island=True),
    System("EPSG:6490", "NAD83(2011) / Massachusetts Island, US survey feet", island=True),
    System("EPSG:2806", "NAD83(HARN) / Massachusetts Island, metres", island=True),
    System("EPSG:2895", "NAD83(HARN) / Massachusetts Island, US survey feet", island=True),
    System("EPSG:26787", "NAD27 / Massachusetts Island, US survey feet", island=True),
)
"""Every system that may be declared, the likeliest first."""

_BY_CODE = {system.code: system for system in SYSTEMS}
_ALIASES = {
    "102100": "EPSG:3857",
    "102113": "EPSG:3857",
    "900913": "EPSG:3857",
    "3785": "EPSG:3857",
    "102686": "EPSG:2249",
    "102286": "EPSG:2805",
    "102687": "EPSG:2250",
    "84": "EPSG:4326",
}
_PROPOSED = tuple(s.code for s in SYSTEMS if not s.island and s.code not in ("EPSG:6318", "EPSG:6347", "EPSG:6348"))
_CODE = re.compile(r"^\s*(?:EPSG|ESRI|OGC)?\s*:{0,2}\s*(?:CRS)?(\d{2,6})\s*$", re.IGNORECASE)

MAINLAND_OUTLINE = Polygon(
    [
        (-73.55, 42.03), (-73.53, 42.08), (-73.29, 42.78), (-72.93, 42.775), (-72.28, 42.755), (-71.30, 42.72),
        (-71.27, 42.76), (-71.19, 42.82), (-71.13, 42.86), (-70.90, 42.925), (-70.75, 42.91), (-70.77, 42.75),
        (-70.55, 42.70), (-70.53, 42.62), (-70.72, 42.50), (-70.62, 42.22), (-70.58, 42.06), (-70.45, 41.93),
        (-70.33, 42.10), (-70.15, 42.13), (-69.98, 42.00), (-69.88, 41.80), (-69.88, 41.53), (-70.10, 41.50),
        (-70.45, 41.50), (-70.60, 41.505), (-70.672, 41.505), (-70.686, 41.519), (-70.690, 41.527),
        (-70.71, 41.54), (-70.90, 41.535), (-70.98, 41.45), (-71.16, 41.45), (-71.16, 41.64), (-71.22, 41.66),
        (-71.25, 41.70), (-71.25, 41.73), (-71.36, 41.75), (-71.37, 41.86), (-71.42, 41.90), (-71.42, 41.98),
        (-71.83, 41.98), (-71.84, 41.99), (-72.70, 41.99), (-72.74, 41.97), (-72.84, 41.97), (-72.84, 42.00),
        (-73.50, 42.02),
    ]
)  # fmt: skip
"""A loose outline of Massachusetts without Dukes and Nantucket, degrees NAD83, one to three miles outside it."""

ISLANDS_OUTLINE = Polygon(
    [
        (-71.02, 41.20), (-69.88, 41.20), (-69.88, 41.53), (-70.10, 41.50), (-70.45, 41.50), (-70.60, 41.505),
        (-70.672, 41.505), (-70.686, 41.519), (-70.690, 41.527), (-70.71, 41.54), (-70.90, 41.535), (-70.98, 41.45),
    ]
)  # fmt: skip
"""Dukes and Nantucket counties with the water around them, degrees NAD83."""


def declared(text: str) -> CRS:
    """Return the system an applicant names as ``EPSG:n``; only those of ``SYSTEMS`` and Esri's names for them.

    Raises
    ------
    CrsRefused
        ``crs_unknown`` for anything else: a code not on the list, WKT, PROJ text or an address.
    """
    match = _CODE.match(text)
    number = match.group(1) if match else ""
    code = _ALIASES.get(number, f"EPSG:{number}")
    system = _BY_CODE.get(code)
    if system is None:
        raise CrsRefused(
            f"The coordinate system {_shown(text)!r} is not one that is taken; name one such as EPSG:26986.",
            suggestions=_PROPOSED[:8],
        )
    refuse_island(system.code)
    return _crs(system.code)


def stated(text: str) -> CRS:
    """Return the system a file states as ``EPSG:n``, ``ESRI:n`` or a bare number; any that PROJ knows.

    Raises
    ------
    CrsRefused
        ``crs_unknown`` for anything else.
    """
    match = re.match(r"^\s*(?:(EPSG|ESRI|OGC)\s*:{1,2}\s*)?(?:CRS)?(\d{2,6})\s*$", text, re.IGNORECASE)
    if match is None:
        raise CrsRefused(f"The file states the coordinate system {_shown(text)!r}, which is not known.")
    number = match.group(2)
    for code in (_ALIASES.get(number), f"EPSG:{number}", f"ESRI:{number}"):
        if code is not None and _known(code):
            return _crs(code)
    raise CrsRefused(f"The file states the coordinate system {_shown(text)!r}, which is not known.")


def _known(code: str) -> bool:
    try:
        _crs(code)
    except CRSError:
        return False
    return True


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:60])


def refuse_island(code: str) -> None:
    """Raise ``outside_area`` when a system is one of the Island zone."""
    system = _BY_CODE.get(code)
    if system is not None and system.island:
        raise CrsRefused(
            f"{code} ({system.title}) is the zone of Dukes and Nantucket, which Metes does not measure yet; "
            "it answers for the Mainland zone only.",
            code="outside_area",
            suggestions=("EPSG:26986", "EPSG:2249"),
        )


@lru_cache(maxsize=64)
def _crs(code: str) -> CRS:
    return CRS.from_user_input(code)


def title_of(code: str) -> str:
    """Return the words for a code, or the code itself."""
    system = _BY_CODE.get(code)
    return system.title if system else code


# ------------------------------------------------------------------------------------------------- names


def name_of(crs: CRS) -> str:
    """Return ``EPSG:n`` when datum, projection and unit are that code's exactly, else ``custom``.

    International feet are not US survey feet: such a system is ``custom``.
    """
    for system in SYSTEMS:
        if _same(crs, _crs(system.code)):
            return system.code
    code = crs.to_epsg(min_confidence=100)
    return f"EPSG:{code}" if code else "custom"


def _same(crs: CRS, known: CRS) -> bool:
    if _datum(crs) != _datum(known) or crs.is_projected != known.is_projected:
        return False
    x, y = _probes(known)
    try:
        there = transformer(known, crs).transform(x, y)
    except (ProjError, CRSError):
        return False
    return bool(np.allclose(there[0], x, rtol=0, atol=_probe_tolerance(known))) and bool(
        np.allclose(there[1], y, rtol=0, atol=_probe_tolerance(known))
    )


def _datum(crs: CRS) -> str:
    geodetic = crs.geodetic_crs
    name = geodetic.datum.name if geodetic is not None and geodetic.datum is not None else ""
    return re.sub(r"[^a-z0-9]", "", name.lower()).removesuffix("ensemble")


@lru_cache(maxsize=64)
def _probes(known: CRS) -> tuple[Coordinates, Coordinates]:
    lon, lat = np.array([-73.3, -71.28, -70.1]), np.array([42.6, 42.24, 41.7])
    geodetic = known.geodetic_crs or _crs("EPSG:4269")
    x, y = transformer(geodetic, known).transform(lon, lat)
    return x, y


def _probe_tolerance(known: CRS) -> float:
    return 1e-8 if known.is_geographic else 1e-3


# -------------------------------------------------------------------------------------------------- fits


@lru_cache(maxsize=2)
def _outline(islands: bool) -> BaseGeometry:
    degrees = shapely.segmentize(ISLANDS_OUTLINE if islands else MAINLAND_OUTLINE, 0.02)
    move = transformer("EPSG:4269")
    outline = shapely.transform(degrees, lambda xy: np.column_stack(move.transform(xy[:, 0], xy[:, 1])))
    shapely.prepare(outline)
    return outline


def moved(coordinates: Coordinates, crs: CRS) -> Coordinates:
    """Return an (n, 2) array in EPSG:26986; rows that the system cannot place become infinite."""
    x, y = transformer(crs).transform(coordinates[:, 0], coordinates[:, 1])
    return np.column_stack([x, y])


def on_mainland(working: Coordinates) -> NDArray[np.bool_]:
    """Return for each row of an (n, 2) array in EPSG:26986 whether it lies in mainland Massachusetts."""
    return _inside(working, islands=False)


def on_islands(working: Coordinates) -> NDArray[np.bool_]:
    """Return for each row of an (n, 2) array in EPSG:26986 whether it lies in Dukes or Nantucket county."""
    return _inside(working, islands=True)


def _inside(working: Coordinates, *, islands: bool) -> NDArray[np.bool_]:
    finite = np.isfinite(working).all(axis=1)
    inside = np.zeros(len(working), dtype=bool)
    if finite.any():
        inside[finite] = shapely.contains_xy(_outline(islands), working[finite, 0], working[finite, 1])
    return inside


def fits(coordinates: Coordinates, code: str) -> bool:
    """Return whether every coordinate, read in ``code``, lies in mainland Massachusetts. No rows: False."""
    if not len(coordinates) or not np.isfinite(coordinates).all():
        return False
    system = _BY_CODE.get(code)
    working = moved(coordinates, _crs(code))
    inside = on_islands(working) if system is not None and system.island else on_mainland(working)
    return bool(inside.all())


def looks_like(coordinates: Coordinates, hint: BaseGeometry | None = None) -> tuple[str, ...]:
    """Return the codes in which the numbers fall in mainland Massachusetts, best first.

    Parameters
    ----------
    coordinates
        (n, 2) array in an unknown system.
    hint
        A claimed parcel in EPSG:26986: systems that bring the numbers nearest to it come first.
    """
    fitting = [code for code in _PROPOSED if fits(coordinates, code)]
    if hint is None or hint.is_empty:
        return tuple(fitting)
    distance = {code: _distance(coordinates, code, hint) for code in fitting}
    return tuple(sorted(fitting, key=lambda code: (round(distance[code]), fitting.index(code))))


def _distance(coordinates: Coordinates, code: str, hint: BaseGeometry) -> float:
    working = moved(coordinates, _crs(code))
    return float(shapely.MultiPoint(working).envelope.distance(hint))


def looks_like_island(coordinates: Coordinates) -> tuple[str, ...]:
    """Return the Island zone codes in which the numbers fall in Dukes or Nantucket."""
    return tuple(s.code for s in SYSTEMS if s.island and fits(coordinates, s.code))


def swapped(coordinates: Coordinates) -> Coordinates:
    """Return the array with x and y exchanged."""
    return coordinates[:, ::-1]


def agree(one: CRS, other: CRS, coordinates: Coordinates) -> bool:
    """Return whether two systems put the same numbers on the same ground, within a centimetre."""
    a, b = moved(coordinates, one), moved(coordinates, other)
    return bool(np.isfinite(a).all() and np.isfinite(b).all() and np.abs(a - b).max(initial=0.0) < 0.01)


def is_usable(crs: CRS) -> bool:
    """Return whether a system is horizontal and has a way to ours: not a local, vertical or image one."""
    if crs.geodetic_crs is None or not (crs.is_geographic or crs.is_projected or crs.is_bound or crs.is_compound):
        return False
    try:
        x, y = transformer(crs, WORKING_CRS).transform(0.0, 0.0)
    except (ProjError, CRSError):
        return False
    return isinstance(x, float) and isinstance(y, float)


def accuracy_m(crs: CRS) -> float:
    """Return how far off the way from a system to ours may be, in metres; 0 for those of NAD83."""
    return NAD27_ACCURACY_M if is_nad27(crs) else 0.0

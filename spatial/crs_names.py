"""Coordinate systems people send: which are taken, what they are called, and which code a definition is.

A code is only a name: the transformation always uses the file's own definition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from pyproj import CRS
from pyproj.exceptions import CRSError, ProjError

from spatial.crs import transformer
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
PROPOSED = tuple(s.code for s in SYSTEMS if not s.island and s.code not in ("EPSG:6318", "EPSG:6347", "EPSG:6348"))
"""The codes that are proposed when a file names none, the likeliest first."""
_CODE = re.compile(r"^\s*(?:EPSG|ESRI|OGC)?\s*:{0,2}\s*(?:CRS)?(\d{2,6})\s*$", re.IGNORECASE)


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
            suggestions=PROPOSED[:8],
        )
    refuse_island(system.code)
    return crs_of_code(system.code)


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
            return crs_of_code(code)
    raise CrsRefused(f"The file states the coordinate system {_shown(text)!r}, which is not known.")


def _known(code: str) -> bool:
    try:
        crs_of_code(code)
    except CRSError:
        return False
    return True


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:60])


def is_island(code: str) -> bool:
    """Return whether a code is of a system of the Island zone."""
    system = _BY_CODE.get(code)
    return system is not None and system.island


def refuse_island(code: str) -> None:
    """Raise ``outside_area`` when a system is one of the Island zone."""
    if is_island(code):
        raise CrsRefused(
            f"{code} ({title_of(code)}) is the zone of Dukes and Nantucket, which Metes does not measure yet; "
            "it answers for the Mainland zone only.",
            code="outside_area",
            suggestions=("EPSG:26986", "EPSG:2249"),
        )


@lru_cache(maxsize=64)
def crs_of_code(code: str) -> CRS:
    """Return the system of a code, parsed once."""
    return CRS.from_user_input(code)


def title_of(code: str) -> str:
    """Return the words for a code, or the code itself."""
    system = _BY_CODE.get(code)
    return system.title if system else code


def name_of(crs: CRS) -> str:
    """Return ``EPSG:n`` when datum, projection and unit are that code's exactly, else ``custom``.

    International feet are not US survey feet: such a system is ``custom``.
    """
    for system in SYSTEMS:
        if _same(crs, crs_of_code(system.code)):
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
    geodetic = known.geodetic_crs or crs_of_code("EPSG:4269")
    x, y = transformer(geodetic, known).transform(lon, lat)
    return x, y


def _probe_tolerance(known: CRS) -> float:
    return 1e-8 if known.is_geographic else 1e-3

"""Reading: settle the coordinate system: what the file states, what its format prescribes, what was declared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS
from shapely.geometry.base import BaseGeometry

from spatial import crs_fit, crs_names
from spatial.errors import CrsRefused, GeometryRefused
from spatial.model import CrsSource, Note, Reading
from spatial.read.raw import Raw
from spatial.units import ft_from_m

_SAMPLE = 500
SHOWN = 3
"""Systems proposed in the sentence; all that fit stand among the suggestions."""
ON_PARCEL_FT = 1.0


def settle(raw: Raw, *, declared_crs: str | None, area_hint: BaseGeometry | None) -> Reading:
    """Return the reading with its coordinate system; never relabelled, never guessed.

    Raises
    ------
    CrsRefused
        ``crs_missing`` with the systems the numbers would fit; ``crs_unknown``; ``bad_parameter`` when what is
        declared contradicts the file; ``outside_area`` for the Island zone.
    GeometryRefused
        ``no_features``, ``no_geometry``, ``bad_coordinates``.
    """
    raw = _without_local(raw)
    coordinates = sample(raw)
    crs, source, notes = _settled(raw, declared_crs, coordinates, area_hint)
    name = crs_names.name_of(crs)
    crs_names.refuse_island(name)
    return Reading(
        format=raw.format,
        driver=raw.driver,
        crs=crs,
        crs_name=name,
        crs_source=source,
        layer=raw.layer,
        layers=raw.layers,
        columns=raw.columns,
        features=raw.features,
        notes=(*notes, *raw.notes, *_unit_note(raw, crs)),
    )


def _without_local(raw: Raw) -> Raw:
    """A local system has no place on the earth and says nothing; what is declared may take its stead."""
    if raw.crs is None or crs_fit.is_usable(raw.crs):
        return raw
    return replace(raw, crs=None, no_crs=f"The coordinate system in {raw.stated_in} is a local one without a place")


def _unit_note(raw: Raw, crs: CRS) -> tuple[Note, ...]:
    factor = crs.axis_info[0].unit_conversion_factor if crs.is_projected and crs.axis_info else None
    if raw.unit_m is None or factor is None or abs(raw.unit_m / factor - 1.0) < 0.01:
        return ()
    text = (
        f"The drawing says a unit of {raw.unit_m:g} m and the declared system counts in "
        f"{crs.axis_info[0].unit_name}; the declared system was used, and the place must prove it."
    )
    return (Note("unit_contradicts", text),)


def _settled(
    raw: Raw, declared_crs: str | None, coordinates: NDArray[np.float64], hint: BaseGeometry | None
) -> tuple[CRS, CrsSource, tuple[Note, ...]]:
    declared = None if declared_crs is None else crs_names.declared(declared_crs)
    if raw.crs is not None:
        return raw.crs, "file", _from_file(raw, raw.crs, declared, coordinates)
    if declared is not None:
        return declared, "declared", (_declared_note(declared, raw),)
    if raw.crs_of_format is not None:
        return raw.crs_of_format, "format", ()
    raise _missing(raw, coordinates, hint)


def _from_file(raw: Raw, crs: CRS, declared: CRS | None, coordinates: NDArray[np.float64]) -> tuple[Note, ...]:
    name = crs_names.name_of(crs)
    words = (
        f"{name} ({crs.name})"
        if name != "custom"
        else f"{crs.name[:100]}, which has no code of its own{_counted(crs)},"
    )
    note = Note("crs_from_file_wkt", f"The coordinate system {words} was taken from {raw.stated_in}.")
    if declared is None or crs_fit.agree(declared, crs, coordinates):
        return (note,)
    raise CrsRefused(
        f"The file states {words} in {raw.stated_in} and {crs_names.name_of(declared)} was declared, which puts "
        "the numbers elsewhere; leave crs out, or send the file without its own statement.",
        code="bad_parameter",
        suggestions=(name,) if name != "custom" else (),
    )


def _counted(crs: CRS) -> str:
    """Return in which unit a system counts: international feet must not pass for US survey feet."""
    if not crs.axis_info:
        return ""
    axis = crs.axis_info[0]
    return f" and counts in units of {axis.unit_conversion_factor:.10g} m ({axis.unit_name})"


def _declared_note(declared: CRS, raw: Raw) -> Note:
    name = crs_names.name_of(declared)
    instead = " instead of the degrees its format prescribes" if raw.crs_of_format is not None else ""
    return Note(
        "crs_declared_by_user", f"{name} ({crs_names.title_of(name)}) was declared by who sent the file{instead}."
    )


def _missing(raw: Raw, coordinates: NDArray[np.float64], hint: BaseGeometry | None) -> CrsRefused:
    fitting = crs_fit.looks_like(coordinates, hint)
    if fitting:
        more = f" or {len(fitting) - SHOWN} more" if len(fitting) > SHOWN else ""
        shown = ", ".join(_proposed(code, coordinates, hint) for code in fitting[:SHOWN]) + more
        remedy = (
            f"the numbers would fall in Massachusetts in {shown}. Say which it is with crs=EPSG:n (--crs EPSG:n)"
        )
    elif crs_fit.looks_like(crs_fit.swapped(coordinates)):
        remedy = "the numbers fit only with x and y exchanged; export it again, x (east) before y (north)"
    else:
        remedy = "and the numbers fit none in use in Massachusetts; place the drawing in EPSG:26986 or EPSG:2249"
    return CrsRefused(f"{raw.no_crs}; {remedy}.", code="crs_missing", suggestions=fitting)


def _proposed(code: str, coordinates: NDArray[np.float64], hint: BaseGeometry | None) -> str:
    """Return a system by name, and where it puts the numbers against the parcel named, when one was."""
    title = crs_names.title_of(code)
    if hint is None or hint.is_empty:
        return f"{code} ({title})"
    away_ft = ft_from_m(crs_fit.distance_m(coordinates, code, hint))
    where = "on the parcel" if away_ft < ON_PARCEL_FT else f"{away_ft:,.0f} ft from the parcel"
    return f"{code} ({title}; {where})"


def sample(raw: Raw) -> NDArray[np.float64]:
    """Return up to some hundred coordinates of the features, (n, 2), all finite.

    Raises
    ------
    GeometryRefused
        ``no_features``, ``no_geometry`` for null shapes only, ``bad_coordinates``.
    """
    if not raw.features:
        raise GeometryRefused("The file holds no feature; draw the site and export it again.", code="no_features")
    shapes = [f for f in raw.features if f.geometry is not None and not f.geometry.is_empty]
    if not shapes:
        raise GeometryRefused(
            f"None of the {len(raw.features)} feature(s) has a geometry; draw the site and export it again.",
            code="no_geometry",
        )
    for feature in shapes:
        _check_finite(feature.geometry, feature.id)
    coordinates = shapely.get_coordinates([feature.geometry for feature in shapes])
    step = max(1, len(coordinates) // _SAMPLE)
    return coordinates[::step]


def _check_finite(geometry: BaseGeometry | None, feature: str) -> None:
    coordinates = shapely.get_coordinates(geometry)
    if not np.isfinite(coordinates).all() or np.abs(coordinates).max(initial=0.0) > 1e12:
        raise GeometryRefused(
            f"Feature {feature} has a coordinate that is not a finite number of a map; correct it.",
            code="bad_coordinates",
            feature=feature,
        )

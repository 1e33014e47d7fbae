"""Normalise: into EPSG:26986, and only what really lies in mainland Massachusetts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial import crs_fit, crs_names
from spatial.crs import NAD27_ACCURACY_M, is_nad27, reproject
from spatial.errors import CrsRefused
from spatial.model import Note, Reading
from spatial.normalise.kinds import Kinds, Sorted
from spatial.units import ft_from_m

_SAMPLE = 500


def place(kinds: Kinds, reading: Reading) -> Kinds:
    """Return the features in EPSG:26986; vertices are moved, none added.

    Raises
    ------
    CrsRefused
        ``outside_area`` or ``axes_swapped`` when a feature lies elsewhere, saying what its numbers look like.
    """
    placed = tuple(_placed(feature, reading) for feature in kinds.features)
    return Kinds(placed, (*kinds.notes, *_datum_notes(reading)))


def _placed(feature: Sorted, reading: Reading) -> Sorted:
    moved = reproject(feature.geometry, reading.crs)
    if not crs_fit.on_mainland(shapely.get_coordinates(moved)).all():
        raise _elsewhere(feature, reading)
    return replace(feature, geometry=moved)


def _elsewhere(feature: Sorted, reading: Reading) -> CrsRefused:
    """Return the refusal that fits: exchanged axes, the islands, another system, or plainly elsewhere."""
    numbers = shapely.get_coordinates(feature.geometry)
    numbers = numbers[:: max(1, len(numbers) // _SAMPLE)]
    x, y = (float(v) for v in numbers[0])
    position = (x, y) if np.isfinite([x, y]).all() else None
    name = reading.crs_name if reading.crs_name != "custom" else reading.crs.name[:80]
    lies = f"Feature {feature.source.id} lies outside mainland Massachusetts: {x:.10g}, {y:.10g} read as {name}"
    code, why, suggestions = _explained(numbers, reading)
    return CrsRefused(
        f"{lies}; {why}.", code=code, feature=feature.source.id, position=position, suggestions=suggestions
    )


def _explained(numbers: NDArray[np.float64], reading: Reading) -> tuple[str, str, tuple[str, ...]]:
    if _fits_own(crs_fit.swapped(numbers), reading):
        axes = "latitude comes before longitude" if reading.crs.is_geographic else "north comes before east"
        return "axes_swapped", f"the axes are swapped ({axes}); export it with x (east) before y (north)", ()
    if _on_islands(numbers, reading):
        return (
            "outside_area",
            "it lies in Dukes or Nantucket, the Island zone, which Metes does not measure yet",
            (),
        )
    if reading.crs.is_geographic and _fits_own(numbers * (-1.0, 1.0), reading):
        return "outside_area", "the longitude lacks its minus sign (Massachusetts is west of Greenwich)", ()
    fitting = crs_fit.looks_like(numbers)
    if fitting:
        words = " or ".join(f"{code} ({crs_names.title_of(code)})" for code in fitting[:2])
        return "outside_area", f"the numbers look like {words}; export it with the right system", fitting
    return _explained_elsewhere(numbers, reading)


def _explained_elsewhere(numbers: NDArray[np.float64], reading: Reading) -> tuple[str, str, tuple[str, ...]]:
    other = crs_fit.looks_like(crs_fit.swapped(numbers))
    if other:
        return "axes_swapped", f"the numbers look like {other[0]} with its axes swapped; export it again", other
    islands = crs_fit.looks_like_island(numbers)
    if islands:
        words = f"the numbers look like {islands[0]}, the Island zone, which Metes does not measure yet"
        return "outside_area", words, ()
    if not reading.crs.is_geographic and np.abs(numbers).max(initial=0.0) < 30_000:
        return "outside_area", "the numbers look like local drawing coordinates; georeference the drawing first", ()
    return "outside_area", "Metes answers for mainland Massachusetts only; check the file and its system", ()


def _fits_own(numbers: NDArray[np.float64], reading: Reading) -> bool:
    return bool(crs_fit.on_mainland(crs_fit.moved(numbers, reading.crs)).all())


def _on_islands(numbers: NDArray[np.float64], reading: Reading) -> bool:
    return bool(crs_fit.on_islands(crs_fit.moved(numbers, reading.crs)).any())


def _datum_notes(reading: Reading) -> tuple[Note, ...]:
    if is_nad27(reading.crs):
        feet = ft_from_m(NAD27_ACCURACY_M)
        text = (
            f"The file is in NAD27, which was moved to NAD83 by a shift accurate to about {NAD27_ACCURACY_M:.0f} m "
            f"({feet:.0f} ft); distances and verdicts within that are not to be trusted."
        )
        return (Note("crs_accuracy", text),)
    geodetic = reading.crs.geodetic_crs
    if geodetic is not None and geodetic.datum is not None and "World Geodetic System 1984" in geodetic.datum.name:
        text = "WGS 84 was taken as NAD83, as maps do; positions straight from a GPS receiver may be 4 ft off."
        return (Note("datum_assumed", text),)
    return ()

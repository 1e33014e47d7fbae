"""The sentences of a raster's finding: what the cells hold, what nobody knows. Words only; nothing is judged."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.case import GridMeasure
from spatial.model import Coverage, EditionRef, Status, Theme
from spatial.units import PERCENT

SEEN_PERCENT = 0.005
"""Unknown ground below this share rounds to nothing and is not put into words."""


def classes(theme: Theme, seen_sqft: float, work_sqft: float, measured: GridMeasure) -> str:
    """Return how much of the work is of the class, as a range where some cells have no data."""
    at_most = measured.at_most_sqft or seen_sqft
    least, most = PERCENT * (seen_sqft / work_sqft), measured.at_most_percent or 0.0
    if measured.unknown_percent < SEEN_PERCENT:
        return f"{theme.title}: {seen_sqft:,.0f} sq ft, {least:.2f} % of the work."
    return (
        f"{theme.title}: between {seen_sqft:,.0f} and {at_most:,.0f} sq ft, {least:.2f} to {most:.2f} % of the "
        f"work; {measured.unknown_percent:.2f} % of it has no data."
    )


def relief(theme: Theme, measured: GridMeasure) -> str:
    """Return slope and elevation under the work."""
    said = (
        f"{theme.title}: {measured.slope_mean_percent:.1f} % on average, a tenth of the ground is steeper than "
        f"{measured.slope_p90_percent:.1f} %, at most {measured.slope_max_percent:.1f} %; {heights(measured)}."
    )
    if measured.unknown_percent < SEEN_PERCENT:
        return said
    return f"{said} {measured.unknown_percent:.2f} % of the work has no data."


def heights(measured: GridMeasure) -> str:
    """Return the range of ground elevation in words."""
    return f"the ground lies between {measured.elevation_min_ft:,.1f} and {measured.elevation_max_ft:,.1f} ft"


def beside_flood(measured: GridMeasure, floods: Sequence[tuple[float, str]], ref: EditionRef | None) -> str:
    """Return ground elevations beside the flood elevations of the zones met; nothing is concluded from them."""
    told = ", ".join(f"{height:,.1f} ft ({label})" for height, label in floods)
    source = f" (edition {ref.edition} of {ref.title})" if ref else ""
    ground = heights(measured)
    return (
        f"The map's flood elevation is {told}; {ground}{source}. Compare the two only when both are of one "
        "vertical datum."
    )


def doubt(band_ft: float) -> str:
    """Return that the answer would be another if the map or the limit of work moved a little."""
    return f"Too close to call: the map or the limit of work may be off by {band_ft:g} ft, and that decides."


def gap(status: Status, *, coverage: Coverage, measured: GridMeasure, ref: EditionRef) -> str:
    """Return what the edition does not answer for, or "" when it answers for the whole work."""
    if coverage != "partial":
        return ""
    edition = f"The edition {ref.edition} of {ref.title} ({ref.part})"
    rest = "what lies there is unknown" if status == "affected" else "nothing seen on the rest means nothing"
    return f"{edition} has no data for {measured.unknown_percent:.2f} % of the work: {rest}."


def troubled(theme: Theme, trouble: str | None) -> str:
    """Return why cells could not be read, or ""."""
    return f"{theme.title}: the raster could not be read: {trouble.rstrip('.')}." if trouble else ""

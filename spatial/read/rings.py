"""Reading: one ring of a polygon: closed where it was left open, refused where it encloses nothing."""

from __future__ import annotations

from spatial.errors import GeometryRefused
from spatial.read.positions import Coordinates, closed
from spatial.read.raw import Gathering


def ring_of(path: Coordinates, feature: str, gathering: Gathering) -> Coordinates:
    """Return a path as a ring of four or more positions, the last one the first; that it was left open is noted.

    Raises
    ------
    GeometryRefused
        ``degenerate_geometry`` for fewer than three corners, which enclose nothing.
    """
    ring, was_open = closed(path)
    if was_open:
        gathering.note(
            "ring_closed", f"A ring of feature {feature} did not end where it began; it was closed.", feature
        )
    if len(ring) < 4:
        raise GeometryRefused(
            f"Feature {feature} has a ring of {max(0, len(ring) - 1)} corners, which encloses no area; "
            "a ring needs three or more.",
            code="degenerate_geometry",
            feature=feature,
        )
    return ring

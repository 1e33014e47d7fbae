"""Normalise: a reading becomes a submission: EPSG:26986, plane, valid, in Massachusetts, every change told."""

from __future__ import annotations

from spatial.model import Reading, Submission
from spatial.normalise.inspect import inspect
from spatial.normalise.kinds import sort_kinds
from spatial.normalise.placing import place
from spatial.normalise.site import assemble
from spatial.normalise.values import tidy_values
from spatial.read.limits import ReadLimits
from spatial.read.raw import Purpose


def normalise(reading: Reading, limits: ReadLimits | None = None, *, purpose: Purpose = "site") -> Submission:
    """Return the usable features of a reading in EPSG:26986 and the union of the disturbance.

    Parameters
    ----------
    reading
        What a reader understood.
    limits
        How large and how tangled a site may be.
    purpose
        ``"site"`` needs polygons; ``"trees"`` takes points as trees and may end without any area.

    Raises
    ------
    CrsRefused
        ``outside_area`` or ``axes_swapped``, with what the numbers look like.
    GeometryRefused
        ``no_polygon``, ``invalid_geometry``, ``degenerate_geometry``, ``too_complex``, ``too_large``.
    ParameterRefused
        ``bad_parameter`` for a role that is not known.
    """
    limits = limits or ReadLimits()
    kinds = sort_kinds(reading, purpose)
    placed = place(kinds, reading)
    submission = assemble(placed, reading, limits, purpose)
    return tidy_values(submission)


__all__ = ["inspect", "normalise"]

"""One table from error code to HTTP status, and the problem document (RFC 9457) every refusal is told in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from app.schemas.problem import Problem
from spatial.errors import Internal, MetesError, NotFound, ParameterRefused

PROBLEM_JSON = "application/problem+json"
TYPE_ROOT = "urn:metes:problem:"


class Kind(NamedTuple):
    """What a code means over HTTP."""

    status: int
    title: str


class BadQuery(ParameterRefused):
    """A query that a standard wants told as 400, where we say 422 of everything that cannot be used."""


KINDS: dict[str, Kind] = {
    "crs_missing": Kind(422, "Coordinate system missing"),
    "crs_unknown": Kind(422, "Coordinate system unknown"),
    "outside_area": Kind(422, "Outside the area we answer for"),
    "axes_swapped": Kind(422, "Coordinates in the wrong order"),
    "unsupported_format": Kind(415, "Format not read"),
    "missing_component": Kind(422, "Part of the file missing"),
    "several_layers": Kind(422, "Several layers"),
    "layer_unknown": Kind(422, "Layer unknown"),
    "bad_json": Kind(422, "Not JSON we can read"),
    "bad_xml": Kind(422, "Not XML we can read"),
    "bad_archive": Kind(422, "Archive damaged"),
    "unsafe_archive": Kind(422, "Archive unsafe"),
    "archive_too_large": Kind(413, "Archive too large"),
    "empty_upload": Kind(422, "Nothing was sent"),
    "too_large": Kind(413, "Too large"),
    "corrupt_file": Kind(422, "File damaged"),
    "no_geometry": Kind(422, "No geometry"),
    "no_polygon": Kind(422, "No polygon"),
    "no_features": Kind(422, "No features"),
    "mixed_geometry": Kind(422, "Mixed geometry"),
    "invalid_geometry": Kind(422, "Geometry not valid"),
    "unsupported_geometry": Kind(422, "Geometry not supported"),
    "bad_coordinates": Kind(422, "Coordinates not usable"),
    "degenerate_geometry": Kind(422, "Geometry without area"),
    "too_complex": Kind(422, "Too complex"),
    "incomplete_source": Kind(422, "Source incomplete"),
    "unsafe_xml": Kind(422, "XML unsafe"),
    "unsafe_database": Kind(422, "Database unsafe"),
    "timeout": Kind(422, "Took too long"),
    "parcel_unknown": Kind(422, "Parcel unknown"),
    "town_unknown": Kind(422, "Town unknown"),
    "bad_parameter": Kind(422, "Parameter not usable"),
    "layer_unavailable": Kind(503, "Layer not to be had now"),
    "busy": Kind(503, "Busy"),
    "unauthorized": Kind(401, "Key needed"),
    "forbidden": Kind(403, "Not allowed"),
    "rate_limited": Kind(429, "Too many requests"),
    "not_found": Kind(404, "Not found"),
    "conflict": Kind(409, "Conflict"),
    "internal": Kind(500, "Our fault"),
}
"""Every code of the contract. A code that is not here is a mistake of ours and answers 500."""


def status_of(error: MetesError) -> int:
    """Return the HTTP status of an error; what a path names and we do not have is always 404."""
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, BadQuery):
        return 400
    return KINDS.get(error.code, KINDS["internal"]).status


def problem_of(error: MetesError, *, correlation_id: str) -> Problem:
    """Return the problem document of an error; one of our own faults says nothing of the inside.

    Parameters
    ----------
    error
        What went wrong.
    correlation_id
        The word under which our log holds the rest.
    """
    status = status_of(error)
    if status == 500 or isinstance(error, Internal):
        return _our_fault(correlation_id)
    return Problem(
        type=TYPE_ROOT + error.code,
        title=KINDS[error.code].title,
        status=status,
        code=error.code,
        detail=error.detail,
        file=error.file,
        layer=error.layer,
        feature=error.feature,
        ring=error.ring,
        position=list(error.position) if error.position is not None else None,
        suggestions=list(error.suggestions) or None,
        correlation_id=correlation_id,
    )


def _our_fault(correlation_id: str) -> Problem:
    return Problem(
        type=TYPE_ROOT + "internal",
        title=KINDS["internal"].title,
        status=500,
        code="internal",
        detail=f"Something went wrong on our side; tell the operator the number {correlation_id}.",
        correlation_id=correlation_id,
    )


@contextmanager
def named_in_path() -> Iterator[None]:
    """Turn "unknown parcel, town or layer" into 404 where the thing stands in the path of the request."""
    try:
        yield
    except ParameterRefused as error:
        if not error.code.endswith("_unknown"):
            raise
        raise NotFound(error.detail, code=error.code, suggestions=error.suggestions) from error

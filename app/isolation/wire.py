"""How a job and its answer cross between processes: JSON and WKB, checked on arrival, never pickle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import shapely
from pydantic import TypeAdapter, ValidationError
from shapely.geometry.base import BaseGeometry

from spatial import errors
from spatial.errors import Internal, MetesError, Refused
from spatial.inspection import Inspection
from spatial.model import Area, Note, Role, Scalar, SiteFeature, Submission
from spatial.read.limits import ReadLimits
from spatial.read.raw import Purpose

_REFUSALS = {
    name: getattr(errors, name)
    for name in ("CrsRefused", "FormatRefused", "ArchiveRefused", "GeometryRefused", "ParameterRefused", "Refused")
}


@dataclass(frozen=True, slots=True)
class Job:
    """What a child is asked: a file or folder of its room, and what was said beside it."""

    path: str
    name: str
    crs: str | None
    layer: str | None
    purpose: Purpose
    limits: ReadLimits
    area_hint: str | None = None

    def to_json(self) -> str:
        """Return the job as JSON text."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class FeatureWritten:
    """A feature of a submission with its geometry as hexadecimal WKB."""

    id: str
    wkb: str
    attributes: Mapping[str, Scalar]
    activity: str | None
    role: Role


@dataclass(frozen=True, slots=True)
class SubmissionWritten:
    """A submission as it crosses."""

    features: tuple[FeatureWritten, ...]
    area: str
    notes: tuple[Note, ...]
    tree_points: int
    accuracy_ft: float


@dataclass(frozen=True, slots=True)
class RefusalWritten:
    """A refusal as it crosses."""

    kind: str
    code: str
    detail: str
    file: str | None = None
    layer: str | None = None
    feature: str | None = None
    ring: int | None = None
    position: tuple[float, ...] | None = None
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Either a refusal, or an inspection with its submission."""

    refusal: RefusalWritten | None = None
    inspection: Inspection | None = None
    submission: SubmissionWritten | None = None


_JOB = TypeAdapter(Job)
_ANSWER = TypeAdapter(Answer)


def job_from(text: str | bytes) -> Job:
    """Return the job in JSON text."""
    return _JOB.validate_json(text)


def geometry_from(wkb: str | None) -> BaseGeometry | None:
    """Return the geometry in hexadecimal WKB; None for None."""
    return None if wkb is None else shapely.from_wkb(bytes.fromhex(wkb))


def wkb_of(geometry: BaseGeometry | None) -> str | None:
    """Return hexadecimal WKB; None for None."""
    return None if geometry is None else shapely.to_wkb(geometry).hex()


def understood(inspection: Inspection, submission: Submission) -> bytes:
    """Return the answer of a reading that succeeded, as JSON."""
    written = SubmissionWritten(
        features=tuple(
            FeatureWritten(f.id, shapely.to_wkb(f.geometry).hex(), f.attributes, f.activity, f.role)
            for f in submission.features
        ),
        area=shapely.to_wkb(submission.area).hex(),
        notes=submission.notes,
        tree_points=submission.tree_points,
        accuracy_ft=submission.accuracy_ft,
    )
    return _ANSWER.dump_json(Answer(inspection=inspection, submission=written))


def refused(error: MetesError) -> bytes:
    """Return the answer of a reading that was refused, as JSON."""
    written = RefusalWritten(
        kind=type(error).__name__,
        code=error.code,
        detail=error.detail,
        file=error.file,
        layer=error.layer,
        feature=error.feature,
        ring=error.ring,
        position=error.position,
        suggestions=error.suggestions,
    )
    return _ANSWER.dump_json(Answer(refusal=written))


def opened(content: bytes) -> tuple[Inspection, Submission]:
    """Return what a child answered; a refusal is raised as it was in the child.

    Raises
    ------
    MetesError
        The child's refusal; ``internal`` when its answer is none.
    """
    try:
        answer = _ANSWER.validate_json(content)
    except ValidationError as error:
        raise Internal("The reading gave an answer that cannot be understood.") from error
    if answer.refusal is not None:
        raise _raised(answer.refusal)
    if answer.inspection is None or answer.submission is None:
        raise Internal("The reading gave no answer.")
    return answer.inspection, _submission(answer.submission)


def _raised(refusal: RefusalWritten) -> MetesError:
    details: dict[str, Any] = asdict(refusal)
    kind, detail = details.pop("kind"), details.pop("detail")
    if details["code"] == "internal":
        return Internal(detail)
    error: MetesError = _REFUSALS.get(kind, Refused)(detail, **details)
    return error


def _submission(written: SubmissionWritten) -> Submission:
    return Submission(
        features=tuple(
            SiteFeature(f.id, _geometry(f.wkb), f.attributes, f.activity, f.role) for f in written.features
        ),
        area=_area(written.area),
        notes=written.notes,
        tree_points=written.tree_points,
        accuracy_ft=written.accuracy_ft,
    )


def _geometry(wkb: str) -> BaseGeometry:
    try:
        geometry: BaseGeometry = shapely.from_wkb(bytes.fromhex(wkb))
    except (ValueError, shapely.errors.GEOSException) as error:
        raise Internal("The reading gave a geometry that is none.") from error
    return geometry


def _area(wkb: str) -> Area:
    area = _geometry(wkb)
    if not isinstance(area, shapely.Polygon | shapely.MultiPolygon):
        raise Internal("The reading gave an area that is none.")
    return area

"""The main use case: an upload and what is said beside it become a kept screening.

Check what was named, read, look at the ground, judge, tell, keep; a refusal anywhere leaves nothing behind.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import shapely
from shapely.geometry.base import BaseGeometry

from app.identity import editions_used, engine, screening_id
from app.reading import Understood, Upload
from app.reports.answer import Answer, compose
from app.reports.drawing import drawn, pack
from app.reports.hits import hits
from app.schemas.inspection import InspectionTold
from app.screening_trees import TreesAmongWork, count_trees
from app.service import Service
from app.store.records import moment
from app.store.screenings import Kept
from app.uploads import Options
from layers.library import Snapshot
from spatial.case import Caution
from spatial.facts import Facts
from spatial.model import Parcel, Submission, Town
from spatial.rules.determination import Screening as Judged
from spatial.screen import Question, screen

MASSACHUSETTS = ZoneInfo("America/New_York")


@dataclass(frozen=True, slots=True)
class Given:
    """What was named beside the file, found and checked."""

    town: Town | None
    parcels: tuple[Parcel, ...]
    facts: Facts
    on: date
    cautions: tuple[Caution, ...] = ()

    @property
    def loc_ids(self) -> tuple[str, ...]:
        """Return the LOC_IDs named, in the order named."""
        return tuple(parcel.loc_id for parcel in self.parcels)


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One question, read and checked, before anything is measured. ``question`` is what was declared, as text."""

    upload: Upload
    sha256: str
    understood: Understood
    given: Given
    question: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A kept screening: its body word for word, and whether this very call made it."""

    id: str
    body: str
    made: bool


def ask(service: Service, upload: Upload, options: Options) -> Outcome:
    """Answer one question and keep it; the same question again gives the kept answer.

    Parameters
    ----------
    service
        Layers, reader and records.
    upload
        What was sent.
    options
        What was said beside it.

    Raises
    ------
    MetesError
        When the upload or an option cannot be used; nothing is kept then.
    """
    snapshot = service.library.snapshot()
    asked = _understand(service, snapshot, upload, options)
    judged = _judge(service, snapshot, asked)
    answer = _answer(service, snapshot, asked, judged)
    outcome = _keep(service, snapshot, asked, answer)
    service.counters.screening(made=outcome.made)
    return outcome


def answer(service: Service, snapshot: Snapshot, upload: Upload, options: Options) -> Answer:
    """Return the answer to one question on some moment of the layers, without keeping it; raises as ``ask``."""
    asked = _understand(service, snapshot, upload, options)
    return _answer(service, snapshot, asked, _judge(service, snapshot, asked))


def inspected(service: Service, upload: Upload, options: Options) -> InspectionTold:
    """Return what is understood of an upload, before anything is screened; nothing is kept.

    Parcels named beside a file without a coordinate system put the systems proposed for it in order.
    """
    parcels = service.library.snapshot().parcels
    near = _ground(tuple(parcels.get(loc_id) for loc_id in options.parcels))
    return InspectionTold.of(service.understand(upload, crs=options.crs, layer=options.layer, near=near).inspection)


def check(snapshot: Snapshot, options: Options) -> Given:
    """Return the named town, parcels and facts; raises when one does not exist or has a wrong value."""
    return Given(
        town=snapshot.towns.find(options.town) if options.town else None,
        parcels=tuple(snapshot.parcels.get(loc_id) for loc_id in options.parcels),
        facts=snapshot.law.check_facts(dict(options.facts or {})),
        on=options.on or today(),
    )


def today() -> date:
    """Return the day it is in Massachusetts."""
    return local_day(datetime.now(UTC))


def local_day(moment: datetime) -> date:
    """Return the day it is in Massachusetts at a moment; evenings there are the next day in UTC."""
    return moment.astimezone(MASSACHUSETTS).date()


def _understand(service: Service, snapshot: Snapshot, upload: Upload, options: Options) -> Asked:
    given = check(snapshot, options)
    understood = service.understand(upload, crs=options.crs, layer=options.layer, near=_ground(given.parcels))
    counted = count_trees(service, snapshot, _trees_among(understood.submission, given, options.district))
    given = replace(given, facts=counted.facts, cautions=counted.cautions)
    declared = {
        "town": given.town.id if given.town else None,
        "parcels": sorted(given.loc_ids),
        "crs": options.crs,
        "layer": options.layer,
        "on": given.on.isoformat(),
        "district": options.district,
        "facts": dict(given.facts.values),
        "allow_stale": service.settings.allow_stale,
    }
    return Asked(upload, upload.sha256, understood, given, json.dumps(declared, sort_keys=True))


def _trees_among(submission: Submission, given: Given, district: str | None) -> TreesAmongWork:
    return TreesAmongWork(submission, given.parcels, given.town, district, given.facts, given.on)


def _ground(parcels: tuple[Parcel, ...]) -> BaseGeometry | None:
    """Return where the work should lie when parcels were named, as a hint for a missing coordinate system."""
    return shapely.union_all([parcel.geometry for parcel in parcels]) if parcels else None


def _judge(service: Service, snapshot: Snapshot, asked: Asked) -> Judged:
    given, submission = asked.given, asked.understood.submission
    stated_ft = given.facts.number("work_accuracy_ft")
    accuracy_ft = 1.0 if stated_ft is None else stated_ft
    question = Question(
        submission=submission,
        loc_ids=given.loc_ids,
        town=given.town,
        facts=given.facts,
        on=given.on,
        towns=snapshot.towns.by_id,
        allow_stale=service.settings.allow_stale,
        nearby=service.nearby.sites(submission.area, within_ft=service.settings.nearby_ft, other_than=asked.sha256),
        work_accuracy_ft=accuracy_ft,
        grids=snapshot.grids(submission.area, work_accuracy_ft=accuracy_ft),
    )
    judged = screen(question, snapshot.stack, snapshot.law)
    return replace(judged, warnings=(*judged.warnings, *given.cautions))


def _answer(service: Service, snapshot: Snapshot, asked: Asked, judged: Judged) -> Answer:
    editions = editions_used(snapshot, service.library.catalog.themes, asked.understood.submission.area)
    return Answer(
        id=screening_id(asked.sha256, asked.question, judged, editions),
        created=moment(),
        engine=engine(),
        name=asked.upload.name,
        sha256=asked.sha256,
        inspection=asked.understood.inspection,
        submission=asked.understood.submission,
        facts=asked.given.facts,
        judged=judged,
        editions=editions,
    )


def _keep(service: Service, snapshot: Snapshot, asked: Asked, answer: Answer) -> Outcome:
    """Return the kept answer of the same id, or keep this one."""
    before = service.screenings.find(answer.id)
    if before is not None:
        return Outcome(answer.id, before, made=False)
    kept = _kept(snapshot, asked, answer)
    if service.screenings.keep(kept):
        return Outcome(kept.id, kept.body, made=True)
    return Outcome(kept.id, service.screenings.body(kept.id), made=False)


def _kept(snapshot: Snapshot, asked: Asked, answer: Answer) -> Kept:
    submission, case = answer.submission, answer.judged.case
    lots = [snapshot.parcels.get(lot.loc_id) for lot in case.lots]
    return Kept(
        id=answer.id,
        created=answer.created,
        body=compose(answer).model_dump_json(),
        question=asked.question,
        input_sha256=answer.sha256,
        drawing=pack((*drawn(submission, lots), *hits(case, snapshot.frame, submission.area))),
        area_wkb=shapely.to_wkb(submission.area),
        area_sqft=case.disturbance.area_sqft,
        bounds=submission.area.bounds,
        common_plan=asked.given.facts.text("common_plan"),
        loc_ids=tuple(lot.loc_id for lot in case.lots),
        parts=tuple((name, _bytes(content)) for name, content in asked.upload.parts),
    )


def _bytes(content: bytes | Path) -> bytes:
    return content.read_bytes() if isinstance(content, Path) else content

"""From a request to a question that can be answered: the rule, the land, the dates, checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast

import shapely

from app.notices.tax_rows import Condominium
from app.reading import Upload
from app.schemas.abutter_requests import ListRequest
from app.service import Service
from app.store.abutter_lists import AbutterLists
from layers.notice_rules import load_notice_rules
from layers.snapshot import Snapshot
from spatial.errors import ParameterRefused
from spatial.fabric import ParcelFabric
from spatial.fabric.land import Land, land_of
from spatial.facts import Facts
from spatial.model import Area
from spatial.notice import PLAIN_DISTANCE, NoticeRule

FILED, HEARING = "application_received_on", "hearing_on"


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One question about abutters, checked. ``work`` is the drawn or screened area, EPSG:26986, or None."""

    request: ListRequest
    rule: NoticeRule
    loc_ids: tuple[str, ...]
    work: Area | None
    facts: Facts

    def land(self, fabric: ParcelFabric) -> Land:
        """Return the subject land on a fabric."""
        return land_of(fabric, self.loc_ids, self.work)


def question_of(service: Service, snapshot: Snapshot, request: ListRequest) -> Question:
    """Return the question a request asks.

    Raises
    ------
    ParameterRefused
        When it names no land, land in two ways, or a rule or date that does not exist.
    NotFound
        For a screening that is not kept.
    """
    if request.screening and request.geometry:
        raise ParameterRefused("Name a screening or draw a geometry, not both; the screening has its own area.")
    loc_ids, work = _land(service, request)
    if not loc_ids and work is None:
        raise ParameterRefused("Name parcels, a screening or a geometry to list the abutters of.")
    return Question(request, rule_of(request), loc_ids, work, facts_of(snapshot, request))


def rule_of(request: ListRequest) -> NoticeRule:
    """Return the rule asked for, a greater distance worked in; a smaller one than the law's is refused."""
    rule = load_notice_rules().rule(request.rule or PLAIN_DISTANCE)
    asked_ft = request.within_ft
    if asked_ft is None:
        return rule
    if rule.id == PLAIN_DISTANCE:
        return rule.exactly(asked_ft)
    if rule.within_ft is not None and asked_ft < rule.within_ft:
        raise ParameterRefused(
            f"{rule.citation} names owners within {rule.within_ft:g} ft; {asked_ft:g} ft would leave some out."
        )
    return rule.within(asked_ft)


def facts_of(snapshot: Snapshot, request: ListRequest) -> Facts:
    """Return the dates as project facts; raises ``bad_parameter`` for a date that is no fact of ours."""
    named = {name: day.isoformat() for name, day in request.dates.items()}
    for name, day in ((FILED, request.filed_on), (HEARING, request.hearing_on)):
        if day is not None:
            named[name] = day.isoformat()
    return snapshot.law.check_facts(named)


def condominium_of(snapshot: Snapshot, request: ListRequest, town_ids: tuple[int, ...]) -> Condominium:
    """Return whom to write to of a condominium: as asked, else as the town's staff entered, else every unit."""
    if request.condominium is not None:
        return request.condominium
    slugs = [snapshot.towns.by_id[t].slug for t in town_ids if t in snapshot.towns.by_id]
    entries = [
        snapshot.law.towns[slug].get("condominium_association_only") for slug in slugs if slug in snapshot.law.towns
    ]
    return "association" if entries and all(e is not None and e.value is True for e in entries) else "units"


def _land(service: Service, request: ListRequest) -> tuple[tuple[str, ...], Area | None]:
    named = tuple(dict.fromkeys(p.strip() for p in request.parcels if p.strip()))
    if request.screening:
        screened, wkb = AbutterLists(service.records).ground_of(request.screening)
        return tuple(dict.fromkeys((*named, *json.loads(screened)))), cast("Area", shapely.from_wkb(wkb))
    if request.geometry:
        feature = {"type": "Feature", "properties": {}, "geometry": request.geometry}
        upload = Upload("geometry.geojson", (("geometry.geojson", json.dumps(feature).encode()),))
        return named, service.reader.understand(upload).submission.area
    return named, None

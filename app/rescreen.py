"""The use case after a layer was swapped: kept screenings are asked again, and what would differ is listed.

The same input, options, facts and day, on today's editions. Nothing that was kept is altered, and nothing is kept.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

import shapely

from app.again import options_again
from app.differences import difference
from app.identity import editions_used, engine
from app.reading import Upload
from app.reports.answer import compose
from app.schemas.rescreen import NotAsked, Rescreened, ScreeningChange
from app.schemas.screening import Screening
from app.screening import answer
from app.service import Service
from app.store.screenings import KeptAnswer
from layers.library import Snapshot
from spatial.errors import MetesError, Unavailable
from spatial.model import Area

MOST = 1000
"""Screenings asked again in one call, at most."""
USUAL = 100
BATCH = 50


@dataclass(slots=True)
class _Run:
    """One call under way: all is asked of one snapshot, whatever is swapped meanwhile."""

    service: Service
    snapshot: Snapshot
    layer_id: str | None
    themes: dict[str, tuple[str, ...]]
    looked_at: int = 0
    asked: int = 0
    changed: list[ScreeningChange] = field(default_factory=list)
    not_asked: list[NotAsked] = field(default_factory=list)


def rescreen(
    service: Service, layer_id: str | None = None, *, after: int = 0, limit: int | None = USUAL
) -> Rescreened:
    """Return which kept screenings would be answered otherwise today, and why.

    Parameters
    ----------
    layer_id
        Only those that rest on another edition of this layer than today's; None: of any layer, bylaw or engine.
    after
        Where an earlier call stopped (its ``next``); 0 begins with the oldest.
    limit
        How many are asked at most; None asks all.

    Raises
    ------
    ParameterRefused
        ``layer_unknown``.
    Unavailable
        ``busy``: another such call is under way.
    """
    wanted = service.library.catalog.spec(layer_id).id if layer_id is not None else None
    if not service.rescreening.acquire(blocking=False):
        raise Unavailable("Kept screenings are being asked again already; wait until that is done.", code="busy")
    try:
        snapshot = service.library.snapshot()
        rules = {rule.id: rule.themes for bylaw in snapshot.law.bylaws for rule in bylaw.rules}
        run = _Run(service, snapshot, wanted, rules)
        stopped = _all(run, after, limit)
    finally:
        service.rescreening.release()
    return Rescreened(
        layer=wanted,
        looked_at=run.looked_at,
        asked=run.asked,
        changed=run.changed,
        not_asked=run.not_asked,
        next=stopped,
    )


def _all(run: _Run, after: int, limit: int | None) -> int | None:
    """Ask one after another; return the last one looked at when the limit left some, else None."""
    while batch := run.service.screenings.batch(after, BATCH):
        for kept in batch:
            if limit is not None and run.asked >= limit:
                return after
            _look_at(run, kept)
            after = kept.number
    return None


def _look_at(run: _Run, kept: KeptAnswer) -> None:
    run.looked_at += 1
    before = Screening.model_validate_json(kept.body)
    if not _rests_on_others(run, kept, before):
        return
    run.asked += 1
    try:
        now = _again(run, kept, before)
    except MetesError as error:
        run.not_asked.append(NotAsked(id=kept.id, code=error.code, detail=error.detail))
        return
    found = difference(before, now, run.themes)
    if found is not None:
        run.changed.append(found)


def _rests_on_others(run: _Run, kept: KeptAnswer, before: Screening) -> bool:
    """Say whether an edition the answer rests on is another today; without a layer named, law and engine too."""
    area = cast("Area", shapely.from_wkb(kept.area_wkb))
    used = editions_used(run.snapshot, run.service.library.catalog.themes, area)
    today = {(e.layer_id, e.part, e.edition, e.sha256) for e in used}
    then = {(e.layer, e.part, e.edition, e.sha256) for e in before.editions}
    other = {layer for layer, *_ in today ^ then} | _loaded_otherwise(run, before)
    if run.layer_id is not None:
        return run.layer_id in other
    return bool(other) or before.engine != engine() or _law_changed(run, before)


def _loaded_otherwise(run: _Run, before: Screening) -> set[str]:
    """Return the layers that had no edition anywhere and have one today, and the other way round."""
    absent = {f.layer.id for f in before.findings if f.status == "not_checked" and f.layer.edition is None}
    asked = {finding.layer.id for finding in before.findings}
    return {layer for layer in asked if (layer in absent) == bool(run.snapshot.grounds(layer))}


def _law_changed(run: _Run, before: Screening) -> bool:
    town = run.snapshot.towns.by_id.get(before.town.id) if before.town else None
    towns = [town] if town else []
    today = {bylaw.id: bylaw.edition for bylaw in run.snapshot.law.bylaws_for(towns)}
    return any(today.get(bylaw.id, bylaw.edition) != bylaw.edition for bylaw in before.bylaws)


def _again(run: _Run, kept: KeptAnswer, before: Screening) -> Screening:
    declared: dict[str, Any] = json.loads(kept.question)
    upload = Upload(before.input.name, run.service.screenings.parts(kept.id))
    options = options_again(declared, {"on": str(declared["on"])})
    return compose(answer(run.service, run.snapshot, upload, options))

"""The use case of trees: a survey, a lot and the work become zones, verdicts and what must be planted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast

import shapely

from app.lots import LotAnswer, LotQuestion, lay
from app.reading import Upload
from app.screening import today
from app.service import Service
from layers.library import Snapshot
from layers.tree_law import TreeLaw, tree_law
from spatial.model import Area, SiteFeature, Submission, Town
from spatial.rules.determination import Determination
from spatial.screen import Question, screen
from spatial.setbacks.places import places
from spatial.trees import Ground
from spatial.trees.facts import REMOVED, stem_at_stake, tree_facts
from spatial.trees.model import Duties, Place, TreePlan
from spatial.trees.site import tree_plan
from spatial.trees.survey import SKIPPED, LeftOut, Survey, survey, unplaced

NOTHING = shapely.Polygon()
NAMED = 5


@dataclass(frozen=True, slots=True, eq=False)
class TreesQuestion:
    """Trees, where they stand, and what is done around them. ``lot`` None: zones only."""

    trees: Upload
    lot: LotQuestion | None = None
    work: Upload | None = None
    unavoidable: Upload | None = None
    trees_crs: str | None = None
    work_crs: str | None = None
    town: str | None = None
    work_accuracy_ft: float = 1.0
    triggered: bool | None = None
    on: date | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TreesAnswer:
    """The plan, and on what it rests. ``rules`` is what the bylaws' rules on trees say of it."""

    plan: TreePlan
    survey: Survey
    lot: LotAnswer | None
    law: TreeLaw
    rules: tuple[Determination, ...]
    work: Area
    needs: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    submission: Submission | None
    area: Area
    unavoidable: Area


def plan_trees(service: Service, question: TreesQuestion) -> TreesAnswer:
    """Answer what the law asks for the trees of a site.

    Raises
    ------
    MetesError
        A file, the lot, the town or the district cannot be used; a diameter is larger than any trunk.
    """
    snapshot = service.library.snapshot()
    on = question.on or today()
    lot = lay(service, question.lot) if question.lot else None
    town = lot.town if lot else snapshot.towns.find(question.town) if question.town else None
    told = service.reader.understand(question.trees, crs=question.trees_crs, purpose="trees").submission
    surveyed = survey([f for f in told.features if f.role == "tree"], nowhere=unplaced(told.notes))
    law = tree_law(snapshot.law, town, on)
    work = _work(service, question)
    ground = _ground(work, lot, question.work_accuracy_ft)
    stems = places(surveyed.trees, lot.setbacks) if lot else None
    plan = tree_plan(surveyed.trees, law.rules, ground, places=stems, triggered=question.triggered)
    asked = _Asked(question, town, lot, on, service.settings.allow_stale, surveyed)
    decided = _determinations(snapshot, work, plan, asked) if work.submission else ()
    plan = replace(plan, duties=plan.duties if question.triggered is not None else _duties(decided, law))
    return TreesAnswer(
        plan=plan,
        survey=surveyed,
        lot=lot,
        law=law,
        rules=tuple(_with_what_is_counted(d, plan, surveyed) for d in decided if d.rule in law.rule_ids),
        work=work.area,
        needs=_needs(plan, lot, stems),
        notes=tuple(
            dict.fromkeys((*(n.message for n in (*told.notes, *surveyed.notes) if n.code != SKIPPED), *law.notes))
        ),
    )


def _work(service: Service, question: TreesQuestion) -> _Work:
    """Return the work as read; its features that say ``unavoidable`` are declared so, beside what was sent."""
    submission = (
        service.reader.understand(question.work, crs=question.work_crs).submission if question.work else None
    )
    declared = [f.geometry for f in submission.features if _says_yes(f, "unavoidable")] if submission else []
    if question.unavoidable:
        declared.append(service.reader.understand(question.unavoidable, crs=question.work_crs).submission.area)
    area = submission.area if submission else NOTHING
    return _Work(submission, area, cast("Area", shapely.union_all(declared)) if declared else NOTHING)


def _says_yes(feature: SiteFeature, name: str) -> bool:
    said = next((v for k, v in feature.attributes.items() if k.strip().lower() == name), None)
    return said is True or str(said).strip().lower() in ("1", "yes", "true", "y", "t")


def _ground(work: _Work, lot: LotAnswer | None, work_accuracy_ft: float) -> Ground:
    return Ground(
        work=work.area,
        unavoidable=work.unavoidable,
        lot=lot.setbacks.lot if lot else None,
        work_accuracy_ft=work_accuracy_ft,
        lot_accuracy_ft=lot.accuracy_ft if lot else 0.0,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    question: TreesQuestion
    town: Town | None
    lot: LotAnswer | None
    on: date
    allow_stale: bool
    survey: Survey


def _determinations(snapshot: Snapshot, work: _Work, plan: TreePlan, asked: _Asked) -> tuple[Determination, ...]:
    """Return what the law says of the work and these trees."""
    assert work.submission is not None  # noqa: S101 (asked only when work was sent)
    removed = sum(z.verdict == "removed" for z in plan.trees)
    known = {d.name for d in snapshot.law.facts}
    told = tree_facts(plan, asked.survey.unusable)
    settled = {name: value for name, value in told.items() if name in known}
    question = Question(
        submission=replace(work.submission, tree_points=work.submission.tree_points + removed),
        loc_ids=(asked.lot.parcel.loc_id,) if asked.lot and asked.lot.parcel else (),
        town=asked.town,
        facts=snapshot.law.check_facts(settled),
        on=asked.on,
        towns=snapshot.towns.by_id,
        allow_stale=asked.allow_stale,
        work_accuracy_ft=asked.question.work_accuracy_ft,
    )
    return screen(question, snapshot.stack, snapshot.law).determinations


def _with_what_is_counted(rule: Determination, plan: TreePlan, surveyed: Survey) -> Determination:
    """Return a rule that waits for a sum with what is counted of it already, and why that is not all."""
    removed = plan.mitigation.removed_dbh_in
    if REMOVED not in rule.needs or not removed:
        return rule
    rests = "; ".join(what_is_open(plan, surveyed.unusable))
    return replace(
        rule, why=f"{removed:g} inches of protected trunk go already; how much in all is not known: {rests}."
    )


def what_is_open(plan: TreePlan, left_out: Sequence[LeftOut]) -> tuple[str, ...]:
    """Return what leaves open how much protected trunk is removed, in words; empty when nothing does."""
    unmeasured = [row.id for row in left_out]
    undecided = [z.tree.id for z in plan.trees if z.verdict == "removed" and z.protected is None]
    at_stake = [z.tree.id for z in plan.trees if stem_at_stake(z)]
    told = (
        (unmeasured, "left out"),
        (undecided, "protected or not is not known"),
        (at_stake, "nobody says whether it goes, and its stem stands in the work"),
    )
    return tuple(f"{_named(names)} ({why})" for names, why in told if names)


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _duties(decided: Sequence[Determination], law: TreeLaw) -> Duties:
    """Return whether the tree rules bind: as the rule they hang on was answered (AMB-34)."""
    gate = [d for d in decided if d.rule == law.gate]
    if not law.rule_ids:
        return "advisory"
    if any(d.result == "triggered" for d in gate):
        return "binding"
    return "advisory" if gate and all(d.result == "not_triggered" for d in gate) else "unknown"


def _needs(plan: TreePlan, lot: LotAnswer | None, stems: Sequence[Place] | None) -> tuple[str, ...]:
    """Return what is wanting: of the lot, as far as some tree's answer hangs on it, and of the mitigation."""
    undecided = any(z.protected is None for z in plan.trees)
    of_lot: tuple[str, ...] = ("lot",) if stems is None else lot.needs if lot else ()
    counted = plan.mitigation.removed_dbh_in or plan.mitigation.undecided_dbh_in
    at_stake = ("action",) if any(map(stem_at_stake, plan.trees)) else ()
    mitigation = plan.mitigation.needs if counted else at_stake
    return tuple(dict.fromkeys((*(of_lot if undecided else ()), *mitigation)))

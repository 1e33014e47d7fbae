"""Trees drawn among the work of a screening: placed in the yards of its lots, and told to the rules as facts.

Facts that were given stand before what is counted here. Nothing here refuses a screening: what cannot be counted is
said and stays unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.lots import LotQuestion, check_district, lay
from app.service import Service
from layers.library import Snapshot
from layers.tree_law import tree_law
from spatial.case import Caution
from spatial.errors import MetesError, ParameterRefused
from spatial.facts import Facts
from spatial.model import Parcel, Submission, Town
from spatial.screen import lots_under
from spatial.setbacks.lot_model import Setbacks
from spatial.setbacks.places import places
from spatial.trees import Ground
from spatial.trees.columns import columns_of
from spatial.trees.facts import tree_facts
from spatial.trees.model import Place
from spatial.trees.site import tree_plan
from spatial.trees.survey import Survey, survey, unplaced


@dataclass(frozen=True, slots=True)
class Counted:
    """The facts of a question with what its trees settle, and what a reader must know of them."""

    facts: Facts
    cautions: tuple[Caution, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TreesAmongWork:
    """What is known of a question when its trees are counted."""

    submission: Submission
    parcels: tuple[Parcel, ...]
    town: Town | None
    district: str | None
    facts: Facts
    on: date


def count_trees(service: Service, snapshot: Snapshot, among: TreesAmongWork) -> Counted:
    """Return the facts with what the trees of a submission settle; unchanged when it has no measured trees.

    Raises
    ------
    ParameterRefused
        The district named is none of the town's.
    """
    surveyed = _surveyed(among.submission)
    if not isinstance(surveyed, Survey):
        return Counted(among.facts, (*surveyed, *_district_unused(snapshot, among)))
    lots = among.parcels or lots_under(among.submission, snapshot.stack)
    if not lots:
        check_district(snapshot, among.town, among.district)
        return Counted(among.facts, (Caution("trees_off_lots", "The trees stand on no lot we know, so no yards."),))
    answers = [
        lay(service, LotQuestion(parcel=lot.loc_id, town=_slug(among.town), district=among.district))
        for lot in lots
    ]
    stems = _place_on_any(surveyed, [a.setbacks for a in answers])
    town = among.town or answers[0].town
    plan = tree_plan(surveyed.trees, tree_law(snapshot.law, town, among.on).rules, Ground(), places=stems)
    known = {d.name for d in snapshot.law.facts}
    settled = {k: v for k, v in tree_facts(plan, surveyed.unusable).items() if k in known}
    needs = tuple(dict.fromkeys(n for a in answers for n in a.needs))
    return Counted(
        facts=replace(among.facts, values={**settled, **among.facts.values}),
        cautions=_told(surveyed, plan.site.counts.get("protection_unknown", 0), needs),
    )


def _district_unused(snapshot: Snapshot, among: TreesAmongWork) -> tuple[Caution, ...]:
    """Say that a district named does nothing; refuse one that its town does not have."""
    if not among.district:
        return ()
    lots = among.parcels or lots_under(among.submission, snapshot.stack)
    check_district(snapshot, among.town or _town_of(snapshot, lots), among.district)
    return (Caution("district_unused", "The district only places trees in yards, and no measured tree came."),)


def _town_of(snapshot: Snapshot, lots: Sequence[Parcel]) -> Town | None:
    ids = (lot.town_id for lot in lots if lot.town_id is not None)
    return snapshot.towns.by_id.get(next(ids, -1))


def _slug(town: Town | None) -> str | None:
    return town.slug if town else None


def _surveyed(submission: Submission) -> Survey | tuple[Caution, ...]:
    """Return the trees that can be measured, or why there are none; an empty tuple when none were drawn."""
    drawn = submission.with_role("tree")
    names = [name for f in drawn for name in f.attributes]
    try:
        if drawn and names:
            columns_of(names)
    except ParameterRefused:
        return (Caution("trees_unmeasured", "The trees came without diameters, so no tree rule can be answered."),)
    try:
        return survey(drawn, nowhere=unplaced(submission.notes)) if names else ()
    except MetesError as unusable:
        return (Caution("trees_unmeasured", unusable.detail),)


def _place_on_any(surveyed: Survey, laid: Sequence[Setbacks]) -> list[Place]:
    """Return each tree's place on the lot it stands on, or across whose line; off every lot the first one's."""
    by_lot = [places(surveyed.trees, s) for s in laid]
    return [
        next((p for p in told if p.on_lot), None) or next((p for p in told if p.straddles), told[0])
        for told in zip(*by_lot, strict=True)
    ]


def _told(surveyed: Survey, undecided: int, needs: Sequence[str]) -> tuple[Caution, ...]:
    told = [Caution("trees_left_out", f"Tree {x.id} is not counted: {x.why}.") for x in surveyed.left_out[:20]]
    if undecided:
        wanting = f" ({', '.join(needs)})" if needs else ""
        message = f"Of {undecided} tree(s) nobody can yet say whether a setback holds them{wanting}."
        told.append(Caution("trees_undecided", message))
    return tuple(told)

"""The whole question in one pure function: index → measure → decide. The only place that knows the order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from spatial.case import Case, Finding
from spatial.decide import Told, deadlines, decide, next_steps, of_facts, steps_of_doubt, steps_of_place
from spatial.findings import Asking, cautions, find
from spatial.findings.delineation import delineated_layers
from spatial.findings.receiving import named_waters
from spatial.index import TOWNS, LayerStack
from spatial.measure.downstream import downstream_end, downstream_waters
from spatial.measure.lots import UnderWork, under_work
from spatial.measure.union import SLIVER_SQFT
from spatial.measure.watersheds import mitigation_shares, shares
from spatial.measure.work import measure_lot, measure_work, sort_work
from spatial.model import NO_LOT_TYPES, Parcel, Submission, Town
from spatial.question import Question
from spatial.rules.book import LawBook
from spatial.rules.determination import Screening
from spatial.site import Ground, Site
from spatial.units import sqft_from_sqm

__all__ = ["Question", "lots_under", "measure", "screen"]


def screen(question: Question, layers: LayerStack, law: LawBook) -> Screening:
    """Return the whole answer, unrounded: what was measured and what the law says of it.

    Raises
    ------
    ParameterRefused
        ``parcel_unknown``: a named parcel is in no loaded edition.
    """
    case, towns = measure(question, layers)
    bylaws = law.bylaws_for(towns)
    facts = question.facts_judged
    determinations = decide(bylaws, case, facts)
    return Screening(
        case=case,
        bylaws=bylaws,
        determinations=determinations,
        next_steps=(
            *next_steps(bylaws, determinations, delineated=facts.text("delineation") is not None, facts=law.facts),
            *steps_of_doubt(case, determinations),
            *steps_of_place(case, determinations, cautions.townless(case.ground or towns, bylaws)),
        ),
        deadlines=deadlines(bylaws, determinations, facts),
        not_looked_at=law.not_looked_at,
        warnings=(
            *case.warnings,
            *cautions.of_law(towns, bylaws, law.bylaws),
            *cautions.of_delineation(question),
            *of_facts(Told(law.facts, bylaws, case, question.facts)),
        ),
    )


def measure(question: Question, layers: LayerStack) -> tuple[Case, tuple[Town, ...]]:
    """Return all that is measured of a question, and the towns it lies in, the largest share first."""
    submission = question.submission
    ground = Ground(submission.area)
    under = under_work(ground, layers, question.loc_ids)
    site = Site(ground, tuple(lot for p, lot in zip(under.parcels, under.lots, strict=True) if _is_lot(p)))
    work = sort_work(submission)
    findings = _found(question, site, layers)
    watersheds = shares(findings)
    on_ground = _towns_of_ground(question, under, layers)
    towns = _with_asked(question.town, on_ground)
    case = Case(
        on=question.on.isoformat(),
        town=towns[0] if towns else None,
        disturbance=measure_work(site, submission, work, under.outside_sqft, unheld_sqft=under.unheld_sqft),
        lots=tuple(measure_lot(p, lot, site, work) for p, lot in zip(under.parcels, under.lots, strict=True)),
        findings=findings,
        watersheds=watersheds,
        nearby=question.nearby,
        warnings=cautions.of_place(question, under, layers, on_ground),
        downstream=downstream_waters(watersheds, layers),
        downstream_end=downstream_end(watersheds, layers),
        mitigation=mitigation_shares(submission, layers),
        receiving=named_waters(question.facts.text("discharges_to"), layers),
        mitigation_drawn=bool(submission.with_role("mitigation")),
        ground=on_ground,
    )
    return case, towns


def _found(question: Question, site: Site, layers: LayerStack) -> tuple[Finding, ...]:
    """Return what every layer says of the site, delineated ground taken for the mapped where it was sent."""
    exact_ft, delineation = question.exact_to_ft, question.facts_judged.text("delineation")
    asking = Asking(question.on, question.allow_stale, exact_ft, delineation)
    drawn = delineated_layers(site, layers, question.submission, exact_ft, on=question.on)
    findings = find(site, layers, asking, drawn)
    if not question.grids:
        return findings
    from spatial.findings.grids import with_grids  # noqa: PLC0415 (exactextract is loaded only for rasters)

    return with_grids(findings, site, themes=layers.themes, asking=asking, grids=question.grids)


def lots_under(submission: Submission, layers: LayerStack) -> tuple[Parcel, ...]:
    """Return the parcels under the work, the largest share first; a neighbour only grazed is none of them."""
    return under_work(Ground(submission.area), layers).parcels


def _is_lot(parcel: Parcel) -> bool:
    return parcel.poly_type not in NO_LOT_TYPES


def _with_asked(asked: Town | None, on_ground: Sequence[Town]) -> tuple[Town, ...]:
    """Return the towns whose bylaws are applied: the one asked for, then those the work lies in."""
    return tuple({town.id: town for town in (*((asked,) if asked else ()), *on_ground)}.values())


def _towns_of_ground(question: Question, under: UnderWork, layers: LayerStack) -> tuple[Town, ...]:
    """Return the towns of the parcels under the work, then those the map shows where no parcel says it.

    Work on no parcel may lie in a town whose parcels nobody loaded; its bylaws count too.
    """
    entered = (*under.parcels, *(parcel for parcel, _ in under.unnamed))
    ids = [p.town_id for p in entered if p.town_id is not None]
    found = [question.towns[i] for i in ids if i in question.towns]
    mapped = _towns_of_map(question, layers) if under.outside_sqft >= SLIVER_SQFT or not found else ()
    return tuple({town.id: town for town in (*found, *mapped)}.values())


def _towns_of_map(question: Question, layers: LayerStack) -> Sequence[Town]:
    """Return the towns whose ground the work shares by more than a sliver, the largest share first."""
    area, found = question.submission.area, []
    for indexed in layers.frames_of(TOWNS):
        pieces = indexed.pieces.tree.query(area, predicate="intersects")
        shared = shapely.area(shapely.intersection(indexed.pieces.geometry[pieces], area))
        for row in np.unique(indexed.pieces.parent[pieces]).tolist():
            share = sqft_from_sqm(float(shared[indexed.pieces.parent[pieces] == row].sum()))
            town_id = indexed.frame.attributes["town_id"][row]
            if share >= SLIVER_SQFT and town_id is not None and int(town_id) in question.towns:
                found.append((-share, int(town_id)))
    return [question.towns[town_id] for _, town_id in sorted(found)]

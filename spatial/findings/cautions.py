"""The sentences to be read before trusting an answer: parcels grazed, work outside, towns without a bylaw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from spatial.case import Caution
from spatial.index import PARCELS, LayerStack
from spatial.measure.lots import Shares, UnderWork
from spatial.measure.union import SLIVER_SQFT
from spatial.model import NO_LOT_TYPES, Area, Town
from spatial.question import Question
from spatial.rules.bylaw import Bylaw
from spatial.units import sqft_from_sqm

NAMED = 5
"""Parcels named in a sentence; the rest are counted."""


def of_place(
    question: Question, under: UnderWork, layers: LayerStack, ground: Sequence[Town]
) -> tuple[Caution, ...]:
    """Return what must be said of the place: in the order of the walk from the work to its lots to its town.

    ``ground`` are the towns the work lies in, whichever town was asked for.
    """
    return tuple(
        [
            *_no_parcels(under, layers),
            *_outside(under),
            *_counted_twice(question.submission.area, under),
            *_parcels(
                "parcel_grazed", under.grazed, "is entered by less than its line may be wrong, and not counted"
            ),
            *_parcels("parcel_not_named", under.unnamed, "is entered by the work but was not named"),
            *_named_without_work(question, under),
            *_ways(under),
            *_towns(question, ground, under),
        ]
    )


def of_law(towns: Sequence[Town], bylaws: Sequence[Bylaw], held: Sequence[Bylaw] = ()) -> tuple[Caution, ...]:
    """Return which towns have no bylaw file of their own, and which borrow another's laws but not all ``held``."""
    anothers = any(law.town_ids for law in bylaws)
    applied = "none of its own rules was applied" if anothers else "only state rules were applied"
    without = (
        Caution("town_without_bylaw", f"No bylaw file of {name} is held: {applied}; ask the town for its own.")
        for name in townless(towns, bylaws)
    )
    return (*without, *_borrowed_in_part(towns, held))


def _borrowed_in_part(towns: Sequence[Town], held: Sequence[Bylaw]) -> Iterator[Caution]:
    """Yield the laws that stay out where a town is given some of another's: their silence is no answer."""
    for town in towns:
        lenders = {law.town for law in held if law.id in town.bylaws and law.town not in (None, town.slug)}
        left = [f"{law.title} ({law.id})" for law in held if law.town in lenders and law.id not in town.bylaws]
        if left:
            yield Caution(
                "bylaw_not_borrowed",
                f"{town.name} borrows bylaws of another town, and not all that are held: nothing is said here of "
                f"{' and '.join(left)}.",
            )


def townless(towns: Sequence[Town], bylaws: Sequence[Bylaw]) -> tuple[str, ...]:
    """Return the names of the towns of which no bylaw file is held."""
    own = {town_id for bylaw in bylaws for town_id in bylaw.town_ids}
    return tuple(town.name for town in towns if town.id not in own)


def of_delineation(question: Question) -> tuple[Caution, ...]:
    """Return that a delineation given as a fact is not made yet, or of no day, so that it lifts nothing."""
    text = question.delineation_to_come
    if text is None:
        return ()
    return (
        Caution(
            "delineation_to_come",
            f"The delineation given ({text}) names no day or year up to {question.on.isoformat()}: "
            "it rules nothing out.",
        ),
    )


def _no_parcels(under: UnderWork, layers: LayerStack) -> Iterator[Caution]:
    if not layers.frames_of(PARCELS):
        reason = layers.absent.get(PARCELS, "no parcel edition is loaded").rstrip(".")
        yield Caution("parcels_unknown", f"The parcels under the work are not known: {reason}.")
    elif not under.parcels:
        yield Caution("no_parcel_under_work", "The work lies on no parcel of the loaded editions.")


def _outside(under: UnderWork) -> Iterator[Caution]:
    if under.parcels and under.outside_sqft >= SLIVER_SQFT:
        yield Caution(
            "work_outside_parcels",
            f"{under.outside_sqft:,.1f} sq ft of the work lie outside the parcels it is counted on.",
        )


def _counted_twice(work: Area, under: UnderWork) -> Iterator[Caution]:
    """Yield which lots lie over each other, so that ground of the work counts on each of them."""
    on_lots_sqft = sum(sqft_from_sqm(lot.work.area) for lot in under.lots)
    if on_lots_sqft - (sqft_from_sqm(work.area) - under.outside_sqft) < SLIVER_SQFT:
        return
    works = np.asarray([lot.work for lot in under.lots], dtype=object)
    one, other = shapely.STRtree(works).query(works, predicate="intersects")
    shared_m2 = np.where(one < other, shapely.area(shapely.intersection(works[one], works[other])), 0.0)
    found = [n for n in np.lexsort((other, one)).tolist() if sqft_from_sqm(shared_m2[n]) >= SLIVER_SQFT]
    for n in found[:NAMED]:
        lots = under.lots[one[n]], under.lots[other[n]]
        yield _over_each_other(lots[0].loc_id, lots[1].loc_id, sqft_from_sqm(float(shared_m2[n])))


def _over_each_other(one: str, other: str, shared_sqft: float) -> Caution:
    who = f"Parcel {one} is held twice" if one == other else f"Parcels {one} and {other} lie over each other"
    return Caution(
        "parcels_overlap",
        f"{who}: {shared_sqft:,.1f} sq ft of the work count on each, and so does what the lots share with layers.",
    )


def _parcels(code: str, shares: Shares, words: str) -> Iterator[Caution]:
    for parcel, area_sqft in shares[:NAMED]:
        yield Caution(code, f"Parcel {parcel.loc_id} {words} ({area_sqft:,.1f} sq ft).")
    if len(shares) > NAMED:
        yield Caution(code, f"So it is with {len(shares) - NAMED} more parcels.")


def _named_without_work(question: Question, under: UnderWork) -> Iterator[Caution]:
    for parcel, lot in zip(under.parcels, under.lots, strict=True):
        if question.loc_ids and lot.work.area == 0.0:
            yield Caution("parcel_without_work", f"No work lies on the named parcel {parcel.loc_id}.")


def _ways(under: UnderWork) -> Iterator[Caution]:
    for parcel in under.parcels:
        if parcel.poly_type in NO_LOT_TYPES:
            yield Caution(
                "work_in_way", f"Work lies on {parcel.loc_id}, which is no lot (type {parcel.poly_type})."
            )


def _towns(question: Question, ground: Sequence[Town], under: UnderWork) -> Iterator[Caution]:
    ids = {p.town_id for p in under.parcels if p.town_id is not None}
    if not ground and question.town is None:
        yield Caution("town_unknown", "The town is not known: only state rules were applied; name the town.")
        return
    if len(ground) > 1:
        yield Caution("several_towns", f"The work concerns {_names(ground)}: the bylaws of each were applied.")
    yield from _asked_elsewhere(question.town, ground, ids)
    for town_id in sorted(ids - set(question.towns)):
        yield Caution("town_unknown", f"A parcel names the town number {town_id}, which is not known.")


def _asked_elsewhere(asked: Town | None, ground: Sequence[Town], parcel_towns: set[int]) -> Iterator[Caution]:
    """Yield that the rules told are not those of the ground; nothing where nobody knows whose ground it is."""
    here = {town.id for town in ground} or parcel_towns
    if asked is None or not here or asked.id in here:
        return
    lies = f"lies in {_names(ground)}, not in {asked.name}" if ground else f"does not lie in {asked.name}"
    yield Caution(
        "town_differs",
        f"The work {lies}, by the parcels and the town map: the rules of {asked.name} are shown as if it lay "
        "there, because that town was asked for.",
    )


def _names(towns: Sequence[Town]) -> str:
    return " and ".join(town.name for town in towns)

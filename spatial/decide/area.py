"""Area of work against a threshold, on each lot and over the whole project."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spatial.case import LotMeasure
from spatial.decide.asking import SEVERITY, Asked
from spatial.decide.disturbance import (
    AREA_TOLERANCE_SQFT,
    FOOTPRINT,
    Extra,
    canopy_missing,
    total_perimeter_ft,
    total_sqft,
    undrawn,
    within_band,
)
from spatial.decide.lots import Threshold, size_doubt, stated_threshold, thresholds, without_water
from spatial.decide.phrases import AT_THRESHOLD, listed, sqft
from spatial.model import Certainty
from spatial.rules.determination import Determination, PolicyReading, Result


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one class on one lot or over the project: drawn, as it counts, and the length of its limit."""

    place: str
    drawn_sqft: float
    extra: Extra
    perimeter_ft: float

    @property
    def counted_sqft(self) -> float:
        """The drawn area with what the applicant stated beyond it."""
        return self.drawn_sqft + self.extra.area_sqft


def area_threshold(asked: Asked) -> tuple[Determination, ...]:
    """Return the project's answer first, then each lot's when there are several.

    Each lot is tested against its own threshold, and the project's total against the fixed area, which the text
    does not tie to a lot. The largest answer is the project's.
    """
    work_class = asked.option("class")
    total = _of_project(asked, work_class)
    by_lot = tuple(_of_lot(asked, work_class, lot) for lot in asked.lots)
    total = total if not _lot_unknown(asked, total) else _of_unknown_lot(asked, work_class, total)
    if len(by_lot) == 1 and _whole_project_on(asked, by_lot[0]):
        return (_tree_points(asked, work_class, _headline((by_lot[0], total))),)
    headline = replace(_headline((*by_lot, total)), loc_id=None)
    shown = (headline, *(by_lot if len(by_lot) > 1 else ()))
    return tuple(_tree_points(asked, work_class, answer) for answer in shown)


def meets(measured: float, threshold: float) -> Result:
    """Return whether an area reaches a threshold; equality does, and so does a hair below it.

    >>> meets(5000.0, 5000.0)
    'triggered'
    """
    return "triggered" if measured >= threshold - AREA_TOLERANCE_SQFT else "not_triggered"


def _whole_project_on(asked: Asked, lot: Determination) -> bool:
    return lot.measured is not None and asked.case.disturbance.outside_parcels_sqft <= AREA_TOLERANCE_SQFT


def _headline(answers: tuple[Determination, ...]) -> Determination:
    """Return the answer that drives: triggered, then sure or doubtful, then nearest to its threshold."""
    return max(
        answers, key=lambda a: (SEVERITY[a.result], _weight(a), (a.measured or 0.0) / max(a.threshold or 1.0, 1.0))
    )


def _weight(answer: Determination) -> int:
    certain = answer.certainty == "certain"
    return int(certain if answer.result == "triggered" else not certain)


def _of_project(asked: Asked, work_class: str) -> Determination:
    work = Work(
        "the whole project",
        total_sqft(asked, work_class),
        undrawn(asked, work_class),
        total_perimeter_ft(asked, work_class),
    )
    return _judge(asked, work, (Threshold("the project's total", None, asked.number("cap_sqft")),))


def _of_lot(asked: Asked, work_class: str, lot: LotMeasure) -> Determination:
    if work_class == FOOTPRINT:
        drawn, perimeter = lot.disturbed_sqft, max(lot.by_class_perimeter_ft.values(), default=0.0)
    else:
        drawn, perimeter = lot.by_class_sqft.get(work_class, 0.0), lot.by_class_perimeter_ft.get(work_class, 0.0)
    name = lot.site_address or lot.map_par_id or lot.loc_id
    work = Work(f"lot {name}", drawn, undrawn(asked, work_class), perimeter)
    found = thresholds(asked, lot)
    judged = _judge(asked, work, found, without_water(asked, lot))
    return replace(judged, loc_id=lot.loc_id, why=judged.why + size_doubt(asked, found))


def _lot_unknown(asked: Asked, total: Determination) -> bool:
    """Say whether work that stays below the cap could still reach a share of a lot nobody knows."""
    unheld = asked.case.disturbance.unheld_sqft
    return unheld > AREA_TOLERANCE_SQFT and total.result != "triggered" and bool(total.measured)


def _of_unknown_lot(asked: Asked, work_class: str, total: Determination) -> Determination:
    """Return the project's answer where its lot is not held: by the area given for the only lot, else unknown."""
    given = asked.facts.number("lot_area_sqft") if not asked.case.lots else None
    if given is not None:
        work = Work("the lot", total.measured or 0.0, Extra(0.0, ()), total_perimeter_ft(asked, work_class))
        return _judge(asked, work, (stated_threshold(asked, given),))
    unheld = asked.case.disturbance.unheld_sqft
    why = (
        f"{total.why} But {sqft(unheld)} of the work lie where no parcels are loaded, and "
        f"{asked.number('lot_percent'):g} % of a lot that is not known may be less than this."
    )
    if asked.case.lots:
        return replace(total, result="indeterminate", why=why)
    return replace(total, result="needs_input", why=f"{why} Give the lot's area.", needs=("lot_area_sqft",))


def _judge(
    asked: Asked, work: Work, found: tuple[Threshold, ...], shown: tuple[Threshold, ...] = ()
) -> Determination:
    threshold = found[0].area_sqft
    measured = work.counted_sqft
    result = meets(measured, threshold)
    sizes = _size_readings(measured, (*found, *shown))
    other = _drawn_reading(work, threshold)
    at = abs(measured - threshold) <= AREA_TOLERANCE_SQFT
    if at:
        other = (*other, PolicyReading("AMB-02", "'more than'", measured, threshold, "not_triggered"))
    doubted = other if found[0].settles else (*sizes, *other)
    return asked.answer(
        result,
        _why(asked, work, found[0], result) + (AT_THRESHOLD if at else "") + _within_band(asked, work, threshold),
        certainty=_certainty(asked, work, threshold, {result, *(r.result for r in doubted)}),
        measured=measured,
        threshold=threshold,
        unit="sqft",
        margin=measured - threshold,
        readings=(*sizes, *other),
    )


def _size_readings(measured: float, found: tuple[Threshold, ...]) -> tuple[PolicyReading, ...]:
    return tuple(
        PolicyReading("AMB-05", _size_text(t), measured, t.area_sqft, meets(measured, t.area_sqft)) for t in found
    )


def _size_text(threshold: Threshold) -> str:
    size = f", {sqft(threshold.size_sqft)}" if threshold.size_sqft is not None else ""
    return f"{threshold.source}{size}"


def _drawn_reading(work: Work, threshold: float) -> tuple[PolicyReading, ...]:
    if not work.extra.said:
        return ()
    text = f"as drawn, without: {listed(work.extra.said)}"
    drawn = work.drawn_sqft
    return (PolicyReading("AMB-04", text, drawn, threshold, meets(drawn, threshold)),)


def _certainty(asked: Asked, work: Work, threshold: float, results: set[Result]) -> Certainty:
    sure = len(results) == 1 and not _within_band(asked, work, threshold)
    return "certain" if sure else "too_close_to_call"


def _within_band(asked: Asked, work: Work, threshold: float) -> str:
    return within_band(asked, work.counted_sqft, work.perimeter_ft, threshold)


def _why(asked: Asked, work: Work, threshold: Threshold, result: Result) -> str:
    said = f" ({listed(work.extra.said)})" if work.extra.said else ""
    of = f"of the lot's {sqft(threshold.size_sqft)}" if threshold.size_sqft is not None else "for the project"
    if work.counted_sqft <= 0:
        doing = asked.option("doing")
        return f"No {doing} is drawn or stated on {work.place}; the threshold is {sqft(threshold.area_sqft)} {of}."
    verb = "reaches" if result == "triggered" else "stays below"
    return (
        f"{asked.option('doing').capitalize()} of {sqft(work.counted_sqft)}{said} on {work.place} {verb} "
        f"the threshold of {sqft(threshold.area_sqft)} {of}."
    )


def _tree_points(asked: Asked, work_class: str, answer: Determination) -> Determination:
    if answer.result == "triggered" or not canopy_missing(asked, work_class):
        return answer
    trees = asked.case.disturbance.tree_points
    why = f"{trees} tree(s) to be removed came as points without a canopy area, so clearing is not known. "
    return replace(answer, result="needs_input", why=why + answer.why, needs=("canopy_cleared_sqft",))

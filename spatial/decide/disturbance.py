"""How much is disturbed: what was drawn, and what the applicant stated beside the drawing. The larger drives."""

from __future__ import annotations

from dataclasses import dataclass

from spatial.decide.asking import Asked
from spatial.decide.phrases import feet, sqft
from spatial.units import GRID_AREA_ERROR

AREA_TOLERANCE_SQFT = 0.01
"""An area reaches a threshold from this much below it: coordinates sent with seven decimals move a lot by more."""

FOOTPRINT = "footprint"
"""The union of all the work, whatever is done there."""

PHASES = ("grading", "clearing")
"""What earlier phases are told by; where they lay is not known, so the footprint counts both."""


@dataclass(frozen=True, slots=True)
class Extra:
    """Ground that belongs to the work but was not drawn, with the words that say so."""

    area_sqft: float
    said: tuple[str, ...]


def undrawn(asked: Asked, work_class: str) -> Extra:
    """Return what the applicant stated beyond the drawing: a larger total, earlier phases, tree canopies.

    Nobody knows which class the stated surplus belongs to, so it counts for each.
    """
    parts = {f"the plan states {sqft(asked.facts.number('stated_disturbed_sqft') or 0)} disturbed": _surplus(asked)}
    for phase in PHASES if work_class == FOOTPRINT else (work_class,):
        earlier = asked.facts.number(f"earlier_{phase}_sqft")
        parts[f"earlier phases of the same application ({phase})"] = earlier or 0.0
    if work_class in {"clearing", FOOTPRINT}:
        parts["canopy of trees given as points"] = asked.facts.number("canopy_cleared_sqft") or 0.0
    counted = {words: area for words, area in parts.items() if area}
    return Extra(sum(counted.values()), tuple(f"{words}: {sqft(area)} added" for words, area in counted.items()))


def _surplus(asked: Asked) -> float:
    stated = asked.facts.number("stated_disturbed_sqft")
    return 0.0 if stated is None else max(0.0, stated - asked.case.disturbance.area_sqft)


def total_sqft(asked: Asked, work_class: str) -> float:
    """Return the drawn area of a class over the whole project; a class nobody draws is 0."""
    measure = asked.case.disturbance
    return measure.area_sqft if work_class == FOOTPRINT else measure.by_class_sqft.get(work_class, 0.0)


def total_perimeter_ft(asked: Asked, work_class: str) -> float:
    """Return the length of the limit of work of a class over the whole project."""
    measure = asked.case.disturbance
    return measure.perimeter_ft if work_class == FOOTPRINT else measure.by_class_perimeter_ft.get(work_class, 0.0)


def band_sqft(asked: Asked, area_sqft: float, perimeter_ft: float) -> float:
    """Return how far an area may be off: the limit of work moved by its accuracy, never less than the grid's error.

    >>> # a square of 73.485 ft, good to 1 ft: 294 sq ft either way
    """
    return max(perimeter_ft * work_accuracy_ft(asked), area_sqft * GRID_AREA_ERROR)


def within_band(asked: Asked, area_sqft: float, perimeter_ft: float, threshold_sqft: float) -> str:
    """Return what the area may be where that reaches over the threshold; empty where the answer is sure."""
    band = band_sqft(asked, area_sqft, perimeter_ft)
    if abs(area_sqft - threshold_sqft) > band:
        return ""
    least, most = sqft(max(0.0, area_sqft - band)), sqft(area_sqft + band)
    good_to = feet(work_accuracy_ft(asked))
    return f" With a limit of work good to {good_to} it may be {least} to {most}: only a survey can tell."


def work_accuracy_ft(asked: Asked) -> float:
    """Return how well the limit of work is known on the ground; a foot when nobody said."""
    accuracy_ft = asked.facts.number("work_accuracy_ft")
    return 1.0 if accuracy_ft is None else accuracy_ft


def canopy_missing(asked: Asked, work_class: str) -> bool:
    """Say whether trees are removed whose canopy nobody gave, so that clearing cannot be ruled out."""
    given = asked.facts.number("canopy_cleared_sqft") is not None
    return work_class in {"clearing", FOOTPRINT} and asked.case.disturbance.tree_points > 0 and not given

"""The lot of a threshold that is a share of it: how large, by whose word, and whether that matters (AMB-05)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spatial.case import LotMeasure
from spatial.decide.asking import Asked
from spatial.decide.phrases import sqft
from spatial.model import NO_LOT_TYPES
from spatial.units import PERCENT

WATER_BODIES = "water_bodies"
SURVEY = "survey or deed"


@dataclass(frozen=True, slots=True)
class Threshold:
    """An area threshold for one lot under one word for its size; ``size_sqft`` None where there is no lot.

    ``settles``: a survey or deed, beside which other words raise no doubt.
    """

    source: str
    size_sqft: float | None
    area_sqft: float
    settles: bool = False


def thresholds(asked: Asked, lot: LotMeasure) -> tuple[Threshold, ...]:
    """Return the threshold under each size the lot is said to have, the one that drives first.

    A surveyed or deed area drives when it is given; otherwise the smallest of map and assessors. Ground that is no
    lot has the fixed area alone.
    """
    if lot.poly_type in NO_LOT_TYPES:
        return (Threshold("no lot", None, asked.number("cap_sqft")),)
    surveyed = asked.facts.number("lot_area_sqft") if len(asked.lots) == 1 else None
    sizes = {"map": lot.area_sqft} | ({"assessors": lot.lot_size_sqft} if _assessed_fits(asked, lot) else {})
    found = sorted(
        (_threshold(asked, source, size) for source, size in sizes.items() if size), key=lambda t: t.area_sqft
    )
    by_survey = (_surveyed(asked, surveyed, lot),) if surveyed else ()
    return (*by_survey, *found)


def stated_threshold(asked: Asked, size_sqft: float) -> Threshold:
    """Return the threshold under a surveyed or deed area."""
    return replace(_threshold(asked, SURVEY, size_sqft), settles=True)


def _surveyed(asked: Asked, size_sqft: float, lot: LotMeasure) -> Threshold:
    """Return the threshold under a surveyed or deed area; far from the mapped one it drives and settles nothing."""
    return replace(stated_threshold(asked, size_sqft), settles=_fits(asked, size_sqft, lot))


def without_water(asked: Asked, lot: LotMeasure) -> tuple[Threshold, ...]:
    """Return the threshold without the mapped water bodies, as the zoning bylaw counts a lot; shown only.

    Whether that counts here is not known (AMB-05). Empty without mapped water and for ground that is no lot.
    """
    wet = sum(
        share.parcel_sqft
        for finding in asked.findings_of("buffer_zone")
        if finding.layer_id == WATER_BODIES
        for share in finding.by_parcel
        if share.loc_id == lot.loc_id
    )
    if wet <= 0 or lot.poly_type in NO_LOT_TYPES:
        return ()
    return (_threshold(asked, "map without water bodies", max(0.0, lot.area_sqft - wet)),)


def _threshold(asked: Asked, source: str, size_sqft: float) -> Threshold:
    share = asked.number("lot_percent") / PERCENT
    return Threshold(source, size_sqft, min(asked.number("cap_sqft"), share * size_sqft))


def _assessed_fits(asked: Asked, lot: LotMeasure) -> bool:
    return bool(lot.lot_size_sqft) and _fits(asked, lot.lot_size_sqft or 0.0, lot)


def _fits(asked: Asked, size_sqft: float, lot: LotMeasure) -> bool:
    """Say whether a size may be that of the mapped lot."""
    if lot.area_sqft <= 0:
        return False
    ratio = size_sqft / lot.area_sqft
    return asked.number("assessed_ratio_min") <= ratio <= asked.number("assessed_ratio_max")


def size_doubt(asked: Asked, found: tuple[Threshold, ...]) -> str:
    """Return a sentence when the words for the lot's size move the threshold by more than the file allows."""
    areas = [t.area_sqft for t in found]
    if max(areas) - min(areas) <= min(areas) * asked.number("size_difference_percent") / PERCENT:
        return ""
    said = "; ".join(f"{t.source} {sqft(t.size_sqft or 0)} gives {sqft(t.area_sqft)}" for t in found)
    far = f" It is far from the map's: bring the {found[0].source}." if _stated_far(found) else ""
    return f" The lot's size is not agreed ({said}); {found[0].source} drives (AMB-05).{far}"


def _stated_far(found: tuple[Threshold, ...]) -> bool:
    """Say whether the size that drives was stated and does not fit the map."""
    return found[0].source == SURVEY and not found[0].settles

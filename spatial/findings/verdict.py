"""Stage findings: how sure a finding is; not sure where the map's or the limit of work's accuracy could turn it."""

from __future__ import annotations

from dataclasses import dataclass

from spatial.case import FeatureHit
from spatial.measure.theme import ThemeMeasure
from spatial.model import Certainty, Theme
from spatial.units import DISTANCE_TOLERANCE_FT, GRID_AREA_ERROR


@dataclass(frozen=True, slots=True)
class Verdict:
    """The certainty of a finding, by how much it holds, and the accuracy it was held against."""

    certainty: Certainty
    margin_ft: float | None = None
    accuracy_ft: float | None = None
    band_ft: float = 0.0


SURE = Verdict("certain")


def verdict(theme: Theme, measured: ThemeMeasure, *, hit: bool, work_accuracy_ft: float) -> Verdict:
    """Return how sure a hit or a miss is.

    A hit is as sure as its surest feature: how deep inside the reach the work lies (with the depth to which the two
    reach into each other) against the feature's own accuracy or that of the limit of work, whichever is worse, and
    never less than the grid's error. A miss is as sure as its nearest feature. A touch is never sure.
    """
    if not measured.features:
        return _far(theme, measured, work_accuracy_ft)
    made = [_of_feature(theme, feature, work_accuracy_ft, hit=hit) for feature in measured.features]
    if theme.share:
        return min(made, key=_spare)
    if hit:
        return max(
            (v for v, f in zip(made, measured.features, strict=True) if _met(theme, f)), key=_spare, default=SURE
        )
    return min(made, key=_spare)


def slack_ft(theme: Theme, feature: FeatureHit) -> float:
    """Return how far inside the theme's reach the work lies; negative outside."""
    return theme.within_ft - feature.nearest_ft + feature.depth_ft


def _met(theme: Theme, feature: FeatureHit) -> bool:
    return (
        feature.depth_ft > 0
        or feature.overlap_sqft > 0
        or feature.nearest_ft <= theme.within_ft + DISTANCE_TOLERANCE_FT
    )


def _of_feature(theme: Theme, feature: FeatureHit, work_accuracy_ft: float, *, hit: bool) -> Verdict:
    slack = slack_ft(theme, feature)
    band = max(feature.accuracy_ft, work_accuracy_ft, GRID_AREA_ERROR * feature.nearest_ft)
    margin = max(slack, 0.0) if hit else max(-slack, 0.0)
    sure = margin > band
    return Verdict("certain" if sure else "too_close_to_call", margin, feature.accuracy_ft, band)


def _far(theme: Theme, measured: ThemeMeasure, work_accuracy_ft: float) -> Verdict:
    """Nothing within reach and doubt: what was seen farther off, if anything, does not decide."""
    if measured.nearest_ft is None:
        return SURE
    return Verdict("certain", measured.nearest_ft - theme.within_ft, None, work_accuracy_ft)


def _spare(verdict: Verdict) -> float:
    return (verdict.margin_ft or 0.0) - verdict.band_ft

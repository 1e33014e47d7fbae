"""What one finding says of one reach: a hit, an absence, a gap in the map, or nothing we may rely on.

Distances are those measured; a rule's reach may be shorter or longer than its theme's, so the status of the
finding alone does not decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from spatial.case import FeatureHit, Finding
from spatial.decide.asking import Asked
from spatial.decide.phrases import listed
from spatial.model import Certainty
from spatial.units import DISTANCE_TOLERANCE_FT, GRID_AREA_ERROR

Seen = Literal["hit", "absent", "unmapped", "unknown"]
UNSEEN = "; what it found was not seen here, and any distance told is the map's"
OTHERS_UNSEEN = "; its own line was measured, and that it found nothing else of this kind was not seen here"
INSIDE = frozenset({"overlaps", "within", "contains"})


@dataclass(frozen=True, slots=True)
class Sight:
    """One finding against one reach. ``slack_ft``: how far inside the reach the work lies, negative outside.

    ``slack_ft`` is None when no feature was met at all; ``label`` names the feature that decides. ``allowed_ft``
    was added to the reach for what the map draws smaller than it is.
    """

    seen: Seen
    finding: Finding | None
    certainty: Certainty
    slack_ft: float | None = None
    nearest_ft: float | None = None
    label: str = ""
    why: str = ""
    allowed_ft: float = 0.0


@dataclass(frozen=True, slots=True)
class _Near:
    """A feature against the reach: how far inside it the work lies, and how far that may be wrong."""

    slack_ft: float
    band_ft: float
    nearest_ft: float
    label: str

    @property
    def hit(self) -> bool:
        return self.slack_ft >= -DISTANCE_TOLERANCE_FT

    @property
    def certain(self) -> bool:
        return abs(self.slack_ft) > self.band_ft


def look(asked: Asked, finding: Finding, reach_ft: float) -> Sight:
    """Return what a finding says of ground within ``reach_ft`` of the work; reach 0 asks for shared ground.

    A hit is a hit whatever is missing around it. Absence needs a layer that was searched that far, covers the
    ground and is complete, or a delineation.
    """
    key = (id(finding), reach_ft, asked.option("map_is_law") == "yes", asked.option("unsettled"))
    if key not in asked.memory.sights:
        asked.memory.sights[key] = _look(asked, finding, reach_ft)
    return cast("Sight", asked.memory.sights[key])


def _look(asked: Asked, finding: Finding, reach_ft: float) -> Sight:
    met = _features(finding)
    unsettled = [feature for feature in met if unsettled_here(asked, feature)] if asked.option("unsettled") else []
    settled = [feature for feature in met if not unsettled_here(asked, feature)] if unsettled else met
    near = [_near(asked, finding, feature, reach_ft) for feature in settled]
    hits = [n for n in near if n.hit]
    if hits:
        best = max(hits, key=lambda n: (n.certain, n.slack_ft))
        certainty: Certainty = "certain" if best.certain else "too_close_to_call"
        return Sight("hit", finding, certainty, best.slack_ft, best.nearest_ft, best.label)
    open_ground = [f for f in unsettled if (n := _near(asked, finding, f, reach_ft)).hit or not n.certain]
    if open_ground:
        return undecided(finding, open_ground)
    return absence(asked, finding, reach_ft, near)


def unsettled_here(asked: Asked, feature: FeatureHit) -> bool:
    """Say whether the map itself does not say what a feature is (a flood zone nobody studied)."""
    value = feature.attributes.get(asked.option("unsettled_by"))
    return value is not None and str(value).upper() in asked.words("unsettled")


def undecided(finding: Finding, features: Sequence[FeatureHit]) -> Sight:
    """Return the sight of ground that the map shows and does not decide."""
    names = listed([f.label for f in features])
    return Sight("unknown", finding, "certain", why=f"{finding.title}: the map does not decide for {names}")


def not_asked(theme: str) -> Sight:
    """Return the sight of a theme no layer was asked about."""
    return Sight("unknown", None, "certain", why=f"nothing was asked about {theme.replace('_', ' ')}")


def _features(finding: Finding) -> tuple[FeatureHit, ...]:
    """Return the features met; a finding that measured a distance but lists none gives one of that distance."""
    if finding.features:
        return finding.features
    nearest = 0.0 if finding.status == "affected" and finding.nearest_ft is None else finding.nearest_ft
    if nearest is None:
        return ()
    return (
        FeatureHit(
            id="",
            label="",
            attributes={},
            overlap_sqft=finding.disturbance_sqft or 0.0,
            length_ft=finding.length_ft or 0.0,
            nearest_ft=nearest,
            accuracy_ft=_accuracy(finding),
        ),
    )


def _accuracy(finding: Finding) -> float:
    if finding.accuracy_ft is not None:
        return finding.accuracy_ft
    return finding.edition.accuracy_ft if finding.edition is not None else 0.0


def _near(asked: Asked, finding: Finding, feature: FeatureHit, reach_ft: float) -> _Near:
    work_ft = asked.facts.number("work_accuracy_ft")
    band = max(feature.accuracy_ft, 1.0 if work_ft is None else work_ft, GRID_AREA_ERROR * feature.nearest_ft)
    shared = feature.overlap_sqft > 0 or feature.length_ft > 0 or _point_inside(finding, feature)
    if reach_ft > 0 or shared:
        slack = reach_ft - feature.nearest_ft + (feature.depth_ft if shared else 0.0)
        return _Near(slack, band, feature.nearest_ft, feature.label)
    touching = feature.nearest_ft <= DISTANCE_TOLERANCE_FT
    slack = -2 * DISTANCE_TOLERANCE_FT if touching else -feature.nearest_ft
    return _Near(slack, band, feature.nearest_ft, feature.label)


def _point_inside(finding: Finding, feature: FeatureHit) -> bool:
    return feature.nearest_ft == 0 and finding.relation in INSIDE and not finding.disturbance_sqft


def absence(asked: Asked, finding: Finding, reach_ft: float, near: Sequence[_Near] = ()) -> Sight:
    """Return what the silence of a layer means within a reach; ``near`` are the features met beyond it."""
    certainty: Certainty = "certain" if all(n.certain for n in near) else "too_close_to_call"
    best = max(near, key=lambda n: n.slack_ft, default=None)
    seen, why = _absent_kind(asked, finding, reach_ft)
    if best is None:
        return Sight(seen, finding, certainty, why=why)
    return Sight(seen, finding, certainty, best.slack_ft, best.nearest_ft, best.label, why)


def _absent_kind(asked: Asked, finding: Finding, reach_ft: float) -> tuple[Seen, str]:
    if finding.status in {"no_data", "not_checked"} or finding.coverage != "full":
        return "unknown", ""
    if not _searched(finding, reach_ft):
        return "unknown", f"{finding.title} was not looked for as far as {reach_ft:g} ft"
    if finding.complete or asked.option("map_is_law") == "yes":
        return "absent", ""
    stated = delineation(asked, finding)
    if not stated:
        return "unmapped", ""
    return "absent", f"Delineated: {stated}{'' if finding.delineation_measured else _unseen(asked)}"


def _unseen(asked: Asked) -> str:
    """Return what nobody here saw of a delineation: all of it, or all but the line that was sent and measured."""
    return OTHERS_UNSEEN if any(f.delineation_measured for f in asked.case.findings) else UNSEEN


def delineation(asked: Asked, finding: Finding) -> str | None:
    """Return who said what is on the ground: of this finding, of the same question's others, or as a fact."""
    own = finding.delineation if finding.delineation_whole else None
    if not asked.takes_word:
        return own if finding.delineation_measured else None
    others = (f.delineation for f in asked.case.findings if f.delineation and f.delineation_whole)
    return own or asked.facts.text("delineation") or next(others, None)


def _searched(finding: Finding, reach_ft: float) -> bool:
    """Say whether absence within the reach may be believed: what covers the ground was looked at that far."""
    looked = max(finding.within_ft, finding.searched_ft, *(z.to_ft for z in finding.zones), 0.0)
    return looked >= reach_ft - DISTANCE_TOLERANCE_FT

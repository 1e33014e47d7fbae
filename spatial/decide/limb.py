"""One reach of a rule: what all findings of its themes say together, how sure, and in which words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spatial.case import Finding
from spatial.decide.asking import SEVERITY
from spatial.decide.phrases import feet, listed, sqft
from spatial.decide.sight import Seen, Sight
from spatial.model import Certainty
from spatial.rules.determination import Result
from spatial.units import DISTANCE_TOLERANCE_FT

DELINEATION = "delineation"
DOUBT = " The map or the limit of work could be off by more than the difference."


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """What every finding says within one reach; ``reach_ft`` 0 is the ground itself.

    ``deciding`` is the surest hit, else the nearest miss, None when nothing was met; ``rank`` orders several
    reaches of a rule: the strictest drives, a sure hit before a doubtful one, a doubtful miss before a sure one.
    """

    reach_ft: float
    sights: tuple[Sight, ...]
    result: Result
    certainty: Certainty
    deciding: Sight | None
    rank: tuple[int, bool, float]

    @property
    def nearest_ft(self) -> float | None:
        """The distance that decides, None when nothing was met."""
        return self.deciding.nearest_ft if self.deciding else None

    @property
    def needs(self) -> tuple[str, ...]:
        """The facts that would settle it; none for a hit."""
        unmapped = any(s.seen == "unmapped" for s in self.sights)
        return (DELINEATION,) if unmapped and self.result != "triggered" else ()


def weigh(reach_ft: float, sights: tuple[Sight, ...]) -> Limb:
    """Return what the sights say together: a hit is as sure as the surest one, a miss only as the nearest one."""
    hits = [s for s in sights if s.seen == "hit"]
    result = _result({s.seen for s in sights})
    sure = (any if hits else all)([s.certainty == "certain" for s in hits or sights])
    met = hits or [s for s in sights if s.slack_ft is not None]
    deciding = max(met, key=_weight) if met else None
    slack = float("-inf") if deciding is None or deciding.slack_ft is None else deciding.slack_ft
    rank = SEVERITY[result], sure == bool(hits), slack
    return Limb(reach_ft, sights, result, "certain" if sure else "too_close_to_call", deciding, rank)


def why(limb: Limb) -> str:
    """Return what was met, or that nothing was and what the silence is worth."""
    sight, reach_ft = limb.deciding, limb.reach_ft
    doubt = DOUBT if limb.certainty == "too_close_to_call" and sight is not None else ""
    if limb.result == "triggered" and sight is not None and sight.finding is not None:
        return (_within(sight, sight.finding, reach_ft) if reach_ft else _under(sight, sight.finding)) + doubt
    place = f"lies within {feet(reach_ft)} of the work" if reach_ft else "is under the work"
    if unseen(limb):
        return f"Whether ground of this kind {place} is not known.{silence(limb.sights)}"
    return f"No mapped ground of this kind {place}.{_nearest(sight)}{doubt}{silence(limb.sights)}"


def unseen(limb: Limb) -> bool:
    """Say whether no map at all was looked at: then not even what is mapped can be told."""
    return limb.deciding is None and bool(limb.sights) and all(s.seen == "unknown" for s in limb.sights)


def _result(seen: set[Seen]) -> Result:
    """A hit triggers; else what is unknown, else what the map misses, else nothing is there."""
    if "hit" in seen:
        return "triggered"
    if "unknown" in seen:
        return "indeterminate"
    return "needs_input" if "unmapped" in seen else "not_triggered"


def _within(sight: Sight, finding: Finding, reach_ft: float) -> str:
    area = sum(z.disturbance_sqft for z in finding.zones if z.to_ft <= reach_ft)
    inside = f"; {sqft(area)} of the work lie that near" if area else ""
    label = sight.label or "The nearest mapped ground"
    place = f"is {feet(sight.nearest_ft)} from the work" if sight.nearest_ft else "lies at or under the work"
    return f"{label} {place}{_allowed(sight)}, within {feet(reach_ft)}{inside}."


def _allowed(sight: Sight) -> str:
    """Return what the distance comes to with what was allowed for it; empty without such an allowance."""
    if not sight.allowed_ft or not sight.nearest_ft:
        return ""
    left = feet(max(0.0, sight.nearest_ft - sight.allowed_ft))
    return f" as mapped, {left} with the {feet(sight.allowed_ft)} allowed for its extent"


def silence(sights: Sequence[Sight]) -> str:
    """Return why silence is no answer, or who delineated, each once; empty when every layer answered.

    The findings themselves say at length why a layer was not checked or does not reach here.
    """
    silent = [(s.seen, s.finding) for s in sights if s.finding and not s.why]
    unchecked = [f.title for seen, f in silent if seen == "unknown" and f.status == "not_checked"]
    uncovered = [f.title for seen, f in silent if seen == "unknown" and f.status != "not_checked"]
    unmapped = [_map(f) for seen, f in silent if seen == "unmapped"]
    said = {
        "Not checked, so not known: {}": unchecked,
        "The loaded maps do not cover this ground, so not known: {}": uncovered,
        "Only a delineation can rule it out, for the maps miss some ({})": unmapped,
    }
    grouped = [sentence.format(listed(names)) for sentence, names in said.items() if names]
    own = dict.fromkeys(s.why.rstrip(".") for s in sights if s.why)
    return "".join(f" {sentence[:1].upper()}{sentence[1:]}." for sentence in (*grouped, *own))


def _weight(sight: Sight) -> tuple[bool, float]:
    return sight.seen == "hit" and sight.certainty == "certain", sight.slack_ft or 0.0


def _under(sight: Sight, finding: Finding) -> str:
    area = finding.disturbance_sqft if not finding.within_ft else None
    return f"Work lies in {sight.label or 'mapped ground of this kind'}" + (f" ({sqft(area)})." if area else ".")


def _nearest(sight: Sight | None) -> str:
    if sight is None or sight.nearest_ft is None:
        return ""
    called = f" ({sight.label})" if sight.label else ""
    if sight.nearest_ft <= DISTANCE_TOLERANCE_FT:
        return f" The nearest{called} touches the work."
    return f" The nearest{called} is {feet(sight.nearest_ft)} away{_allowed(sight)}."


def _map(finding: Finding) -> str:
    return finding.edition.title if finding.edition else finding.title

"""Work in, or within so many feet of, ground the rule protects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spatial.decide.asking import SEVERITY, Asked
from spatial.decide.phrases import feet, listed, sqft
from spatial.decide.sight import Seen, Sight, look, not_asked
from spatial.model import Certainty, Finding
from spatial.rules import Determination, Number, PolicyReading, Result

DELINEATION = "delineation"
POOL_RADIUS = "pool_radius_ft"


@dataclass(frozen=True, slots=True)
class Limb:
    """One reach of a rule and what every finding of its themes says of it; ``reach_ft`` 0 is the ground itself.

    ``deciding`` is the surest hit, else the nearest miss; None when nothing was met.
    """

    number: Number | None
    reach_ft: float
    sights: tuple[Sight, ...]
    result: Result
    certainty: Certainty
    deciding: Sight | None

    @classmethod
    def of(cls, number: Number | None, reach_ft: float, sights: tuple[Sight, ...]) -> Limb:
        """Weigh the sights: a hit is as sure as the surest one, a miss only as sure as the nearest one."""
        hits = [s for s in sights if s.seen == "hit"]
        sure = (any if hits else all)(s.certainty == "certain" for s in hits or sights)
        met = hits or [s for s in sights if s.slack_ft is not None]
        return cls(
            number,
            reach_ft,
            sights,
            _result({s.seen for s in sights}),
            "certain" if sure else "too_close_to_call",
            max(met, key=_weight, default=None),
        )


def _result(seen: set[Seen]) -> Result:
    """A hit triggers; else what is unknown, else what the map misses, else nothing is there."""
    if "hit" in seen:
        return "triggered"
    if "unknown" in seen:
        return "indeterminate"
    return "needs_input" if "unmapped" in seen else "not_triggered"


def _weight(sight: Sight) -> tuple[bool, float]:
    return sight.seen == "hit" and sight.certainty == "certain", sight.slack_ft or 0.0


def within_distance(asked: Asked) -> tuple[Determination, ...]:
    """Return the answer over every reach of the rule (its numbers with themes); the strictest drives."""
    limbs = [_limb(asked, number) for number in asked.rule.numbers.values() if number.themes]
    return (_answer(asked, limbs),)


def shared_ground(asked: Asked) -> tuple[Determination, ...]:
    """Return whether work lies inside the ground of the rule's themes; a touch is none, but too close to call."""
    return (_answer(asked, [Limb.of(None, 0.0, _sights(asked, asked.rule.themes, 0.0))]),)


def _limb(asked: Asked, number: Number) -> Limb:
    reach = asked.number(number.name)
    sights: list[Sight] = []
    for theme in number.themes:
        grown = reach + _pool_radius(asked, theme)
        sights.extend(_sights(asked, (theme,), grown))
    return Limb.of(number, reach, tuple(sights))


def _pool_radius(asked: Asked, theme: str) -> float:
    """Return the allowance for a pool mapped as a point (AMB-18); 0 until somebody gives one."""
    asks = theme == "vernal_pools" and POOL_RADIUS in asked.rule.facts
    return (asked.facts.number(POOL_RADIUS) or 0.0) if asks else 0.0


def _sights(asked: Asked, themes: Sequence[str], reach_ft: float) -> tuple[Sight, ...]:
    found: list[Sight] = []
    for theme in themes:
        findings = [f for f in asked.findings_of(theme) if _of_layer(asked, f)]
        found.extend(look(asked, f, reach_ft) for f in findings)
        found.extend([] if findings else [not_asked(theme)])
    return tuple(found)


def _of_layer(asked: Asked, finding: Finding) -> bool:
    layers = asked.words("layers")
    return not layers or finding.layer_id in layers


def _answer(asked: Asked, limbs: Sequence[Limb]) -> Determination:
    driving = max(limbs, key=lambda limb: (SEVERITY[limb.result], _sureness(limb), _slack(limb)))
    sight = driving.deciding
    result = driving.result
    return asked.answer(
        result,
        _why(driving),
        certainty=driving.certainty,
        measured=sight.nearest_ft if sight else None,
        threshold=driving.reach_ft,
        unit="ft",
        margin=sight.slack_ft if sight else None,
        needs=_needs(driving) if result != "triggered" else (),
        readings=tuple(_reading(limb) for limb in limbs if limb.number is not None),
    )


def _sureness(limb: Limb) -> int:
    sure = limb.certainty == "certain"
    return int(sure if limb.result == "triggered" else not sure)


def _slack(limb: Limb) -> float:
    sight = limb.deciding
    return float("-inf") if sight is None or sight.slack_ft is None else sight.slack_ft


def _needs(limb: Limb) -> tuple[str, ...]:
    return (DELINEATION,) if any(s.seen == "unmapped" for s in limb.sights) else ()


def _reading(limb: Limb) -> PolicyReading:
    number, sight = limb.number, limb.deciding
    name = number.citation if number else ""
    policy = (number.policy if number else None) or (number.name if number else "")
    return PolicyReading(
        policy,
        f"within {feet(limb.reach_ft)}: {name}",
        sight.nearest_ft if sight else None,
        limb.reach_ft,
        limb.result,
    )


def _why(limb: Limb) -> str:
    if limb.result == "triggered":
        return _hit_why(limb)
    nothing = "No mapped ground of this kind " + (
        f"lies within {feet(limb.reach_ft)} of the work." if limb.reach_ft else "is under the work."
    )
    sight = limb.deciding
    nearest = sight.nearest_ft if sight else None
    missed = f" The nearest{_called(sight.label)} is {feet(nearest)} away." if sight and nearest is not None else ""
    return nothing + missed + silence(limb.sights)


def _called(label: str) -> str:
    return f" ({label})" if label else ""


def silence(sights: Sequence[Sight]) -> str:
    """Return why silence is no answer, or who delineated, each once; empty when every layer answered."""
    maps = [_map(s.finding) for s in sights if s.seen == "unmapped" and s.finding]
    missing = [f"Only a delineation can rule it out, for the maps miss some ({listed(maps)})"] if maps else []
    said = dict.fromkeys([s.why.rstrip(".") for s in sights if s.why] + missing)
    return "".join(f" {sentence[:1].upper()}{sentence[1:]}." for sentence in said)


def _map(finding: Finding) -> str:
    return finding.edition.title if finding.edition else finding.title


def _hit_why(limb: Limb) -> str:
    sight = limb.deciding
    if sight is None or sight.finding is None:
        return "Work lies in protected ground."
    doubt = " The map or the limit of work could be off by more than the difference." if _doubtful(limb) else ""
    if not limb.reach_ft:
        area = sight.finding.disturbance_sqft if not sight.finding.within_ft else None
        return (
            f"Work lies in {sight.label or 'mapped ground of this kind'}"
            + (f" ({sqft(area)})" if area else "")
            + f".{doubt}"
        )
    area = sum(z.disturbance_sqft for z in sight.finding.zones if z.to_ft <= limb.reach_ft)
    inside = f"; {sqft(area)} of the work lie that near" if area else ""
    nearest = feet(sight.nearest_ft or 0.0)
    label = sight.label or "The nearest mapped ground"
    return f"{label} is {nearest} from the work, within {feet(limb.reach_ft)}{inside}.{doubt}"


def _doubtful(limb: Limb) -> bool:
    return limb.certainty == "too_close_to_call"

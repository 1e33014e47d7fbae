"""Work in, or within so many feet of, ground the rule protects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from spatial.decide.asking import Asked
from spatial.decide.limb import Limb, weigh, why
from spatial.decide.phrases import feet
from spatial.decide.sight import Sight, look, not_asked
from spatial.rules.bylaw import Number
from spatial.rules.determination import Determination, PolicyReading

POOL_RADIUS, POOLS = "pool_radius_ft", "vernal_pools"
AS_A_POINT = " A pool is mapped as a point; its edge is nearer (say by how much: fact pool_radius_ft)."


def within_distance(asked: Asked) -> tuple[Determination, ...]:
    """Return the answer over every reach of the rule (its numbers with themes); the strictest drives."""
    reaches = [number for number in asked.rule.numbers.values() if number.themes]
    limbs = [_limb(asked, number.themes, asked.number(number.name)) for number in reaches]
    readings = tuple(_reading(number, limb) for number, limb in zip(reaches, limbs, strict=True))
    return (_answer(asked, limbs, readings),)


def shared_ground(asked: Asked) -> tuple[Determination, ...]:
    """Return whether work lies inside the ground of the rule's themes; a touch is none, but too close to call."""
    return (_answer(asked, [_limb(asked, asked.rule.themes, 0.0)], ()),)


def _limb(asked: Asked, themes: tuple[str, ...], reach_ft: float) -> Limb:
    """Return one reach, weighed once for all the rules of a question that look as far at the same themes."""
    pool_ft = _pool_radius(asked, themes)
    key = (themes, reach_ft, pool_ft, asked.option("layers"), asked.option("map_is_law"), asked.option("unsettled"))
    if key not in asked.memory.limbs:
        asked.memory.limbs[key] = weigh(reach_ft, _sights(asked, themes, reach_ft, pool_ft))
    return cast("Limb", asked.memory.limbs[key])


def _pool_radius(asked: Asked, themes: tuple[str, ...]) -> float:
    """Return the allowance for a pool mapped as a point (AMB-18); 0 until somebody gives one."""
    asks = POOLS in themes and POOL_RADIUS in asked.rule.facts
    return (asked.facts.number(POOL_RADIUS) or 0.0) if asks else 0.0


def _sights(asked: Asked, themes: Sequence[str], reach_ft: float, pool_ft: float) -> tuple[Sight, ...]:
    layers = asked.words("layers")
    found: list[Sight] = []
    for theme in themes:
        allowed_ft = pool_ft if theme == POOLS else 0.0
        findings = [f for f in asked.findings_of(theme) if not layers or f.layer_id in layers]
        looks = [look(asked, f, reach_ft + allowed_ft) for f in findings]
        found.extend([replace(sight, allowed_ft=allowed_ft) for sight in looks] if allowed_ft else looks)
        found.extend([] if findings else [not_asked(theme)])
    return tuple(found)


def _answer(asked: Asked, limbs: Sequence[Limb], readings: tuple[PolicyReading, ...]) -> Determination:
    driving = max(limbs, key=lambda limb: limb.rank)
    return asked.answer(
        driving.result,
        why(driving) + _point_of_pool(asked, driving),
        certainty=driving.certainty,
        measured=driving.nearest_ft,
        threshold=driving.reach_ft,
        unit="ft",
        margin=driving.deciding.slack_ft if driving.deciding else None,
        needs=driving.needs,
        readings=readings,
    )


def _point_of_pool(asked: Asked, limb: Limb) -> str:
    """Return that the nearest miss is a pool's point and not its edge, while nobody allowed for the difference."""
    sight = limb.deciding
    pool = sight is not None and sight.finding is not None and sight.finding.theme == POOLS
    asks = POOL_RADIUS in asked.rule.facts and not _pool_radius(asked, (POOLS,))
    return AS_A_POINT if pool and asks and limb.result != "triggered" else ""


def _reading(number: Number, limb: Limb) -> PolicyReading:
    allowed_ft = max((s.allowed_ft for s in limb.sights), default=0.0)
    allowed = f", {feet(allowed_ft)} allowed for a pool beyond its point" if allowed_ft else ""
    text = f"within {feet(limb.reach_ft)}{allowed}: {number.citation}"
    return PolicyReading(number.policy or number.name, text, limb.nearest_ft, limb.reach_ft, limb.result)

"""One acre of disturbance, by this work or by the larger common plan it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spatial.case import NearbySite
from spatial.decide.area import meets
from spatial.decide.asking import Asked
from spatial.decide.disturbance import FOOTPRINT, canopy_missing, total_perimeter_ft, total_sqft, within_band
from spatial.decide.phrases import listed, sqft
from spatial.rules.determination import Determination, PolicyReading, Result
from spatial.units import SQFT_PER_ACRE

COMMON_PLAN, COMMON_PLAN_SQFT = "common_plan", "common_plan_sqft"
NAMED = 3
"""Sites named in a sentence; the rest are counted."""
NO_PLAN = frozenset({"none", "no"})
NOT_DRAINING = "said not to drain to the Town's storm sewers"
UNLESS = " It would be otherwise if it is part of a larger common plan (fact common_plan)."


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of the larger common plan: its name, its disturbance, and sites that may belong to it.

    ``whole``: the applicant stated the disturbance of the whole plan. The kept sites alone may reach an acre, but
    never show that the plan stays below one: others may belong to it that nobody asked about.
    """

    name: str | None
    area_sqft: float | None
    proposed: tuple[NearbySite, ...]
    whole: bool = False

    @property
    def denied(self) -> bool:
        """The applicant says that there is none."""
        return self.name is not None and self.name.casefold() in NO_PLAN


def land_disturbance(asked: Asked) -> tuple[Determination, ...]:
    """Return whether a permit is needed: an acre by itself, or as part of a common plan that will disturb one."""
    threshold = asked.number("threshold_acres") * SQFT_PER_ACRE
    own = counted_sqft(asked)
    plan = common_plan(asked)
    readings = (*_own_readings(asked, own, threshold), *_plan_readings(plan, threshold))
    result, measured, why, needs = _verdict(asked, own, plan, threshold)
    doubt = _doubt(asked, measured, threshold) if result != "needs_input" else ""
    return (
        asked.answer(
            result,
            why + _drainage(asked) + doubt,
            certainty="too_close_to_call" if doubt else "certain",
            measured=measured,
            threshold=threshold,
            unit="sqft",
            margin=measured - threshold,
            needs=needs,
            readings=readings,
        ),
    )


def counted_sqft(asked: Asked) -> float:
    """Return the work's own disturbance: the larger of what the plan states and what was drawn, with trees cut."""
    drawn = total_sqft(asked, FOOTPRINT) + (asked.facts.number("canopy_cleared_sqft") or 0.0)
    return max(drawn, asked.facts.number("stated_disturbed_sqft") or 0.0)


def common_plan(asked: Asked) -> Plan:
    """Return the common plan: what the applicant says of it and the kept sites that carry its name.

    Kept sites under another name, or none, are only proposed; the applicant confirms them by naming the plan.
    """
    name = asked.facts.text(COMMON_PLAN)
    same = tuple(
        s for s in asked.case.nearby if name and s.common_plan and s.common_plan.casefold() == name.casefold()
    )
    found = [counted_sqft(asked) + sum(s.area_sqft for s in same)] if same else []
    stated = asked.facts.number(COMMON_PLAN_SQFT)
    found += [max(stated, counted_sqft(asked))] if stated is not None else []  # the work is part of its plan
    plan = Plan(name, max(found, default=None), (), whole=stated is not None)
    others = tuple(s for s in asked.case.nearby if s not in same) if name is None or plan.denied else ()
    return replace(plan, proposed=others)


def _verdict(asked: Asked, own: float, plan: Plan, threshold: float) -> tuple[Result, float, str, tuple[str, ...]]:
    if meets(own, threshold) == "triggered":
        return "triggered", own, f"The work disturbs {sqft(own)}, an acre ({sqft(threshold)}) or more.", ()
    found = _below(asked, own, plan, threshold)
    if found[0] == "not_triggered" and (trees := _trees_unmeasured(asked)):
        return "needs_input", own, f"{found[2]} But {trees}.", ("canopy_cleared_sqft",)
    return found


def _trees_unmeasured(asked: Asked) -> str:
    """Return that trees are cut whose canopy nobody gave; empty when none are, or the plan states the whole."""
    if not canopy_missing(asked, FOOTPRINT) or asked.facts.number("stated_disturbed_sqft") is not None:
        return ""
    return f"{asked.case.disturbance.tree_points} tree(s) to be removed came as points without a canopy area"


def _below(asked: Asked, own: float, plan: Plan, threshold: float) -> tuple[Result, float, str, tuple[str, ...]]:
    """Return what work below an acre comes to as part of a larger plan."""
    below = f"The work disturbs {sqft(own)}, less than an acre ({sqft(threshold)})"
    if plan.denied:
        return _denied(own, plan, threshold, below)
    if plan.area_sqft is not None and (plan.whole or meets(plan.area_sqft, threshold) == "triggered"):
        return _by_plan(asked, own, plan.area_sqft, threshold)
    if plan.name is not None:
        why = f"{below}, but belongs to the common plan {plan.name!r} whose whole disturbance was not given."
        return "needs_input", own, why, (COMMON_PLAN_SQFT,)
    if _might_reach(own, plan, threshold):
        return "needs_input", own, f"{below}. {_proposal(plan)}", (COMMON_PLAN,)
    return "not_triggered", own, f"{below}.{UNLESS}", (COMMON_PLAN,)


def _denied(own: float, plan: Plan, threshold: float, below: str) -> tuple[Result, float, str, tuple[str, ...]]:
    """Return what it comes to that the applicant says there is no plan; other words of his may speak against it."""
    said = f"{below}, and is said to be part of no larger common plan"
    if plan.area_sqft is not None and meets(plan.area_sqft, threshold) == "triggered":
        why = f"{said}; yet {sqft(plan.area_sqft)} are given as what such a plan disturbs. Say which is right."
        return "needs_input", own, why, (COMMON_PLAN, COMMON_PLAN_SQFT)
    near = (
        f" Kept sites nearby would make an acre with it: {_sites(plan)}."
        if _might_reach(own, plan, threshold)
        else ""
    )
    return "not_triggered", own, f"{said}.{near}", ()


def _by_plan(asked: Asked, own: float, area: float, threshold: float) -> tuple[Result, float, str, tuple[str, ...]]:
    said = f"The work disturbs {sqft(own)} and its common plan {sqft(area)} in all"
    if meets(area, threshold) != "triggered":
        return "not_triggered", area, f"{said}, less than an acre ({sqft(threshold)}).", ()
    if _drains_elsewhere(asked):
        return "not_triggered", area, f"{said}, an acre ({sqft(threshold)}) or more.", ()
    return "triggered", area, f"{said}, an acre ({sqft(threshold)}) or more.", ()


def _might_reach(own: float, plan: Plan, threshold: float) -> bool:
    return bool(plan.proposed) and meets(own + sum(s.area_sqft for s in plan.proposed), threshold) == "triggered"


def _proposal(plan: Plan) -> str:
    sites = _sites(plan)
    return (
        f"Kept sites nearby would make an acre with it if they are one plan: {sites}. Name the plan, or say none."
    )


def _sites(plan: Plan) -> str:
    """Return the sites that add most, by name; a plan drawn anew adds nothing and is not told."""
    adding = sorted((s for s in plan.proposed if s.area_sqft >= 1), key=lambda s: -s.area_sqft)
    told = [f"{s.id} ({sqft(s.area_sqft)}, {s.distance_ft:,.0f} ft away)" for s in adding[:NAMED]]
    return listed([*told, *([f"{len(adding) - NAMED} more"] if len(adding) > NAMED else [])])


def _drains_elsewhere(asked: Asked) -> bool:
    """Say whether a documented analysis shows drainage away from the Town's system; a bare 'no' is not enough."""
    return asked.facts.flag("drains_to_ms4") is False and asked.facts.text("drainage_analysis") is not None


def _drainage(asked: Asked) -> str:
    if asked.facts.flag("drains_to_ms4") is not False:
        return ""
    if not _drains_elsewhere(asked):
        return f" It is {NOT_DRAINING}; without an engineer's analysis that counts for nothing (AMB-08)."
    analysis = asked.facts.text("drainage_analysis")
    return (
        f" By an engineer's analysis ({analysis}) it is {NOT_DRAINING}: that takes away a common plan's acre, "
        "while an acre of its own may still need a permit (AMB-08)."
    )


def _own_readings(asked: Asked, own: float, threshold: float) -> tuple[PolicyReading, ...]:
    drawn = total_sqft(asked, FOOTPRINT)
    stated = asked.facts.number("stated_disturbed_sqft")
    found = [PolicyReading("AMB-08", "the work's own disturbance", own, threshold, meets(own, threshold))]
    if stated is not None:
        found.append(PolicyReading("stated_disturbed_sqft", "as drawn", drawn, threshold, meets(drawn, threshold)))
        found.append(
            PolicyReading(
                "stated_disturbed_sqft", "as the plan states", stated, threshold, meets(stated, threshold)
            )
        )
    if _drains_elsewhere(asked):
        found.append(
            PolicyReading("AMB-08", "drainage to the MS4 asked of both limbs", own, threshold, "not_triggered")
        )
    return tuple(found)


def _plan_readings(plan: Plan, threshold: float) -> tuple[PolicyReading, ...]:
    if plan.area_sqft is None or plan.denied:
        return ()
    area = plan.area_sqft
    greater: Result = "triggered" if area > threshold else "not_triggered"
    return (
        PolicyReading("AMB-09", "common plan, 'an acre or more'", area, threshold, meets(area, threshold)),
        PolicyReading("AMB-09", "common plan, 'greater than one acre' (definitions)", area, threshold, greater),
    )


def _doubt(asked: Asked, measured: float, threshold: float) -> str:
    return within_band(asked, measured, total_perimeter_ft(asked, FOOTPRINT), threshold)

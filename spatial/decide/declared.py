"""Rules that a stated fact decides: a yes or no, a width, trees counted by the tree page, an exemption claimed."""

from __future__ import annotations

from spatial.decide.asking import Asked, verdict
from spatial.decide.phrases import amount, feet, listed
from spatial.rules.bylaw import Exemption
from spatial.rules.determination import Determination

CLAIMED, EVIDENCE = "claimed_exemptions", "exemption_evidence"
ROADWAY, WIDENING = "roadway_only", "roadway_widening_ft"
WIDE = "ft wide"
"""A width is an amount; plain feet are how far something is away."""
REMOVED, RETAINED = "removed_protected_dbh_in", "retained_protected_trees"


def stated(asked: Asked) -> tuple[Determination, ...]:
    """Return what the rule's own yes-or-no fact says; unknown asks for it."""
    name = asked.option("fact")
    value = asked.facts.flag(name)
    if value is None:
        return (
            asked.answer("needs_input", f"Not known until someone says: {asked.option('question')}", needs=(name,)),
        )
    result = verdict(value)
    return (asked.answer(result, f"{asked.option('question')} The applicant says {'yes' if value else 'no'}."),)


def at_least(asked: Asked) -> tuple[Determination, ...]:
    """Return whether the rule's own quantity, given as a fact, reaches its number."""
    name, number = asked.option("fact"), asked.rule.numbers[asked.option("number")]
    threshold, value = asked.number(number.name), asked.facts.number(name)
    said = f"{asked.option('measures')} must reach {threshold:g} {number.unit}"
    if value is None:
        return (asked.answer("needs_input", f"{said}; it was not given.", unit=number.unit, needs=(name,)),)
    return (
        asked.answer(
            verdict(value >= threshold),
            f"{said}; it is {value:g}.",
            measured=value,
            threshold=threshold,
            unit=number.unit,
            margin=value - threshold,
        ),
    )


def roadway(asked: Asked) -> tuple[Determination, ...]:
    """Return whether roadway work must meet the full standards: widening by a lane or more (AMB-21)."""
    only, widening, lane = _widened(asked)
    if widening is None:
        return (_width_unknown(asked, only, lane),)
    if widening < lane and only is None:
        than = f"Widening by {feet(widening)} is less than a lane ({feet(lane)})"
        why = f"{than}, but whether the work is on an existing roadway only is not known."
        return (asked.answer("needs_input", why, measured=widening, threshold=lane, unit=WIDE, needs=(ROADWAY,)),)
    full = widening >= lane
    than = "a lane ({lane}) or more: the full standards apply" if full else "less than a lane ({lane})"
    why = f"Widening by {feet(widening)} is {than.format(lane=feet(lane))}."
    result = verdict(full)
    return (asked.answer(result, why, measured=widening, threshold=lane, unit=WIDE, margin=widening - lane),)


def roadway_improvement(asked: Asked) -> tuple[Determination, ...]:
    """Return whether the work is on an existing roadway only, widened by less than a lane: it must improve it."""
    only, widening, lane = _widened(asked)
    if not only or widening is None:
        return (_width_unknown(asked, only, lane),)
    narrow = widening < lane
    why = (
        f"Roadway work only, widened by {feet(widening)}, less than a lane ({feet(lane)}): existing conditions "
        "must improve unless that is infeasible. Only the board can say that the work is of this kind."
        if narrow
        else f"Widened by {feet(widening)}, a lane ({feet(lane)}) or more."
    )
    result = verdict(narrow)
    return (asked.answer(result, why, measured=widening, threshold=lane, unit=WIDE, margin=lane - widening),)


def _widened(asked: Asked) -> tuple[bool | None, float | None, float]:
    return asked.facts.flag(ROADWAY), asked.facts.number(WIDENING), asked.number("single_lane_ft")


def _width_unknown(asked: Asked, only: bool | None, lane: float) -> Determination:
    """Return what stands while the work is not said to be on a roadway only, or its widening is not given."""
    if only:
        why = (
            f"By how much the roadway is widened was not given; a lane ({feet(lane)}) or more meets the full rule."
        )
        return asked.answer("needs_input", why, threshold=lane, unit=WIDE, needs=(WIDENING,))
    said = "said to be more than" if only is False else "not said to be"
    return asked.answer(
        "not_triggered", f"The work is {said} roadway maintenance and improvement, so no standard is lifted for it."
    )


def tree_protection(asked: Asked) -> tuple[Determination, ...]:
    """Return whether protected trees that stay need a marked zone; the tree page draws and measures the zones."""
    kept = asked.facts.number(RETAINED)
    zone = f"a zone of {asked.number('radius_ft_per_in'):g} ft radius for each inch of trunk diameter"
    if kept is None:
        why = f"Whether protected trees stay in the setbacks is not known; each needs {zone}."
        return (asked.answer("needs_input", why, needs=(RETAINED,)),)
    result = verdict(kept > 0)
    return (asked.answer(result, f"{kept:g} protected tree(s) stay in the setbacks; each needs {zone}."),)


def tree_mitigation(asked: Asked) -> tuple[Determination, ...]:
    """Return whether removed protected trees may have to be made good, and with how many inches of new trunk."""
    least, rate = asked.number("protected_dbh_in"), asked.number("replacement_in_per_in")
    removed = asked.facts.number(REMOVED)
    if removed is None:
        why = f"Whether trees of {least:g} inches or more leave the setbacks is not known."
        return (asked.answer("needs_input", why, unit="in", needs=(REMOVED,)),)
    new = amount(removed * rate, "inches")
    why = f"{amount(removed, 'inches')} of protected trunk removed; the board may ask for {new} of new caliper"
    paid = asked.known("contribution_usd_per_in")
    offer = (
        "; the contribution rate is not known" if paid is None else f", or a contribution of ${removed * paid:,.2f}"
    )
    result = verdict(removed > 0)
    return (asked.answer(result, f"{why}{offer}.", measured=removed, unit="in"),)


def trees_on_plan(asked: Asked) -> tuple[Determination, ...]:
    """Return whether large trees must stand on the plan; a near miss by DBH is to be checked (AMB-22)."""
    least, check = asked.number("plan_caliper_in"), asked.number("plan_check_dbh_in")
    largest = asked.facts.number("largest_tree_dbh_in")
    need = f"the plan shows trees of {least:g} inches caliper or more"
    if largest is None:
        why = f"Which trees stand on the site is not known; {need}."
        return (asked.answer("needs_input", why, threshold=least, unit="in", needs=("largest_tree_dbh_in",)),)
    if check <= largest < least:
        why = f"The largest tree has {largest:g} inches DBH; its caliper may reach {least:g}, so check it; {need}."
        return (
            asked.answer(
                "triggered", why, certainty="too_close_to_call", measured=largest, threshold=least, unit="in"
            ),
        )
    result = verdict(largest >= least)
    why = f"The largest tree has {largest:g} inches DBH; {need}."
    return (asked.answer(result, why, measured=largest, threshold=least, unit="in", margin=largest - least),)


def exemption_claims(asked: Asked) -> tuple[Determination, ...]:
    """Return one answer for each exemption of this bylaw that is claimed: recorded, never granted (AMB-31)."""
    claimed = set((asked.facts.text(CLAIMED) or "").split(","))
    return tuple(_claim(asked, e) for e in asked.bylaw.exemptions if e.id in claimed)


def _claim(asked: Asked, exemption: Exemption) -> Determination:
    evidence = asked.facts.text(EVIDENCE)
    shown = f"Evidence given: {evidence}." if evidence else f"No evidence was given; {exemption.evidence}."
    why = (
        f"Claimed: {exemption.title} ({exemption.citation}). {shown} Only the board can grant it, "
        f"so the answers on {listed(asked.titles(exemption.rules))} stand as they are."
    )
    return asked.answer("indeterminate", why, needs=() if evidence else (EVIDENCE,))

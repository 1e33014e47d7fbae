"""Report: the trees of a site for a person at a terminal. What is open is told as open, never as nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from app.lots import elsewhere
from app.reports.page import bullets, entry, heading, pairs, paragraph, render
from app.reports.wants import wanted
from app.reports.words import RESULT_WORDS, area, counted, number, quantity
from app.reports.yards import setbacks_page
from app.tree_zones import TreesAnswer, what_is_open
from spatial.trees.model import Mitigation, TreeZone

VERDICT_WORDS = {"keep": "stays, not touched", "impacted": "STAYS, ITS ROOTS ARE IMPACTED", "removed": "REMOVED"}
PROTECTED_WORDS = {True: "protected", False: "not protected", None: "protection cannot be told"}
DUTY_WORDS = {
    "binding": "The tree rules bind: the permit they follow is needed.",
    "advisory": (
        "The tree rules are advice here: they bind an applicant for the permit they follow, and that is not "
        "triggered (our reading of whether they bind by themselves, AMB-34)."
    ),
    "unknown": (
        "Whether the tree rules bind is not known: they bind an applicant for the permit they follow, and nobody "
        "can say yet whether it is needed (our reading of whether they bind by themselves, AMB-34)."
    ),
}
CALIPER = " (so many new trees with a trunk of that caliper)"
LENT = (
    "No rule of this town on tree zones is held here, so what it asks for trees is not known: ask the town. The "
    "zones below follow another town's formula and are advice."
)


def trees_table(answer: TreesAnswer, *, width: int | None = None, colour: bool = False) -> str:
    """Return the trees of a site for a person."""
    return render(_page(answer), width=width, colour=colour)


def _page(answer: TreesAnswer) -> Iterator[RenderableType]:
    plan = answer.plan
    yield entry(f"{counted(len(plan.trees), 'tree')}: zones, yards and what follows")
    yield from _whose_rules(answer)
    yield heading("Trees")
    for zone in plan.trees:
        yield _tree(zone)
    yield heading("Together")
    yield pairs(_together(answer))
    if answer.survey.left_out:
        yield heading("Left out")
        yield pairs((x.id, x.why) for x in answer.survey.left_out)
    if answer.rules:
        yield heading("What the rules on trees say")
    for rule in answer.rules:
        yield entry(f"{rule.title} ({rule.citation}): {RESULT_WORDS[rule.result]}", rule.why)
    if answer.needs:
        yield heading("Needs an answer")
        yield from bullets(wanted(answer.needs))
    if answer.notes:
        yield heading("Taken for granted, and how the files were read")
        yield from bullets(answer.notes)
    if answer.lot is not None:
        yield from setbacks_page(answer.lot)


def _whose_rules(answer: TreesAnswer) -> Iterator[RenderableType]:
    """Return whether the rules bind, and whose they are where they are not those of the ground."""
    lot = answer.lot
    yield from (paragraph(said, "yellow") for said in (elsewhere(lot.town, lot.lies_in) if lot else ()))
    yield paragraph(LENT if answer.law.lent else DUTY_WORDS[answer.plan.duties])


def _tree(zone: TreeZone) -> RenderableType:
    tree = zone.tree
    title = f"{tree.id}  {number(tree.dbh_in)} in: {VERDICT_WORDS[zone.verdict]}; {PROTECTED_WORDS[zone.protected]}"
    close = "  [too close to call]" if zone.certainty == "too_close_to_call" else ""
    radii = f"{number(zone.radius_ft)} ft from the centre, {number(zone.radius_from_face_ft)} ft from the face"
    return entry(
        title + close,
        zone.why,
        f"zone {quantity(zone.radius_used_ft, 'ft')} ({radii}), {area(zone.zone_sqft)}; "
        f"work takes {quantity(zone.disturbed_sqft, 'sqft')} ({quantity(zone.disturbed_percent, 'percent')})",
        ", ".join(flag.replace("_", " ") for flag in zone.flags),
    )


def _together(answer: TreesAnswer) -> Iterator[tuple[str, str]]:
    site, mitigation = answer.plan.site, answer.plan.mitigation
    share = quantity(site.disturbed_percent, "percent")
    yield "zones, merged", f"{area(site.zones_sqft)}, {quantity(site.disturbed_sqft, 'sqft')} disturbed ({share})"
    off = "" if site.fence_off_lot_ft is None else f", {quantity(site.fence_off_lot_ft, 'ft')} of it off the lot"
    yield "fence", f"{quantity(site.fence_ft, 'ft')}{off}"
    rests = what_is_open(answer.plan, answer.survey.unusable)
    so_far = f" so far; open: {'; '.join(rests)}" if rests else ""
    yield "removed, protected", f"{quantity(mitigation.removed_dbh_in, 'in')} of trunk{so_far}"
    if mitigation.undecided_dbh_in:
        yield (
            "removed, not decided",
            f"{quantity(mitigation.undecided_dbh_in, 'in')}: protected or not is not known",
        )
    least = ", so far" if rests else ""
    yield "to be planted", f"{_planted(mitigation)}{CALIPER if mitigation.replacement_caliper_in else ''}{least}"
    paid = mitigation.contribution_usd
    yield "or a contribution", "rate not known" if paid is None else f"${paid:,.2f}{least}"
    yield "by", "; ".join(answer.law.citations)


def _planted(mitigation: Mitigation) -> str:
    """Return what is to be planted; while a removed tree is not decided, that is a least amount and no more."""
    caliper = mitigation.replacement_caliper_in
    if caliper is None:
        return "not known: how much is planted for an inch removed is not held"
    trees = " or ".join(f"{n} of {size:g} in" for size, n in mitigation.replacement_trees.items())
    told = f"{quantity(caliper, 'in')} of caliper: {trees}"
    if not mitigation.undecided_dbh_in:
        return told
    open_in = quantity(mitigation.undecided_dbh_in, "in")
    return f"not known: {open_in} of trunk are not decided" + (f"; for the rest {told}" if caliper else "")

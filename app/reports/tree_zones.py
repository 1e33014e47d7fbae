"""Report: the trees of a site, as data, as shapes and for a person at a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator

import shapely
from rich.console import RenderableType
from shapely.geometry.base import BaseGeometry

from app.lots import elsewhere
from app.reports.geojson import Feature, feature_collection
from app.reports.page import bullets, entry, heading, pairs, paragraph, render
from app.reports.wants import wanted
from app.reports.words import RESULT_WORDS, area, counted, number, quantity
from app.reports.yards import lot_features, setbacks_page, setbacks_told
from app.schemas.trees import (
    LeftOutTold,
    MitigationTold,
    ReadingTold,
    RuleTold,
    SiteTold,
    TreesTold,
    TreeTold,
)
from app.tree_zones import TreesAnswer
from spatial.trees.model import Mitigation, SiteZones, TreeZone

MANY = 500
COARSE_M = 0.05
POLYGON = 3
"""The number shapely has for a polygon."""
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
LENT = (
    "No rule of this town on tree zones is held here, so what it asks for trees is not known: ask the town. The "
    "zones below follow another town's formula and are advice."
)


def trees_told(answer: TreesAnswer) -> TreesTold:
    """Return the trees of a site as ``/v1/tree-protection-zones`` says them."""
    plan = answer.plan
    return TreesTold(
        status="needs_input" if answer.needs else "ok",
        duties=plan.duties,
        citations=list(answer.law.citations),
        trees=[tree_told(z) for z in plan.trees],
        left_out=[LeftOutTold(id=x.id, why=x.why) for x in answer.survey.left_out],
        site=_site(plan.site),
        mitigation=_mitigation(plan.mitigation),
        rules=[
            RuleTold(
                rule=d.rule,
                title=d.title,
                citation=d.citation,
                result=d.result,
                why=d.why,
                needs=list(d.needs),
                advisory=d.advisory,
            )
            for d in answer.rules
        ],
        setbacks=setbacks_told(answer.lot).model_copy(update={"geojson": {}}) if answer.lot else None,
        needs=list(answer.needs),
        notes=list(answer.notes),
        geojson=feature_collection(tree_features(answer)),
    )


def tree_told(zone: TreeZone) -> TreeTold:
    """Return one tree as it is told."""
    tree = zone.tree
    return TreeTold(
        id=tree.id,
        dbh_in=tree.dbh_in,
        stems_in=list(tree.stems_in),
        dbh_rss_in=tree.dbh_rss_in,
        action=tree.action,
        yard=zone.yard,
        yards=list(zone.place.yards) if zone.place else [],
        protected=zone.protected,
        why=zone.why,
        zone_radius_ft=zone.radius_ft,
        zone_radius_from_face_ft=zone.radius_from_face_ft,
        dripline_ft=tree.dripline_ft,
        zone_radius_used_ft=zone.radius_used_ft,
        zone_sqft=zone.zone_sqft,
        disturbed_sqft=zone.disturbed_sqft,
        disturbed_percent=zone.disturbed_percent,
        retained_sqft=zone.retained_sqft,
        avoidable_sqft=zone.avoidable_sqft,
        off_lot_sqft=zone.off_lot_sqft,
        verdict=zone.verdict,
        certainty=zone.certainty,
        margin_ft=zone.place.margin_ft if zone.place else None,
        on_plan=zone.on_plan,
        readings=[
            ReadingTold(
                policy=r.policy,
                text=r.text,
                radius_ft=r.radius_ft,
                zone_sqft=r.zone_sqft,
                disturbed_sqft=r.disturbed_sqft,
                disturbed_percent=r.disturbed_percent,
            )
            for r in zone.readings
        ],
        flags=list(zone.flags),
    )


def _site(site: SiteZones) -> SiteTold:
    return SiteTold(
        zones_sqft=site.zones_sqft,
        zones_from_centre_sqft=site.zones_from_centre_sqft,
        disturbed_sqft=site.disturbed_sqft,
        disturbed_percent=site.disturbed_percent,
        fence_ft=site.fence_ft,
        fence_off_lot_ft=site.fence_off_lot_ft,
        counts=dict(site.counts),
    )


def _mitigation(mitigation: Mitigation) -> MitigationTold:
    return MitigationTold(
        removed_dbh_in=mitigation.removed_dbh_in,
        undecided_dbh_in=mitigation.undecided_dbh_in,
        replacement_caliper_in=mitigation.replacement_caliper_in,
        trees_2in=mitigation.replacement_trees.get(2.0),
        trees_2_5in=mitigation.replacement_trees.get(2.5),
        contribution=mitigation.contribution_usd,
        needs=list(mitigation.needs),
    )


def tree_features(answer: TreesAnswer) -> Iterator[Feature]:
    """Yield everything drawn: the lot's own shapes, stems, zones, the ground disturbed in them, the fence.

    Of a whole town's trees (more than ``MANY``) single zones are told by their radius at the stem, and the merged
    zones and the fence are drawn to 5 cm.
    """
    if answer.lot is not None:
        yield from lot_features(answer.lot)
    if not answer.work.is_empty:
        yield Feature("work", answer.work, {"what": "work"})
    many = len(answer.plan.trees) > MANY
    for zone in answer.plan.trees:
        told = tree_told(zone).model_dump(exclude={"readings", "stems_in"})
        yield Feature(f"tree/{zone.tree.id}", zone.tree.point, {"what": "tree", **told})
    if not many:
        yield from _single_zones(answer)
    for name, what, drawing in (
        ("zones", "merged_zones", answer.plan.site.zone),
        ("fence", "fence", answer.plan.site.fence),
    ):
        yield Feature(name, _coarse(drawing) if many else drawing, {"what": what})


def _coarse(drawing: BaseGeometry) -> BaseGeometry:
    """Return a drawing with fewer vertices, part by part: as a whole it would take minutes."""
    parts = shapely.simplify(shapely.get_parts(drawing), COARSE_M, preserve_topology=False)
    kept = shapely.get_parts(parts[~shapely.is_empty(parts)])
    kinds = shapely.get_type_id(kept)
    return shapely.MultiPolygon(list(kept)) if (kinds == POLYGON).all() else shapely.MultiLineString(list(kept))


def _single_zones(answer: TreesAnswer) -> Iterator[Feature]:
    work = answer.work
    shapely.prepare(work)
    for zone, drawing in zip(answer.plan.trees, answer.plan.drawings, strict=True):
        name = zone.tree.id
        yield Feature(f"zone/{name}", drawing, {"what": "zone", "tree": name, "verdict": zone.verdict})
        if zone.verdict == "impacted":
            taken = shapely.intersection(drawing, work)
            yield Feature(f"disturbed/{name}", taken, {"what": "disturbed", "tree": name})


def trees_geojson(answer: TreesAnswer) -> str:
    """Return everything drawn as GeoJSON text (EPSG:4326)."""
    return json.dumps(feature_collection(tree_features(answer)), ensure_ascii=False, allow_nan=False)


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
    for rule in answer.rules:
        yield entry(f"{rule.title} ({rule.citation}): {RESULT_WORDS[rule.result]}", rule.why)
    if answer.needs:
        yield heading("Needs an answer")
        yield from bullets(wanted(answer.needs))
    for note in answer.notes:
        yield paragraph(note)
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
    so_far = " so far" if mitigation.undecided_dbh_in else ""
    yield "removed, protected", f"{quantity(mitigation.removed_dbh_in, 'in')}{so_far}"
    if mitigation.undecided_dbh_in:
        yield (
            "removed, not decided",
            f"{quantity(mitigation.undecided_dbh_in, 'in')}: protected or not is not known",
        )
    yield "to be planted", _planted(mitigation)
    paid = mitigation.contribution_usd
    yield "or a contribution", "rate not known" if paid is None else f"${paid:,.2f}{so_far}"
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

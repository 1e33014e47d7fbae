"""Report: the trees of a site, as data and as shapes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from app.reports.geojson import Feature, feature_collection
from app.reports.yards import lot_features, setbacks_told
from app.schemas.trees import (
    LeftOutTold,
    MitigationTold,
    ReadingTold,
    RuleTold,
    SiteTold,
    TreesTold,
    TreeTold,
)
from app.tree_zones import TreesAnswer, what_is_open
from spatial.trees.model import Mitigation, SiteZones, TreeZone

MANY = 500
COARSE_M = 0.05
POLYGON = 3
"""The number shapely has for a polygon."""


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
        mitigation=_mitigation(plan.mitigation, what_is_open(plan, answer.survey.unusable)),
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


def _mitigation(mitigation: Mitigation, unsettled: Sequence[str]) -> MitigationTold:
    return MitigationTold(
        removed_dbh_in=mitigation.removed_dbh_in,
        undecided_dbh_in=mitigation.undecided_dbh_in,
        replacement_caliper_in=mitigation.replacement_caliper_in,
        trees_2in=mitigation.replacement_trees.get(2.0),
        trees_2_5in=mitigation.replacement_trees.get(2.5),
        contribution=mitigation.contribution_usd,
        needs=list(mitigation.needs),
        open=list(unsettled),
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

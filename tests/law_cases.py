"""Law in examples: cases read from ``tests/cases/*.toml`` and measured plainly with shapely, in feet.

The engine has its own tests; here the measuring is short enough to be checked by eye.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from layers.catalog import load_specs
from spatial.case import (
    Case,
    DisturbanceMeasure,
    DownstreamWater,
    FeatureHit,
    Finding,
    LotMeasure,
    NearbySite,
    ParcelShare,
    WatershedShare,
)
from spatial.model import EditionRef, Theme, Town

CASES = Path(__file__).parent / "cases"
DOVER = Town(78, "dover", "Dover", ("dover-159", "dover-181"))
LYNNFIELD = Town(164, "lynnfield", "Lynnfield", ("lynnfield-240", "lynnfield-320"))
TOWNS = {"dover": DOVER, "lynnfield": LYNNFIELD}
BOTH = ("grading", "clearing")


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of one file."""
    return tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))["case"]


def measured(given: dict[str, Any]) -> Case:
    """A case as the engine would hand it to the rules."""
    work = [(_classes(w), work_shape(w)) for w in given.get("work", [])]
    town = TOWNS[given.get("town", "dover")]
    lots = [(lot, work_shape(lot)) for lot in given.get("lots", [])]
    union = shapely.union_all([shape for _, shape in work])
    ground = shapely.union_all([shape for _, shape in lots])
    return Case(
        on=given.get("on", "2026-06-01"),
        town=town,
        disturbance=DisturbanceMeasure(
            area_sqft=union.area,
            perimeter_ft=union.length,
            outside_parcels_sqft=union.difference(ground).area,
            by_activity_sqft={},
            by_class_sqft={c: _of_class(work, c).area for c in BOTH},
            by_class_perimeter_ft={c: _of_class(work, c).length for c in BOTH},
            tree_points=given.get("tree_points", 0),
        ),
        lots=tuple(_lot(lot, shape, work, town) for lot, shape in lots),
        findings=tuple(f for theme in load_specs().themes for f in _finding(given, theme, union, ground)),
        watersheds=tuple(WatershedShare(**w) for w in given.get("watersheds", [])),
        nearby=tuple(NearbySite(**n) for n in given.get("nearby", [])),
        downstream=tuple(DownstreamWater(**d) for d in given["downstream"]) if "downstream" in given else None,
    )


def _classes(work: dict[str, Any]) -> tuple[str, ...]:
    activity = work.get("activity")
    return (activity,) if activity in BOTH else BOTH


def work_shape(given: dict[str, Any]) -> BaseGeometry:
    """A box of a case, with its hole, or a square of a size; feet."""
    if "square_sqft" in given:
        side = given["square_sqft"] ** 0.5
        return shapely.box(0, 0, side, side)
    outer = shapely.box(*given["box"])
    return outer.difference(shapely.box(*given["hole"])) if "hole" in given else outer


def _of_class(work: list[tuple[tuple[str, ...], BaseGeometry]], name: str) -> BaseGeometry:
    return shapely.union_all([shape for classes, shape in work if name in classes])


def _lot(lot: dict[str, Any], shape: BaseGeometry, work: list[Any], town: Town) -> LotMeasure:
    inside = {c: _of_class(work, c).intersection(shape) for c in BOTH}
    disturbed = shapely.union_all(list(inside.values())).area
    return LotMeasure(
        loc_id=lot["id"],
        town_id=lot.get("town_id", town.id),
        area_sqft=shape.area,
        lot_size_sqft=lot.get("assessed_sqft"),
        disturbed_sqft=disturbed,
        disturbed_percent=100 * disturbed / shape.area,
        by_class_sqft={c: g.area for c, g in inside.items()},
        by_class_perimeter_ft={c: g.length for c, g in inside.items()},
        poly_type=lot.get("poly_type", "FEE"),
        use_code=lot.get("use_code"),
    )


def _finding(given: dict[str, Any], theme: Theme, work: BaseGeometry, ground: BaseGeometry) -> list[Finding]:
    if theme.share:
        return []
    spec = load_specs().spec(theme.layer_id)
    layer = next((x for x in given.get("layers", []) if x["layer"] == theme.layer_id), {"layer": theme.layer_id})
    unseen = spec.kind == "raster" and "boxes" not in layer
    if unseen or theme.layer_id in given.get("without", []):
        return [Finding(theme.theme, theme.title, theme.layer_id, "not_checked", "certain", "no edition is loaded")]
    shapes = [shapely.box(*b) for b in layer.get("boxes", [])]
    shapes += [shapely.LineString(line) for line in layer.get("lines", [])]
    shapes += [shapely.Point(p) for p in layer.get("points", [])]
    accuracy = layer.get("accuracy_ft", spec.accuracy_ft)
    hits = [_hit(n, s, work, accuracy, layer.get("attributes", {})) for n, s in enumerate(shapes)]
    seen = tuple(h for h in hits if h.nearest_ft <= theme.coverage_ft + accuracy)
    affected = any(h.nearest_ft <= theme.within_ft and (theme.within_ft or h.overlap_sqft) for h in hits)
    shared = sum(h.overlap_sqft for h in hits)
    return [
        Finding(
            theme=theme.theme,
            title=theme.title,
            layer_id=theme.layer_id,
            status="affected" if affected else "not_affected" if spec.complete else "none_mapped",
            certainty="certain",
            why="measured",
            relation="overlaps" if shared else "near" if hits else "none",
            accuracy_ft=accuracy,
            disturbance_sqft=shared,
            parcel_sqft=sum(s.intersection(ground).area for s in shapes),
            nearest_ft=min((h.nearest_ft for h in seen), default=None),
            within_ft=theme.within_ft,
            searched_ft=theme.coverage_ft,
            features=seen,
            edition=EditionRef(theme.layer_id, "state", "2026-01", theme.title, "0" * 64, accuracy, spec.complete),
            coverage=layer.get("coverage", "full"),
            complete=spec.complete,
            by_parcel=tuple(_share(lot, shapes, work) for lot in given.get("lots", [])),
        )
    ]


def _share(lot: dict[str, Any], shapes: list[BaseGeometry], work: BaseGeometry) -> ParcelShare:
    ground = shapely.union_all(shapes).intersection(work_shape(lot))
    return ParcelShare(lot["id"], ground.intersection(work).area, ground.area)


def _hit(
    number: int, shape: BaseGeometry, work: BaseGeometry, accuracy: float, attributes: dict[str, Any]
) -> FeatureHit:
    inside = shape.intersection(work)
    corners = shapely.points(shapely.get_coordinates(inside)) if inside.area else []
    return FeatureHit(
        id=str(number),
        label=f"feature {number}",
        attributes=attributes,
        overlap_sqft=inside.area,
        length_ft=inside.length if shape.geom_type == "LineString" else 0.0,
        nearest_ft=shape.distance(work),
        accuracy_ft=accuracy,
        depth_ft=max((shape.boundary.distance(c) for c in corners), default=0.0),
    )

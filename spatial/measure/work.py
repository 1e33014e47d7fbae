"""Stage measure: how much work there is, by activity, by class and by lot. Overlapping features count once.

Two classes are asked about: grading and clearing. Building, paving, storage and work without a name count as both
unless the feature says otherwise (``counts_as``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from spatial.case import DisturbanceMeasure, LotMeasure
from spatial.dust import united
from spatial.model import Area, Parcel, SiteFeature, Submission
from spatial.site import LotGround, Site
from spatial.units import FOOT_M, PERCENT, sqft_from_sqm

GRADING, CLEARING = "grading", "clearing"
CLASSES = (GRADING, CLEARING)
UNNAMED = "unnamed"
COUNTS_AS = "counts_as"
CLASS_OF: Mapping[str, frozenset[str]] = {
    "grading": frozenset({GRADING}),
    "clearing": frozenset({CLEARING}),
    "tree_removal": frozenset({CLEARING}),
}
"""Activities of one class; every other activity is work of both."""


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """The union of the work of each activity, as named, and of each class. A class without work is absent."""

    by_activity: Mapping[str, Area]
    by_class: Mapping[str, Area]


def sort_work(submission: Submission) -> Work:
    """Return the submission's disturbance by activity and by class.

    >>> from shapely import box
    >>> lawn = SiteFeature("1", box(0, 0, 10, 10), {}, activity="clearing")
    >>> sorted(sort_work(Submission((lawn,), box(0, 0, 10, 10))).by_class)
    ['clearing']
    """
    drawn = [f for f in submission.with_role("disturbance") if shapely.get_dimensions(f.geometry) == 2]
    if len(drawn) == 1:
        whole = submission.area
        return Work({_activity(drawn[0]): whole}, dict.fromkeys(sorted(classes_of(drawn[0])), whole))
    by_activity = {name: [f for f in drawn if _activity(f) == name] for name in map(_activity, drawn)}
    by_class = {name: [f for f in drawn if name in classes_of(f)] for name in CLASSES}
    whole = submission.area
    return Work(
        {name: _together(features, drawn, whole) for name, features in by_activity.items()},
        {name: _together(features, drawn, whole) for name, features in by_class.items() if features},
    )


def classes_of(feature: SiteFeature) -> frozenset[str]:
    """Return the classes a feature counts as: its own word ``counts_as``, else its activity's, else both.

    A ``counts_as`` that names neither class is not understood and changes nothing.
    """
    said = str(feature.attributes.get(COUNTS_AS) or "").casefold().replace(",", " ").replace(";", " ").split()
    named = frozenset(said) & frozenset(CLASSES)
    return named or CLASS_OF.get(_activity(feature), frozenset(CLASSES))


def _activity(feature: SiteFeature) -> str:
    return (feature.activity or UNNAMED).strip().casefold() or UNNAMED


def _together(features: Sequence[SiteFeature], drawn: Sequence[SiteFeature], whole: Area) -> Area:
    """Return the union of some features; the work itself when they are all of it."""
    if len(features) == len(drawn):
        return whole
    return united([f.geometry for f in features])


def measure_work(
    site: Site, submission: Submission, work: Work, outside_sqft: float, *, unheld_sqft: float = 0.0
) -> DisturbanceMeasure:
    """Return the work as a whole; ``outside_sqft`` lies on no parcel under it, ``unheld_sqft`` where none are."""
    return DisturbanceMeasure(
        area_sqft=site.work.area_sqft,
        perimeter_ft=site.work.geometry.length / FOOT_M,
        outside_parcels_sqft=outside_sqft,
        by_activity_sqft={name: sqft_from_sqm(area.area) for name, area in work.by_activity.items()},
        by_class_sqft={name: sqft_from_sqm(area.area) for name, area in work.by_class.items()},
        by_class_perimeter_ft={name: area.length / FOOT_M for name, area in work.by_class.items()},
        tree_points=submission.tree_points,
        unheld_sqft=unheld_sqft,
    )


def measure_lot(parcel: Parcel, lot: LotGround, site: Site, work: Work) -> LotMeasure:
    """Return one lot and the work of each class on it."""
    on_lot = {name: _on_lot(area, lot, site) for name, area in work.by_class.items()}
    disturbed = sqft_from_sqm(lot.work.area)
    area_sqft = lot.ground.area_sqft
    return LotMeasure(
        loc_id=parcel.loc_id,
        town_id=parcel.town_id,
        area_sqft=area_sqft,
        lot_size_sqft=parcel.lot_size_sqft,
        disturbed_sqft=disturbed,
        disturbed_percent=PERCENT * (disturbed / area_sqft),
        by_class_sqft={name: sqft_from_sqm(area.area) for name, area in on_lot.items()},
        by_class_perimeter_ft={name: area.length / FOOT_M for name, area in on_lot.items()},
        map_par_id=parcel.map_par_id,
        site_address=parcel.site_address,
        poly_type=parcel.poly_type,
        use_code=parcel.use_code,
    )


def _on_lot(area: Area, lot: LotGround, site: Site) -> BaseGeometry:
    if area is site.work.geometry:
        return lot.work
    if lot.work is site.work.geometry:
        return area
    return shapely.intersection(area, lot.ground.geometry)

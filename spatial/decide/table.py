"""The one table: what a bylaw file calls an evaluator, and the function that answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from spatial.decide.area import area_threshold
from spatial.decide.asking import Asked
from spatial.decide.declared import (
    at_least,
    exemption_claims,
    roadway,
    roadway_improvement,
    stated,
    tree_mitigation,
    tree_protection,
    trees_on_plan,
)
from spatial.decide.development import new_or_redevelopment
from spatial.decide.fee import application_fee
from spatial.decide.following import follows
from spatial.decide.impairment import impaired_water
from spatial.decide.near import near_theme
from spatial.decide.one_acre import land_disturbance
from spatial.decide.reach import shared_ground, within_distance
from spatial.decide.volume import stored_volume
from spatial.decide.watershed import offsite_mitigation
from spatial.rules.determination import Determination

Evaluator = Callable[[Asked], tuple[Determination, ...]]

EVALUATORS: Mapping[str, Evaluator] = {
    "application_fee": application_fee,
    "area_threshold": area_threshold,
    "at_least": at_least,
    "exemption_claims": exemption_claims,
    "follows": follows,
    "impaired_water": impaired_water,
    "land_disturbance": land_disturbance,
    "near_theme": near_theme,
    "new_or_redevelopment": new_or_redevelopment,
    "offsite_mitigation": offsite_mitigation,
    "roadway": roadway,
    "roadway_improvement": roadway_improvement,
    "shared_ground": shared_ground,
    "stated": stated,
    "stored_volume": stored_volume,
    "tree_mitigation": tree_mitigation,
    "tree_protection": tree_protection,
    "trees_on_plan": trees_on_plan,
    "within_distance": within_distance,
}

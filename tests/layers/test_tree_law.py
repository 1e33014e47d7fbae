"""The numbers trees are measured by: from the bylaw files, of the right town, on the right day."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import pytest

from layers.law import load_law
from layers.towns import load_towns
from layers.tree_law import tree_law
from spatial.errors import ParameterRefused

LAW, TOWNS = load_law(None), load_towns()
TODAY = date(2026, 11, 30)


def test_dovers_numbers():
    law = tree_law(LAW, TOWNS.find("dover"), TODAY)
    rules = law.rules
    assert (rules.radius_ft_per_in, rules.floor_ft, rules.cap_ft) == (1.0, 0.0, math.inf)
    assert (rules.protected_dbh_in, rules.replacement_in_per_in) == (6.0, 0.5)
    assert rules.contribution_usd_per_in is None and rules.plan_caliper_in is None
    assert law.rule_ids == ("dover-159.tree_protection", "dover-159.tree_mitigation")
    assert law.gate == "dover-159.erosion_control_plan" and law.notes == ()
    assert all("§ 159-" in citation for citation in law.citations)


def test_lynnfield_asks_for_large_trees_on_the_plan_and_borrows_the_radius_as_advice():
    law = tree_law(LAW, TOWNS.find("lynnfield"), TODAY)
    assert (law.rules.plan_caliper_in, law.rules.plan_check_dbh_in) == (12.0, 10.5)
    assert (law.rules.radius_ft_per_in, law.rules.protected_dbh_in) == (1.0, None)
    assert law.rule_ids == ("lynnfield-320.trees_on_plan",) and law.gate is None
    assert "as advice only" in law.notes[0]


@pytest.mark.parametrize(
    ("town", "words"),
    [("somerville", "No rule of Somerville on tree zones is held here; whether"), (None, "not known")],
)
def test_elsewhere_the_radius_is_advice_and_nothing_is_called_protected(town, words):
    law = tree_law(LAW, TOWNS.find(town) if town else None, TODAY)
    assert words in law.notes[0] and law.rules.protected_dbh_in is None and law.rule_ids == ()


def test_the_rate_that_staff_entered_counts(tmp_path: Path):
    (tmp_path / "dover.toml").write_text(
        '[[entry]]\nname = "tree_contribution_usd_per_in"\nvalue = 350.0\n'
        'citation = "Rate schedule of 2026"\nentered_on = 2026-05-04\n'
    )
    law = tree_law(load_law(tmp_path), TOWNS.find("dover"), TODAY)
    assert law.rules.contribution_usd_per_in == 350.0


def test_before_any_rule_was_in_force_the_question_is_refused():
    with pytest.raises(ParameterRefused, match="on 2020-01-01; name a later day"):
        tree_law(LAW, TOWNS.find("dover"), date(2020, 1, 1))

"""Rows of a tree survey: read as they are meant, or left out and named; never guessed."""

from __future__ import annotations

import csv

import numpy as np
import pytest
import shapely
from fabrics import feet

from spatial.crs import transformer
from spatial.errors import ParameterRefused
from spatial.model import SiteFeature
from spatial.trees import Ground
from spatial.trees.columns import columns_of, numbers
from spatial.trees.model import TreeRules
from spatial.trees.site import tree_plan
from spatial.trees.survey import survey


def row(number: int, **columns) -> SiteFeature:
    place = columns.pop("at", (10.0 * number, 0.0))
    activity = columns.pop("activity", None)
    return SiteFeature(str(number), feet(shapely.Point(place)), columns, activity, "tree")


def codes(found) -> list[str]:
    return [n.code for n in found.notes]


def test_a_plain_survey():
    found = survey([row(1, dbh_in=24, action="keep"), row(2, dbh_in="13.5", action="Remove"), row(3, dbh_in=6.0)])
    assert [(t.id, t.dbh_in, t.action) for t in found.trees] == [
        ("1", 24.0, "keep"), ("2", 13.5, "remove"), ("3", 6.0, None)
    ]  # fmt: skip
    assert (found.left_out, codes(found)) == ((), ["dbh_inches"])


@pytest.mark.parametrize(
    ("column", "value", "inches"),
    [
        ("DBH", 12, 12.0),
        ("dbh_cm", 30.48, 12.0),
        ("DBH (cm)", "30.48", 12.0),
        ("Diameter_CM", 30.48, 12.0),
        ("diameter_mm", 304.8, 12.0),
        ("Trunk Diam", 12, 12.0),
        ("dbh_inches", 12, 12.0),
    ],
)
def test_the_unit_is_in_the_columns_name(column, value, inches):
    found = survey([row(1, **{column: value})])
    assert found.trees[0].dbh_in == pytest.approx(inches)
    assert codes(found) == ["dbh_inches" if inches == value else "dbh_converted"]


def test_inches_win_over_centimetres_and_names_are_kept_as_written():
    columns = columns_of(["dbh_cm", "DBH in", "Tag", "Dripline_m"])
    assert [name for name, _ in columns.diameters] == ["DBH in", "dbh_cm"]
    assert (columns.ids, columns.lengths["Dripline_m"][0]) == ("Tag", "dripline")
    found = survey([row(1, dbh_cm=25.4, **{"DBH in": None}), row(2, dbh_cm=25.4, **{"DBH in": 8})])
    assert [t.dbh_in for t in found.trees] == pytest.approx([10.0, 8.0])


@pytest.mark.parametrize(
    ("columns", "stems"),
    [
        ({"stems_in": "8, 6, 5"}, (8.0, 6.0, 5.0)),
        ({"dbh": "8+6+5"}, (8.0, 6.0, 5.0)),
        ({"stems": "8;6", "dbh": 20}, (8.0, 6.0)),
        ({"stems": None, "dbh": 20}, (20.0,)),
        ({"stems_cm": "25.4 / 50.8"}, (10.0, 20.0)),
    ],
)
def test_several_stems(columns, stems):
    assert survey([row(1, **columns)]).trees[0].stems_in == pytest.approx(stems)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "no diameter"),
        ("", "no diameter"),
        (0, "diameter is 0"),
        (-4, "diameter is -4"),
        ("8,0", "diameter is 0"),
        ("big", "'big' is not a number"),
        ("nan", "'nan' is not a number"),
        (float("inf"), "'inf' is not a number"),
        (True, "no diameter"),
    ],
)
def test_a_row_without_a_usable_diameter_is_left_out_and_the_others_answer(value, told):
    found = survey([row(1, dbh=value), row(2, dbh=10)])
    assert [t.id for t in found.trees] == ["2"]
    assert found.left_out[0].id == "1" and told in found.left_out[0].why
    assert "trees_left_out" in codes(found)


def test_six_hundred_inches_are_refused_with_the_remedy():
    with pytest.raises(ParameterRefused, match="dbh_cm") as refused:
        survey([row(1, dbh=12), row(2, dbh=600)])
    assert refused.value.feature == "2"
    assert survey([row(1, dbh=150)]).trees[0].dbh_in == 150.0


def test_a_survey_without_diameters_or_without_any_tree_is_refused():
    with pytest.raises(ParameterRefused, match="name it dbh_in or dbh_cm .columns: species"):
        survey([row(1, species="oak")])
    with pytest.raises(ParameterRefused, match="None of the 1 trees"):
        survey([row(1, dbh=0)])
    with pytest.raises(ParameterRefused, match="columns: none"):
        survey([])


def test_a_tree_told_twice_counts_once_and_two_stems_at_one_place_are_told():
    same = survey([row(1, dbh=10, at=(0, 0)), row(2, dbh=10, at=(0.05, 0)), row(3, dbh=10, at=(0, 0.05))])
    assert [t.id for t in same.trees] == ["1"]
    assert [x.id for x in same.left_out] == ["2", "3"] and "told twice" in same.left_out[0].why
    other = survey([row(1, dbh=10, at=(0, 0)), row(2, dbh=8, at=(0.05, 0)), row(3, dbh=8, at=(1, 0))])
    assert len(other.trees) == 3 and "stems_at_one_place" in codes(other)


def test_trees_that_share_a_name_are_told_apart():
    found = survey([row(1, tag="A", dbh=8), row(2, tag="A", dbh=9), row(3, tag=None, dbh=9)])
    assert [t.id for t in found.trees] == ["A", "A#2", "3"]


def test_only_points_are_stems():
    shape = SiteFeature("7", feet(shapely.box(0, 0, 1, 1)), {"dbh": 9}, None, "tree")
    assert "Polygon is no stem" in survey([shape, row(1, dbh=8)]).left_out[0].why


@pytest.mark.parametrize(
    ("columns", "dripline", "caliper"),
    [
        ({"dripline_ft": 30}, 30.0, None),
        ({"canopy_radius_m": 9.144018288}, 30.0, None),
        ({"dripline": 0, "caliper": "12.5"}, None, 12.5),
        ({"caliper_cm": 25.4}, None, 10.0),
    ],
)
def test_driplines_and_calipers(columns, dripline, caliper):
    tree = survey([row(1, dbh=10, **columns)]).trees[0]
    assert tree.dripline_ft == (pytest.approx(dripline) if dripline else None)
    assert tree.caliper_in == (pytest.approx(caliper) if caliper else None)


def test_an_activity_says_what_is_done_with_a_tree():
    assert survey([row(1, dbh=8, activity="tree_removal")]).trees[0].action == "remove"
    assert survey([row(1, dbh=8, action="ask the arborist")]).trees[0].action is None


def test_cells_hold_numbers_or_say_why_not():
    assert numbers(" 7 ", 2.0) == (14.0,) and numbers("", 1.0) == ()
    with pytest.raises(ValueError, match="is not a number"):
        numbers("7 ft", 1.0)


@pytest.mark.shared
def test_the_street_trees_of_somerville(shared):
    with (shared / "data" / "somerville_trees" / "2018-somerville-trees.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    move = transformer("EPSG:2249")
    x, y = move.transform([float(r["X"]) for r in rows], [float(r["Y"]) for r in rows])
    points = shapely.points(x, y)
    features = [SiteFeature(str(i), p, r, None, "tree") for i, (p, r) in enumerate(zip(points, rows, strict=True))]
    found = survey(features)
    assert len(rows) == 15_241 == len(found.trees) + len(found.left_out)
    without = [x for x in found.left_out if "diameter is 0" in x.why]
    assert len(without) == sum(float(r["DBH"]) <= 0 for r in rows)
    site = tree_plan(found.trees, TreeRules(radius_ft_per_in=1.0), Ground()).site
    summed = float(np.pi * sum((t.dbh_in * 25 / 24) ** 2 for t in found.trees))
    assert 0.7 * summed < site.zones_sqft < summed

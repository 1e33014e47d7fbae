"""What staff enter fills empty numbers, changes the edition, and is refused without a citation."""

from __future__ import annotations

import pytest

from layers.law import load_law
from spatial.errors import ParameterRefused
from spatial.model import Town

DOVER = Town(78, "dover", "Dover", ("dover-159", "dover-181"))
RATE = """
[town]
id = 78
name = "Dover"

[[entry]]
name = "tree_contribution_usd_per_in"
value = 350
citation = "Rate Schedule of 1 July 2026, Stormwater Authority"
entered_on = 2026-07-02

[[entry]]
name = "list_validity_days"
value = 60
citation = "Board of Assessors, vote of 3 March 2026"
entered_on = 2026-03-04

[[setback]]
district = "R-1"
front_ft = 40
side_ft = 30
rear_ft = 30
citation = "§ 185-17, Schedule of Dimensional Requirements"
entered_on = 2026-03-04
"""


@pytest.fixture
def towns(tmp_path):
    (tmp_path / "dover.toml").write_text(RATE, encoding="utf-8")
    return tmp_path


def rate(law):
    bylaw = law.bylaws_for([DOVER])[0]
    return bylaw.rule("dover-159.tree_mitigation").numbers["contribution_usd_per_in"]


def test_an_entry_fills_the_empty_number_with_its_citation(towns):
    assert rate(load_law(None)).value is None
    filled = rate(load_law(towns))
    assert (filled.value, filled.citation) == (350.0, "Rate Schedule of 1 July 2026, Stormwater Authority")


def test_the_edition_says_that_a_town_filled_it(towns):
    law = load_law(towns)
    plain, filled = law.bylaw("dover-159").edition, law.bylaws_for([DOVER])[0].edition
    assert filled.startswith(f"{plain}+")
    assert filled == f"{plain}+{law.towns['dover'].sha256[:12]}"
    assert law.bylaws_for([DOVER])[1].edition == law.bylaw("dover-181").edition


def test_another_town_is_not_filled(towns):
    other = Town(901, "doverbrook", "Doverbrook (invented)", ("dover-159",), invented=True)
    assert (
        load_law(towns)
        .bylaws_for([other])[0]
        .rule("dover-159.tree_mitigation")
        .numbers["contribution_usd_per_in"]
        .value
        is None
    )


def test_entries_and_setbacks_are_kept(towns):
    dover = load_law(towns).towns["dover"]
    assert dover.get("list_validity_days").value == 60
    assert dover.get("certification_wording") is None
    assert [(s.district, s.front_ft, s.centerline_ft) for s in dover.setbacks] == [("R-1", 40.0, None)]


def test_a_missing_folder_adds_nothing(tmp_path):
    assert load_law(tmp_path / "none").towns == {}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('citation = "Board of Assessors, vote of 3 March 2026"\n', "", "citation"),
        ('name = "list_validity_days"', 'name = "list_validity"', "'list_validity' that nothing asks for"),
        ("value = 60", 'value = "sixty"', "which is a number"),
        ("value = 60", "value = true", "which is a number"),
        ("front_ft = 40", "front_ft = -40", "front_ft"),
        ("front_ft = 40", "frnt_ft = 40", "frnt_ft"),
        ("entered_on = 2026-07-02", "", "entered_on"),
        ('name = "list_validity_days"', 'name = "tree_contribution_usd_per_in"', "twice"),
        ("[[setback]]", "[[setbacks]]", "setbacks"),
        ("[town]", "[town", "not TOML"),
    ],
)
def test_a_wrong_entry_is_refused_with_a_sentence(towns, old, new, says):
    assert old in RATE
    (towns / "dover.toml").write_text(RATE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ParameterRefused, match=says) as refused:
        load_law(towns)
    assert refused.value.file == "dover.toml"
    assert str(towns) not in refused.value.detail

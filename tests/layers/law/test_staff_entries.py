"""What staff enter fills empty numbers, changes the edition, and is refused without a citation."""

from __future__ import annotations

from pathlib import Path

import pytest
from law_cases import measured

from layers.law import load_law, staff
from spatial.decide import decide
from spatial.errors import ParameterRefused
from spatial.model import Town

ROOT = Path(__file__).parents[3]
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


BARE = RATE.partition("[[setback]]")[0].replace('[town]\nid = 78\nname = "Dover"\n', "")


def test_a_file_may_be_called_by_the_towns_number(tmp_path):
    (tmp_path / "78.toml").write_text(BARE, encoding="utf-8")
    assert rate(load_law(tmp_path)).value == 350.0


def test_a_file_of_no_town_is_refused_and_not_passed_over(tmp_path):
    (tmp_path / "dovr.toml").write_text(BARE, encoding="utf-8")
    with pytest.raises(ParameterRefused, match="'dovr.toml' is of no town we know") as refused:
        load_law(tmp_path)
    assert "dover" in refused.value.suggestions


def test_two_files_of_one_town_are_refused(tmp_path):
    for name in ("78.toml", "dover.toml"):
        (tmp_path / name).write_text(BARE, encoding="utf-8")
    with pytest.raises(ParameterRefused, match="second one of dover"):
        load_law(tmp_path)


def test_a_missing_folder_adds_nothing(tmp_path):
    assert load_law(tmp_path / "none").towns == {}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('citation = "Board of Assessors, vote of 3 March 2026"\n', "", "citation"),
        ('name = "list_validity_days"', 'name = "list_validity"', "'list_validity' that nothing asks for"),
        ("value = 60", 'value = "sixty"', "which is a number"),
        ("value = 60", "value = true", "which is a number"),
        ("value = 60", "value = 0", "from 1 to 3,650 days"),
        ("value = 60", "value = nan", "from 1 to 3,650 days"),
        ("value = 350", "value = -350", "from 0 to 1,000,000 usd per in"),
        ("value = 350", "value = inf", "from 0 to 1,000,000 usd per in"),
        ('citation = "Rate Schedule of 1 July 2026, Stormwater Authority"', 'citation = "    "', "citation"),
        ("front_ft = 40", "front_ft = nan", "front_ft"),
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


LYNNFIELD = Town(164, "lynnfield", "Lynnfield", ("lynnfield-320",))
FEES = """
[[entry]]
name = "application_fee_usd"
value = 300
citation = "Fee Schedule of Ch. 213, Art. II, 2026"
entered_on = 2026-03-04

[[entry]]
name = "application_fee_usd_per_acre"
value = 100
citation = "Fee Schedule of Ch. 213, Art. II, 2026"
entered_on = 2026-03-04
"""


def fee(law, width_ft=500, **facts):
    case = measured({"town": "lynnfield", "work": [{"box": [0, 0, width_ft, 100]}]})
    given = decide(law.bylaws_for([LYNNFIELD]), case, law.check_facts(facts))
    return next(d for d in given if d.rule == "lynnfield-320.application_fee")


def test_a_fee_schedule_that_staff_entered_is_worked_out(tmp_path):
    (tmp_path / "lynnfield.toml").write_text(FEES, encoding="utf-8")
    due = fee(load_law(tmp_path), width_ft=871.2)
    assert (due.result, due.measured, due.unit) == ("triggered", pytest.approx(500.0), "usd")
    assert "$500.00 is due ($300.00 and $100.00 for each of 2.00 acres; Fee Schedule" in due.why


def test_a_fee_nobody_entered_is_said_and_none_is_due_below_an_acre():
    due = fee(load_law(None))
    assert (due.result, due.measured) == ("triggered", None)
    assert "schedule is not held" in due.why
    assert fee(load_law(None), width_ft=300, common_plan="none").result == "not_triggered"
    assert fee(load_law(None), width_ft=300, common_plan="Elm Street").result == "needs_input"


def test_every_entry_staff_may_make_is_read_by_something():
    read = "".join(
        path.read_text(encoding="utf-8") for room in ("app", "layers") for path in (ROOT / room).rglob("*.py")
    )
    filled = {e.fills for e in staff._known()}
    assert [e.name for e in staff._known() if e.fills is None and f'"{e.name}"' not in read] == []
    held = {f"{r.id}.{n}" for b in load_law(None).bylaws for r in b.rules for n in r.numbers}
    assert filled - {None} <= held


def test_a_bylaw_that_is_none_of_ours_is_refused_for_it_would_bind_nobody(tmp_path):
    (tmp_path / "dover.toml").write_text(
        '[town]\nid = 78\nname = "Dover"\nbylaws = ["dover-158"]\n', encoding="utf-8"
    )
    with pytest.raises(ParameterRefused, match=r"dover\.toml.*'dover-158', which we do not have") as refused:
        load_law(tmp_path)
    assert "dover-159" in refused.value.suggestions

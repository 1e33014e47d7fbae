"""Facts as given: typed, bounded, refused with a sentence; unknown is not zero."""

from __future__ import annotations

import pytest

from layers.law import FACTS, load_law
from layers.law.facts import read_facts
from spatial.errors import Internal, ParameterRefused

LAW = load_law(None)


def test_every_fact_is_asked_for_and_explained():
    for fact in LAW.facts:
        assert fact.rules, fact.name
        assert fact.meaning, fact.name


def test_rules_that_ask_are_computed():
    asks = {f.name: f.rules for f in LAW.facts}
    assert asks["stored_fill_cuyd"] == ("dover-159.fill_storage",)
    assert "lynnfield-320.mail_notice_bulk" in asks["notice_pieces"]
    assert len(asks["work_accuracy_ft"]) == sum(len(b.rules) for b in LAW.bylaws)


def test_given_words_become_their_type_and_defaults_stand():
    facts = LAW.check_facts({"stored_fill_cuyd": "106.25", "roadway_only": "yes", "hearing_on": "2025-06-02"})
    assert facts.number("stored_fill_cuyd") == 106.25
    assert facts.flag("roadway_only") is True
    assert str(facts.day("hearing_on")) == "2025-06-02"
    assert facts.number("work_accuracy_ft") == 1.0
    assert facts.text("approving_board") == "conservation_commission"
    assert facts.number("bank_cuyd") is None
    assert facts.flag("major_project") is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stored_fill_cuyd", "lots"),
        ("stored_fill_cuyd", "-1"),
        ("stored_fill_cuyd", "nan"),
        ("stored_fill_cuyd", "1e999"),
        ("stored_fill_cuyd", "1e13"),
        ("stored_fill_cuyd", "1_000"),
        ("stored_fill_cuyd", "1,000"),
        ("stored_fill_cuyd", "\u0661\u0662\u0660"),
        ("stored_fill_cuyd", "infinity"),
        ("application_received_on", "9999-12-31"),
        ("application_received_on", "0001-01-01"),
        ("application_received_on", "20261130"),
        ("application_received_on", "2026-W48-1"),
        ("stored_fill_cuyd", True),
        ("swell", "0.5"),
        ("swell", "125"),
        ("use", "castle"),
        ("roadway_only", "perhaps"),
        ("hearing_on", "06/02/2025"),
        ("delineation", "none"),
        ("delineation", ""),
        ("delineation", True),
        ("mitigation_huc12", "0109"),
        ("fill_piles", "15 by 10"),
        ("claimed_exemptions", "dover-159.exempt_because"),
    ],
)
def test_a_wrong_value_is_refused(name, value):
    with pytest.raises(ParameterRefused, match=name) as refused:
        LAW.check_facts({name: value})
    assert refused.value.code == "bad_parameter"


def test_an_unknown_fact_is_refused_with_its_kin():
    with pytest.raises(ParameterRefused, match="'stored_fill_m3'") as refused:
        LAW.check_facts({"stored_fill_m3": 3})
    assert "stored_fill_cuyd" in refused.value.suggestions


def test_several_exemptions_may_be_claimed():
    claimed = "dover-159.exempt_fencing, dover-159.exempt_utilities"
    assert LAW.check_facts({"claimed_exemptions": claimed}).text("claimed_exemptions") == claimed.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[[fact]]\nname = "a"\ntype = "choice"\nunit = ""\nmeaning = "x"\n', "needs choices"),
        ('[[fact]]\nname = "a"\ntype = "number"\nunit = ""\nmeaning = ""\n', "meaning"),
        (
            '[[fact]]\nname = "a"\ntype = "text"\nunit = ""\nmeaning = "x"\npattern = "b"\nexample = "c"\n',
            "example",
        ),
        ('[[fact]]\nname = "a"\ntype = "flag"\nunit = ""\nmeaning = "x"\nunits = "ft"\n', "units"),
        ('[[fact]]\nname = "a"\ntype = "flag"\nunit = ""\nmeaning = "x"\n' * 2, "defined twice: a"),
    ],
)
def test_a_wrong_facts_file_is_refused(tmp_path, text, says):
    path = tmp_path / "facts.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Internal, match=says):
        read_facts(path)


def test_our_own_file_reads():
    assert len(read_facts(FACTS)) == len(LAW.facts)

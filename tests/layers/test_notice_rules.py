from __future__ import annotations

from pathlib import Path

import pytest

from app.notices.telling import rule_told
from app.reports.abutters.law import law_words
from layers.notice_rules import NOTICE_RULES, load_notice_rules, read_notice_rules
from spatial.errors import Internal, ParameterRefused

TEXT = NOTICE_RULES.read_text(encoding="utf-8")


def test_the_rules_we_hold_and_what_each_names() -> None:
    rules = {r.id: r for r in load_notice_rules().rules}
    assert list(rules) == ["distance", "lynnfield-320", "ma-131-40", "ma-40a-11", "dover-159"]
    assert (rules["lynnfield-320"].within_ft, rules["lynnfield-320"].opposite) == (100.0, True)
    assert (rules["ma-131-40"].within_ft, rules["ma-131-40"].reach_ft) == (100.0, 100.0)
    assert (rules["ma-40a-11"].within_ft, rules["ma-40a-11"].second_ring_ft, rules["ma-40a-11"].reach_ft) == (
        None,
        300.0,
        300.0,
    )
    assert rules["dover-159"].required is False
    assert "requires no notice" in rules["dover-159"].how


def test_every_rule_cites_its_law_and_those_that_require_notice_quote_it() -> None:
    for rule in load_notice_rules().rules:
        assert rule.citation
        assert rule.how
        assert bool(rule.quote) == (rule.required and rule.id != "distance")
        assert all(c.citation and c.counted_from for c in rule.clocks)


def test_words_of_the_law_name_whose_copy_they_were_held_against() -> None:
    for rule in load_notice_rules().rules:
        assert bool(rule.quoted_from) == bool(rule.quote)
    assert "across a body of water" in load_notice_rules().rule("ma-131-40").quote
    assert load_notice_rules().rule("ma-131-40").opposite_over_water
    assert not load_notice_rules().rule("lynnfield-320").opposite_over_water
    zoning = load_notice_rules().rule("ma-40a-11")
    assert all(
        words.removeprefix("the ") in zoning.quote for words in (*zoning.also_told, zoning.neighbouring_boards)
    )


def test_what_nobody_confirmed_is_marked_and_told_as_our_words() -> None:
    clocks = {c.id: c for r in load_notice_rules().rules for c in r.clocks}
    assert {i for i, c in clocks.items() if c.unverified} == {"ma-40a-11.second_publication"}
    policies = [p for r in load_notice_rules().rules for p in r.policies]
    assert {p.id for p in policies if p.unverified} == {"METES-131-2"}
    known = read_notice_rules(_unverified("ma-40a-11")).rule("ma-40a-11")
    told = rule_told(known)
    assert (told.quote, told.quoted_from, told.unverified) == ("", None, True)
    assert told.paraphrase is not None
    words = list(law_words(told))
    assert words[0].startswith("In our words, not those of M.G.L. c. 40A, § 11, and not verified: ")
    assert not any("“" in line for line in words)
    kept_before = told.model_copy(update={"quote": "the petitioner, abutters", "paraphrase": None})
    assert next(law_words(kept_before)).endswith("and not verified: the petitioner, abutters")
    assert next(law_words(rule_told(load_notice_rules().rule("ma-40a-11")))).startswith("“")


def _unverified(rule_id: str) -> str:
    """Return our rules with the words of one held against nobody's copy."""
    head, mark, body = TEXT.partition(f'id = "{rule_id}"\n')
    lines = body.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("quoted_from = "))
    lines[at] = "unverified = true"
    return head + mark + "\n".join(lines)


@pytest.mark.shared
def test_the_towns_words_stand_in_its_text(shared: Path) -> None:
    rule = load_notice_rules().rule("lynnfield-320")
    text = (shared / "bylaws" / "lynnfield-320.txt").read_text(encoding="utf-8")
    assert rule.quote in text


def test_a_greater_distance_may_be_asked_for_and_a_plain_one_is_exact() -> None:
    book = load_notice_rules()
    assert book.rule("lynnfield-320").within(300).within_ft == 300
    assert book.rule("lynnfield-320").within(50).within_ft == 100
    exact = book.rule("distance").exactly(25)
    assert (exact.within_ft, exact.direct) == (25, False)
    assert [r.id for r in book.of_towns(["dover"])] == ["dover-159"]
    with pytest.raises(ParameterRefused) as refusal:
        book.rule("ma-131")
    assert "ma-131-40" in refusal.value.suggestions


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("within_ft = 100.0", "within_ft = -1.0"),
        ("within_ft = 100.0", "whithin_ft = 100.0"),
        ('id = "ma-131-40"', 'id = "lynnfield-320"'),
        ('methods = ["certified_mail", "by_hand"]', 'methods = ["pigeon"]'),
        ("count = 14", "count = -14"),
        ('citation = "M.G.L. c. 131, § 40"', 'citation = ""'),
        ("[[rule]]", "[[rule"),
    ],
)
def test_a_file_that_is_wrong_is_refused(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(Internal, match="notice rules cannot be read"):
        read_notice_rules(TEXT.replace(old, new))


def test_a_quote_that_was_held_against_nothing_is_refused_unless_it_says_so() -> None:
    rule = 'id="x"\ntitle="t"\ncitation="c"\nquote="q"\nauthority="a"\nhow="h"\n'
    with pytest.raises(Internal, match="quoted_from"):
        read_notice_rules(f"[[rule]]\n{rule}")
    assert read_notice_rules(f"[[rule]]\n{rule}unverified=true\n").rule("x").unverified
    clock = 'id="y"\nwhat="w"\ncitation="c"\nquote="q"\ncounted_from=["hearing_on"]\n'
    steps = 'steps=[{count=1,unit="days",direction="after"}]\n'
    with pytest.raises(Internal, match="quoted_from"):
        read_notice_rules(f'[[rule]]\n{rule}quoted_from="z"\n[[rule.clocks]]\n{clock}{steps}')


def test_a_rule_that_requires_notice_without_a_quote_is_refused() -> None:
    rule = 'id="x"\ntitle="t"\ncitation="c"\nquote=""\nauthority="a"\nhow="h"\n'
    with pytest.raises(Internal, match="quotes its law"):
        read_notice_rules(f"[[rule]]\n{rule}")

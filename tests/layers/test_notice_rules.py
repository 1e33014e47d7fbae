from __future__ import annotations

import pytest

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


def test_a_rule_that_requires_notice_without_a_quote_is_refused() -> None:
    rule = 'id="x"\ntitle="t"\ncitation="c"\nquote=""\nauthority="a"\nhow="h"\n'
    with pytest.raises(Internal, match="quotes its law"):
        read_notice_rules(f"[[rule]]\n{rule}")

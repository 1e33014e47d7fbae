"""No number of law stands in code, and every number of a bylaw file is read by the rule that holds it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from law_cases import TOWNS, cases, measured

import spatial.decide
from layers.law import load_law
from spatial.decide import decide
from spatial.rules.bylaw import Bylaw, Number, Rule

LAW = load_law(None)
ROOT = Path(spatial.decide.__file__).parents[2]
PLAIN = {0.0, 1.0, -1.0, 2.0, 3.0}
"""Counts and signs that every program holds."""
EVERYDAY = {float(n) for n in (*range(4, 32), 50, 60, 80, 90, 100, 200, 500)} | {0.5, 0.8, 1.25}
"""Numbers that a service also uses for pages, ports and statuses; app may hold them, ``spatial.decide`` may not."""


class Watched(dict[str, Number]):
    """The numbers of a rule that remember which were read."""

    def __init__(self, numbers: Mapping[str, Number], rule: str, read: set[tuple[str, str]]) -> None:
        super().__init__(numbers)
        self.rule, self.read = rule, read

    def __getitem__(self, name: str) -> Number:
        self.read.add((self.rule, name))
        return super().__getitem__(name)


def watched(bylaw: Bylaw, read: set[tuple[str, str]]) -> Bylaw:
    return replace(bylaw, rules=tuple(_watched(r, read) for r in bylaw.rules))


def _watched(rule: Rule, read: set[tuple[str, str]]) -> Rule:
    return replace(rule, numbers=Watched(rule.numbers, rule.id, read))


def test_every_number_of_a_file_is_read():
    read: set[tuple[str, str]] = set()
    for case in (c for name in ("dover", "lynnfield", "state") for c in cases(name)):
        bylaws = [watched(b, read) for b in LAW.bylaws_for([TOWNS[case.get("town", "dover")]])]
        decide(bylaws, measured(case), LAW.check_facts(case.get("facts", {})))
    held = {(r.id, name) for b in LAW.bylaws for r in b.rules for name in r.numbers}
    assert held - read == set()


def law_numbers() -> set[float]:
    of_rules = {n.value for b in LAW.bylaws for r in b.rules for n in r.numbers.values() if n.value is not None}
    of_clocks = {float(s.count) for b in LAW.bylaws for c in b.clocks for s in c.steps}
    in_units = {43_560.0, 2_700.0}
    return (of_rules | of_clocks | in_units) - PLAIN


def literals(folder: Path) -> Iterator[tuple[str, int, float]]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, int | float)
                and not isinstance(node.value, bool)
            ):
                yield path.name, node.lineno, float(node.value)


@pytest.mark.parametrize(("folder", "allowed"), [("spatial/decide", set()), ("app", EVERYDAY)])
def test_no_number_of_law_stands_in_code(folder, allowed):
    forbidden = law_numbers() - allowed
    assert [x for x in literals(ROOT / folder) if x[2] in forbidden] == []


def test_the_scan_knows_the_numbers():
    assert {5500.0, 25.0, 150.0, 43560.0, 500.0, 0.8, 21.0} <= law_numbers()

"""Do the names a bylaw file uses exist? Themes, layers, facts, policies, rules, evaluators and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from layers.catalog import load_specs
from layers.law.shapes import BylawFile, ClockFile, RuleFile
from layers.spec import THEME_ORDER
from spatial.decide.table import EVALUATORS
from spatial.errors import Internal

Refuse = Callable[[str, str], None]
RULE_OPTIONS = ("follows", "binding_when", "lifted_by")


def check_references(file: BylawFile, facts: Mapping[str, str], name: str) -> None:
    """Refuse a bylaw file that names something that does not exist; ``facts`` are the known ones with their type.

    Raises ``internal`` with one sentence: the file, the place, the word, what it should have been.
    """

    def refuse(where: str, what: str) -> None:
        raise Internal(f"The law file '{name}' is wrong at '{where}': {what}.", file=name)

    _check_ids(file, refuse)
    policies = {p.id for p in file.policy}
    for position, rule in enumerate(file.rule):
        _known(rule.policies, policies, refuse, f"{rule.id}.policies")
        _known([n.policy for n in rule.numbers.values() if n.policy], policies, refuse, f"{rule.id}.numbers")
        _known(rule.steps_yield_to, {r.id for r in file.rule} - {rule.id}, refuse, f"{rule.id}.steps_yield_to")
        _check_rule(rule, facts, refuse)
        _check_options(rule, file.rule[:position], refuse, facts)
    for clock in file.clock:
        _known(clock.policies, policies, refuse, f"{clock.id}.policies")
        _check_clock(clock, file, facts, refuse)
    for exemption in file.exemption:
        _known(exemption.rules, {r.id for r in file.rule}, refuse, f"{exemption.id}.rules")
    for provision in file.provision:
        _known(provision.themes, THEME_ORDER, refuse, f"provision {provision.section}")


def _known(words: Iterable[str], known: Iterable[str], refuse: Refuse, where: str) -> None:
    allowed = set(known)
    for word in words:
        if word not in allowed:
            refuse(where, f"{word!r} is not known; known are {', '.join(sorted(allowed))}")


def _check_ids(file: BylawFile, refuse: Refuse) -> None:
    ids = [r.id for r in file.rule] + [c.id for c in file.clock] + [e.id for e in file.exemption]
    for one in ids:
        if not one.startswith(f"{file.id}."):
            refuse(one, f"an id of this file begins with '{file.id}.'")
        if ids.count(one) > 1:
            refuse(one, "the id is used twice")


def _check_rule(rule: RuleFile, facts: Mapping[str, str], refuse: Refuse) -> None:
    _known([rule.evaluate], EVALUATORS, refuse, f"{rule.id}.evaluate")
    _known(rule.themes, THEME_ORDER, refuse, f"{rule.id}.themes")
    _known(rule.facts, facts, refuse, f"{rule.id}.facts")
    for number, given in rule.numbers.items():
        _known(given.themes, rule.themes, refuse, f"{rule.id}.numbers.{number}.themes")


def _check_options(rule: RuleFile, before: tuple[RuleFile, ...], refuse: Refuse, facts: Mapping[str, str]) -> None:
    where = f"{rule.id}.options"
    earlier = {r.id for r in before}
    for option in RULE_OPTIONS:
        _known(_words(rule.options.get(option, "")), earlier, refuse, f"{where}.{option}")
    _known(_words(rule.options.get("layers", "")), _layers(), refuse, f"{where}.layers")
    _known(_words(rule.options.get("fact", "")), set(rule.facts) & set(facts), refuse, f"{where}.fact")
    _known(_words(rule.options.get("number", "")), rule.numbers, refuse, f"{where}.number")
    _known([rule.numbers_from] if rule.numbers_from else [], earlier, refuse, f"{rule.id}.numbers_from")


def _check_clock(clock: ClockFile, file: BylawFile, facts: Mapping[str, str], refuse: Refuse) -> None:
    dates = {fact for fact, kind in facts.items() if kind == "date"}
    _known(clock.counted_from, dates, refuse, f"{clock.id}.counted_from")
    _known(clock.rules, {r.id for r in file.rule}, refuse, f"{clock.id}.rules")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


@lru_cache(maxsize=1)
def _layers() -> frozenset[str]:
    return frozenset(load_specs().specs)

"""A rule being asked: the case, the facts, what was decided before it, and how its answer is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypedDict, Unpack

from spatial.case import Case, Finding, LotMeasure
from spatial.decide.board import authority
from spatial.errors import Internal
from spatial.facts import Facts
from spatial.model import Certainty
from spatial.rules.bylaw import Bylaw, Rule
from spatial.rules.determination import Determination, PolicyReading, Result

SEVERITY: Mapping[Result, int] = {"not_triggered": 0, "needs_input": 1, "indeterminate": 2, "triggered": 3}
"""Which result drives when several are given for one rule."""


class Details(TypedDict, total=False):
    """What an answer may say beside its result and reason."""

    certainty: Certainty
    measured: float | None
    threshold: float | None
    unit: str | None
    margin: float | None
    needs: tuple[str, ...]
    readings: tuple[PolicyReading, ...]
    loc_id: str | None
    advisory: bool


@dataclass(frozen=True, slots=True)
class Memory:
    """What the rules of one question look up again and again: findings by theme, and what they showed."""

    themes: dict[str, tuple[Finding, ...]] = field(default_factory=dict)
    sights: dict[tuple[int, float, bool, str], object] = field(default_factory=dict)
    limbs: dict[tuple[object, ...], object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """One rule of one bylaw, asked of one case; ``decided`` holds the results of the rules before it, by id.

    ``memory`` is shared by the rules of one question. ``takes_word`` False: a delineation that was not measured
    here is left out of account, so as to see what rests on it.
    """

    rule: Rule
    bylaw: Bylaw
    case: Case
    facts: Facts
    decided: Mapping[str, Result] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)
    takes_word: bool = True

    def findings_of(self, theme: str) -> tuple[Finding, ...]:
        """Return the findings of a theme, in the order measured; empty when none was asked."""
        found = self.memory.themes.get(theme)
        if found is None:
            found = self.memory.themes[theme] = self.case.findings_of(theme)
        return found

    @property
    def lots(self) -> tuple[LotMeasure, ...]:
        """The lots under the work where this bylaw is law; a lot of no known town is kept.

        All of them where the work is known to lie in none of the bylaw's towns: it was asked for as if it did.
        """
        towns, ground = self.bylaw.town_ids, {town.id for town in self.case.ground}
        if not towns or (ground and ground.isdisjoint(towns)):
            return self.case.lots
        return tuple(lot for lot in self.case.lots if lot.town_id is None or lot.town_id in towns)

    def number(self, name: str) -> float:
        """Return a number of the rule; one that its file leaves empty may not be asked for this way."""
        value = self.known(name)
        if value is None:
            raise Internal(f"The rule {self.rule.id} was computed without its number {name!r}.")
        return value

    def known(self, name: str) -> float | None:
        """Return a number of the rule, or None while nobody has entered it with a citation."""
        return self.rule.numbers[name].value

    def titles(self, rules: Sequence[str]) -> tuple[str, ...]:
        """Return what people call some rules of this bylaw, in quotes; one of another bylaw keeps its id."""
        named = {rule.id: f"“{rule.title}”" for rule in self.bylaw.rules}
        return tuple(named.get(rule, rule) for rule in rules)

    def option(self, name: str) -> str:
        """Return a word of the rule's options; empty when it has none of that name."""
        return str(self.rule.options.get(name, ""))

    def words(self, name: str) -> tuple[str, ...]:
        """Return the comma-separated words of an option."""
        return _split(self.option(name))

    def answer(self, result: Result, why: str, **details: Unpack[Details]) -> Determination:
        """Return the determination of this rule, with its law and how it is read written beside it."""
        details.setdefault("certainty", "certain")
        details["advisory"] = details.get("advisory", False) or self.rule.advisory
        return Determination(
            rule=self.rule.id,
            title=self.rule.title,
            citation=self.rule.citation,
            result=result,
            why=f"{why} {self.rule.caveat}" if self.rule.caveat else why,
            authority=authority(self.rule, self.facts),
            policies=self.rule.policies,
            approval=self.rule.approval,
            quote=self.rule.quote,
            unverified=self.rule.unverified,
            **details,
        )


@lru_cache(maxsize=1024)
def _split(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def advised(determination: Determination, why: str) -> Determination:
    """Return the same determination as advice only, with the reason added."""
    return replace(determination, advisory=True, why=f"{determination.why} {why}")


def verdict(met: bool) -> Result:
    """Return the result of a condition that is met or not.

    >>> verdict(True)
    'triggered'
    """
    return "triggered" if met else "not_triggered"


def strictest(results: tuple[Result, ...]) -> Result:
    """Return the result that drives; not_triggered when there is none.

    >>> strictest(("not_triggered", "needs_input"))
    'needs_input'
    """
    return max(results, key=SEVERITY.__getitem__, default="not_triggered")

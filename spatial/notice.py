"""The words of notice: whom a rule names, how they are told and by when. Pure data, read from files elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from spatial.errors import ParameterRefused
from spatial.rules.bylaw import Clock, Policy

Method = Literal["certified_mail", "certificate_of_mailing", "by_hand", "newspaper", "posting", "first_class_mail"]
PLAIN_DISTANCE = "distance"
"""Id of the rule that is nothing but a distance the asker chose."""


@dataclass(frozen=True, slots=True)
class NoticeRule:
    """Whom one law wants told of a project, from the property line of the land.

    ``within_ft``: every owner this near, None when the law names no such set. ``direct``: those that abut.
    ``opposite``: those directly opposite on a way, looked for up to ``opposite_reach_ft`` across it.
    ``opposite_over_water``: a pond or river counts as a way. ``second_ring_ft``: abutters to the abutters this
    near. ``required`` False: the text asks for no notice. ``quoted_from``: whose copy the quote was held against;
    None: nobody's, then it is no quotation. ``also_told``: who besides owners of land is told;
    ``neighbouring_boards``: what of every abutting town is.
    """

    id: str
    title: str
    citation: str
    quote: str
    authority: str
    within_ft: float | None = None
    direct: bool = True
    opposite: bool = False
    opposite_reach_ft: float = 300.0
    opposite_over_water: bool = False
    second_ring_ft: float | None = None
    required: bool = True
    methods: tuple[Method, ...] = ()
    how: str = ""
    towns: tuple[str, ...] = ()
    bylaw: str | None = None
    policies: tuple[Policy, ...] = ()
    clocks: tuple[Clock, ...] = ()
    url: str | None = None
    quoted_from: str | None = None
    also_told: tuple[str, ...] = ()
    neighbouring_boards: str | None = None
    unverified: bool = False

    @property
    def reach_ft(self) -> float:
        """Return how far from the land a parcel may lie and still be named for its distance."""
        return max(self.within_ft or 0.0, self.second_ring_ft or 0.0)

    def within(self, within_ft: float) -> NoticeRule:
        """Return the rule with a greater distance that somebody asks for; never a smaller one."""
        return replace(self, within_ft=max(within_ft, self.within_ft or 0.0))

    def exactly(self, within_ft: float) -> NoticeRule:
        """Return a plain distance at the distance somebody chose; direct abutters beyond it are not added."""
        return replace(self, within_ft=within_ft, direct=False)


@dataclass(frozen=True, slots=True)
class NoticeBook:
    """Every notice rule we hold."""

    rules: tuple[NoticeRule, ...]

    def rule(self, rule_id: str) -> NoticeRule:
        """Return a rule by its id; raises ``bad_parameter`` naming those there are."""
        found = next((r for r in self.rules if r.id == rule_id), None)
        if found is None:
            known = [r.id for r in self.rules]
            raise ParameterRefused(
                f"There is no notice rule {rule_id!r}; choose one of {', '.join(known)}.", suggestions=known
            )
        return found

    def of_towns(self, slugs: Sequence[str]) -> tuple[NoticeRule, ...]:
        """Return the rules of the towns' own, in the order held."""
        return tuple(r for r in self.rules if set(r.towns) & set(slugs))

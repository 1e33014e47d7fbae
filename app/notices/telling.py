"""A notice rule and the counts of a list, as told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.schemas.abutters import AbutterTold, Counts, PolicyTold, RuleTold
from spatial.notice import NoticeRule


def counts_of(owned: Sequence[AbutterTold], letters: int) -> Counts:
    """Return how many parcels, rows of owners and letters."""
    return Counts(parcels=len(owned), owners=sum(len(a.owners) for a in owned), notices=letters)


def in_list_order(owned: Iterable[AbutterTold]) -> tuple[AbutterTold, ...]:
    """Return parcels nearest first as the distance is told, then by LOC_ID.

    Sorted by anything finer than what is told, two parcels told as 60.00 ft could change places.
    """
    return tuple(sorted(owned, key=lambda a: (round(a.distance_ft, 2), a.loc_id)))


def rule_told(rule: NoticeRule) -> RuleTold:
    """Return a notice rule as told; words held against no copy of the law are a paraphrase, never a quote."""
    return RuleTold(
        id=rule.id,
        title=rule.title,
        citation=rule.citation,
        quote=rule.quote if rule.quoted_from else "",
        quoted_from=rule.quoted_from,
        paraphrase=None if rule.quoted_from else rule.quote or None,
        unverified=rule.unverified,
        url=rule.url,
        also_told=(*rule.also_told, *((rule.neighbouring_boards,) if rule.neighbouring_boards else ())),
        authority=rule.authority,
        within_ft=rule.within_ft,
        second_ring_ft=rule.second_ring_ft,
        opposite=rule.opposite,
        methods=rule.methods,
        how=rule.how,
        policies=tuple(
            PolicyTold(id=p.id, question=p.question, reading=p.reading, unverified=p.unverified)
            for p in rule.policies
        ),
    )

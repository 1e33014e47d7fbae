"""Whose signatures an application needs: every owner of the site, set beside the applicant's name. Pure text.

Nobody is taken for anybody here: two names of the same words may be two people, and two spellings one. Each owner
is shown beside the applicant as the two are written, for a person to confirm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rapidfuzz import fuzz

from app.notices.addresses import plain
from app.schemas.abutters import NameReads, SignaturesTold, SignatureTold, SubjectTold
from spatial.case import Caution
from spatial.rules.bylaw import Bylaw, Rule

OWNERSHIP = "others_own_site"
"""The fact of a rule that asks whether somebody besides the applicant owns land of the site."""

ALIKE_PERCENT = 80.0


def signing_rule(bylaws: Iterable[Bylaw], on: date) -> Rule | None:
    """Return the rule in force that wants all owners to sign; None when no bylaw has one."""
    rules = (r for bylaw in bylaws for r in bylaw.rules if r.options.get("fact") == OWNERSHIP and r.in_force(on))
    return next(rules, None)


def signatures_of(rule: Rule | None, applicant: str | None, site: Sequence[SubjectTold]) -> SignaturesTold | None:
    """Return the signatures a rule needs, lot by lot, row by row of the tax list; None without such a rule.

    Parameters
    ----------
    applicant
        The applicant's name as given; None or blank: not given, then nothing is compared.
    site
        The parcels of the subject, and those the work touches besides.
    """
    if rule is None or not site:
        return None
    name = applicant if plain(applicant or "") else None
    return SignaturesTold(
        rule=rule.id,
        citation=rule.citation,
        quote=rule.quote,
        applicant=name,
        needed=tuple(s for lot in site for s in _of_lot(lot, name)),
    )


def cautions_of_signatures(told: SignaturesTold | None) -> tuple[Caution, ...]:
    """Return the sentence that lists the signatures, or nothing when no rule wants any."""
    if told is None:
        return ()
    named = told.applicant or "not given"
    lots = "; ".join(signature_lines(told))
    return (
        Caution(
            "owners_sign",
            "All owners of the site sign the application, each person a row names, and the permit goes to the "
            f"owner ({told.citation}). "
            f"Applicant: {named}. Owners of record, each to be confirmed: {lots}.",
        ),
    )


def signature_lines(told: SignaturesTold) -> tuple[str, ...]:
    """Return a line a signature: the lot, the owner as listed, and how the name reads beside the applicant's."""
    return tuple(f"{one.site_address or one.loc_id}: {_beside(one)}" for one in told.needed)


def reads(applicant: str | None, owner: str) -> NameReads:
    """Return how an owner's name reads beside the applicant's; never whether the two are one person.

    >>> reads("John Smith", "SMITH, JOHN"), reads("John Smith", "DOE JANE"), reads(None, "DOE JANE")
    ('alike', 'otherwise', 'not_compared')
    """
    one, other = plain(applicant or ""), plain(owner)
    if not one or not other:
        return "not_compared"
    if one == other:
        return "the_same"
    shorter, longer = sorted((set(one.split()), set(other.split())), key=len)
    alike = shorter <= longer or fuzz.token_sort_ratio(one, other) >= ALIKE_PERCENT
    return "alike" if alike else "otherwise"


def _of_lot(lot: SubjectTold, applicant: str | None) -> Iterator[SignatureTold]:
    for owner in lot.owners:
        yield SignatureTold(
            loc_id=lot.loc_id,
            site_address=lot.site_address,
            prop_id=owner.prop_id,
            owner=owner.owner,
            reads="not_compared" if "owner_unknown" in owner.flags else reads(applicant, owner.owner),
        )
    if not lot.owners:
        yield SignatureTold(
            loc_id=lot.loc_id, site_address=lot.site_address, prop_id="", owner="", reads="not_compared"
        )


_READS: dict[NameReads, str] = {
    "the_same": "reads the same as the applicant",
    "alike": "reads much like the applicant",
    "otherwise": "reads otherwise than the applicant",
    "not_compared": "",
}
"""How an owner's name reads beside the applicant's, in words; never whether the two are one person."""


def _beside(one: SignatureTold) -> str:
    if not plain(one.owner):
        return "owner not known from the tax list"
    return f"{one.owner} ({_READS[one.reads]})" if _READS[one.reads] else one.owner

"""Owners beside the applicant: shown, compared as words, never taken for one person."""

from __future__ import annotations

from datetime import date

import pytest

from app.notices.addresses import addressee
from app.notices.owners import owner_told
from app.notices.signatures import cautions_of_signatures, reads, signatures_of, signing_rule
from app.schemas.abutters import SignaturesTold, SubjectTold
from layers.law import load_law

LAW = {b.id: b for b in load_law(None).bylaws}
ON = date(2026, 11, 30)


def lot(loc_id: str, *owners: str) -> SubjectTold:
    told = tuple(owner_told(f"{loc_id}-{n}", addressee(o, "1 B ST"), ()) for n, o in enumerate(owners))
    return SubjectTold(loc_id=loc_id, site_address=f"{loc_id} ELM ST", town_id=164, owners=told)


def asked(applicant: str | None, *site: SubjectTold) -> SignaturesTold:
    told = signatures_of(signing_rule([LAW["lynnfield-320"]], ON), applicant, site)
    assert told is not None
    return told


@pytest.mark.parametrize(
    ("applicant", "owner", "expected"),
    [
        ("John Smith", "JOHN SMITH", "the_same"),
        ("Smith, John", "SMITH JOHN", "the_same"),
        ("John Smith", "SMITH JOHN", "alike"),
        ("John Smith", "SMITH JOHN & MARY", "alike"),
        ("John Smith", "SMITH JOHN TRUSTEE", "alike"),
        ("John Smith", "SMYTH, JOHN", "alike"),
        ("John Smith", "JONES ANN", "otherwise"),
        ("Acme LLC", "ELM STREET REALTY TRUST", "otherwise"),
        (None, "SMITH JOHN", "not_compared"),
        ("John Smith", "", "not_compared"),
        ("- ", "SMITH JOHN", "not_compared"),
    ],
)
def test_names_are_compared_as_words(applicant: str | None, owner: str, expected: str) -> None:
    assert reads(applicant, owner) == expected


def test_every_row_of_every_lot_signs_and_each_is_to_be_confirmed() -> None:
    told = asked("John Smith", lot("A", "SMITH JOHN", "SMITH MARY"), lot("B", "DOE JANE"), lot("C"))
    assert [(s.loc_id, s.owner, s.reads) for s in told.needed] == [
        ("A", "SMITH JOHN", "alike"),
        ("A", "SMITH MARY", "otherwise"),
        ("B", "DOE JANE", "otherwise"),
        ("C", "", "not_compared"),
    ]
    assert all(s.to_be_confirmed for s in told.needed)
    (caution,) = cautions_of_signatures(told)
    assert "Applicant: John Smith." in caution.message
    assert "each to be confirmed" in caution.message
    assert "C ELM ST: owner not known from the tax list" in caution.message
    for verdict in (" is the applicant", "one person", "same person"):
        assert verdict not in caution.message


def test_even_the_same_words_are_not_called_one_person() -> None:
    (row,) = asked("John Smith", lot("A", "JOHN SMITH")).needed
    assert (row.reads, row.to_be_confirmed) == ("the_same", True)


def test_without_an_applicant_the_owners_are_listed_all_the_same() -> None:
    told = asked("  ", lot("A", "SMITH JOHN"))
    assert told.applicant is None
    assert [s.reads for s in told.needed] == ["not_compared"]
    assert "Applicant: not given." in cautions_of_signatures(told)[0].message


def test_the_law_says_where_signatures_are_wanted() -> None:
    rule = signing_rule(LAW.values(), ON)
    assert rule is not None
    assert rule.id == "lynnfield-320.owners_sign"
    assert signing_rule([LAW["dover-159"]], ON) is None
    assert signing_rule([LAW["lynnfield-320"]], date(2020, 1, 1)) is None
    assert signatures_of(None, "John Smith", [lot("A", "SMITH JOHN")]) is None
    assert signatures_of(rule, "John Smith", []) is None
    assert cautions_of_signatures(None) == ()


def test_an_owner_the_list_calls_unknown_is_not_compared() -> None:
    flagged = lot("A", "UNKNOWN OWNER")
    owner = flagged.owners[0].model_copy(update={"flags": ("owner_unknown",)})
    told = asked("Unknown Owner", flagged.model_copy(update={"owners": (owner,)}))
    assert [(s.owner, s.reads) for s in told.needed] == [("UNKNOWN OWNER", "not_compared")]

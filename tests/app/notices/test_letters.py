from __future__ import annotations

from app.notices.addresses import addressee
from app.notices.letters import Owned, alike, letters


def owned(loc_id: str, owner: str | None, street: str | None, zip_code: str = "02030", unit: str = "") -> Owned:
    return Owned(loc_id, f"P{loc_id}{unit}", addressee(owner, street, city="DOVER", state="MA", zip_code=zip_code))


def test_one_letter_where_name_and_address_agree_with_the_parcels_behind_it() -> None:
    found = letters(
        [owned("A1", "SMITH JOHN & MARY", "8 FARM ST"), owned("A4", "Smith, John & Mary", "8 Farm St.", "2030")]
    )
    assert [(letter.loc_ids, letter.lines[0]) for letter in found] == [(("A1", "A4"), "SMITH JOHN & MARY")]


def test_same_name_elsewhere_and_same_place_under_another_name_stay_apart() -> None:
    rows = [
        owned("A5", "KIM SUSAN", "12 MAIN ST"),
        owned("A7", "KIM SUSAN", "PO BOX 44"),
        owned("A8", "LEE A", "12 MAIN ST"),
    ]
    assert [letter.loc_ids for letter in letters(rows)] == [("A5",), ("A7",), ("A8",)]


def test_twelve_units_are_twelve_letters_but_an_owner_of_two_gets_one() -> None:
    rows = [owned("C", f"OWNER {n % 11}", "3 MILL LN", unit=str(n)) for n in range(12)]
    found = letters(rows)
    assert len(found) == 11
    assert found[0].prop_ids == ("PC0", "PC11")
    assert found[0].loc_ids == ("C",)


def test_rows_without_name_or_address_give_no_letter() -> None:
    assert letters([owned("A", None, "1 B ST"), Owned("B", "P", addressee("A", None))]) == ()


def test_a_zip_plus_four_agrees_with_none_but_two_that_differ_do_not() -> None:
    together = letters([owned("A", "LEE", "1 B ST", "02030"), owned("B", "LEE", "1 B ST", "02030-1111")])
    assert [letter.lines[-1] for letter in together] == ["DOVER MA 02030-1111"]
    apart = letters([owned("A", "LEE", "1 B ST", "02030-2222"), owned("B", "LEE", "1 B ST", "02030-1111")])
    assert len(apart) == 2


def test_likely_doubles_are_proposed_and_not_merged() -> None:
    found = letters(
        [
            owned("A", "SMITH JOHN R", "8 FARM ST"),
            owned("B", "JOHN R SMITH", "8 FARM ST"),
            owned("C", "SMITH JOHN R", "8 FARM STREET"),
            owned("D", "JONES ALBERT", "8 FARM ST"),
        ]
    )
    assert len(found) == 4
    pairs = {(a.first, a.second) for a in alike(found)}
    assert (0, 1) in pairs
    assert not any(3 in pair for pair in pairs)


def test_a_thousand_letters_are_compared_in_no_time() -> None:
    found = letters([owned(str(n), f"OWNER NUMBER {n * 7919}", f"{n} ELM ST") for n in range(1000)])
    assert len(found) == 1000
    assert all(a.percent >= 88.0 for a in alike(found))


def test_two_of_one_name_without_a_street_and_two_unknown_owners_are_not_one() -> None:
    nameless = [owned("A", "SMITH JOHN", None), owned("B", "SMITH JOHN", None)]
    unknown = [owned("C", "OWNER UNKNOWN", "1 TOWN HALL"), owned("D", "OWNER UNKNOWN", "1 TOWN HALL")]
    assert [letter.loc_ids for letter in letters([*nameless, *unknown])] == [("A",), ("B",), ("C",), ("D",)]

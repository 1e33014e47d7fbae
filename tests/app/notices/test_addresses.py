from __future__ import annotations

import pytest

from app.notices.addresses import addressee, key_of, plain, zip_text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("02030", "02030"),
        ("2030", "02030"),
        (2030.0, "02030"),
        ("020301234", "02030-1234"),
        ("20301234", "02030-1234"),
        ("02030-1234", "02030-1234"),
        ("02030-", "02030"),
        ("M5H 2M9", "M5H 2M9"),
        ("", ""),
        (None, ""),
        (float("nan"), ""),
    ],
)
def test_a_zip_keeps_its_zeros(given: object, expected: str) -> None:
    assert zip_text(given) == expected


def test_the_lines_of_an_envelope() -> None:
    found = addressee("SMITH JOHN & MARY", "8 FARM ST", city="DOVER", state="MA", zip_code="2030")
    assert found.lines == ("SMITH JOHN & MARY", "8 FARM ST", "DOVER MA 02030")
    assert found.flags == ()


def test_care_of_stands_on_a_line_of_its_own_and_country_is_a_country() -> None:
    found = addressee("MILL CONDO TRUST  C/O ACME MGMT", "PO BOX 900", city="NEEDHAM", state="MA", zip_code="02492")
    assert found.lines == ("MILL CONDO TRUST", "C/O ACME MGMT", "PO BOX 900", "NEEDHAM MA 02492")
    abroad = addressee("KIM S", "1 RUE X", city="LYON", zip_code="6900", country="France")
    assert abroad.foreign
    assert abroad.lines == ("KIM S", "1 RUE X", "LYON 6900", "FRANCE")
    assert "zip_missing_or_unusual" not in abroad.flags
    assert addressee("A", "1 B ST", city="C", state="MA", zip_code="02030", country="USA").lines[-1] == "C MA 02030"


def test_a_country_column_that_holds_a_zip_is_no_country() -> None:
    assert not addressee("A", "1 B ST", city="C", state="MA", zip_code="02030", country="02019").foreign


def test_two_owner_lines_and_a_break_inside_a_name() -> None:
    assert addressee("LINE\nBREAK", "6 OAK", co_owner="SECOND").names == ("LINE", "BREAK", "SECOND")


def test_an_address_in_one_column_is_taken_apart_from_its_end() -> None:
    found = addressee("A", "8 Farm St.|Dover|MA|2030")
    assert (found.street, found.city, found.state, found.zip) == (("8 Farm St.",), "Dover", "MA", "02030")
    foreign = addressee("B", "77 QUEEN ST W|TORONTO ON M5H 2M9|CANADA")
    assert foreign.lines == ("B", "77 QUEEN ST W", "TORONTO ON M5H 2M9", "CANADA")


def test_rows_that_agree_after_normalising_have_one_key() -> None:
    one = addressee("SMITH JOHN & MARY", "8 FARM ST|DOVER|MA|02030")
    other = addressee("SMITH, JOHN  & MARY", "8 Farm St.|Dover|MA|2030")
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    "other",
    [
        ("SMITH JOHN", "8 FARM ST", "02030"),
        ("SMITH JOHN & MARY", "8 FARM RD", "02030"),
        ("SMITH JOHN & MARY", "8 FARM ST", "02031"),
        ("NUÑEZ JOHN & MARY", "8 FARM ST", "02030"),
    ],
)
def test_anything_else_is_another_addressee(other: tuple[str, str, str]) -> None:
    first = addressee("SMITH JOHN & MARY", "8 FARM ST", city="DOVER", state="MA", zip_code="02030")
    assert key_of(addressee(other[0], other[1], city="DOVER", state="MA", zip_code=other[2])) != key_of(first)


def test_punctuation_goes_and_accents_stay() -> None:
    assert plain("O'BRIEN  P.O. BOX-12") == "obrien po box 12"
    assert plain("NÚÑEZ") == "núñez"


@pytest.mark.parametrize(
    ("given", "flag"),
    [
        ({"owner": None, "address": "1 B ST", "city": "C"}, "no_owner_name"),
        ({"owner": "A", "address": None}, "no_mailing_address"),
        ({"owner": "A", "address": None, "city": "DOVER", "zip_code": "02030"}, "no_street_line"),
        ({"owner": "A", "address": "1 B", "city": "C", "state": "`", "zip_code": "02019"}, "state_unusual"),
        ({"owner": "A", "address": "1 B", "city": "C", "state": "MA"}, "zip_missing_or_unusual"),
        ({"owner": "SOV, SEL &", "address": "1 B", "city": "C"}, "owner_name_seems_cut"),
    ],
)
def test_what_is_wrong_with_an_address_is_flagged(given: dict[str, str | None], flag: str) -> None:
    found = addressee(given.pop("owner"), given.pop("address"), **given)
    assert flag in found.flags
    assert (found.lines == ()) == (flag in ("no_owner_name", "no_mailing_address"))


@pytest.mark.parametrize(
    "name", ["UNKNOWN", "Unknown Owners", "OWNER UNKNOWN", "OWNERS UNKNOWN", "UNK", "N/A", "None", "HEIRS UNKNOWN"]
)
def test_an_owner_the_list_calls_unknown_is_no_owner(name: str) -> None:
    found = addressee(name, "1 TOWN HALL SQ", city="DOVER", state="MA", zip_code="02030")
    assert found.flags == ("owner_unknown",)


@pytest.mark.parametrize(
    "name", ["UNKNOWN SOLDIERS MEMORIAL INC", "NONE SUCH FARM LLC", "NAUGHTON UNA", "UNKELBACH A"]
)
def test_a_name_that_only_sounds_so_is_a_name(name: str) -> None:
    assert addressee(name, "1 B ST", city="DOVER", state="MA", zip_code="02030").flags == ()


@pytest.mark.parametrize("street", ["UNKNOWN", "ADDRESS UNKNOWN", "n/a"])
def test_an_address_the_list_calls_unknown_is_said(street: str) -> None:
    assert "address_unknown" in addressee("LEE A", street, city="DOVER", state="MA", zip_code="02030").flags


@pytest.mark.parametrize("name", [None, "", "  ", "-", ".", "***", "\u200b", "\ufeff \u2060", "\x00", "&"])
def test_a_name_of_nothing_is_no_name_and_gets_no_letter(name: str | None) -> None:
    found = addressee(name, "1 B ST", city="DOVER", state="MA", zip_code="02030")
    assert "no_owner_name" in found.flags
    assert found.lines == ()


def test_signs_that_hide_or_turn_a_name_do_not_reach_the_envelope() -> None:
    found = addressee("LEE\u202e A\u200b\x07", "1\u00ad B ST", city="DOVER", state="MA", zip_code="02030")
    assert found.lines == ("LEE A", "1 B ST", "DOVER MA 02030")
    assert key_of(found) == key_of(addressee("LEE A", "1 B ST", city="DOVER", state="MA", zip_code="02030"))


@pytest.mark.parametrize(
    ("name", "unusual"),
    [
        ("Ñandú Łódź № 7", False),
        ("O’BRIEN – SMITH", False),
        ("A\u0301", False),
        ("中文", True),
        ("😀 LEE", True),
        ("ＬＥＥ", True),
    ],
)
def test_characters_that_labels_may_not_print_are_said(name: str, unusual: bool) -> None:
    found = addressee(name, "1 B ST", city="DOVER", state="MA", zip_code="02030")
    assert ("unusual_characters" in found.flags) is unusual
    assert found.lines[0] == name

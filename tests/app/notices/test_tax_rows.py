from __future__ import annotations

from datetime import date

import pytest

from app.notices.addresses import addressee
from app.notices.tax_rows import (
    TaxRow,
    associations,
    day_of,
    owner_marks,
    owners_of,
    perhaps_one,
    sold_after,
    tax_row,
    to_write_to,
)
from layers.assess import AssessRow


def row(owner: str, prop_id: str = "1", **more: object) -> TaxRow:
    return TaxRow("L", prop_id, addressee(owner, "1 B ST", city="DOVER"), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sale", "year", "after"),
    [
        ("20250102", 2026, True),
        ("20250101", 2026, False),
        ("20241231", 2026, False),
        ("1/2/2025", 2026, True),
        ("", 2026, False),
        (None, 2026, False),
        ("20250102", None, False),
    ],
)
def test_a_sale_after_the_first_of_january_the_list_speaks_of(
    sale: str | None, year: int | None, after: bool
) -> None:
    assert sold_after(row("A", sale_date=sale, fiscal_year=year)) is after
    assert ("sold_after_the_list" in row("A", sale_date=sale, fiscal_year=year).flags) is after


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("20260304", date(2026, 3, 4)),
        ("2026-03-04", date(2026, 3, 4)),
        ("03/04/2026", date(2026, 3, 4)),
        ("20260230", None),
        ("soon", None),
    ],
)
def test_days_are_read_month_first_or_not_at_all(text: str, day: date | None) -> None:
    assert day_of(text) == day


def test_an_association_shows_by_its_name_or_its_use_code() -> None:
    rows = [
        row("LEE", "1"),
        row("HERON COURT CONDOMINIUM TRUST", "2"),
        row("MASTER", "3", use_code="9950"),
        row("CONDON J", "4"),
    ]
    assert [r.prop_id for r in associations(rows)] == ["2", "3"]
    assert [r.prop_id for r in to_write_to(rows, "association")] == ["2", "3"]
    assert len(to_write_to(rows, "units")) == 4
    assert len(to_write_to([rows[0], rows[3]], "association")) == 2
    assert to_write_to([], "association") == ()


def test_owners_are_compared_without_case_and_punctuation_and_nobody_is_nobody() -> None:
    assert owners_of([row("Smith, John"), row("SMITH JOHN")]) == {"smith john"}
    assert owners_of([row("")]) == frozenset()


def test_a_row_of_the_assess_table() -> None:
    source = AssessRow(
        prop_id="7", owner="LEE A", owner_address="PO BOX 1", owner_zip="2030", owner_country="CANADA"
    )
    found = tax_row(source, "F_1_2")
    assert (found.loc_id, found.prop_id, found.owner) == ("F_1_2", "7", "LEE A")
    assert found.addressee.foreign
    assert found.addressee.zip == "2030"


def test_two_owners_nobody_knows_are_not_the_same_owner() -> None:
    assert owners_of([row("OWNERS UNKNOWN"), row("UNKNOWN"), row("")]) == frozenset()
    assert owners_of([row("UNKNOWN"), row("LEE A")]) == {"lee a"}


@pytest.mark.parametrize(
    ("one", "other", "perhaps"),
    [
        (("SMITH JOHN", "8 FARM ST"), ("SMITH JOHN & MARY", "9 OAK ST"), True),
        (("SMITH JOHN", "8 FARM ST"), ("SMITH REALTY TRUST", "8 Farm St."), True),
        (("SMITH JOHN", "8 FARM ST"), ("SMITH JOHN", "9 OAK ST"), False),
        (("SMITH JOHN", "8 FARM ST"), ("SMITH ANN", "9 OAK ST"), False),
        (("SMITH", "8 FARM ST"), ("SMITH ANN", "9 OAK ST"), False),
        (("UNKNOWN", "1 TOWN HALL"), ("LEE A", "1 TOWN HALL"), False),
        (("", "8 FARM ST"), ("LEE A", "8 FARM ST"), False),
        (("SMITH JOHN", ""), ("LEE A", ""), False),
    ],
)
def test_who_may_be_one_owner_under_two_names(one: tuple[str, str], other: tuple[str, str], perhaps: bool) -> None:
    rows = [TaxRow("L", "1", addressee(n, s, city="DOVER", state="MA", zip_code="02030")) for n, s in (one, other)]
    marks = [m for r in rows if (m := owner_marks(r)) is not None]
    assert (len(marks) == 2 and perhaps_one(*marks) and perhaps_one(*reversed(marks))) is perhaps

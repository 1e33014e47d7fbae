"""What stands against a list: tax rows nobody can place, old lists, others to be told, doubts that come and go."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from abutter_lists import row, told
from fabrics import box, fabric, feet
from shapely import Point

from app.notices.addresses import addressee
from app.notices.doubts import warning
from app.notices.life import certified, reviewed
from app.notices.others_told import cautions_of_others
from app.notices.strays import cautions_of_strays, street_of
from app.notices.tax_book import StrayRow, TaxSource
from app.notices.years import cautions_of_years, fiscal_year_of
from app.schemas.abutter_requests import CertifyRequest, Drop, EnteredOwner, ReviewRequest
from app.schemas.abutters import AbutterList
from layers.notice_rules import load_notice_rules
from spatial.errors import Refused
from spatial.fabric.beyond import TownOutline
from spatial.fabric.land import Land, land_of
from spatial.model import Town
from spatial.units import FOOT_M

RULES = load_notice_rules()
DOVER, LYNNFIELD = (
    Town(78, "dover", "Dover", ("dover-159",)),
    Town(164, "lynnfield", "Lynnfield", ("lynnfield-320",)),
)
LEE = addressee("LEE A", "1 OAK ST", city="DOVER", state="MA", zip_code="02030")
SEAL = {"name": "A. Sessor", "title": "Assessor", "on": date(2026, 11, 30)}


@pytest.fixture(scope="module")
def land() -> Land:
    return land_of(fabric({"S": box(0, 0, 200, 200)}), ["S"])


def loc_id(x_ft: float, y_ft: float) -> str:
    """Return the LOC_ID of a point in the feet of the drawing."""
    point = feet(Point(x_ft, y_ft))
    return f"F_{point.x / FOOT_M:.0f}_{point.y / FOOT_M:.0f}"


@pytest.mark.parametrize(
    ("stray", "here"),
    [
        (StrayRow(78, "P1", loc_id(1190, 100)), True),
        (StrayRow(78, "P2", loc_id(1210, 100)), False),
        (StrayRow(78, "P3", None, None, "14 ELM ST."), True),
        (StrayRow(78, "P4", None, None, "14 OAK ST"), False),
        (StrayRow(78, "P5", None, "012-0034-2", None), True),
        (StrayRow(78, "P6", None, "12-345", None), False),
        (StrayRow(78, "P7"), False),
    ],
)
def test_a_row_without_a_parcel_stands_against_the_list_when_it_may_lie_near(
    land: Land, stray: StrayRow, here: bool
) -> None:
    (caution,) = cautions_of_strays([stray], land, addresses=["3 ELM ST", None], lots=["12-34", None])
    assert caution.code == ("tax_rows_without_parcel_here" if here else "tax_rows_without_parcel")
    assert warning(caution.code, caution.message).blocks is here
    assert stray.prop_id in caution.message


def test_strays_are_counted_by_town_and_none_are_no_sentence(land: Land) -> None:
    rows = [StrayRow(78, f"P{n}") for n in range(12)] + [StrayRow(175, "Q")]
    first, second = cautions_of_strays(rows, land, addresses=[], lots=[])
    assert first.message.startswith("12 rows of the tax list of town 78")
    assert "P9; and 2 more" in first.message
    assert second.message.startswith("1 row of the tax list of town 175")
    assert cautions_of_strays([], land, addresses=["1 ELM ST"], lots=["1-2"]) == ()


@pytest.mark.parametrize(
    ("address", "street"),
    [
        ("119 A SOUTH MAPLE ST.", "south maple st"),
        ("0 NORTH ST", "north st"),
        ("12-14 ELM ST", "elm st"),
        ("5 1/2 OAK RD", "oak rd"),
        ("10 2ND ST", "2nd st"),
        ("2ND ST", "2nd st"),
        ("1 A ST", "a st"),
        ("", ""),
    ],
)
def test_the_street_of_an_address(address: str, street: str) -> None:
    assert street_of(address) == street


@pytest.mark.parametrize(
    ("year", "day", "code"),
    [
        (2027, date(2026, 11, 30), None),
        (2026, date(2026, 11, 30), "tax_list_of_last_year"),
        (2026, date(2026, 6, 30), None),
        (2025, date(2026, 11, 30), "tax_list_old"),
        (2016, date(2026, 1, 5), "tax_list_old"),
        (None, date(2026, 11, 30), None),
    ],
)
def test_a_tax_list_older_than_the_filing(year: int | None, day: date, code: str | None) -> None:
    found = cautions_of_years([TaxSource(78, year, "dover/x", "the list")], day)
    assert [c.code for c in found] == ([code] if code else [])
    assert all(warning(c.code, c.message).blocks == (c.code == "tax_list_old") for c in found)


def test_a_fiscal_year_ends_on_the_last_of_june() -> None:
    assert [fiscal_year_of(date(2026, *d)) for d in ((6, 30), (7, 1), (12, 31))] == [2026, 2027, 2027]


def test_the_zoning_act_wants_the_planning_boards_told_of_every_abutting_town() -> None:
    towns = [
        TownOutline(78, "Dover", box(0, 0, 9000, 9000)),
        TownOutline(175, "Medfield", box(9000, 0, 20000, 9000)),
        TownOutline(266, "Sherborn", box(9000, 9000, 20000, 20000)),
        TownOutline(307, "Walpole", box(20000, 0, 30000, 9000)),
    ]
    (caution,) = cautions_of_others(RULES.rule("ma-40a-11"), [DOVER], towns)
    assert "the petitioner; the planning board of the city or town;" in caution.message
    assert "every abutting city or town (Medfield, Sherborn; towns of other states" in caution.message
    (unknown,) = cautions_of_others(RULES.rule("ma-40a-11"), [DOVER], None)
    assert "no towns layer is loaded" in unknown.message
    assert cautions_of_others(RULES.rule("ma-131-40"), [DOVER], towns) == ()


def test_land_of_two_towns_under_the_rule_of_one() -> None:
    (caution,) = cautions_of_others(RULES.rule("lynnfield-320"), [LYNNFIELD, DOVER], None)
    assert (caution.code, "not law in Dover" in caution.message) == ("rule_of_another_town", True)
    assert cautions_of_others(RULES.rule("lynnfield-320"), [LYNNFIELD], None) == ()
    assert cautions_of_others(RULES.rule("distance"), [DOVER], None) == ()


def review(body: AbutterList, **asked: object) -> AbutterList:
    added = asked.pop("added", ())
    return reviewed(body, ReviewRequest(**asked), added=added, by="k", at="t")  # type: ignore[arg-type]


def test_a_parcel_without_an_owner_that_a_reviewer_adds_stands_against_the_list() -> None:
    bare = row("9", distance_ft=90.0).model_copy(update={"flags": ("no_assessor_row",)})
    after = review(told([row("1", LEE)]), add=(Drop(loc_id="9", reason="asked for"),), added=[bare])
    assert [(w.code, w.blocks) for w in after.warnings] == [("no_assessor_row", True)]
    with pytest.raises(Refused, match="no_assessor_row"):
        certified(after, CertifyRequest(**SEAL), today=SEAL["on"], validity_days=None, wording=None)


def test_a_doubt_that_is_answered_for_one_parcel_stays_for_the_other() -> None:
    bare = [row(i, distance_ft=1.0).model_copy(update={"flags": ("no_assessor_row",)}) for i in ("1", "2")]
    owner = {"owner": "HEIR A", "address": "1 B ST", "city": "X", "state": "MA", "zip": "02030", "reason": "deed"}
    entered = (EnteredOwner(loc_id="1", **owner), EnteredOwner(loc_id="1", **{**owner, "owner": "HEIR B"}))
    after = review(told(bare), owners=entered)
    assert [w.message for w in after.warnings] == ["2 has no row in the tax list."]
    assert [n.lines[0] for n in after.notices] == ["HEIR A", "HEIR B"]
    again = review(after, owners=(EnteredOwner(loc_id="1", **{**owner, "owner": "HEIR C"}),))
    assert [o.prop_id for o in again.abutters[0].owners] == ["by hand 1", "by hand 1 2", "by hand 1 3"]
    assert [n.lines[0] for n in again.notices] == ["HEIR A", "HEIR B", "HEIR C"]


@pytest.mark.parametrize("despite", [None, "", "   "])
def test_a_blank_is_no_answer_to_what_stands_against_a_list(despite: str | None) -> None:
    body = told([row("1", LEE)], status="reviewed", warnings=(warning("no_legal_rule", "no law"),))
    seal: Callable[..., AbutterList] = lambda **more: certified(  # noqa: E731
        body, CertifyRequest(**SEAL, **more), today=SEAL["on"], validity_days=None, wording=None
    )
    with pytest.raises(Refused, match="no_legal_rule"):
        seal(despite=despite)
    assert seal(despite="asked").status == "certified"


def test_a_certificate_of_a_day_before_the_list_says_so() -> None:
    body = told([row("1", LEE)], status="reviewed")
    early = CertifyRequest(**{**SEAL, "on": date(2026, 11, 1)})
    after = certified(body, early, today=SEAL["on"], validity_days=None, wording=None)
    assert [w.code for w in after.warnings] == ["certified_before_it_was_made"]
    assert "2026-11-01" in after.warnings[0].message


def test_what_changed_since_a_list_was_made_must_be_answered() -> None:
    body = told([row("1", LEE)], status="reviewed")
    since = (warning("made_on_older_editions", "the parcels changed"),)
    with pytest.raises(Refused, match="made_on_older_editions"):
        certified(body, CertifyRequest(**SEAL), today=SEAL["on"], validity_days=None, wording=None, since=since)

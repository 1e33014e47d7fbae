"""The dates of a list come from its rule's bylaw: TC-05 and TC-06, and the other laws' own clocks."""

from __future__ import annotations

from datetime import date

import pytest

from app.notices.days import MailBy, cautions_of_hearing, cautions_of_mailing, deadlines_of, mail_by
from layers.law import load_law
from layers.notice_rules import load_notice_rules
from spatial.facts import Facts

LAW = load_law(None)
RULES = load_notice_rules()


def dates(rule: str, letters: int = 12, **given: str) -> dict[str, tuple[date, date | None]]:
    found = deadlines_of(RULES.rule(rule), LAW, Facts(given), letters)
    return {d.what: (d.raw, d.practical) for d in found}


def test_lynnfield_mails_seven_days_before_and_the_newspaper_is_five_business_days() -> None:
    found = dates("lynnfield-320", hearing_on="2025-06-02")
    mail = next(days for what, days in found.items() if "Mail" in what)
    paper = next(days for what, days in found.items() if "newspaper" in what)
    assert mail == (date(2025, 5, 26), date(2025, 5, 24))
    assert paper[0] == date(2025, 5, 23)
    many = dates("lynnfield-320", letters=60, hearing_on="2025-06-02")
    assert next(days for what, days in many.items() if "Mail" in what)[1] == date(2025, 5, 23)


def test_lynnfield_hearing_within_twenty_one_days_of_receipt() -> None:
    found = dates("lynnfield-320", application_received_on="2025-05-12")
    assert date(2025, 6, 2) in {raw for raw, _ in found.values()}


def test_each_law_has_its_own_clock_and_none_without_a_date() -> None:
    zoning = dates("ma-40a-11", hearing_on="2026-12-15")
    assert {raw for raw, _ in zoning.values()} == {date(2026, 12, 1), date(2026, 12, 8)}
    wetlands = dates("ma-131-40", application_received_on="2026-12-01", hearing_on="2026-12-15")
    assert {raw for raw, _ in wetlands.values()} == {date(2026, 12, 1)}
    assert dates("lynnfield-320") == {}
    assert dates("distance", hearing_on="2026-12-15") == {}


def test_dover_has_thirty_days_to_decide_and_they_start_again_on_a_revision() -> None:
    first = dates("dover-159", swmp_received_on="2025-03-03")
    again = dates("dover-159", swmp_received_on="2025-03-03", swmp_revised_on="2025-03-22")
    assert date(2025, 4, 2) in {raw for raw, _ in first.values()}
    assert date(2025, 4, 21) in {raw for raw, _ in again.values()}
    assert date(2025, 4, 2) not in {raw for raw, _ in again.values()}


@pytest.mark.parametrize(("letters", "practical"), [(12, date(2025, 5, 24)), (60, date(2025, 5, 23))])
def test_mail_by_is_the_day_the_post_is_open_and_the_law_keeps_its_own(letters: int, practical: date) -> None:
    """TC-06: seven days before 2 June is Memorial Day."""
    facts = Facts({"hearing_on": "2025-06-02"})
    found = mail_by(RULES.rule("lynnfield-320"), LAW, facts, letters)
    assert found == MailBy(practical=practical, law=date(2025, 5, 26))
    told = deadlines_of(RULES.rule("lynnfield-320"), LAW, facts, letters)
    assert next(d.closed for d in told if "Mail" in d.what) == "2025-05-26 is Memorial Day."
    assert mail_by(RULES.rule("lynnfield-320"), LAW, Facts({}), letters) == MailBy()


@pytest.mark.parametrize(
    ("hearing", "name"),
    [("2026-12-20", "a Sunday"), ("2025-05-26", "Memorial Day"), ("2027-07-05", "Independence Day")],
)
def test_a_hearing_on_a_sunday_or_legal_holiday_is_said(hearing: str, name: str) -> None:
    (said,) = cautions_of_hearing(date.fromisoformat(hearing))
    assert said.code == "hearing_on_closed_day"
    assert f"{hearing}, which is {name}" in said.message


def test_a_hearing_on_a_saturday_or_none_is_not() -> None:
    assert cautions_of_hearing(date(2026, 12, 19)) == cautions_of_hearing(None) == ()


def test_a_mailing_day_that_is_over_is_said_from_the_day_after_it() -> None:
    last = MailBy(practical=date(2025, 5, 24), law=date(2025, 5, 26))
    assert cautions_of_mailing(last, date(2025, 5, 26)) == cautions_of_mailing(MailBy(), date(2025, 5, 27)) == ()
    (said,) = cautions_of_mailing(last, date(2025, 5, 27))
    assert "was 2025-05-26" in said.message

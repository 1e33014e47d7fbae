"""Letters reported: never for a day to come, late by the law's own last day, said in words."""

from __future__ import annotations

from datetime import date

import pytest
from abutter_lists import many, told

from app.notices.days import law_day, practical_day
from app.notices.mail_sheet import all_mailed
from app.notices.mailed import after, late_letters, outside_certificate, with_mailings
from app.schemas.abutter_requests import MailingReport
from app.schemas.abutters import AbutterList, Certified, DeadlineTold
from app.store.abutter_lists import Mailing
from spatial.errors import ParameterRefused

MONDAY = date(2026, 11, 30)
SEAL = Certified(name="A. Sessor", title="Assessor", on=MONDAY)
MEMORIAL_DAY, SATURDAY = date(2025, 5, 26), date(2025, 5, 24)
"""TC-06: a hearing on 2 June 2025."""


def codes(body: AbutterList) -> set[str]:
    return {w.code for w in body.warnings}


def mailed(*days: date | None) -> AbutterList:
    """Return a list whose letters were mailed on some days."""
    body = told(many(len(days)), mail_by=SATURDAY, mail_by_law=MEMORIAL_DAY)
    sent = tuple(n.model_copy(update={"mailed_on": d}) for n, d in zip(body.notices, days, strict=True))
    return body.model_copy(update={"notices": sent})


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (
            {"mailed_on": "2026-12-01"},
            "no. 1 cannot be mailed on 2026-12-01, a day to come \\(today is 2026-11-30\\)",
        ),
        ({"mailed_on": "2026-11-30", "returned_on": "2026-12-02"}, "no. 1 cannot come back on 2026-12-02"),
    ],
)
def test_a_day_to_come_is_refused(sent: dict[str, str], said: str) -> None:
    with pytest.raises(ParameterRefused, match=said):
        after(MailingReport.model_validate({"notice": 0, **sent}), Mailing(0), MONDAY)


def test_today_itself_has_come() -> None:
    kept = after(MailingReport(notice=0, mailed_on=MONDAY), Mailing(0), MONDAY)
    assert kept == Mailing(0, mailed_on="2026-11-30")


def test_what_was_once_kept_for_a_day_to_come_is_told_as_not_mailed_until_it_has_come() -> None:
    kept = {0: Mailing(0, "7001", "2026-12-10"), 1: Mailing(1, "7002", "2026-11-30", "2026-12-04")}
    body = with_mailings(told(many(3), certified=SEAL), kept, MONDAY)
    assert [(n.article_number, n.mailed_on, n.returned_on) for n in body.notices] == [
        ("7001", None, None),
        ("7002", MONDAY, None),
        (None, None, None),
    ]
    said = next(w.message for w in body.warnings if w.code == "reported_for_a_day_to_come")
    assert said.startswith("Letters 1, 2 are kept with a day that is still to come")
    then = with_mailings(told(many(3), certified=SEAL), kept, date(2026, 12, 10))
    assert [n.mailed_on for n in then.notices] == [date(2026, 12, 10), MONDAY, None]
    assert codes(then) == set()


def test_letters_are_late_after_the_laws_own_last_day_not_after_the_last_day_of_the_post() -> None:
    body = mailed(SATURDAY, date(2025, 5, 25), MEMORIAL_DAY, date(2025, 5, 27), None)
    assert late_letters(body) == (4,)
    assert late_letters(mailed(None)) == ()


def test_a_list_kept_before_both_days_were_told_has_them_still() -> None:
    days = {"raw": MEMORIAL_DAY, "rolled": MEMORIAL_DAY, "practical": SATURDAY}
    old = told(many(1), mail_by=MEMORIAL_DAY, deadlines=(DeadlineTold(what="Mail", citation="A(7)", **days),))
    assert (practical_day(old), law_day(old)) == (SATURDAY, MEMORIAL_DAY)
    assert (practical_day(told(())), law_day(told(()))) == (None, None)


def test_mailing_without_a_certificate_or_before_the_list_is_said() -> None:
    early = {0: Mailing(0, mailed_on="2026-11-29")}
    assert codes(with_mailings(told(many(1)), early, MONDAY)) == {
        "mailed_before_certified",
        "mailed_before_it_was_made",
    }
    assert (
        codes(with_mailings(told(many(1), certified=SEAL), {0: Mailing(0, mailed_on="2026-11-30")}, MONDAY))
        == set()
    )


def test_a_day_for_all_fills_what_is_open_and_corrects_when_nothing_is() -> None:
    def chosen(
        body: AbutterList, *reports: MailingReport, instead_of: date | None = None
    ) -> dict[int, date | None]:
        found = all_mailed(body, reports, MEMORIAL_DAY, instead_of=instead_of)
        return {r.notice: r.mailed_on for r in found}

    other = date(2025, 5, 20)
    assert chosen(mailed(None, SATURDAY, None)) == {0: MEMORIAL_DAY, 2: MEMORIAL_DAY}
    assert chosen(mailed(SATURDAY, SATURDAY)) == {0: MEMORIAL_DAY, 1: MEMORIAL_DAY}
    assert chosen(mailed(SATURDAY, other), instead_of=other) == {1: MEMORIAL_DAY}
    assert chosen(mailed(SATURDAY, other), instead_of=MONDAY) == {}
    own = MailingReport(notice=0, mailed_on=other)
    assert chosen(mailed(None, SATURDAY, None), own) == {0: other, 2: MEMORIAL_DAY}
    assert chosen(mailed(SATURDAY, SATURDAY), own) == {0: other}
    with pytest.raises(
        ParameterRefused, match="on different days \\(2025-05-20, 2025-05-24\\); say with --instead-of"
    ):
        chosen(mailed(SATURDAY, other))


@pytest.mark.parametrize(
    ("day", "outside"),
    [("2026-11-29", (1,)), ("2026-11-30", ()), ("2026-12-30", ()), ("2026-12-31", (1,))],
)
def test_a_letter_goes_while_its_certificate_stands_or_it_is_said(day: str, outside: tuple[int, ...]) -> None:
    sealed = told(
        many(1), certified=SEAL.model_copy(update={"expires_on": date(2026, 12, 30)}), on=date(2026, 11, 1)
    )
    body = with_mailings(sealed, {0: Mailing(0, mailed_on=day)}, date(2027, 1, 5))
    assert outside_certificate(body) == outside
    said = [w.message for w in body.warnings]
    assert said == (
        ["Letters 1 were mailed while no certificate stood: it is of 2026-11-30, valid through 2026-12-30."]
        if outside
        else []
    )

"""What became of letters: reports put onto earlier ones, told with the list. What was not reported is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date

from app.notices.days import law_day
from app.notices.doubts import warning
from app.schemas.abutter_requests import MailingReport
from app.schemas.abutters import AbutterList, WarningTold
from app.store.abutter_lists import Mailing
from spatial.errors import ParameterRefused


def after(report: MailingReport, before: Mailing, today: date) -> Mailing:
    """Return what is known of a letter after a report; a field that was not sent stays, null takes it back.

    Raises
    ------
    ParameterRefused
        ``bad_parameter`` for a day later than today, for a letter that came back before it was mailed, or that was
        never mailed.
    """
    sent = report.model_dump(mode="json", include=report.model_fields_set - {"notice"})
    now = replace(before, **sent)
    if now.returned_on is not None and (now.mailed_on is None or now.returned_on < now.mailed_on):
        raise ParameterRefused(
            f"Letter no. {report.notice + 1} came back on {now.returned_on}, but is not reported as "
            "mailed on a day before; report when it was mailed."
        )
    _not_to_come(report, today)
    return now


def _not_to_come(report: MailingReport, today: date) -> None:
    for day, did in ((report.mailed_on, "be mailed"), (report.returned_on, "come back")):
        if day is not None and day > today:
            raise ParameterRefused(
                f"Letter no. {report.notice + 1} cannot {did} on {day}, a day to come (today is {today}); report "
                "it when it has happened."
            )


def with_mailings(told: AbutterList, mailings: Mapping[int, Mailing], today: date) -> AbutterList:
    """Return a list with what became of its letters, and what is wrong with it said.

    A letter that was once reported for a day that is still to come is told as not mailed: nobody swears to it.
    """
    known = {i: _happened(m, today) for i, m in mailings.items()}
    notices = tuple(n.model_copy(update=_days(known[i])) if i in known else n for i, n in enumerate(told.notices))
    mailed = told.model_copy(update={"notices": notices})
    warnings = (
        *told.warnings,
        *_late(mailed),
        *_uncertified(mailed),
        *_too_early(mailed),
        *_to_come(mailings, today),
    )
    return mailed.model_copy(update={"warnings": warnings})


def _happened(mailing: Mailing, today: date) -> Mailing:
    """Return a report without days to come; ISO days compare as they stand."""
    mailed, returned = (
        None if (day or "") > today.isoformat() else day for day in (mailing.mailed_on, mailing.returned_on)
    )
    return replace(mailing, mailed_on=mailed, returned_on=returned)


def late_letters(told: AbutterList) -> tuple[int, ...]:
    """Return the letters, counted from 1, that were mailed after the law's own last day; none without one."""
    last = law_day(told)
    return tuple(n for n, one in enumerate(told.notices, 1) if last and one.mailed_on and one.mailed_on > last)


def _late(told: AbutterList) -> Iterator[WarningTold]:
    late = ", ".join(map(str, late_letters(told)))
    if late:
        text = f"Letters {late} were mailed after {law_day(told)}, the last day by law before the hearing."
        yield warning("mailed_late", text)


def outside_certificate(told: AbutterList) -> tuple[int, ...]:
    """Return the letters, counted from 1, mailed on a day on which no certificate stood; all without one."""
    seal = told.certified
    mailed = [(n, one.mailed_on) for n, one in enumerate(told.notices, 1) if one.mailed_on]
    if seal is None:
        return tuple(n for n, _ in mailed)
    return tuple(n for n, day in mailed if day < seal.on or (seal.expires_on is not None and day > seal.expires_on))


def _uncertified(told: AbutterList) -> Iterator[WarningTold]:
    outside, seal = outside_certificate(told), told.certified
    if not outside:
        return
    if seal is None:
        yield warning("mailed_before_certified", "Letters were mailed from a list that no assessor certified.")
        return
    until = f", valid through {seal.expires_on}" if seal.expires_on else ""
    text = (
        f"Letters {', '.join(map(str, outside))} were mailed while no certificate stood: it is of {seal.on}{until}."
    )
    yield warning("mailed_outside_certificate", text)


def _too_early(told: AbutterList) -> Iterator[WarningTold]:
    early = ", ".join(str(n) for n, one in enumerate(told.notices, 1) if one.mailed_on and one.mailed_on < told.on)
    if early:
        text = f"Letters {early} are reported as mailed before this list was made ({told.on})."
        yield warning("mailed_before_it_was_made", text)


def _to_come(mailings: Mapping[int, Mailing], today: date) -> Iterator[WarningTold]:
    named = ", ".join(str(i + 1) for i, m in sorted(mailings.items()) if _happened(m, today) != m)
    if named:
        text = f"Letters {named} are kept with a day that is still to come, and do not count; report what happened."
        yield warning("reported_for_a_day_to_come", text)


def _days(mailing: Mailing) -> dict[str, object]:
    return {
        "article_number": mailing.article_number,
        "mailed_on": date.fromisoformat(mailing.mailed_on) if mailing.mailed_on else None,
        "returned_on": date.fromisoformat(mailing.returned_on) if mailing.returned_on else None,
    }

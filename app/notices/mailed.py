"""What became of letters: reports put onto earlier ones, told with the list. What was not reported is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from app.notices.doubts import warning
from app.schemas.abutter_requests import MailingReport
from app.schemas.abutters import AbutterList, NoticeTold, WarningTold
from app.store.abutter_lists import Mailing
from spatial.errors import ParameterRefused


def after(report: MailingReport, before: Mailing) -> Mailing:
    """Return what is known of a letter after a report; a field that was not sent stays, null takes it back.

    Raises
    ------
    ParameterRefused
        ``bad_parameter`` for a letter that came back before it was mailed, or that was never mailed.
    """
    sent = report.model_dump(mode="json", include=report.model_fields_set - {"notice"})
    now = replace(before, **sent)
    if now.returned_on is not None and (now.mailed_on is None or now.returned_on < now.mailed_on):
        raise ParameterRefused(
            f"Letter no. {report.notice + 1} came back on {now.returned_on}, but is not reported as "
            "mailed on a day before; report when it was mailed."
        )
    return now


def with_mailings(told: AbutterList, mailings: Mapping[int, Mailing]) -> AbutterList:
    """Return a list with what became of its letters; those mailed after the last day for it are said."""
    notices = tuple(
        n.model_copy(update=_days(mailings[i])) if i in mailings else n for i, n in enumerate(told.notices)
    )
    warnings = (*told.warnings, *_late(notices, told.mail_by))
    return told.model_copy(update={"notices": notices, "warnings": warnings})


def _late(notices: Sequence[NoticeTold], mail_by: date | None) -> tuple[WarningTold, ...]:
    late = [str(n) for n, one in enumerate(notices, 1) if mail_by and one.mailed_on and one.mailed_on > mail_by]
    if not late:
        return ()
    text = f"Letters {', '.join(late)} were mailed after {mail_by}, the last day for it before the hearing."
    return (warning("mailed_late", text),)


def _days(mailing: Mailing) -> dict[str, object]:
    return {
        "article_number": mailing.article_number,
        "mailed_on": date.fromisoformat(mailing.mailed_on) if mailing.mailed_on else None,
        "returned_on": date.fromisoformat(mailing.returned_on) if mailing.returned_on else None,
    }

"""What became of a letter: a report put onto what was reported before. Nothing not reported is forgotten."""

from __future__ import annotations

from dataclasses import replace

from app.schemas.abutter_requests import MailingReport
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
            f"Letter {report.notice} (counted from 0) came back on {now.returned_on}, but is not reported as "
            "mailed on a day before; report when it was mailed."
        )
    return now

"""Whether the tax lists are the most recent ones that could apply on the day of the filing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from app.notices.tax_book import TaxSource
from spatial.case import Caution

JULY = 7
"""A fiscal year of Massachusetts is named after the year in which it ends, on 30 June."""


def fiscal_year_of(day: date) -> int:
    """Return the fiscal year a day falls in.

    >>> fiscal_year_of(date(2026, 6, 30)), fiscal_year_of(date(2026, 7, 1))
    (2026, 2027)
    """
    return day.year + (day.month >= JULY)


def cautions_of_years(sources: Sequence[TaxSource], day: date) -> tuple[Caution, ...]:
    """Return a sentence for each tax list that is older than the year before the one of a day, or of that year.

    A list one year behind is usual until the new one is committed, and only said; an older one is not the most
    recent that applies.
    """
    now = fiscal_year_of(day)
    return tuple(_of(sources, day, now))


def _of(sources: Sequence[TaxSource], day: date, now: int) -> Iterable[Caution]:
    for source in sources:
        behind = now - source.fiscal_year if source.fiscal_year is not None else 0
        whose = f"{source.source} of town {source.town_id} is of FY{source.fiscal_year}"
        if behind > 1:
            yield Caution(
                "tax_list_old",
                f"{whose}, {behind} years behind {day.isoformat()} (FY{now}): it is hardly the most recent "
                "applicable tax list; load a newer one.",
            )
        elif behind == 1:
            yield Caution(
                "tax_list_of_last_year",
                f"{whose}; {day.isoformat()} falls in FY{now}. Ask the Assessor whether a newer list applies.",
            )

"""Report: of what day an edition is. The publisher's own word comes first; when it came to us is not its age."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

FISCAL = "FY"


def dated(
    published: str | None, retrieved: str | None, source_url: str | None, *, on: date | None = None
) -> tuple[str, ...]:
    """Return what is known of an edition's day, in words; empty when nothing is.

    Parameters
    ----------
    published
        The publisher's own day, or ``FY2016`` for assessors' fiscal year 2016.
    retrieved
        The ISO day it came to us: fetched where ``source_url`` says whence, added where a person gave the file.
    on
        The day from which it is counted how long ago that was; None: it is not said.
    """
    return tuple(_dated(published, retrieved, source_url, on))


def _dated(published: str | None, retrieved: str | None, source_url: str | None, on: date | None) -> Iterator[str]:
    if published:
        year = published.removeprefix(FISCAL)
        yield f"fiscal year {year}" if year != published else f"published {published}"
    if retrieved:
        yield f"{'fetched' if source_url else 'added'} {retrieved}{_ago(date.fromisoformat(retrieved), on)}"


def _ago(day: date, on: date | None) -> str:
    days = (on - day).days if on is not None else 0
    return f" ({days:,} {'day' if days == 1 else 'days'} ago)" if days > 0 else ""

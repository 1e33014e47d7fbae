"""The audit log: who did what to which thing, why and when. It only grows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.store.records import Records, moment
from app.store.tables import AuditRow


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log; ``key_id`` None for the operator at the command line."""

    at: str
    key_id: str | None
    action: str
    subject: tuple[str, ...]
    reason: str | None


class Audit:
    """The audit log in the records."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def write(
        self, action: str, subject: Sequence[str], *, key_id: str | None = None, reason: str | None = None
    ) -> None:
        """Add one line.

        Parameters
        ----------
        action
            ``screening.delete``, ``abutters.list``, ``key.create`` …
        subject
            Ids of the things (LOC_IDs, a screening's id); never a person's name.
        key_id
            The key that did it.
        reason
            Why, as the person said.
        """
        row = AuditRow(at=moment(), key_id=key_id, action=action, subject=json.dumps(list(subject)), reason=reason)
        with self._records.begin() as session:
            session.add(row)

    def recent(self, limit: int = 100) -> tuple[Entry, ...]:
        """Return the newest lines, newest first."""
        query = select(AuditRow).order_by(AuditRow.number.desc()).limit(limit)
        with self._records.begin() as session:
            return tuple(
                Entry(row.at, row.key_id, row.action, tuple(json.loads(row.subject)), row.reason)
                for row in session.scalars(query)
            )

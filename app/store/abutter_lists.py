"""Kept abutters' lists: made once, never rewritten but through review; their life and mailings beside them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select, true, update

from app.store.records import Records
from app.store.tables import AbutterListRow, MailingRow, ScreeningRow
from spatial.errors import NotFound, Refused

ID_BYTES = 12


@dataclass(frozen=True, slots=True)
class Mailing:
    """What became of one letter; ``position`` counts the letters of its list from 0, days are ISO."""

    position: int
    article_number: str | None = None
    mailed_on: str | None = None
    returned_on: str | None = None


@dataclass(frozen=True, slots=True)
class KeptList:
    """A list as kept; ``body``, ``question``, ``drawing`` and ``life`` are JSON texts."""

    id: str
    created: str
    status: str
    body: str
    question: str
    drawing: str
    life: str


class AbutterLists:
    """The abutters' lists in the records.

    Parameters
    ----------
    records
        The open database.
    """

    def __init__(self, records: Records) -> None:
        self._records = records

    def new_id(self) -> str:
        """Return an id that cannot be guessed."""
        return secrets.token_hex(ID_BYTES)

    def keep(self, kept: KeptList) -> None:
        """Keep a new list."""
        with self._records.begin() as session:
            session.add(
                AbutterListRow(
                    id=kept.id,
                    created=kept.created,
                    status=kept.status,
                    body=kept.body,
                    question=kept.question,
                    drawing=kept.drawing,
                    life=kept.life,
                )
            )

    def get(self, list_id: str) -> KeptList:
        """Return a list; NotFound when there is none of that id."""
        with self._records.begin() as session:
            row = session.scalars(select(AbutterListRow).where(AbutterListRow.id == list_id)).one_or_none()
            if row is None:
                raise NotFound(f"There is no abutters' list {list_id[:64]!r}.")
            return _kept(row)

    def newest(self, limit: int) -> tuple[KeptList, ...]:
        """Return the lists made last, newest first; empty when none was made."""
        query = select(AbutterListRow).order_by(AbutterListRow.number.desc()).limit(limit)
        with self._records.begin() as session:
            return tuple(_kept(row) for row in session.scalars(query))

    def mailed(self, list_ids: Sequence[str]) -> dict[str, int]:
        """Return how many letters of each list are reported as mailed; lists without any are absent."""
        query = (
            select(MailingRow.list_id, func.count())
            .where(MailingRow.list_id.in_(list_ids), MailingRow.mailed_on.is_not(None))
            .group_by(MailingRow.list_id)
        )
        with self._records.begin() as session:
            return {list_id: count for list_id, count in session.execute(query)}

    def replace(self, kept: KeptList, *, was: str, read: str | None = None) -> None:
        """Keep a list in its next state; refused as a conflict when somebody else moved it meanwhile.

        Parameters
        ----------
        was
            The status it is believed to have now.
        read
            The body it is believed to have now; None: whatever it has.
        """
        query = (
            update(AbutterListRow)
            .where(AbutterListRow.id == kept.id, AbutterListRow.status == was)
            .where(true() if read is None else AbutterListRow.body == read)
            .values(status=kept.status, body=kept.body, drawing=kept.drawing, life=kept.life)
            .returning(AbutterListRow.id)
        )
        with self._records.begin() as session:
            if not session.execute(query).all():
                raise Refused("The list is no longer as it was read; read it again.", code="conflict")

    def mailings(self, list_id: str) -> dict[int, Mailing]:
        """Return what became of the letters of a list, by position; letters nobody reported on are absent."""
        query = select(MailingRow).where(MailingRow.list_id == list_id)
        with self._records.begin() as session:
            return {
                r.position: Mailing(r.position, r.article_number, r.mailed_on, r.returned_on)
                for r in session.scalars(query)
            }

    def report(self, list_id: str, mailings: Sequence[Mailing]) -> None:
        """Keep what became of letters, in place of what was reported of the same ones before."""
        positions = [m.position for m in mailings]
        with self._records.begin() as session:
            session.execute(
                delete(MailingRow).where(MailingRow.list_id == list_id, MailingRow.position.in_(positions))
            )
            session.add_all(
                MailingRow(
                    list_id=list_id,
                    position=m.position,
                    article_number=m.article_number,
                    mailed_on=m.mailed_on,
                    returned_on=m.returned_on,
                )
                for m in mailings
            )

    def ground_of(self, screening_id: str) -> tuple[str, bytes]:
        """Return the LOC_IDs (a JSON list) and the work (WKB, EPSG:26986) of a kept screening, or NotFound."""
        query = select(ScreeningRow.loc_ids, ScreeningRow.area_wkb).where(ScreeningRow.id == screening_id)
        with self._records.begin() as session:
            found = session.execute(query).one_or_none()
        if found is None:
            raise NotFound(f"There is no screening {screening_id[:64]!r}; it was never made, or was deleted.")
        return found.loc_ids, found.area_wkb


def _kept(row: AbutterListRow) -> KeptList:
    return KeptList(row.id, row.created, row.status, row.body, row.question, row.drawing, row.life)

"""Kept screenings: the answer word for word, what was asked, and the original input, found again by id."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from app.store.records import Records, moment
from app.store.tables import InputPart, ScreeningRow
from spatial.errors import NotFound

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Kept:
    """A screening to be kept.

    ``body`` is the answer's JSON text; ``question`` the declared options and facts as canonical JSON;
    ``drawing`` the geometries of the answer as JSON text; ``area_wkb`` and ``bounds`` the union of the work in
    EPSG:26986 (metres); ``parts`` the original input as (name, bytes).
    """

    id: str
    created: str
    body: str
    question: str
    input_sha256: str
    drawing: str
    area_wkb: bytes
    area_sqft: float
    bounds: Bounds
    common_plan: str | None
    loc_ids: tuple[str, ...]
    parts: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A kept screening as far as it takes to ask it again; ``number`` counts them in the order they were kept."""

    number: int
    id: str
    body: str
    question: str
    area_wkb: bytes


class Screenings:
    """The screenings in the records.

    Parameters
    ----------
    records
        The open database.
    retention_days
        How long a screening is kept; 0 keeps for ever.
    """

    def __init__(self, records: Records, *, retention_days: int = 0) -> None:
        self._records = records
        self._retention_days = retention_days

    def keep(self, kept: Kept) -> bool:
        """Keep a screening with its input as one piece; False when the same id is there already.

        What is past its time goes first, so that an answer can be given anew under the id it had.
        """
        self.sweep()
        try:
            with self._records.begin() as session:
                session.add(_row(kept))
        except IntegrityError:
            return False
        return True

    def body(self, screening_id: str) -> str:
        """Return the answer as it was given.

        Raises
        ------
        NotFound
            When it was never made, or is deleted, or past its time.
        """
        found = self.find(screening_id)
        if found is None:
            raise _unknown(screening_id)
        return found

    def find(self, screening_id: str) -> str | None:
        """Return the answer as it was given, or None."""
        return self._column(screening_id, "body")

    def drawing(self, screening_id: str) -> str:
        """Return the geometries of an answer as JSON text; NotFound as ``body``."""
        found = self._column(screening_id, "drawing")
        if found is None:
            raise _unknown(screening_id)
        return found

    def question(self, screening_id: str) -> str:
        """Return the declared options and facts of an answer as canonical JSON; NotFound as ``body``."""
        found = self._column(screening_id, "question")
        if found is None:
            raise _unknown(screening_id)
        return found

    def parts(self, screening_id: str) -> tuple[tuple[str, bytes], ...]:
        """Return the original input as (name, bytes); empty for an unknown id."""
        query = select(InputPart).where(InputPart.screening_id == screening_id).order_by(InputPart.position)
        with self._records.begin() as session:
            return tuple((part.name, part.content) for part in session.scalars(query))

    def batch(self, after: int, limit: int) -> tuple[KeptAnswer, ...]:
        """Return kept screenings after a number, in the order they were kept; empty when there are no more."""
        oldest = self._oldest(datetime.now(UTC)) or ""
        row = ScreeningRow
        query = (
            select(row.number, row.id, row.body, row.question, row.area_wkb)
            .where(row.number > after, row.created >= oldest)
            .order_by(row.number)
            .limit(limit)
        )
        with self._records.begin() as session:
            return tuple(KeptAnswer(*found) for found in session.execute(query))

    def delete(self, screening_id: str) -> None:
        """Delete a screening and its input; NotFound when there is none."""
        with self._records.begin() as session:
            gone = session.execute(
                delete(ScreeningRow).where(ScreeningRow.id == screening_id).returning(ScreeningRow.id)
            ).all()
        if not gone:
            raise _unknown(screening_id)

    def sweep(self, now: datetime | None = None) -> int:
        """Delete what is past its time and return how many went."""
        limit = self._oldest(now or datetime.now(UTC))
        if limit is None:
            return 0
        with self._records.begin() as session:
            query = delete(ScreeningRow).where(ScreeningRow.created < limit).returning(ScreeningRow.id)
            return len(session.execute(query).all())

    def _column(self, screening_id: str, name: str) -> str | None:
        limit = self._oldest(datetime.now(UTC)) or ""
        query = select(getattr(ScreeningRow, name)).where(
            ScreeningRow.id == screening_id, ScreeningRow.created >= limit
        )
        with self._records.begin() as session:
            found: str | None = session.scalars(query).one_or_none()
            return found

    def _oldest(self, now: datetime) -> str | None:
        """Return the moment before which a screening is past its time; None when all are kept."""
        return moment(now - timedelta(days=self._retention_days)) if self._retention_days else None


def _row(kept: Kept) -> ScreeningRow:
    min_x, min_y, max_x, max_y = kept.bounds
    return ScreeningRow(
        id=kept.id,
        created=kept.created,
        body=kept.body,
        question=kept.question,
        input_sha256=kept.input_sha256,
        drawing=kept.drawing,
        area_wkb=kept.area_wkb,
        area_sqft=kept.area_sqft,
        min_x=min_x,
        min_y=min_y,
        max_x=max_x,
        max_y=max_y,
        common_plan=kept.common_plan,
        loc_ids=json.dumps(list(kept.loc_ids)),
        parts=_parts(kept.parts),
    )


def _parts(parts: Sequence[tuple[str, bytes]]) -> list[InputPart]:
    return [InputPart(position=n, name=name, content=content) for n, (name, content) in enumerate(parts)]


def _unknown(screening_id: str) -> NotFound:
    return NotFound(
        f"There is no screening {screening_id[:64]!r}; it was never made, or was deleted after its time."
    )

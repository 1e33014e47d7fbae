"""Kept tax lists of towns' own: the newest of a town stands in for the published one."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.store.records import Records, moment
from app.store.tables import TaxListRow


@dataclass(frozen=True, slots=True)
class KeptTaxList:
    """A town's own tax list; ``rows`` by our column names, all text."""

    town_id: int
    received: str
    sha256: str
    fiscal_year: int | None
    mapping: Mapping[str, str]
    rows: tuple[Mapping[str, str], ...]


class TaxLists:
    """The tax lists in the records.

    Parameters
    ----------
    records
        The open database.
    """

    def __init__(self, records: Records) -> None:
        self._records = records

    def keep(
        self,
        town_id: int,
        rows: Sequence[Mapping[str, str]],
        *,
        sha256: str,
        fiscal_year: int | None,
        mapping: Mapping[str, str],
    ) -> None:
        """Keep a tax list; earlier ones of the town stay for the lists made from them, but are no longer used."""
        packed = zlib.compress(json.dumps([dict(r) for r in rows]).encode())
        with self._records.begin() as session:
            session.add(
                TaxListRow(
                    town_id=town_id,
                    received=moment(),
                    sha256=sha256,
                    fiscal_year=fiscal_year,
                    mapping=json.dumps(dict(mapping), sort_keys=True),
                    rows=packed,
                )
            )

    def newest(self, town_id: int) -> KeptTaxList | None:
        """Return the newest tax list of a town, or None."""
        query = select(TaxListRow).where(TaxListRow.town_id == town_id).order_by(TaxListRow.number.desc()).limit(1)
        with self._records.begin() as session:
            row = session.scalars(query).one_or_none()
            return None if row is None else _kept(row)

    def towns(self) -> frozenset[int]:
        """Return the towns that have a tax list of their own."""
        with self._records.begin() as session:
            return frozenset(session.scalars(select(TaxListRow.town_id).distinct()))

    def mapping(self, town_id: int) -> dict[str, str]:
        """Return the mapping of columns that was used last for a town; empty when there was none."""
        query = (
            select(TaxListRow.mapping)
            .where(TaxListRow.town_id == town_id)
            .order_by(TaxListRow.number.desc())
            .limit(1)
        )
        with self._records.begin() as session:
            found = session.scalars(query).one_or_none()
        return {} if found is None else dict(json.loads(found))


def _kept(row: TaxListRow) -> KeptTaxList:
    return KeptTaxList(
        town_id=row.town_id,
        received=row.received,
        sha256=row.sha256,
        fiscal_year=row.fiscal_year,
        mapping=json.loads(row.mapping),
        rows=tuple(json.loads(zlib.decompress(row.rows))),
    )

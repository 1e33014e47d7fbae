"""Take in a town's own tax list, kept with the mapping of its columns for the next one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from app.notices.cama import read_export
from app.notices.desk import Actor
from app.notices.tax_book import OWN
from app.schemas.abutters import TaxListAdded
from app.service import Service
from app.store.tax_lists import TaxLists
from spatial.errors import FormatRefused, ParameterRefused

YEARS = range(1990, 2100)


@dataclass(frozen=True, slots=True)
class OwnList:
    """A town's own tax list as it was sent; ``mapping`` is ours → theirs, for the columns that need saying."""

    town: str
    name: str
    content: bytes
    fiscal_year: int
    mapping: Mapping[str, str]


def add_tax_list(service: Service, actor: Actor, given: OwnList, reason: str | None = None) -> TaxListAdded:
    """Keep a tax list; lists made from now on take the town's owners from it.

    A column that is not mapped is mapped as it was for the town's last list, else by its usual heading.

    Raises
    ------
    ParameterRefused
        ``town_unknown``, a year that is none, or a column that is not there.
    FormatRefused
        When the file is no table we read, or holds no row.
    """
    town = service.library.snapshot().towns.find(given.town)
    if given.fiscal_year not in YEARS:
        raise ParameterRefused(f"{given.fiscal_year} is no fiscal year; write it with four digits.")
    kept = TaxLists(service.records)
    export = read_export(given.name, given.content, given.mapping, usual=kept.mapping(town.id))
    if not export.rows:
        raise FormatRefused(f"{given.name} has headings but no rows.", code="no_features", file=given.name)
    digest = hashlib.sha256(given.content).hexdigest()
    kept.keep(town.id, export.rows, sha256=digest, fiscal_year=given.fiscal_year, mapping=export.mapping)
    service.audit.write("tax_list.add", [town.slug, digest], key_id=actor.name, reason=reason)
    return TaxListAdded(
        town_id=town.id,
        fiscal_year=given.fiscal_year,
        source=OWN,
        sha256=digest,
        rows=len(export.rows),
        mapping=dict(export.mapping),
    )

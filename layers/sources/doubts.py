"""When a source answered whole and still cannot be believed: it gives nothing, or lost what we read before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from layers.manifest import Manifest
from layers.sources.arcgis import Fetched, Wanted, count_rows
from layers.sources.door import Door
from layers.sources.errors import SourceRefused
from layers.spec import SourceSpec, Spec


def refuse_silence(door: Door, wanted: Wanted, fetched: Fetched) -> None:
    """Refuse no rows from a source whose filter nobody has verified, unless it finds some elsewhere.

    Raises
    ------
    SourceRefused
        It has none anywhere: the filter may be wrong, and an empty edition would be silence taken for "no".
    """
    if fetched.count:
        return
    if wanted.bounds is None or not count_rows(door, replace(wanted, bounds=None)):
        raise SourceRefused(
            f"{wanted.url} has no rows anywhere where {wanted.where}; that filter is not verified, so nothing "
            "follows from it. Correct it in the specification."
        )


def refuse_lost_fields(spec: Spec, in_force: Iterable[Manifest], source: SourceSpec, fetched: Fetched) -> None:
    """Refuse a source that lost a column the edition in force was read with, under every name it may have.

    Raises
    ------
    SourceRefused
        The column would be unknown everywhere from now on.
    """
    now, url = {name.casefold() for name in fetched.fields}, source.url
    for manifest in in_force:
        if manifest.source.url != url:
            continue
        for column in (c for c in manifest.columns if c.read_from and c.name in spec.fields):
            names = {str(column.read_from), *spec.fields[column.name].columns, *source.mapping.values()}
            if now.isdisjoint(name.casefold() for name in names):
                raise SourceRefused(
                    f"{url} no longer has the field {column.read_from}, from which '{column.name}' of the edition "
                    "in force was read; that edition stays. Name the new field in the specification."
                )

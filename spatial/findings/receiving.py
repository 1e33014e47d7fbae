"""Stage findings: what the loaded lists say of the waters an applicant names as receiving the runoff."""

from __future__ import annotations

from collections.abc import Iterator

from spatial.case import DownstreamWater
from spatial.index import IndexedFrame, LayerStack

IMPAIRED = "impaired_waters"
FIELDS = ("unit_id", "name", "category", "causes", "tmdl")


def named_waters(named: str | None, layers: LayerStack) -> tuple[DownstreamWater, ...]:
    """Return the assessed waters of these ids (comma between them), wherever they lie and whatever their category.

    Empty when none was named or no list is loaded; an id that is in no list is missing.
    """
    wanted = {word.strip().casefold() for word in (named or "").split(",") if word.strip()}
    if not wanted:
        return ()
    found = {w.unit_id.casefold(): w for frame in layers.frames_of(IMPAIRED) for w in _of(frame, wanted)}
    return tuple(found.values())


def _of(indexed: IndexedFrame, wanted: set[str]) -> Iterator[DownstreamWater]:
    for row, unit_id in enumerate(indexed.frame.ids):
        held = {name: _text(indexed, name, row) for name in FIELDS}
        held["unit_id"] = held["unit_id"] or str(unit_id)
        if held["unit_id"].casefold() in wanted:
            yield DownstreamWater(**held, huc12="", steps=0)


def _text(indexed: IndexedFrame, name: str, row: int) -> str:
    column = indexed.frame.attributes.get(name)
    return "" if column is None or column[row] is None else str(column[row])

"""Stage findings: what the loaded lists say of the waters an applicant names as receiving the runoff."""

from __future__ import annotations

from collections.abc import Iterator

from spatial.case import DownstreamWater
from spatial.index import IndexedFrame, LayerStack
from spatial.measure.downstream import IMPAIRED, listed_water


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
    waters = (listed_water(indexed, row) for row in range(len(indexed.frame)))
    yield from (water for water in waters if water.unit_id.casefold() in wanted)

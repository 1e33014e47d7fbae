"""Judge: flag lots, jogs and jagged lines, where the plain rules of lot lines would guess. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from spatial.setbacks.boundary import Edge
from spatial.setbacks.lot_model import ANY_CLASS, SIDE_OR_REAR, Judged
from spatial.setbacks.street_lines import StreetLine, angle_deg, directions
from spatial.units import ft_from_m

FACING_DEG = 35.0
"""A line within this of parallel to the front that looks the same way faces the way."""
JOG_FT = 10.0
"""A shorter line between two lines of one class is a jog in them."""
JAGGED_FT = 20.0
JAGGED_SHARE = 1.0 / 12.0
JAGGED_COUNT = 5
"""So many lines in a row, each shorter than 20 ft or a twelfth of the way around, are jagged."""


def flag_words(
    edges: Sequence[Edge], rows: Sequence[int], streets: Sequence[StreetLine], deepest_m: float
) -> str | None:
    """Return in words why this is a flag lot, a narrow front and a body behind that faces the way; None if not."""
    front = directions(streets)[0]
    across = [front.along_m(p) for e in edges for p in shapely.get_coordinates(e.line)]
    frontage_m = sum(s.length_m for s in streets)
    facing = [
        edges[i]
        for i in rows
        if angle_deg(edges[i].normal, front.normal) <= FACING_DEG
        and ft_from_m(edges[i].line.length) > JOG_FT
        and front.depth_m(edges[i].ends.mean(axis=0)) >= 0.15 * deepest_m
    ]
    if not facing or frontage_m >= 0.5 * (max(across) - min(across)):
        return None
    return f"this is a flag lot, {ft_from_m(frontage_m):.0f} ft wide at the way"


def in_flag(row: int, judged: Judged, flag: str, neck: set[int]) -> Judged:
    """Keep the sides of a flag lot's neck; what the lines of its body are is for the town to say."""
    if judged.candidates == ("interior_side",) and row in neck:
        return judged
    widest = ANY_CLASS if judged.candidates == ANY_CLASS else SIDE_OR_REAR
    return Judged(widest, f"{flag}: the town says which line of its body is front, side or rear")


def jagged(edges: Sequence[Edge], rows: Sequence[int]) -> dict[int, Judged]:
    """Return unknown for every line in a run of several short ones, as along a brook; empty when there is none."""
    limit_ft = max(JAGGED_FT, JAGGED_SHARE * ft_from_m(sum(e.line.length for e in edges)))
    short = {i for i in rows if ft_from_m(edges[i].line.length) < limit_ft}
    runs = [run for run in _runs(short, len(edges)) if len(run) >= JAGGED_COUNT]
    return {
        row: Judged(ANY_CLASS, f"it is one of {len(run)} short lines in a row, too jagged to tell")
        for run in runs
        for row in run
    }


def _runs(rows: set[int], count: int) -> list[list[int]]:
    """Return rows that follow one another in runs, the ring closing on itself."""
    starts = [row for row in sorted(rows) if (row - 1) % count not in rows] or sorted(rows)[:1]
    runs = []
    for start in starts:
        run = [start]
        while (following := (run[-1] + 1) % count) in rows and following != start:
            run.append(following)
        runs.append(run)
    return runs


def without_jogs(edges: Sequence[Edge], judged: list[Judged]) -> list[Judged]:
    """Give a short line between two lines of one known class that class."""
    count = len(edges)
    mended = list(judged)
    for i, edge in enumerate(edges):
        before, after = judged[i - 1].candidates, judged[(i + 1) % count].candidates
        length_ft = ft_from_m(edge.line.length)
        if count > 3 and length_ft <= JOG_FT and before == after and len(before) == 1 and before != ("front",):
            mended[i] = Judged(before, f"it is a jog of {length_ft:.1f} ft between two lines of that class")
    return mended

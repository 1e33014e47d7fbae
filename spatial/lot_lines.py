"""Judge: which edges of a lot are front, side and rear, and why. Pure; what nobody can tell stays unknown.

A front line runs along a way. With one front, the line opposite it at the back is the rear and lines that run away
from it are sides. With two or more fronts the line opposite one of them is a side or the rear, which only the town
can say. A stretch that is perhaps a way is tried both ways, and a line whose class depends on it is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import shapely

from spatial.boundary import Edge, edges_of
from spatial.line_overrides import Forced, force, split
from spatial.lot_model import ANY_CLASS, CornerRule, LineClass, LotLine, Override, Stretch
from spatial.model import Area
from spatial.street_lines import StreetLine, angle_deg, directions, street_lines
from spatial.units import ft_from_m

OPPOSITE_DEG = 35.0
"""A line within this of parallel to the front, on the far side, lies opposite it."""
BESIDE_DEG = (55.0, 125.0)
"""A line that leaves the front at such an angle is a side; between 35 and 55 degrees it is anybody's guess."""
BACK_SHARE = 0.6
"""A line opposite the front counts as the rear in the last four tenths of the lot's depth."""
JOG_FT = 10.0
"""A shorter line between two lines of one class is a jog in them."""
JAGGED_FT = 20.0
JAGGED_COUNT = 4
SIDE_OR_REAR: tuple[LineClass, ...] = ("interior_side", "rear")


@dataclass(frozen=True, slots=True)
class _Judged:
    candidates: tuple[LineClass, ...]
    why: str


def classify(
    lot: Area,
    stretches: Sequence[Stretch],
    *,
    overrides: Sequence[Override] = (),
    corner: CornerRule = "each_way_is_front",
) -> tuple[LotLine, ...]:
    """Return the edges of a lot with their classes, in the order of its rings.

    Parameters
    ----------
    lot
        EPSG:26986, valid; each part is judged by its own edges.
    stretches
        What lies beside its boundary; none at all means no way is known to touch it.
    overrides
        The reviewer's words. One that makes an edge a front, or takes that from it, is heeded in judging the
        others too.
    corner
        What the town says of a lot on two ways.

    Raises
    ------
    ParameterRefused, GeometryRefused
        An override names an edge that does not exist, contradicts another, or is drawn off the boundary.
    """
    edges = split(edges_of(lot, stretches), lot, overrides)
    forced = force(edges, overrides)
    found = _judge(edges, stretches, {}, corner=corner)
    heeded = _judge(edges, stretches, forced, corner=corner) if forced else found
    return tuple(_lot_line(e, found[i], heeded[i], forced.get(e.id)) for i, e in enumerate(edges))


def _lot_line(edge: Edge, found: _Judged, heeded: _Judged, forced: Forced | None) -> LotLine:
    candidates = forced.candidates if forced else heeded.candidates
    return LotLine(
        id=edge.id,
        line=edge.line,
        line_class=_class_of(candidates),
        candidates=candidates,
        why=f"{forced.override.why} (said by {forced.override.who})" if forced else heeded.why,
        length_ft=ft_from_m(edge.line.length),
        found=_class_of(found.candidates),
        override=forced.override if forced else None,
    )


def _class_of(candidates: tuple[LineClass, ...]) -> LineClass:
    return candidates[0] if len(candidates) == 1 else "unknown"


def _judge(
    edges: Sequence[Edge], stretches: Sequence[Stretch], forced: Mapping[str, Forced], *, corner: CornerRule
) -> list[_Judged]:
    """Return what every edge can be, with every doubtful stretch taken for a way, and for none."""
    told = {e.id: f.along_way for e in edges if (f := forced.get(e.id)) is not None}
    beside = [_beside(e, stretches) for e in edges]
    sure = [told.get(e.id, bool(s and s.way)) for e, s in zip(edges, beside, strict=True)]
    perhaps = [told.get(e.id, bool(s and s.way is not False)) for e, s in zip(edges, beside, strict=True)]
    first = _judge_as(edges, beside, sure, corner=corner)
    return first if perhaps == sure else _agree(beside, first, _judge_as(edges, beside, perhaps, corner=corner))


def _beside(edge: Edge, stretches: Sequence[Stretch]) -> Stretch | None:
    return stretches[edge.stretch] if edge.stretch >= 0 else None


def _agree(beside: Sequence[Stretch | None], one: list[_Judged], other: list[_Judged]) -> list[_Judged]:
    """Return what both judgements say, and both where they differ."""
    agreed = []
    for stretch, a, b in zip(beside, one, other, strict=True):
        both = a.candidates + tuple(c for c in b.candidates if c not in a.candidates)
        doubt = "its class hangs on a line that perhaps runs along a way"
        if stretch is not None and stretch.way is None:
            doubt = f"it runs along {stretch.name}: perhaps a way"
        agreed.append(a if a.candidates == b.candidates else _Judged(both, doubt))
    return agreed


def _judge_as(
    edges: Sequence[Edge], beside: Sequence[Stretch | None], along_way: Sequence[bool], *, corner: CornerRule
) -> list[_Judged]:
    judged: list[_Judged] = [_Judged(ANY_CLASS, "") for _ in edges]
    for part in sorted({e.part for e in edges}):
        rows = [i for i, e in enumerate(edges) if e.part == part and not e.hole]
        outer = _judge_part([edges[i] for i in rows], [along_way[i] for i in rows], corner=corner)
        for i, word in zip(rows, outer, strict=True):
            judged[i] = _told_of_way(word, beside[i])
        for i, e in enumerate(edges):
            if e.part == part and e.hole:
                judged[i] = _Judged(SIDE_OR_REAR, "it is an inner ring of the lot, around somebody else's land")
    return judged


def _told_of_way(word: _Judged, stretch: Stretch | None) -> _Judged:
    if stretch is None:
        return word
    if word.candidates[0] in ("front", "exterior_side") and len(word.candidates) == 1:
        return _Judged(word.candidates, f"it runs along {stretch.name}{word.why}")
    return _Judged(word.candidates, f"{word.why}; it runs along {stretch.name}")


def _judge_part(edges: Sequence[Edge], along_way: Sequence[bool], *, corner: CornerRule) -> list[_Judged]:
    streets = street_lines(edges, along_way)
    if not streets:
        return [
            _Judged(ANY_CLASS, "this part of the lot touches no way, so it has no front to tell the others by")
        ] * len(edges)
    main = streets
    judged: dict[int, _Judged] = {}
    if corner == "one_front" and len(directions(streets)) > 1:
        main = [min(streets, key=lambda s: s.length_m)]
    for street in streets:
        side = street not in main
        for row in street.rows:
            judged[row] = _Judged(("exterior_side",) if side else ("front",), "")
    others = [i for i in range(len(edges)) if i not in judged]
    judged.update(_judge_others(edges, others, main))
    return _jogs(edges, [judged[i] for i in range(len(edges))])


def _judge_others(edges: Sequence[Edge], rows: Sequence[int], streets: Sequence[StreetLine]) -> dict[int, _Judged]:
    fronts = directions(streets)
    if len(fronts) > 1:
        judged = {i: _beside_several(edges[i], fronts) for i in rows}
    else:
        deepest = max(fronts[0].depth_m(p) for e in edges for p in shapely.get_coordinates(e.line))
        judged = {i: _beside_one(edges[i], fronts[0], deepest) for i in rows}
        if flag := _flag(edges, rows, streets, deepest):
            judged = {i: _in_flag(edges, i, judged[i], flag) for i in rows}
    return {i: _jagged(edges, rows, i) or word for i, word in judged.items()}


def _beside_one(edge: Edge, front: StreetLine, deepest_m: float) -> _Judged:
    angle = angle_deg(edge.normal, -front.normal)
    share = front.depth_m(edge.ends.mean(axis=0)) / deepest_m if deepest_m > 0.0 else 0.0
    if angle <= OPPOSITE_DEG and share >= BACK_SHARE:
        return _Judged(("rear",), f"it lies opposite the front, {angle:.0f} degrees from parallel")
    if angle <= OPPOSITE_DEG:
        return _Judged(SIDE_OR_REAR, f"it lies opposite the front, but only {share:.0%} of the way to the back")
    if BESIDE_DEG[0] <= angle <= BESIDE_DEG[1]:
        return _Judged(("interior_side",), f"it runs away from the front, {angle:.0f} degrees from parallel")
    if angle > BESIDE_DEG[1]:
        return _Judged(ANY_CLASS, "it faces the way with other land between")
    return _Judged(
        SIDE_OR_REAR, f"it stands {angle:.0f} degrees from parallel to the front: a side as well as the rear"
    )


def _beside_several(edge: Edge, fronts: Sequence[StreetLine]) -> _Judged:
    angles = [angle_deg(edge.normal, -f.normal) for f in fronts]
    if all(BESIDE_DEG[0] <= a <= BESIDE_DEG[1] for a in angles):
        return _Judged(("interior_side",), "it runs away from every front")
    if max(angles) > BESIDE_DEG[1]:
        return _Judged(ANY_CLASS, "it faces one of the ways with other land between")
    return _Judged(
        SIDE_OR_REAR, "it lies opposite one front of a lot on several ways: the town says whether that is the rear"
    )


def _flag(
    edges: Sequence[Edge], rows: Sequence[int], streets: Sequence[StreetLine], deepest_m: float
) -> str | None:
    """Return in words why this is a flag lot, a narrow front and a body behind that faces the way; None if not."""
    front = directions(streets)[0]
    across = [front.along_m(p) for e in edges for p in shapely.get_coordinates(e.line)]
    frontage_m = sum(s.length_m for s in streets)
    facing = [
        edges[i]
        for i in rows
        if angle_deg(edges[i].normal, front.normal) <= OPPOSITE_DEG
        and ft_from_m(edges[i].line.length) > JOG_FT
        and front.depth_m(edges[i].ends.mean(axis=0)) >= 0.15 * deepest_m
    ]
    if not facing or frontage_m >= 0.5 * (max(across) - min(across)):
        return None
    return f"this is a flag lot, {ft_from_m(frontage_m):.0f} ft wide at the way"


def _in_flag(edges: Sequence[Edge], row: int, judged: _Judged, flag: str) -> _Judged:
    """Keep the sides of a flag lot's neck; what the lines of its body are is for the town to say."""
    touches_front = row in ((len(edges) + 1) % len(edges), len(edges) - 1)
    if judged.candidates == ("interior_side",) and touches_front:
        return judged
    widest = ANY_CLASS if judged.candidates == ANY_CLASS else SIDE_OR_REAR
    return _Judged(widest, f"{flag}: the town says which line of its body is front, side or rear")


def _jagged(edges: Sequence[Edge], rows: Sequence[int], row: int) -> _Judged | None:
    """Return unknown for a line in a run of several short ones."""
    run = [i for i in rows if _short_between(edges, rows, min(i, row), max(i, row))]
    if row not in run or len(run) < JAGGED_COUNT:
        return None
    return _Judged(ANY_CLASS, f"it is one of {len(run)} short lines in a row, too jagged to tell")


def _short_between(edges: Sequence[Edge], rows: Sequence[int], first: int, last: int) -> bool:
    return all(i in rows and ft_from_m(edges[i].line.length) < JAGGED_FT for i in range(first, last + 1))


def _jogs(edges: Sequence[Edge], judged: list[_Judged]) -> list[_Judged]:
    """Give a short line between two lines of one known class that class."""
    count = len(edges)
    mended = list(judged)
    for i, edge in enumerate(edges):
        before, after = judged[i - 1].candidates, judged[(i + 1) % count].candidates
        length_ft = ft_from_m(edge.line.length)
        if count > 3 and length_ft <= JOG_FT and before == after and len(before) == 1 and before != ("front",):
            mended[i] = _Judged(before, f"it is a jog of {length_ft:.1f} ft between two lines of that class")
    return mended

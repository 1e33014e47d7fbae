"""Judge: which edges of a lot are front, side and rear, and why. Pure; what nobody can tell stays unknown.

A front line runs along a way. With one front, the line opposite it at the back is the rear and lines that run away
from it are sides. With two or more fronts the line opposite one of them is a side or the rear, which only the town
can say. A stretch that is perhaps a way is tried both ways, and a line whose class depends on it is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import shapely

from spatial.model import Area
from spatial.setbacks.boundary import Edge, edges_of
from spatial.setbacks.lot_model import (
    ANY_CLASS,
    SIDE_OR_REAR,
    CornerRule,
    Judged,
    LineClass,
    LotLine,
    Override,
    Stretch,
)
from spatial.setbacks.odd_lots import flag_words, in_flag, jagged, without_jogs
from spatial.setbacks.overrides import Forced, force, split
from spatial.setbacks.street_lines import StreetLine, angle_deg, directions, street_lines
from spatial.units import ft_from_m

OPPOSITE_DEG = 35.0
"""A line within this of parallel to the front, on the far side, lies opposite it."""
BESIDE_DEG = (55.0, 125.0)
"""A line that leaves the front at such an angle is a side; between 35 and 55 degrees it is anybody's guess."""
BACK_SHARE = 0.6
"""A line opposite the front counts as the rear in the last four tenths of the lot's depth."""
STRAIGHT_SHARE = 0.7
"""A front whose ends are nearer to each other than this share of its length has no opposite."""


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


def _lot_line(edge: Edge, found: Judged, heeded: Judged, forced: Forced | None) -> LotLine:
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
) -> list[Judged]:
    """Return what every edge can be, with every doubtful stretch taken for a way, and for none."""
    told = {e.id: f.along_way for e in edges if (f := forced.get(e.id)) is not None}
    beside = [_beside(e, stretches) for e in edges]
    sure = [told.get(e.id, bool(s and s.way)) for e, s in zip(edges, beside, strict=True)]
    perhaps = [told.get(e.id, bool(s and s.way is not False)) for e, s in zip(edges, beside, strict=True)]
    first = _judge_as(edges, beside, sure, corner=corner)
    return first if perhaps == sure else _agree(beside, first, _judge_as(edges, beside, perhaps, corner=corner))


def _beside(edge: Edge, stretches: Sequence[Stretch]) -> Stretch | None:
    return stretches[edge.stretch] if edge.stretch >= 0 else None


def _agree(beside: Sequence[Stretch | None], one: list[Judged], other: list[Judged]) -> list[Judged]:
    """Return what both judgements say, and both where they differ."""
    agreed = []
    for stretch, a, b in zip(beside, one, other, strict=True):
        both = a.candidates + tuple(c for c in b.candidates if c not in a.candidates)
        doubt = "its class hangs on a line that perhaps runs along a way"
        if stretch is not None and stretch.way is None:
            doubt = f"it runs along {stretch.name}: perhaps a way"
        agreed.append(a if a.candidates == b.candidates else Judged(both, doubt))
    return agreed


def _judge_as(
    edges: Sequence[Edge], beside: Sequence[Stretch | None], along_way: Sequence[bool], *, corner: CornerRule
) -> list[Judged]:
    judged: list[Judged] = [Judged(ANY_CLASS, "") for _ in edges]
    for part in sorted({e.part for e in edges}):
        rows = [i for i, e in enumerate(edges) if e.part == part and not e.hole]
        outer = _judge_part([edges[i] for i in rows], [along_way[i] for i in rows], corner=corner)
        for i, word in zip(rows, outer, strict=True):
            judged[i] = _told_of_way(word, beside[i])
        for i, e in enumerate(edges):
            if e.part == part and e.hole:
                judged[i] = Judged(SIDE_OR_REAR, "it is an inner ring of the lot, around somebody else's land")
    return judged


def _told_of_way(word: Judged, stretch: Stretch | None) -> Judged:
    if stretch is None:
        return word
    if word.candidates[0] in ("front", "exterior_side") and len(word.candidates) == 1:
        return Judged(word.candidates, f"it runs along {stretch.name}{word.why}")
    return Judged(word.candidates, f"{word.why}; it runs along {stretch.name}")


def _judge_part(edges: Sequence[Edge], along_way: Sequence[bool], *, corner: CornerRule) -> list[Judged]:
    streets = street_lines(edges, along_way)
    if not streets:
        return [
            Judged(ANY_CLASS, "this part of the lot touches no way, so it has no front to tell the others by")
        ] * len(edges)
    main = streets
    judged: dict[int, Judged] = {}
    if corner == "one_front" and len(directions(streets)) > 1:
        main = [min(streets, key=lambda s: s.length_m)]
    for street in streets:
        side = street not in main
        for row in street.rows:
            judged[row] = Judged(("exterior_side",) if side else ("front",), "")
    others = [i for i in range(len(edges)) if i not in judged]
    judged.update(_judge_others(edges, others, main))
    return without_jogs(edges, [judged[i] for i in range(len(edges))])


def _judge_others(edges: Sequence[Edge], rows: Sequence[int], streets: Sequence[StreetLine]) -> dict[int, Judged]:
    fronts = directions(streets)
    if len(fronts) > 1:
        judged = {i: _beside_several(edges[i], fronts) for i in rows}
    else:
        deepest = max(fronts[0].depth_m(p) for e in edges for p in shapely.get_coordinates(e.line))
        judged = {i: _beside_one(edges[i], fronts[0], deepest) for i in rows}
        if flag := flag_words(edges, rows, streets, deepest):
            judged = {i: in_flag(i, judged[i], flag, _neck(edges, streets)) for i in rows}
    return judged | jagged(edges, rows)


def _neck(edges: Sequence[Edge], streets: Sequence[StreetLine]) -> set[int]:
    """Return the rows of the edges that begin where a front ends, or end where it begins."""
    count = len(edges)
    fronts = {row for s in streets for row in s.rows}
    return {side for row in fronts for side in ((row - 1) % count, (row + 1) % count)} - fronts


def _beside_one(edge: Edge, front: StreetLine, deepest_m: float) -> Judged:
    if front.straightness < STRAIGHT_SHARE:
        return Judged(ANY_CLASS, "the front bends so far around that nothing can be said to lie opposite it")
    angle = angle_deg(edge.normal, -front.normal)
    share = front.depth_m(edge.ends.mean(axis=0)) / deepest_m if deepest_m > 0.0 else 0.0
    if angle <= OPPOSITE_DEG and share >= BACK_SHARE:
        return Judged(("rear",), f"it lies opposite the front, {angle:.0f} degrees from parallel")
    if angle <= OPPOSITE_DEG:
        return Judged(SIDE_OR_REAR, f"it lies opposite the front, but only {share:.0%} of the way to the back")
    if BESIDE_DEG[0] <= angle <= BESIDE_DEG[1]:
        return Judged(("interior_side",), f"it runs away from the front, {angle:.0f} degrees from parallel")
    if angle > BESIDE_DEG[1]:
        return Judged(ANY_CLASS, "it faces the way with other land between")
    return Judged(
        SIDE_OR_REAR, f"it stands {angle:.0f} degrees from parallel to the front: a side as well as the rear"
    )


def _beside_several(edge: Edge, fronts: Sequence[StreetLine]) -> Judged:
    angles = [angle_deg(edge.normal, -f.normal) for f in fronts]
    if all(BESIDE_DEG[0] <= a <= BESIDE_DEG[1] for a in angles):
        return Judged(("interior_side",), "it runs away from every front")
    if max(angles) > BESIDE_DEG[1]:
        return Judged(ANY_CLASS, "it faces one of the ways with other land between")
    return Judged(
        SIDE_OR_REAR, "it lies opposite one front of a lot on several ways: the town says whether that is the rear"
    )

"""Judge: in which yard each stem stands, by exact distance to lot lines and never by the drawing of a yard. Pure.

The stem's centre decides; a trunk that stands across the line of a yard counts as inside and is flagged (AMB-23).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.setbacks import Strip, strips
from spatial.setbacks.lot_model import PRECEDENCE, Setbacks, YardName
from spatial.trees.model import Place, Tree
from spatial.units import ft_from_m

ON_LINE_FT = 0.005
"""A stem this near the line of a yard stands on it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """How far every stem is from the lines of a yard, in feet, and how deep that yard is at least and at most."""

    yard: YardName
    distance_ft: NDArray[np.float64]
    least_ft: float
    most_ft: float
    from_what: str


def places(trees: Sequence[Tree], setbacks: Setbacks) -> tuple[Place, ...]:
    """Return where each stem stands, one a tree.

    Parameters
    ----------
    trees
        Stems in EPSG:26986.
    setbacks
        Of the lot they stand on. A yard whose depth nobody knows makes every stem outside the known yards unknown.
    """
    points = np.array([t.point for t in trees], dtype=object)
    if not len(points):
        return ()
    to_lot = ft_from_m(1.0) * shapely.distance(setbacks.lot, points)
    to_line = ft_from_m(1.0) * shapely.distance(setbacks.lot.boundary, points)
    reaches = _reaches(points, setbacks)
    blind = any(n.endswith("_ft") for n in setbacks.needs)
    return tuple(
        _place(tree, reaches, row=i, to_lot=float(to_lot[i]), to_line=float(to_line[i]), blind=blind)
        for i, tree in enumerate(trees)
    )


def _reaches(points: NDArray[np.object_], setbacks: Setbacks) -> list[_Reach]:
    centre_ft = setbacks.depths.centerline_ft
    unseen_ft = centre_ft if centre_ft is not None and "street_centerline" in setbacks.needs else 0.0
    found = [_reach(points, s, unseen_ft) for s in strips(setbacks.lines, setbacks.depths)]
    if centre_ft is not None and setbacks.centrelines:
        street = shapely.MultiLineString(setbacks.centrelines)
        far = ft_from_m(1.0) * shapely.distance(street, points)
        found.append(_Reach("front", far, centre_ft, centre_ft, "the street's centreline"))
    return found


def _reach(points: NDArray[np.object_], strip: Strip, unseen_ft: float) -> _Reach:
    """Return the reach of a yard; a front whose street is not known may reach as if that had no width."""
    most_ft = max(strip.depth_ft, unseen_ft) if strip.yard == "front" else strip.depth_ft
    far = ft_from_m(1.0) * shapely.distance(strip.lines, points)
    named = "a lot line whose class is unknown" if strip.yard == "unknown" else f"the {strip.yard} lot line"
    return _Reach(strip.yard, far, strip.least_ft, most_ft, named)


def _place(tree: Tree, reaches: Sequence[_Reach], *, row: int, to_lot: float, to_line: float, blind: bool) -> Place:
    trunk = tree.trunk_radius_ft
    if to_lot > trunk + ON_LINE_FT:
        return Place(False, (), f"it stands {to_lot:.1f} ft off the lot", on_lot=False, margin_ft=to_lot)
    across_lot_line = to_line < trunk
    inside = [r for r in reaches if r.distance_ft[row] <= r.least_ft + trunk + ON_LINE_FT]
    maybe = [r for r in reaches if r not in inside and r.distance_ft[row] <= r.most_ft + trunk + ON_LINE_FT]
    margins = [abs(float(r.distance_ft[row]) - d) for r in reaches for d in (r.least_ft, r.most_ft)]
    yards = tuple(sorted({r.yard for r in inside}, key=PRECEDENCE.index))
    return Place(
        inside=True if inside else None if maybe or blind else False,
        yards=yards,
        why=_why(row, inside, maybe, blind=blind),
        straddles=across_lot_line or any(abs(r.distance_ft[row] - r.least_ft) < trunk for r in reaches),
        on_lot=to_lot <= ON_LINE_FT,
        margin_ft=min([*margins, to_line]),
    )


def _why(row: int, inside: Sequence[_Reach], maybe: Sequence[_Reach], *, blind: bool) -> str:
    if inside:
        told = [f"{r.distance_ft[row]:.1f} ft from {r.from_what}, within {r.least_ft:g} ft" for r in inside]
        return "it stands in a yard: " + "; ".join(told)
    if maybe:
        near = maybe[0]
        return (
            f"it stands {near.distance_ft[row]:.1f} ft from {near.from_what}, and the yard there is "
            f"{near.least_ft:g} or up to {near.most_ft:g} ft deep: nobody can say before that is settled"
        )
    if blind:
        return "the depth of some yards is not known, so nobody can say whether it stands in one"
    return "it stands in no yard"

"""What the layers say of a piece of work drawn by hand."""

from __future__ import annotations

import shapely
from shapes import ON, WORK, theme

from spatial.case import Finding
from spatial.findings import Asking, find
from spatial.index import LayerStack
from spatial.model import LayerFrame, Theme
from spatial.site import Ground, LotGround, Site

ABSOLUTE_SQFT = 0.01


def site(work: shapely.Geometry = WORK, *lots: shapely.Geometry) -> Site:
    ground = Ground(work)
    made = [
        LotGround(f"L{n}", Ground(lot), work if lot.covers(work) else lot.intersection(work))
        for n, lot in enumerate(lots)
    ]
    return Site(ground, tuple(made))


def ask(
    frames: LayerFrame | list[LayerFrame],
    *themes: Theme,
    at: Site | None = None,
    asking: Asking | None = None,
    absent: dict[str, str] | None = None,
) -> tuple[Finding, ...]:
    every = frames if isinstance(frames, list) else [frames]
    asked = themes or tuple(theme(name) for name in dict.fromkeys(f.ref.layer_id for f in every))
    stack = LayerStack.build(every, asked, absent or {})
    return find(at or site(), stack, asking or Asking(ON))

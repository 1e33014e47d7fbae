"""Stage measure: impaired waters in the site's HUC12s and in those they drain to, followed by ``to_code``.

Which of them really receives the runoff is not known from watersheds: they are named, to be traced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from spatial.case import DownstreamWater, WatershedShare
from spatial.index import IndexedFrame, LayerStack
from spatial.model import Theme

SEA = frozenset({"OCEAN", "CLOSED BASIN", "CANADA", "MEXICO"})
"""What the Watershed Boundary Dataset writes where no watershed follows."""

HUC12, IMPAIRED = "huc12", "impaired_waters"
FIELDS = ("unit_id", "name", "category", "causes", "tmdl")

Codes = dict[str, str]
Waters = dict[str, tuple[DownstreamWater, ...]]


class _Known:
    """Where each HUC12 drains to, and the impaired waters in it; made at the first question to a pair of layers."""

    def __init__(self, huc12: Sequence[IndexedFrame], impaired: Sequence[IndexedFrame], theme: Theme) -> None:
        self.to_code = dict(pair for frame in huc12 for pair in _to_codes(frame))
        self.waters: Waters = {}
        for watershed in huc12:
            for waters in impaired:
                self._join(watershed, waters, theme)

    def _join(self, watershed: IndexedFrame, waters: IndexedFrame, theme: Theme) -> None:
        codes, part = watershed.frame.attributes["code"], waters.pieces_of(theme)
        piece, ground = watershed.pieces.tree.query(part.geometry, predicate="intersects")
        pairs = np.unique(np.column_stack([watershed.pieces.parent[ground], part.parent[piece]]), axis=0)
        for huc, row in pairs.tolist():
            code = str(codes[huc])
            self.waters[code] = (*self.waters.get(code, ()), listed_water(waters, row, code))


def listed_water(waters: IndexedFrame, row: int, huc12: str = "") -> DownstreamWater:
    """Return a water as its list has it, in a watershed (empty: not looked for) and no steps on the way yet.

    What the list leaves open is empty; a water without an id of its own has its feature's.
    """
    unit_id, name, category, causes, tmdl = (_text(waters, field, row) for field in FIELDS)
    return DownstreamWater(unit_id or str(waters.frame.ids[row]), name, category, causes, tmdl, huc12, steps=0)


def downstream_waters(
    watersheds: Sequence[WatershedShare], layers: LayerStack
) -> tuple[DownstreamWater, ...] | None:
    """Return the impaired waters in and downstream of the site's HUC12s, the nearest first.

    None when it cannot be followed: no HUC12 under the work, one without a known ``to_code``, or no
    layer of impaired waters. Empty when it was followed and none lie on the way.
    """
    theme = next((t for t in layers.themes if t.theme == IMPAIRED), None)
    huc12 = next((t for t in layers.themes if t.theme == HUC12), None)
    starts = [w.code for w in watersheds if w.level == HUC12]
    if theme is None or huc12 is None or not starts:
        return None
    known = _known(layers, huc12, theme)
    if known is None:
        return None
    steps = _followed(starts, known.to_code)
    return None if steps is None else tuple(_listed(steps, known.waters))


def downstream_end(watersheds: Sequence[WatershedShare], layers: LayerStack) -> str | None:
    """Return where the way downstream leaves the loaded watersheds before the sea; None when it does not.

    What lies beyond is unknown, so that no listed water met is no proof that none is there.
    """
    theme = next((t for t in layers.themes if t.theme == IMPAIRED), None)
    huc12 = next((t for t in layers.themes if t.theme == HUC12), None)
    known = _known(layers, huc12, theme) if theme and huc12 else None
    steps = _followed([w.code for w in watersheds if w.level == HUC12], known.to_code) if known else None
    left = [c for c in steps or () if known and c not in known.to_code and c.upper() not in SEA]
    return f"the watershed {', '.join(sorted(left))} and what it drains to is not loaded" if left else None


def _known(layers: LayerStack, huc12: Theme, theme: Theme) -> _Known | None:
    ground, waters = layers.frames_of(huc12.layer_id), layers.frames_of(theme.layer_id)
    if not ground or not waters or any("to_code" not in f.frame.attributes for f in ground):
        return None
    if "downstream" not in layers.memo:
        layers.memo["downstream"] = _Known(ground, waters, theme)
    return cast("_Known", layers.memo["downstream"])


def _to_codes(frame: IndexedFrame) -> Iterator[tuple[str, str]]:
    known = frame.frame.attributes
    for code, to_code in zip(known["code"], known["to_code"], strict=True):
        if code and to_code:
            yield str(code), str(to_code)


def _followed(starts: Sequence[str], to_code: Codes) -> dict[str, int] | None:
    """Return every watershed on the way with its number of steps; None when a start's way is not known.

    A code outside the layer (the sea, another state) ends the way.
    """
    if any(code not in to_code for code in starts):
        return None
    steps: dict[str, int] = {}
    for start in starts:
        code, step = start, 0
        while code and steps.get(code, step + 1) > step:
            steps[code] = step
            code, step = to_code.get(code, ""), step + 1
    return steps


def _listed(steps: dict[str, int], waters: Waters) -> Iterator[DownstreamWater]:
    seen: set[str] = set()
    for code, step in sorted(steps.items(), key=lambda item: item[1]):
        for water in waters.get(code, ()):
            if water.unit_id not in seen:
                seen.add(water.unit_id)
                yield replace(water, steps=step)


def _text(frame: IndexedFrame, name: str, row: int) -> str:
    column = frame.frame.attributes.get(name)
    return "" if column is None or column[row] is None else str(column[row])

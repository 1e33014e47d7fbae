"""Stage measure: the watersheds under the work and under a proposed mitigation, as shares of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from spatial.case import Finding, WatershedShare
from spatial.dust import united
from spatial.index import LayerStack
from spatial.model import Submission
from spatial.units import PERCENT

Level = Literal["huc10", "huc12"]
LEVELS: tuple[Level, ...] = ("huc10", "huc12")


def shares(findings: Sequence[Finding]) -> tuple[WatershedShare, ...]:
    """Return the watersheds of each level under the work, the largest first.

    Shares are of unrounded areas and add up to 100 where the layer covers the work; codes are text.
    """
    return tuple(share for level in LEVELS for share in _of_level(level, findings))


def _of_level(level: Level, findings: Sequence[Finding]) -> Iterator[WatershedShare]:
    for finding in (f for f in findings if f.theme == level and f.percent_of_disturbance is not None):
        for hit in sorted(finding.features, key=lambda f: -f.overlap_sqft):
            if hit.overlap_sqft > 0:
                known = hit.attributes
                yield WatershedShare(
                    level=level,
                    code=_text(known.get("code")) or hit.id,
                    name=_text(known.get("name")) or hit.label,
                    percent=_share(finding, hit.overlap_sqft),
                    to_code=_text(known.get("to_code")),
                )


def _share(finding: Finding, overlap_sqft: float) -> float:
    whole, percent = finding.disturbance_sqft or 0.0, finding.percent_of_disturbance or 0.0
    return percent * overlap_sqft / whole if whole else 0.0


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)


def mitigation_shares(submission: Submission, layers: LayerStack) -> tuple[WatershedShare, ...]:
    """Return the watersheds under the features whose role is mitigation; empty without such features."""
    proposed = [f.geometry for f in submission.with_role("mitigation")]
    if not proposed:
        return ()
    ground = united(proposed)
    return tuple(share for level in LEVELS for share in _under(level, ground, layers))


def _under(level: Level, ground: BaseGeometry, layers: LayerStack) -> Iterator[WatershedShare]:
    for theme in (t for t in layers.themes if t.theme == level):
        for indexed in layers.frames_of(theme.layer_id):
            part, known = indexed.pieces, indexed.frame.attributes
            met = part.tree.query(ground, predicate="intersects")
            sizes = shapely.area(shapely.intersection(part.geometry[met], ground))
            for row in np.unique(part.parent[met]).tolist():
                share = float(sizes[part.parent[met] == row].sum())
                yield WatershedShare(
                    level=level,
                    code=_text(known["code"][row]) or str(indexed.frame.ids[row]),
                    name=_text(known["name"][row]) or str(indexed.frame.labels[row]),
                    percent=PERCENT * (share / ground.area) if ground.area else PERCENT,
                    to_code=_text(known["to_code"][row]) if "to_code" in known else None,
                )

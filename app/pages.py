"""What the pages need beside the answers: the background map, where to look first, the notice rules, what fits."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field
from shapely import box

from app.bbox import bounds_of
from app.callers import Caller
from app.settings import Settings
from layers.notice_rules import load_notice_rules
from layers.snapshot import Snapshot
from layers.window import rows_in
from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject

Box = tuple[float, float, float, float]
MOST_DRAWN = 10_000
"""Features of a layer a map draws at once; with more in view it draws none and says so."""


class NoticeRuleName(BaseModel):
    """A notice rule to choose from."""

    id: str
    title: str


class Page(BaseModel):
    """What a page asks once, when it opens."""

    basemap: str | None = Field(description="URL template of background tiles; null for none.")
    bounds: Box | None = Field(
        description="West, south, east, north of the parcels loaded, longitude and latitude; null without parcels."
    )
    notice_rules: list[NoticeRuleName]
    role: str = Field(description="The role of the key sent; public without one.")


class Counts(BaseModel):
    """How many features of each layer lie in a box, and how many a map draws at most."""

    counts: dict[str, int]
    limit: int = MOST_DRAWN


def basemap_of(settings: Settings, snapshot: Snapshot) -> str | None:
    """Return the URL template of background tiles; None when the operator wants none, or the towns are invented."""
    parts = snapshot.status("parcels").parts
    invented = any(part.manifest is not None and part.manifest.invented for part in parts)
    return None if invented else settings.basemap or None


def page_told(snapshot: Snapshot, basemap: str | None, who: Caller) -> Page:
    """Return it for whoever asks."""
    rules = load_notice_rules().rules
    return Page(
        basemap=basemap,
        bounds=_bounds(snapshot),
        notice_rules=[NoticeRuleName(id=rule.id, title=rule.title) for rule in rules],
        role=who.role,
    )


def counts_told(snapshot: Snapshot, bbox: str, layer_ids: Sequence[str]) -> Counts:
    """Return how many features of each layer lie in a box; raises ``layer_unknown`` or ``bad_parameter``."""
    bounds = bounds_of(bbox)
    frames = {layer_id: snapshot.frame(snapshot.status(layer_id).spec.id) for layer_id in layer_ids}
    return Counts(
        counts={layer_id: sum(len(rows_in(one, bounds)) for one in found) for layer_id, found in frames.items()}
    )


def _bounds(snapshot: Snapshot) -> Box | None:
    parts = snapshot.status("parcels").parts
    boxes = [part.manifest.coverage.bounds for part in parts if part.manifest is not None]
    if not boxes:
        return None
    west, south, east, north = zip(*boxes, strict=True)
    ground = box(min(west), min(south), max(east), max(north))
    return reproject(ground, WORKING_CRS, DISPLAY_CRS).bounds

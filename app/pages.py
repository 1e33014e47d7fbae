"""What the pages need beside the answers: the background map, where to look first, the notice rules."""

from __future__ import annotations

from pydantic import BaseModel, Field
from shapely import box

from layers.notice_rules import load_notice_rules
from layers.snapshot import Snapshot
from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject

Box = tuple[float, float, float, float]


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


def page_told(snapshot: Snapshot, basemap: str | None) -> Page:
    """Return it; ``basemap`` is the operator's setting."""
    rules = load_notice_rules().rules
    return Page(
        basemap=basemap,
        bounds=_bounds(snapshot),
        notice_rules=[NoticeRuleName(id=rule.id, title=rule.title) for rule in rules],
    )


def _bounds(snapshot: Snapshot) -> Box | None:
    parts = snapshot.status("parcels").parts
    boxes = [part.manifest.coverage.bounds for part in parts if part.manifest is not None]
    if not boxes:
        return None
    west, south, east, north = zip(*boxes, strict=True)
    ground = box(min(west), min(south), max(east), max(north))
    return reproject(ground, WORKING_CRS, DISPLAY_CRS).bounds

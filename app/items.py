"""The use case of looking into a layer: its features in a box, page after page, as GeoJSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.bbox import Bounds
from app.reports.geojson import many_in_degrees
from app.schemas.features import Link
from layers.snapshot import LayerStatus, Snapshot
from layers.window import rows_in
from spatial.errors import NotFound, ParameterRefused, Unavailable
from spatial.model import LayerFrame

MOST = 10_000
"""Features on one page."""
_Rows = tuple[LayerFrame, NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Asked:
    """Which features: at most ``limit`` of those that meet ``bounds`` (EPSG:26986; None is everywhere).

    ``editions`` is the word the page before gave: a page of other editions than the first is refused, so that
    nobody puts half of an old layer beside half of a new one.
    """

    layer_id: str
    bounds: Bounds | None = None
    limit: int = 100
    offset: int = 0
    editions: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some features of a layer, in the editions' order. ``matched`` counts all that were asked for."""

    layer_id: str
    features: tuple[str, ...]
    offset: int
    matched: int
    editions: str
    failed: str | None

    @property
    def next_offset(self) -> int | None:
        """Where the page after this one begins; None when this is the last."""
        after = self.offset + len(self.features)
        return after if after < self.matched else None


def page_of(snapshot: Snapshot, asked: Asked) -> Page:
    """Return one page of a layer's features.

    Raises
    ------
    ParameterRefused
        ``layer_unknown``; ``bad_parameter`` for a raster; ``conflict`` when the editions are others than on the
        page before.
    Unavailable
        ``layer_unavailable`` when no edition is loaded or opens.
    """
    status = _shown(snapshot, asked.layer_id)
    frames = snapshot.frame(status.spec.id)
    editions = editions_word(frames)
    if asked.editions not in (None, editions):
        raise ParameterRefused(
            f"The layer '{status.spec.id}' has other editions than when the first page was read; begin again.",
            code="conflict",
            layer=status.spec.id,
        )
    met = [(frame, rows_in(frame, asked.bounds)) for frame in frames]
    return Page(
        layer_id=status.spec.id,
        features=tuple(text for frame, rows in _sliced(met, asked) for text in _drawn(frame, rows)),
        offset=asked.offset,
        matched=sum(len(rows) for _, rows in met),
        editions=editions,
        failed=status.failed,
    )


def one_item(snapshot: Snapshot, layer_id: str, feature_id: str) -> str:
    """Return one feature as GeoJSON; raises as ``page_of``, and ``NotFound`` for an id that is not there."""
    status = _shown(snapshot, layer_id)
    for frame in snapshot.frame(status.spec.id):
        rows = np.flatnonzero(frame.ids == feature_id)
        if len(rows):
            return next(_drawn(frame, rows[:1]))
    raise NotFound(f"The layer '{status.spec.id}' has no feature '{feature_id[:80]}'; look for it by bbox.")


def page_text(page: Page, links: Sequence[Link]) -> str:
    """Return a page as a FeatureCollection; ``more`` says that there are others, ``links`` where.

    ``failed`` says which parts of the layer could not be opened and are therefore not in it.
    """
    told = {
        "layer": page.layer_id,
        "more": page.next_offset is not None,
        "numberMatched": page.matched,
        "numberReturned": len(page.features),
        "failed": page.failed,
        "links": [link.model_dump(exclude_none=True) for link in links],
    }
    return f'{{"type":"FeatureCollection",{_json(told)[1:-1]},"features":[{",".join(page.features)}]}}'


def editions_word(frames: Sequence[LayerFrame]) -> str:
    """Return a word that is another one as soon as any edition of a layer is another one."""
    told = sorted(f"{frame.ref.part}/{frame.ref.edition}" for frame in frames)
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:12]


def _shown(snapshot: Snapshot, layer_id: str) -> LayerStatus:
    """Return a layer that has features to show; an absent one is never an empty map."""
    status = snapshot.status(layer_id)
    if status.absent is not None:
        raise Unavailable(
            f"The layer '{status.spec.id}' has nothing to show: {status.absent}.", layer=status.spec.id
        )
    if status.spec.kind == "raster":
        raise ParameterRefused(
            f"The layer '{status.spec.id}' is a raster and has no features; a screening measures its cells.",
            layer=status.spec.id,
        )
    return status


def _sliced(met: Sequence[_Rows], asked: Asked) -> Iterator[_Rows]:
    """Return the rows of one page out of all that were met."""
    skip, left = asked.offset, asked.limit
    for frame, rows in met:
        taken = rows[skip : skip + left]
        skip, left = max(0, skip - len(rows)), left - len(taken)
        yield frame, taken


def _drawn(frame: LayerFrame, rows: NDArray[np.int64]) -> Iterator[str]:
    for row, shape in zip(rows.tolist(), many_in_degrees(frame.geometry[rows]), strict=True):
        head = f'{{"type":"Feature","id":{_json(frame.ids[row])},"properties":{_properties(frame, row)}'
        yield f'{head},"geometry":{shape}}}'


def _properties(frame: LayerFrame, row: int) -> str:
    own = {"id": frame.ids[row], "label": frame.labels[row], "part": frame.ref.part, "edition": frame.ref.edition}
    lot = {"loc_id": frame.ids[row]} if frame.ref.layer_id == "parcels" else {}
    return _json({**own, **lot, **{name: column[row] for name, column in frame.attributes.items()}})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)

"""The use cases of the layers library: what is loaded, what an edition is, what lies in a box, add a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date

from app.bbox import bounds_of
from app.reports.geojson import in_degrees, many_in_degrees
from app.schemas.layer import Cells, Change, Edition, Editions, Layer, Layers, Source
from layers.catalog import Spec
from layers.changes import Changes
from layers.library import LayerStatus, Library, Manifest, Snapshot
from layers.window import rows_in
from spatial.errors import ParameterRefused, Unavailable
from spatial.model import LayerFrame
from spatial.units import SQFT_PER_ACRE

STALE_MEANS = "a hit on it stands, and without one its findings say not_checked"


def layers_told(snapshot: Snapshot, on: date, *, allow_stale: bool = False) -> Layers:
    """Return every layer of the catalogue with its state on a day, loaded or not.

    ``allow_stale``: layers past their limit answer all the same, as the operator set it; the words say which.
    """
    return Layers(layers=[_layer(status, on, allow_stale=allow_stale) for status in snapshot.layers])


def layer_told(snapshot: Snapshot, layer_id: str, on: date, *, allow_stale: bool = False) -> Layer:
    """Return one layer with the ground its editions answer for; raises ``layer_unknown``."""
    status = snapshot.status(layer_id)
    told = _layer(status, on, allow_stale=allow_stale)
    ground = {ref.part: in_degrees(coverage) for ref, coverage in snapshot.grounds(status.spec.id)}
    editions = [edition.model_copy(update={"coverage": ground.get(edition.part)}) for edition in told.editions]
    return told.model_copy(update={"editions": editions})


def editions_told(library: Library, layer_id: str) -> Editions:
    """Return every kept edition of a layer, newest first; raises ``layer_unknown``."""
    in_force = {(one.part, one.edition) for one in library.current(layer_id)}
    kept = library.editions(layer_id)
    return Editions(
        layer=library.catalog.spec(layer_id).id,
        editions=[edition_told(one, current=(one.part, one.edition) in in_force) for one in kept],
        changes=[_change(one) for one in library.changes(layer_id)],
        sources=_sources(library.catalog.spec(layer_id)),
    )


def _change(one: Changes) -> Change:
    told = one.model_dump(exclude={"format"})
    return Change.model_validate({**told, "why": one.why or None})


def _sources(spec: Spec) -> list[Source]:
    return [
        Source(kind=s.kind, url=s.url, verified=not s.unverified, beside=s.beside, note=s.note)
        for s in spec.sources
    ]


def items_text(snapshot: Snapshot, layer_id: str, bbox: str | None, limit: int) -> str:
    """Return the features of a layer in a box as GeoJSON text, at most so many; ``more`` says it was cut.

    Parameters
    ----------
    bbox
        West, south, east, north in degrees; None gives the first features.

    Raises
    ------
    ParameterRefused
        ``layer_unknown``, or ``bad_parameter`` for a box that is none.
    Unavailable
        ``layer_unavailable`` when no edition is loaded or opens.
    """
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
    bounds = bounds_of(bbox) if bbox else None
    found = [(frame, int(row)) for frame in snapshot.frame(status.spec.id) for row in rows_in(frame, bounds)]
    features = ",".join(_items(found[:limit]))
    more = json.dumps(len(found) > limit)
    return (
        f'{{"type":"FeatureCollection","layer":{json.dumps(status.spec.id)},"more":{more},"features":[{features}]}}'
    )


def _items(found: list[tuple[LayerFrame, int]]) -> Iterator[str]:
    for frame in dict.fromkeys(frame for frame, _ in found):
        rows = [row for owner, row in found if owner is frame]
        for row, shape in zip(rows, many_in_degrees(frame.geometry[rows]), strict=True):
            head = f'{{"type":"Feature","id":{_json(frame.ids[row])},"properties":{_properties(frame, row)}'
            yield f'{head},"geometry":{shape}}}'


def _properties(frame: LayerFrame, row: int) -> str:
    own = {"id": frame.ids[row], "label": frame.labels[row], "part": frame.ref.part, "edition": frame.ref.edition}
    lot = {"loc_id": frame.ids[row]} if frame.ref.layer_id == "parcels" else {}
    return _json({**own, **lot, **{name: column[row] for name, column in frame.attributes.items()}})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _layer(status: LayerStatus, on: date, *, allow_stale: bool) -> Layer:
    spec = status.spec
    state, why = _state(status, on, allow_stale=allow_stale)
    return Layer(
        id=spec.id,
        title=spec.title,
        kind=spec.kind,
        themes=[theme.theme for theme in spec.themes],
        state=state,
        why=why,
        complete=spec.complete,
        accuracy_ft=spec.accuracy_ft,
        scale=spec.scale,
        publisher=spec.publisher,
        about=spec.about or None,
        sources=_sources(spec),
        editions=[edition_told(part.manifest, current=True) for part in status.parts if part.manifest],
    )


def _state(status: LayerStatus, on: date, *, allow_stale: bool) -> tuple[str, str | None]:
    """Return the state of a layer and why; what failed is never hidden behind what opened."""
    if not status.parts:
        return "missing", status.absent
    if status.failed:
        return "failed", status.failed
    old = [_age(part.manifest, on) for part in status.parts if part.manifest and part.stale_on(on)]
    if old:
        meaning = "it answers all the same, as stale layers are allowed" if allow_stale else STALE_MEANS
        limit = f"past its limit of {status.spec.stale_after_days} days ({', '.join(old)})"
        return "stale", f"{limit}: {meaning}; fetch a newer edition"
    kept = sum(part.manifest.count_kept for part in status.parts if part.manifest)
    return ("ready", None) if kept else ("empty", "an edition without features: nothing is mapped on its ground")


def _age(manifest: Manifest, on: date) -> str:
    days = (on - manifest.retrieved).days
    return f"{manifest.part}: edition {manifest.edition} is {days:,} days old"


def edition_told(manifest: Manifest, *, current: bool) -> Edition:
    """Return an edition as it is told: everything of its account but the columns."""
    source = manifest.source
    return Edition(
        part=manifest.part,
        edition=manifest.edition,
        current=current,
        title=manifest.title,
        source_file=source.name,
        source_url=source.url,
        driver=source.driver,
        source_layer=source.layer,
        sha256=source.sha256,
        retrieved=manifest.retrieved.isoformat(),
        published=manifest.published,
        licence=manifest.licence,
        crs_in=manifest.crs_in,
        crs_source=manifest.crs_source,
        count_in=manifest.count_in,
        count_kept=manifest.count_kept,
        merged=manifest.merged,
        dropped={one.reason: one.count for one in manifest.dropped},
        repaired=sum(one.count for one in manifest.repaired),
        repaired_sqft=sum(one.area_change_sqft for one in manifest.repaired),
        covers=manifest.coverage.how,
        covers_acres=manifest.coverage.area_sqft / SQFT_PER_ACRE,
        scale=manifest.scale,
        accuracy_ft=manifest.accuracy_ft,
        complete=manifest.complete,
        invented=manifest.invented,
        remarks=[remark.message for remark in manifest.remarks],
        cells=Cells.model_validate(manifest.grid.model_dump()) if manifest.grid else None,
    )

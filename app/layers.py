"""The use cases of the layers library: what is loaded, and what an edition is."""

from __future__ import annotations

from datetime import date

from app.reports.geojson import in_degrees
from app.schemas.layer import Cells, Change, Edition, Editions, Layer, Layers, Source, WithdrawnPart
from layers.changes import Changes
from layers.library import LayerStatus, Library, Manifest, Snapshot
from layers.spec import Spec
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
    out = {(one.part, one.edition) for one in library.snapshot().status(layer_id).withdrawn}
    kept = [(one, (one.part, one.edition)) for one in library.editions(layer_id)]
    return Editions(
        layer=library.catalog.spec(layer_id).id,
        editions=[edition_told(one, current=at in in_force, withdrawn=at in out) for one, at in kept],
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
        withdrawn=[WithdrawnPart(part=one.part, edition=one.edition) for one in status.withdrawn],
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


def edition_told(manifest: Manifest, *, current: bool, withdrawn: bool = False) -> Edition:
    """Return an edition as it is told: everything of its account but the columns."""
    source = manifest.source
    return Edition(
        part=manifest.part,
        edition=manifest.edition,
        current=current,
        withdrawn=withdrawn,
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

"""One moment of the library: what is loaded, what is not and why, and everything a question needs. Immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from layers.catalog import load_specs
from layers.editions import Pointer, Withdrawn
from layers.frames import open_frame
from layers.manifest import Manifest, read_manifest
from layers.parcels import ParcelBook
from layers.rasters import RasterEdition, open_raster
from layers.spec import Spec
from layers.towns import TownBook
from spatial.grid import GridFrame
from spatial.index import LayerStack
from spatial.model import Area, EditionRef, LayerFrame
from spatial.rules.book import LawBook


@dataclass(frozen=True, slots=True)
class PartStatus:
    """One part of a layer: its manifest, or why it could not be opened."""

    part: str
    manifest: Manifest | None
    failed: str | None = None

    def stale_on(self, on: date) -> bool:
        """Say whether the edition is older than its layer allows on a day; False when it never goes stale."""
        if self.manifest is None or self.manifest.stale_after_days is None:
            return False
        return on - self.manifest.retrieved > timedelta(days=self.manifest.stale_after_days)


@dataclass(frozen=True, slots=True)
class LayerStatus:
    """A layer as it stands: its specification and its parts, none when nothing was ever added.

    ``withdrawn`` are parts that were taken out of force: what they held is kept and answers nothing.
    """

    spec: Spec
    parts: tuple[PartStatus, ...]
    withdrawn: tuple[Withdrawn, ...] = ()

    @property
    def loaded(self) -> bool:
        """Whether some edition can be asked."""
        return any(p.manifest is not None for p in self.parts)

    @property
    def failed(self) -> str | None:
        """Why parts could not be opened, in one sentence; None when all could."""
        reasons = [f"{p.part}: {p.failed}" for p in self.parts if p.failed]
        return "; ".join(reasons) or None

    @property
    def absent(self) -> str | None:
        """Why the layer cannot be asked at all; None when it can."""
        if self.loaded:
            return None
        if self.failed:
            return f"its edition could not be opened ({self.failed})"
        if not self.withdrawn:
            return "no edition is loaded"
        parts = ", ".join(one.part for one in self.withdrawn)
        were = f"part {parts} was" if len(self.withdrawn) == 1 else f"parts {parts} were"
        return f"no edition is in force, as the {were} withdrawn"


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Everything at one moment; safe to keep for as long as a request lasts, whatever is swapped meanwhile.

    ``layers`` has every layer of the catalogue, loaded or not. ``failures`` are sentences about staff's files that
    could not be read, so that the last good ones still stand.
    """

    stack: LayerStack
    law: LawBook
    towns: TownBook
    parcels: ParcelBook
    layers: tuple[LayerStatus, ...]
    frames: Mapping[str, tuple[LayerFrame, ...]]
    failures: tuple[str, ...] = ()
    rasters: Mapping[str, tuple[RasterEdition, ...]] = field(default_factory=dict)

    def frame(self, layer_id: str) -> tuple[LayerFrame, ...]:
        """Return the opened editions of a layer, one a part; empty when it has none."""
        return self.frames.get(layer_id, ())

    def grounds(self, layer_id: str) -> tuple[tuple[EditionRef, Area], ...]:
        """Return the opened editions of a layer, vector or raster, with the ground each answers for."""
        opened: tuple[LayerFrame | RasterEdition, ...] = (*self.frame(layer_id), *self.rasters.get(layer_id, ()))
        return tuple((one.ref, one.coverage) for one in opened)

    def grids(self, site: Area, *, work_accuracy_ft: float = 1.0) -> Mapping[str, tuple[GridFrame, ...]]:
        """Return the windows of every raster edition around a site (EPSG:26986); empty when none is loaded."""
        return {
            layer_id: tuple(one.frame(site, work_accuracy_ft=work_accuracy_ft) for one in editions)
            for layer_id, editions in self.rasters.items()
        }

    def status(self, layer_id: str) -> LayerStatus:
        """Return how a layer stands; raises ``ParameterRefused`` (layer_unknown)."""
        wanted = load_specs().spec(layer_id).id
        return next(s for s in self.layers if s.spec.id == wanted)


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """An edition as it was opened, or why it could not be; ``pointer`` tells when to open it again."""

    pointer: Pointer
    folder: Path | None
    frame: LayerFrame | None
    status: PartStatus
    raster: RasterEdition | None = None


def rasters_of(opened: Sequence[Opened]) -> Mapping[str, tuple[RasterEdition, ...]]:
    """Return the raster editions by layer, the newest first: where two lie on one ground, it is asked."""
    held = [one.raster for one in opened if one.raster is not None]
    held.sort(key=lambda raster: raster.ref.retrieved or "", reverse=True)
    names = dict.fromkeys(raster.ref.layer_id for raster in held)
    return {name: tuple(raster for raster in held if raster.ref.layer_id == name) for name in names}


def open_edition(pointer: Pointer) -> Opened:
    """Return an edition opened, or the reason it could not be."""
    try:
        folder = pointer.folder
        manifest = read_manifest(folder)
        wrong = [f.name for f in manifest.files if (folder / f.name).stat().st_size != f.size_bytes]
        if wrong:
            raise ValueError(f"{wrong[0]} has not the size that was written")
        raster = open_raster(folder, manifest) if manifest.kind == "raster" else None
        frame = open_frame(folder) if raster is None else None
    except Exception as error:
        reason = f"the edition is damaged ({type(error).__name__}); roll back or add it again"
        return Opened(pointer, None, None, PartStatus(pointer.part, None, reason))
    return Opened(pointer, folder, frame, PartStatus(pointer.part, manifest), raster)

"""One moment of the library: what is loaded, what is not and why, and everything a question needs. Immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from spatial.index import LayerStack

from layers.catalog import Spec, load_specs
from layers.editions import Pointer
from layers.frames import open_frame
from layers.manifest import Manifest, read_manifest
from layers.parcels import ParcelBook
from layers.towns import TownBook
from spatial.model import LayerFrame
from spatial.rules import LawBook


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
    """A layer as it stands: its specification and its parts, none when nothing was ever added."""

    spec: Spec
    parts: tuple[PartStatus, ...]

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
        return f"its edition could not be opened ({self.failed})" if self.failed else "no edition is loaded"


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

    def frame(self, layer_id: str) -> tuple[LayerFrame, ...]:
        """Return the opened editions of a layer, one a part; empty when it has none."""
        return self.frames.get(layer_id, ())

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


def open_edition(pointer: Pointer) -> Opened:
    """Return an edition opened, or the reason it could not be."""
    try:
        folder = pointer.folder
        manifest = read_manifest(folder)
        wrong = [f.name for f in manifest.files if (folder / f.name).stat().st_size != f.size_bytes]
        if wrong:
            raise ValueError(f"{wrong[0]} has not the size that was written")
        frame = open_frame(folder)
    except Exception as error:
        reason = f"the edition is damaged ({type(error).__name__}); roll back or add it again"
        return Opened(pointer, None, None, PartStatus(pointer.part, None, reason))
    return Opened(pointer, folder, frame, PartStatus(pointer.part, manifest))

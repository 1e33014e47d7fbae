"""Everything a use case stands on, opened once: layers, reader, records. Shared by HTTP and the command line."""

from __future__ import annotations

import math
from functools import cached_property
from threading import Lock
from types import TracebackType
from typing import Self

from shapely.geometry.base import BaseGeometry

from app.counting import Counters
from app.isolation.limits import ProcessLimits
from app.reading import Reader, Understood, Upload
from app.settings import Settings
from app.store.audit import Audit
from app.store.keys import Keys
from app.store.nearby import Nearby
from app.store.records import Records
from app.store.screenings import Screenings
from layers.library import Library
from spatial.errors import ParameterRefused
from spatial.read.limits import ArchiveLimits, ReadLimits


def read_limits(settings: Settings) -> ReadLimits:
    """Return what an upload may hold, as the operator set it."""
    return ReadLimits(
        upload_bytes=settings.body_limit_bytes,
        features=settings.upload_features,
        vertices=settings.upload_vertices,
        nesting=settings.upload_nesting,
        site_acres=settings.site_acres,
        archive=ArchiveLimits(entries=settings.archive_entries, total_bytes=settings.archive_bytes),
    )


def process_limits(settings: Settings) -> ProcessLimits:
    """Return what one reading may take of the machine, as the operator set it."""
    return ProcessLimits(
        memory_bytes=settings.reading_bytes,
        cpu_seconds=max(1, math.ceil(settings.reading_seconds * 0.8)),
        wall_seconds=settings.reading_seconds,
        spool_bytes=settings.spool_bytes,
        waiting=settings.uploads_waiting,
    )


class Service:
    """The parts of a running Metes. Each is opened when first asked for; ``open`` opens them all.

    Parameters
    ----------
    settings
        What the operator set.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.counters = Counters()
        self.rescreening = Lock()

    @cached_property
    def library(self) -> Library:
        """The layers, law, towns and parcels of the data folder."""
        return Library(self.settings.data)

    @cached_property
    def reader(self) -> Reader:
        """Reads strangers' files in processes of their own."""
        return Reader(
            read_limits(self.settings), workers=self.settings.readers, process=process_limits(self.settings)
        )

    @cached_property
    def records(self) -> Records:
        """The database of records."""
        return Records(self.settings.records_url)

    @cached_property
    def screenings(self) -> Screenings:
        """Kept screenings."""
        return Screenings(self.records, retention_days=self.settings.retention_days)

    @cached_property
    def nearby(self) -> Nearby:
        """Kept screenings by place."""
        return Nearby(self.records)

    @cached_property
    def keys(self) -> Keys:
        """API keys."""
        return Keys(self.records)

    @cached_property
    def audit(self) -> Audit:
        """The audit log."""
        return Audit(self.records)

    def understand(
        self, upload: Upload, *, crs: str | None = None, layer: str | None = None, near: BaseGeometry | None = None
    ) -> Understood:
        """Return what is understood of an upload of work, read in a process of its own.

        Parameters
        ----------
        upload
            What was sent.
        crs, layer
            What was declared of it.
        near
            Where it should lie (EPSG:26986), a hint for the systems proposed when none is stated.

        Raises
        ------
        MetesError
            Any refusal of reading; ``layer_unknown`` also for a file without layers that has not this name.
        """
        understood = self.reader.understand(upload, crs=crs, layer=layer, area_hint=near)
        seen = understood.inspection
        if layer is not None and layer != seen.layer:
            raise ParameterRefused(
                f"The file has no layer {layer[:60]!r}; it holds {', '.join(seen.layers)[:200]}.",
                code="layer_unknown",
                suggestions=seen.layers[:10],
            )
        return understood

    def open(self) -> Self:
        """Open every part now, before threads share them, and drop screenings past their time."""
        self.screenings.sweep()
        _ = (self.library, self.reader, self.nearby, self.keys, self.audit)
        return self

    def close(self) -> None:
        """Close what was opened."""
        for name in ("reader", "records"):
            if name in self.__dict__:
                getattr(self, name).close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

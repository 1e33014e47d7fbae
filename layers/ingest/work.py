"""What is known of an import on its way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from layers.ingest.choice import Chosen
from layers.ingest.columns import Held
from layers.ingest.features import Features
from layers.ingest.mend import Mended, SourceCrs
from layers.ingest.request import AddRequest
from layers.ingest.tables import Rows
from layers.manifest import AssessCount, Column, Remark
from layers.spec import Spec


@dataclass(slots=True)
class Work:
    """What is known of an import on its way; each step adds to it."""

    request: AddRequest
    spec: Spec
    chosen: Chosen
    rows: Rows
    crs: SourceCrs
    mended: Mended
    features: Features
    columns: tuple[Column, ...]
    merged: int = 0
    assess: AssessCount | None = None
    assess_rows: Mapping[str, Held] | None = None
    published: str | None = None
    remarks: list[Remark] = field(default_factory=list)

    def remark(self, code: str, message: str) -> None:
        """Add a sentence for the keeper of the library."""
        self.remarks.append(Remark(code=code, message=message))

"""What an operator says of a source, beside or instead of its specification: what ``layers add`` says of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from layers.catalog import Catalog, catalog_of
from layers.spec import SourceSpec, Spec
from spatial.errors import ParameterRefused

_SERVICE = re.compile(r"/(?:Feature|Map)Server/\d+/?$", re.IGNORECASE)
_A_TOWN = re.compile(r"\{(?:town_id|TOWN)\b")


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of one layer's source.

    ``address`` is a file or a layer of an ArcGIS server; None: those known. ``{town_id}``, ``{town_id:03d}`` and
    ``{TOWN}`` may stand in ``address`` and ``covers``.
    """

    address: str | None = None
    layer: str | None = None
    crs: str | None = None
    covers: str | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)

    @property
    def alone(self) -> bool:
        """Whether no ground need be asked for: one file, whose coverage is said."""
        return bool(self.address and self.covers and not _SERVICE.search(self.address) and not self._a_town)

    @property
    def _a_town(self) -> bool:
        return bool(_A_TOWN.search(self.address or ""))

    @property
    def _words(self) -> dict[str, Any]:
        said = {"layer": self.layer, "crs": self.crs, "covers": self.covers, "mapping": dict(self.mapping)}
        return {name: value for name, value in said.items() if value}

    def __bool__(self) -> bool:
        return bool(self.address or self._words)

    def source(self) -> SourceSpec:
        """Return the address as a source; raises ``ParameterRefused`` for one that cannot be asked."""
        parts = urlsplit(self.address or "")
        if parts.scheme not in ("https", "http") or not parts.hostname:
            here = "a file on this machine is read by metes layers add ID FILE"
            raise ParameterRefused(f"--from {self.address!r} is no web address; write it with https://, or {here}.")
        how = {"url": (self.address or "").rstrip("/"), "per_town": self._a_town, **self._words}
        of = SourceSpec(kind="arcgis" if _SERVICE.search(parts.path) else "zip", url="https://said.invalid")
        return of.model_copy(update=how)


def said_of(catalog: Catalog, layer_ids: Sequence[str], said: Said) -> Catalog:
    """Return the catalogue with what is said of the source of one layer; the same when nothing is said.

    Raises
    ------
    ParameterRefused
        It is said of no layer or of several; or of a file from an address, and not what ground it covers.
    """
    if not said:
        return catalog
    if len(layer_ids) != 1:
        raise ParameterRefused("--from, --layer, --crs, --covers and --map speak of one layer; name just that one.")
    spec = catalog.spec(layer_ids[0])
    sources = (said.source(),) if said.address else tuple(_retold(one, said) for one in spec.sources)
    if said.address and said.covers is None and spec.covers is None and sources[0].kind == "zip":
        _refuse_unsaid(spec, sources[0])
    return catalog_of(
        [s.model_copy(update={"sources": sources}) if s.id == spec.id else s for s in catalog.specs.values()]
    )


def _retold(source: SourceSpec, said: Said) -> SourceSpec:
    return source.model_copy(update=said._words)


def _refuse_unsaid(spec: Spec, source: SourceSpec) -> None:
    """Refuse a file from elsewhere that covers nobody knows what, but for a town's, which may say it itself."""
    if not (spec.id == "parcels" and source.per_town):
        raise ParameterRefused(f"Nothing says what ground the file for '{spec.id}' covers; say it with --covers.")

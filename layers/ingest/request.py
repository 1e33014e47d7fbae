"""What staff ask for when they add a file, and what comes back from the process that reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from pydantic.dataclasses import dataclass


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class AddRequest:
    """One file to become an edition of one layer.

    Parameters
    ----------
    layer_id
        Id or alias of the layer.
    path
        A file (zip, shapefile, geodatabase, GeoPackage, GeoJSON, TopoJSON, Esri JSON, KML) or a folder of one.
    on
        The day it is added; the clock is read by the caller.
    source_layer
        Which layer of a file with several.
    crs
        ``"EPSG:n"`` where the file does not say it.
    covers
        What ground the file answers for: ``"town:NAME"``, ``"state"``, ``"bounds"`` (the box around its features),
        ``"features"`` (their union), or a file of polygons. None: the file or the specification says it.
    mapping
        Our column → the file's, where the file does not follow the agency's names.
    edition, part
        Names of the edition and of the part it replaces; None: made from day and content, and from ``covers``.
    name
        The file's name as the sender knows it; None: that of ``path``.
    source_url, retrieved, published
        Where and when it was fetched, and the publisher's own date or edition.
    count_expected
        How many features the source itself says it has; another number is refused.
    invented
        A demo, not a real place.
    assess
        Parcels: a file with the assessors' rows, when they come apart from the polygons.
    """

    layer_id: str
    path: Path
    on: date
    source_layer: str | None = None
    crs: str | None = None
    covers: str | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    edition: str | None = None
    part: str | None = None
    name: str | None = None
    source_url: str | None = None
    retrieved: date | None = None
    published: str | None = None
    count_expected: int | None = None
    invented: bool = False
    assess: Path | None = None


class Order(BaseModel):
    """The message to the reading process: the request, the data folder, and the folder to write into."""

    model_config = ConfigDict(extra="forbid")
    request: AddRequest
    data: Path
    into: Path


class Orders(BaseModel):
    """Orders for one reading process, carried out in their order, all or none."""

    model_config = ConfigDict(extra="forbid")
    orders: tuple[Order, ...]


class Problem(BaseModel):
    """The message back when the file cannot be used: an error of ``spatial.errors`` in words."""

    model_config = ConfigDict(extra="forbid")
    kind: str
    code: str
    detail: str
    file: str | None = None
    layer: str | None = None
    feature: str | None = None
    suggestions: tuple[str, ...] = ()

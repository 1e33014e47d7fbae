"""What the layers say in the words of OGC API – Features, part 1 (core): landing page, collections, links."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"


class Link(BaseModel):
    """A way on from here."""

    href: str
    rel: str
    type: str
    title: str | None = None


class Landing(BaseModel):
    """Where a program begins that is given one address."""

    title: str
    description: str
    links: list[Link]


class Conformance(BaseModel):
    """Which parts of the standard are kept."""

    model_config = ConfigDict(populate_by_name=True)

    conforms_to: list[str] = Field(serialization_alias="conformsTo")


class Spatial(BaseModel):
    """The box around the ground a layer answers for; longitude first."""

    bbox: list[tuple[float, float, float, float]]
    crs: str = CRS84


class Extent(BaseModel):
    """Where a layer is."""

    spatial: Spatial


class Collection(BaseModel):
    """A layer that has features. ``state`` and ``why`` as ``/layers`` tells them."""

    model_config = ConfigDict(populate_by_name=True)

    id: str
    title: str
    description: str
    item_type: str = Field(default="feature", serialization_alias="itemType")
    crs: list[str] = [CRS84]
    extent: Extent
    state: str
    why: str | None = None
    links: list[Link]


class Collections(BaseModel):
    """Every layer that has features; layers that are not loaded are told by ``/layers`` only."""

    links: list[Link]
    collections: list[Collection]

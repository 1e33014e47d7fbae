"""Parcel fabrics for tests: lots drawn in feet from an origin in Dover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import shapely
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from spatial.fabric import ParcelFabric, weave
from spatial.model import EditionRef, LayerFrame, Pieces
from spatial.units import FOOT_M

ORIGIN_M = (218_000.0, 888_000.0)


def feet(shape: BaseGeometry) -> BaseGeometry:
    """Return a shape drawn in feet as it lies in EPSG:26986, the origin in Dover."""
    scaled = affinity.scale(shape, FOOT_M, FOOT_M, origin=(0, 0))
    return affinity.translate(scaled, *ORIGIN_M)


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """Return a rectangle drawn in feet."""
    return feet(shapely.box(x0, y0, x1, y1))


def edition(part: str = "dover", accuracy_ft: float = 5.0, published: str | None = "FY26") -> EditionRef:
    return EditionRef(
        layer_id="parcels",
        part=part,
        edition="test",
        title="Parcels",
        sha256="0" * 64,
        accuracy_ft=accuracy_ft,
        complete=True,
        published=published,
    )


def parcel_frame(
    lots: Mapping[str, BaseGeometry],
    types: Mapping[str, str] | None = None,
    *,
    town_id: int = 78,
    accuracy_ft: float = 5.0,
    coverage: Polygon | None = None,
) -> LayerFrame:
    """Return a parcel frame; ``types`` names the lots that are not FEE."""
    geometry = np.array(list(lots.values()), dtype=object)
    n = len(lots)
    names = list(lots)
    kinds = types or {}
    return LayerFrame(
        ref=edition(accuracy_ft=accuracy_ft),
        kind="polygon",
        ids=np.array(names, dtype=object),
        labels=np.array(names, dtype=object),
        accuracy_ft=np.full(n, accuracy_ft),
        attributes={
            "poly_type": np.array([kinds.get(i, "FEE") for i in names], dtype=object),
            "town_id": np.full(n, town_id, dtype=object),
            "map_par_id": np.array([f"M-{i}" for i in names], dtype=object),
            "site_address": np.array([f"{k} ELM ST" for k in range(n)], dtype=object),
        },
        geometry=geometry,
        pieces=Pieces(geometry, np.arange(n)),
        edges=Pieces(geometry, np.arange(n)),
        coverage=coverage or box(-20_000, -20_000, 20_000, 20_000),
    )


def fabric(
    lots: Mapping[str, BaseGeometry], types: Mapping[str, str] | None = None, **options: object
) -> ParcelFabric:
    """Return the fabric of some lots drawn in a mapping."""
    return weave([parcel_frame(lots, types, **options)])  # type: ignore[arg-type]


def names(items: Sequence[object]) -> list[str]:
    """Return the sorted LOC_IDs of some rows."""
    return sorted(str(getattr(i, "loc_id")) for i in items)  # noqa: B009

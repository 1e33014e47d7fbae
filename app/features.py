"""The layers as collections of OGC API – Features, part 1 (core), so that GIS programs open and page them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from shapely import box

from app.bbox import bounds_in_reach
from app.errors import BadQuery
from app.items import MOST, Asked
from app.layers import layer_told
from app.schemas.features import CRS84, Collection, Extent, Link, Spatial
from layers.snapshot import LayerStatus, Snapshot
from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject
from spatial.errors import ParameterRefused

GEOJSON = "application/geo+json"
JSON = "application/json"
CONFORMS_TO = [f"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/{part}" for part in ("core", "geojson")]
DEFAULT_LIMIT = 100
PARAMETERS = ("bbox", "bbox-crs", "crs", "datetime", "editions", "f", "limit", "offset")


def collection_ids(snapshot: Snapshot) -> Sequence[str]:
    """Return the layers that have features to show, in the catalogue's order."""
    return [status.spec.id for status in snapshot.layers if snapshot.frame(status.spec.id)]


def collection_told(snapshot: Snapshot, layer_id: str, on: date, root: str) -> Collection:
    """Return a layer as a collection; ``root`` is the address of ``/v1``. Raises ``layer_unknown``."""
    status = snapshot.status(layer_id)
    layer = layer_told(snapshot, layer_id, on)
    here = f"{root}/collections/{layer.id}"
    return Collection(
        id=layer.id,
        title=layer.title,
        description=" ".join(filter(None, (_trust(status), layer.about))),
        extent=Extent(spatial=Spatial(bbox=[_degrees(status)])),
        state=layer.state,
        why=layer.why,
        links=[
            Link(href=here, rel="self", type=JSON),
            Link(href=f"{here}/items", rel="items", type=GEOJSON, title=layer.title),
            Link(href=f"{root}/layers/{layer.id}", rel="about", type=JSON, title="Its editions and where from"),
        ],
    )


def _trust(status: LayerStatus) -> str:
    accuracy = f"Lines are true to about {status.spec.accuracy_ft:g} ft."
    missing = "The map is known to miss things the law protects: nothing drawn does not mean nothing there."
    failed = f"Parts that could not be opened are not in it: {status.failed}." if status.failed else ""
    return " ".join(filter(None, (accuracy, "" if status.spec.complete else missing, failed)))


def _degrees(status: LayerStatus) -> tuple[float, float, float, float]:
    boxes = [part.manifest.coverage.bounds for part in status.parts if part.manifest is not None]
    west, south, east, north = zip(*boxes, strict=True)
    return reproject(box(min(west), min(south), max(east), max(north)), WORKING_CRS, DISPLAY_CRS).bounds


def asked_of(layer_id: str, query: Mapping[str, str]) -> Asked:
    """Return what a query of the standard asks for.

    A ``limit`` above ``MOST`` means ``MOST``, and a ``datetime`` takes nothing away, as no feature has a time: both
    are the standard's own rules. Raises ``BadQuery``, told as 400, for anything else that cannot be.
    """
    unknown = sorted(set(query) - set(PARAMETERS))
    if unknown:
        raise BadQuery(f"There is no parameter {unknown[0][:60]!r}; there are {', '.join(PARAMETERS)}.")
    _check_words(query)
    try:
        bounds = bounds_in_reach(query["bbox"]) if query.get("bbox") else None
    except ParameterRefused as error:
        raise BadQuery(error.detail) from error
    limit = min(_whole(query, "limit", DEFAULT_LIMIT, least=1), MOST)
    return Asked(layer_id, bounds, limit, _whole(query, "offset", 0, least=0), query.get("editions"))


def _check_words(query: Mapping[str, str]) -> None:
    if query.get("f", "json") not in ("json", "geojson"):
        raise BadQuery(f"f={query['f'][:40]!r} is not to be had; features come as json.")
    for name in ("crs", "bbox-crs"):
        if query.get(name, CRS84) != CRS84:
            raise BadQuery(f"{name}={query[name][:80]!r} is not to be had; features come in {CRS84}.")


def _whole(query: Mapping[str, str], name: str, default: int, *, least: int) -> int:
    text = query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= least):
        raise BadQuery(f"{name}={text[:40]!r} is not a whole number from {least} on.")
    return int(text)

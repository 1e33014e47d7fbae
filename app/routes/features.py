"""OGC API – Features over HTTP: given the address ``/v1``, a GIS program finds every layer that has features."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from app.addresses import address_of
from app.deps import SettingsDep, SnapshotDep
from app.errors import named_in_path
from app.features import CONFORMS_TO, DEFAULT_LIMIT, GEOJSON, JSON, asked_of, collection_ids, collection_told
from app.items import MOST, one_item, page_of, page_text
from app.paging import page_links
from app.schemas.features import Collection, Collections, Conformance, Landing, Link
from app.screening import today
from app.settings import Settings

router = APIRouter(tags=["layers"])
CollectionId = Annotated[str, Path(description="Id of a layer.", max_length=60, examples=["wetlands"])]
FeatureId = Annotated[str, Path(description="Id of a feature.", max_length=300)]
FEATURES: dict[int | str, dict[str, Any]] = {
    200: {"content": {GEOJSON: {"schema": {"type": "object"}}}, "description": "GeoJSON."}
}


def _parameter(name: str, description: str, **schema: object) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


QUERY = [
    _parameter("bbox", "west,south,east,north in degrees (CRS84).", type="string", maxLength=200),
    _parameter("limit", "Features on a page.", type="integer", minimum=1, maximum=MOST, default=DEFAULT_LIMIT),
    _parameter("offset", "Features before this page.", type="integer", minimum=0, default=0),
    _parameter("editions", "As the page before gave it in `next`.", type="string"),
    _parameter("datetime", "Taken and without effect: no feature has a time.", type="string"),
    _parameter("f", "json", type="string", enum=["json", "geojson"]),
]


def _root(request: Request, settings: Settings) -> str:
    """Return the address of ``/v1`` as the one who asks has it."""
    url = address_of(request, settings)
    return f"{url.scheme}://{url.netloc}/v1"


@router.get("/", include_in_schema=False)
@router.get("", summary="Where a GIS program begins (OGC API – Features)", response_model_exclude_none=True)
def landing(request: Request, settings: SettingsDep) -> Landing:
    """Return the landing page of the standard."""
    root = _root(request, settings)
    described = f"{root.removesuffix('/v1')}/openapi.json"
    return Landing(
        title="Metes",
        description="The map layers that screenings rest on. Nothing drawn does not mean nothing there.",
        links=[
            Link(href=root, rel="self", type=JSON),
            Link(href=described, rel="service-desc", type=JSON),
            Link(href=described, rel="service-desc", type="application/vnd.oai.openapi+json;version=3.0"),
            Link(href=f"{root}/conformance", rel="conformance", type=JSON),
            Link(href=f"{root}/collections", rel="data", type=JSON),
        ],
    )


@router.get("/conformance", summary="Which parts of OGC API – Features are kept")
def conformance() -> Conformance:
    """Return the conformance classes."""
    return Conformance(conforms_to=CONFORMS_TO)


@router.get(
    "/collections",
    summary="Every layer that has features (OGC API – Features)",
    response_model_exclude_none=True,
)
def collections(request: Request, snapshot: SnapshotDep, settings: SettingsDep) -> Collections:
    """Return the layers that are loaded and have features; what is not loaded is told by `/v1/layers`."""
    root = _root(request, settings)
    return Collections(
        links=[Link(href=f"{root}/collections", rel="self", type=JSON)],
        collections=[collection_told(snapshot, one, today(), root) for one in collection_ids(snapshot)],
    )


@router.get(
    "/collections/{collection_id}",
    summary="One layer as a collection (OGC API – Features)",
    response_model_exclude_none=True,
)
def collection(
    collection_id: CollectionId, request: Request, snapshot: SnapshotDep, settings: SettingsDep
) -> Collection:
    """Return a layer with its extent and the address of its features."""
    with named_in_path():
        page_of(snapshot, asked_of(collection_id, {"limit": "1"}))
        return collection_told(snapshot, collection_id, today(), _root(request, settings))


@router.get(
    "/collections/{collection_id}/items",
    summary="Features of a layer, page after page (OGC API – Features)",
    response_class=Response,
    responses=FEATURES,
    openapi_extra={"parameters": QUERY},
)
def collection_items(
    collection_id: CollectionId, request: Request, snapshot: SnapshotDep, settings: SettingsDep
) -> Response:
    """Return features as GeoJSON; `next` among the links leads on, until every feature was seen."""
    with named_in_path():
        page = page_of(snapshot, asked_of(collection_id, request.query_params))
    return Response(page_text(page, page_links(address_of(request, settings), page)), media_type=GEOJSON)


@router.get(
    "/collections/{collection_id}/items/{feature_id:path}",
    summary="One feature (OGC API – Features)",
    response_class=Response,
    responses=FEATURES,
)
def collection_item(collection_id: CollectionId, feature_id: FeatureId, snapshot: SnapshotDep) -> Response:
    """Return one feature as GeoJSON."""
    with named_in_path():
        return Response(one_item(snapshot, collection_id, feature_id), media_type=GEOJSON)

"""The layers library over HTTP: what is loaded, what lies in a box, and (for admin) a new edition."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from app.addresses import address_of
from app.bbox import bounds_of
from app.callers import Caller
from app.deps import Admin, LibraryDep, ServiceDep, SettingsDep, SnapshotDep
from app.errors import named_in_path
from app.forms import form_of
from app.items import MOST, Asked, page_of, page_text
from app.layers import edition_told, editions_told, layer_told, layers_told
from app.mapping import pairs_of
from app.paging import GEOJSON, page_links
from app.query import only_its_own
from app.schemas.layer import Edition, Editions, Layer, Layers
from app.screening import today
from app.service import Service
from layers.ingest.request import AddRequest
from spatial.errors import FormatRefused, ParameterRefused

router = APIRouter(tags=["layers"])
LayerId = Annotated[str, Path(description="Id of a layer.", max_length=60, examples=["wetlands"])]
BBOX = "west,south,east,north in degrees (EPSG:4326)."
FIELDS = ("layer", "crs", "covers", "edition")
EDITION_BODY: dict[str, Any] = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "format": "binary", "description": "Zip, GeoPackage, GeoJSON, KML."},
                    "covers": {
                        "type": "string",
                        "description": "`town:ID` (slug or number), `state`, `bounds`; or a file of polygons.",
                    },
                    "crs": {"type": "string", "description": "`EPSG:n` when the file names none."},
                    "layer": {"type": "string", "description": "Which layer of a file with several."},
                    "map": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "`ours=theirs`, repeatable.",
                    },
                    "edition": {"type": "string", "description": "Its name; made from the day when left out."},
                },
            },
            "example": {"covers": "town:78", "edition": "2026-01"},
        }
    },
}


@router.get("/layers", summary="Every layer and whether it can be asked")
def all_layers(snapshot: SnapshotDep, settings: SettingsDep) -> Layers:
    """Return every layer of the catalogue, loaded or not, with the editions in force."""
    return layers_told(snapshot, today(), allow_stale=settings.allow_stale)


@router.get("/layers/{layer_id}", summary="One layer with the ground it answers for")
def one_layer(layer_id: LayerId, snapshot: SnapshotDep, settings: SettingsDep) -> Layer:
    """Return a layer, its editions in force and their coverage."""
    with named_in_path():
        return layer_told(snapshot, layer_id, today(), allow_stale=settings.allow_stale)


@router.get("/layers/{layer_id}/editions", summary="Every edition kept of a layer")
def all_editions(layer_id: LayerId, library: LibraryDep) -> Editions:
    """Return all kept editions, those in force and those that can be rolled back to."""
    with named_in_path():
        return editions_told(library, layer_id)


@router.get(
    "/layers/{layer_id}/items",
    summary="Features of a layer in a box",
    dependencies=[only_its_own],
    response_class=Response,
    responses={200: {"content": {GEOJSON: {"schema": {"type": "object"}}}, "description": "A FeatureCollection."}},
)
def items(
    layer_id: LayerId,
    request: Request,
    snapshot: SnapshotDep,
    settings: SettingsDep,
    *,
    bbox: Annotated[str | None, Query(max_length=200, description=BBOX, examples=["-71.3,42.2,-71.2,42.3"])] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
    offset: Annotated[int, Query(ge=0, le=999_999_999, description="Features before this page.")] = 0,
    editions: Annotated[str | None, Query(max_length=40, description="As given in `next`.")] = None,
) -> Response:
    """Return features as GeoJSON; `more` says that the limit cut the list short, the link `next` leads on."""
    with named_in_path():
        snapshot.status(layer_id)
    page = page_of(snapshot, Asked(layer_id, bounds_of(bbox) if bbox else None, limit, offset, editions))
    return Response(page_text(page, page_links(address_of(request, settings), page)), media_type=GEOJSON)


@router.post(
    "/layers/{layer_id}/editions",
    status_code=201,
    response_model=Edition,
    openapi_extra={"requestBody": EDITION_BODY},
    summary="Add an edition of a layer",
)
async def add_edition(layer_id: LayerId, request: Request, service: ServiceDep, who: Admin) -> Response:
    """Make an edition of the file sent, check it, and put it in force; the edition before is kept."""
    with named_in_path():
        service.library.catalog.spec(layer_id)
    async with form_of(request, service.settings) as form:
        told = await run_in_threadpool(_add, service, layer_id, form, who)
    headers = {"Location": f"/v1/layers/{layer_id}/editions"}
    return Response(told.model_dump_json(), 201, headers, media_type="application/json")


@dataclass(frozen=True, slots=True)
class _Sent:
    """What the form said beside the file."""

    fields: dict[str, str]
    mapping: dict[str, str]


def _add(service: Service, layer_id: str, form: FormData, who: Caller) -> Edition:
    sent = _said(form)
    with tempfile.TemporaryDirectory(prefix="metes-edition-") as folder:
        files = {name: _saved(part, FilePath(folder) / name) for name, part in _files(form).items()}
        if "file" not in files:
            raise FormatRefused("The form holds no file; send it in a part named file.", code="empty_upload")
        request = AddRequest(
            layer_id=layer_id,
            path=files["file"],
            on=today(),
            name=_files(form)["file"].filename,
            source_layer=sent.fields.get("layer"),
            crs=sent.fields.get("crs"),
            covers=str(files["covers"]) if "covers" in files else _spoken(sent.fields.get("covers")),
            mapping=sent.mapping,
            edition=sent.fields.get("edition"),
        )
        manifest = service.library.add(request)
    named = f"{manifest.layer_id}/{manifest.part}/{manifest.edition}"
    service.audit.write("layer.add", [named], key_id=who.key_id)
    return edition_told(manifest, current=True)


def _said(form: FormData) -> _Sent:
    texts = [
        (name, value.strip()) for name, value in form.multi_items() if isinstance(value, str) and value.strip()
    ]
    unknown = sorted({name for name, _ in texts} - {*FIELDS, "map"})
    if unknown:
        raise ParameterRefused(
            f"There is no field {unknown[0][:60]!r}; the fields are {', '.join((*FIELDS, 'map'))}."
        )
    mapping = dict(pairs_of([value for name, value in texts if name == "map"], "map"))
    return _Sent({name: value for name, value in texts if name in FIELDS}, mapping)


def _spoken(covers: str | None) -> str | None:
    """Return a coverage said in words; a path of this server cannot be named from outside."""
    if covers is None or covers in ("state", "bounds", "features") or covers.startswith("town:"):
        return covers
    raise ParameterRefused(
        f"covers={covers[:60]!r} is not town:ID, state or bounds; send polygons as a file in a part named covers."
    )


def _files(form: FormData) -> dict[str, UploadFile]:
    parts: Sequence[tuple[str, Any]] = form.multi_items()
    return {name: part for name, part in parts if isinstance(part, UploadFile) and name in ("file", "covers")}


def _saved(part: UploadFile, folder: FilePath) -> FilePath:
    """Write an uploaded file under a name that holds nothing but letters, digits, dots and dashes."""
    folder.mkdir()
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", FilePath(part.filename or "").name).strip(".-")
    path = folder / (plain[-80:] or folder.name)
    with path.open("wb") as copy:
        shutil.copyfileobj(part.file, copy, 1024 * 1024)
    return path

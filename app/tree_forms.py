"""From a request about trees to the question: a JSON body, or a form with files (``FILES``)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from app.forms import form_of, is_form
from app.questions import drawn, lot_question
from app.reading import Upload
from app.schemas.trees import TreeAsked, TreesAsked
from app.settings import Settings
from app.tree_zones import TreesQuestion
from spatial.errors import CrsRefused, FormatRefused, ParameterRefused

FILES = ("trees", "lot", "work", "unavoidable")
AS_JSON = frozenset({"setbacks", "overrides", *FILES})
Model = TypeVar("Model", bound=BaseModel)


async def trees_request(request: Request, settings: Settings) -> TreesQuestion:
    """Return the question of a request.

    Raises
    ------
    FormatRefused
        ``bad_json``, or ``empty_upload`` without trees.
    ParameterRefused
        ``bad_parameter`` for a field that is not usable.
    """
    if not is_form(request):
        return trees_question(_validated(TreesAsked, await request.body()), {})
    async with form_of(request, settings) as form:
        return trees_question(_fields(form), await _uploads(form))


def trees_question(asked: TreesAsked, files: Mapping[str, Upload]) -> TreesQuestion:
    """Return the question; a file stands before what the body says under the same name.

    Raises
    ------
    CrsRefused
        ``crs_missing``: trees are given by x and y and nothing says in which system.
    """
    trees, crs = (files["trees"], asked.crs) if "trees" in files else _trees(asked)
    has_lot = asked.parcel is not None or asked.lot is not None or "lot" in files
    if not has_lot:
        _refuse_without_lot(asked)
    return TreesQuestion(
        trees=trees,
        trees_crs=crs,
        lot=lot_question(asked, files.get("lot")) if has_lot else None,
        work=files.get("work") or (drawn("work", asked.work) if asked.work is not None else None),
        work_crs=asked.crs,
        unavoidable=files.get("unavoidable")
        or (drawn("unavoidable", asked.unavoidable) if asked.unavoidable is not None else None),
        town=asked.town,
        work_accuracy_ft=asked.work_accuracy_ft,
        triggered=asked.permit_triggered,
        on=asked.on,
    )


def _refuse_without_lot(asked: TreesAsked) -> None:
    """Refuse what is said of a lot when there is none: it would be taken and do nothing."""
    idle = [name for name in ("district", "setbacks", "overrides", "no_disturb") if getattr(asked, name)]
    if idle:
        raise ParameterRefused(
            f"{idle[0]} says something of a lot, and no lot came; send parcel (its LOC_ID) or lot (its polygon)."
        )


def _trees(asked: TreesAsked) -> tuple[Upload, str | None]:
    """Return the trees of a body as GeoJSON points, and the system their numbers are in."""
    if isinstance(asked.trees, dict):
        return drawn("trees", asked.trees), asked.crs
    if not asked.trees:
        raise FormatRefused(
            "No trees were sent; list them with lon, lat and dbh_in, or send a file named trees.",
            code="empty_upload",
        )
    plane = [t for t in asked.trees if t.x is not None]
    if plane and asked.crs is None:
        raise CrsRefused(
            f"Tree {plane[0].id or 1} is given by x and y; say in which system with crs, or give lon and lat.",
            code="crs_missing",
            suggestions=("EPSG:26986", "EPSG:2249"),
        )
    if plane and len(plane) < len(asked.trees):
        raise ParameterRefused("Some trees are given by x and y and some by lon and lat; give all of them one way.")
    features = [_point(tree, number) for number, tree in enumerate(asked.trees, start=1)]
    return drawn("trees", {"type": "FeatureCollection", "features": features}), asked.crs if plane else None


def _point(tree: TreeAsked, number: int) -> dict[str, Any]:
    x, y = (tree.x, tree.y) if tree.x is not None else (tree.lon, tree.lat)
    name = tree.id or str(number)
    if x is None or y is None:
        raise ParameterRefused(f"Tree {name} has no place; give lon and lat, or x and y.", feature=name)
    told = {
        "id": name,
        "dbh_in": tree.dbh_in,
        "dbh_cm": tree.dbh_cm if tree.dbh_in is None else None,
        "stems_in": ", ".join(f"{s:.17g}" for s in tree.stems_in) or None,
        "action": tree.action,
        "dripline_ft": tree.dripline_ft,
        "caliper_in": tree.caliper_in,
    }
    return {
        "type": "Feature",
        "id": name,
        "properties": {k: v for k, v in told.items() if v is not None or k == "dbh_in"},
        "geometry": {"type": "Point", "coordinates": [x, y]},
    }


def _fields(form: FormData) -> TreesAsked:
    """Return the fields of a form; those that hold JSON are read as JSON."""
    said: dict[str, Any] = {}
    for name, value in form.multi_items():
        if isinstance(value, str) and value.strip():
            said[name] = _json(name, value) if name in AS_JSON else value
    return _validated(TreesAsked, json.dumps(said).encode())


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise FormatRefused(
            f"The field {name} does not hold JSON; send it as JSON or as a file.", code="bad_json"
        ) from error


async def _uploads(form: FormData) -> dict[str, Upload]:
    parts: dict[str, list[tuple[str, bytes]]] = {}
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            if name not in FILES:
                raise ParameterRefused(
                    f"A file came under the name {name[:40]!r}; name it one of {', '.join(FILES)}."
                )
            parts.setdefault(name, []).append((value.filename or name, await value.read()))
    return {name: _upload(files) for name, files in parts.items()}


def _upload(files: Sequence[tuple[str, bytes]]) -> Upload:
    return Upload(files[0][0], tuple(files))


def _validated(model: type[Model], body: bytes) -> Model:
    """Return a body as a model; the first fault is told as every other parameter's."""
    if not body.strip():
        raise FormatRefused(
            "The request has no body; send the trees as JSON, or files in a form.", code="empty_upload"
        )
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        if first["type"] == "json_invalid":
            raise FormatRefused("The body is not JSON; send an object with trees.", code="bad_json") from error
        raise ParameterRefused(f"{where or 'body'}: {first['msg']}.") from error

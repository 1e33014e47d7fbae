"""From a request to what was sent: GeoJSON or Esri JSON in the body, a file in the body, or files in a form.

Options come as query parameters or form fields, under one name each; saying one thing in both places is refused
when the two differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from app.forms import form_of, is_form
from app.reading import Upload
from app.settings import Settings
from spatial.errors import FormatRefused, ParameterRefused
from spatial.facts import read_day

OPTIONS = frozenset({"town", "parcel", "crs", "layer", "on", "district"})
UNNAMED = "request body"
LONGEST_VALUE = 4000
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Options:
    """What was said beside the file. ``facts`` are still as they were written."""

    town: str | None = None
    parcels: tuple[str, ...] = ()
    crs: str | None = None
    layer: str | None = None
    on: date | None = None
    district: str | None = None
    facts: Mapping[str, str] | None = None


async def read_request(request: Request, settings: Settings) -> tuple[Upload, Options]:
    """Return the upload and the options of a request.

    Raises
    ------
    FormatRefused
        ``empty_upload`` when nothing was sent.
    ParameterRefused
        ``bad_parameter`` for an option that is not usable or is said twice differently.
    """
    pairs = [(name, value) for name, value in request.query_params.multi_items()]
    if is_form(request):
        async with form_of(request, settings) as form:
            upload = await _upload_of(form)
            pairs += [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
    else:
        upload = _body(await request.body())
    return upload, options_of(pairs)


async def read_fields(request: Request, settings: Settings) -> tuple[tuple[str, str], ...]:
    """Return the query parameters and form fields of a request that sends no file; raises ``bad_parameter``."""
    pairs = list(request.query_params.multi_items())
    if is_form(request):
        async with form_of(request, settings) as form:
            pairs += [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
    return tuple(pairs)


def options_of(pairs: Iterable[tuple[str, str]]) -> Options:
    """Return the options in (name, value) pairs; names that are no option are facts.

    >>> options_of([("parcel", "A"), ("parcel", "B"), ("stored_fill_cuyd", "90")]).parcels
    ('A', 'B')
    """
    said: dict[str, list[str]] = {}
    for name, value in pairs:
        if value.strip():
            said.setdefault(name, []).append(_short(name, value.strip()))
    parcels = tuple(dict.fromkeys(said.pop("parcel", [])))
    single = {name: _one(name, values) for name, values in said.items()}
    return Options(
        town=single.get("town"),
        parcels=parcels,
        crs=single.get("crs"),
        layer=single.get("layer"),
        on=day_of(single["on"]) if "on" in single else None,
        district=single.get("district"),
        facts={name: value for name, value in single.items() if name not in OPTIONS},
    )


def day_of(text: str) -> date:
    """Return the day written ``YYYY-MM-DD``; anything else is ``bad_parameter``."""
    try:
        return read_day(text)
    except ValueError:
        raise ParameterRefused(f"on={text[:40]!r} is not a date from 1900 to 2199; write it YYYY-MM-DD.") from None


def _short(name: str, value: str) -> str:
    if len(value) > LONGEST_VALUE:
        raise ParameterRefused(f"The value of {name[:60]!r} is longer than {LONGEST_VALUE} characters; shorten it.")
    if "\ufffd" in value:
        raise ParameterRefused(f"The value of {name[:60]!r} is not UTF-8 text; send it as UTF-8.")
    if not all(c.isprintable() or c in "\n\r\t" for c in value):
        raise ParameterRefused(f"The value of {name[:60]!r} holds control characters; send plain text.")
    return value


def _one(name: str, values: list[str]) -> str:
    if len(set(values)) > 1:
        raise ParameterRefused(f"{name[:60]!r} was given {len(values)} times with different values; give it once.")
    return values[0]


def _name(given: str | None) -> str:
    """Return what the applicant called a file, as one printable word of bounded length."""
    return "".join(c if c.isprintable() else "_" for c in (given or "").strip())[-LONGEST_NAME:] or UNNAMED


def _body(content: bytes) -> Upload:
    if not content.strip():
        raise FormatRefused("The request has no body; send the work as GeoJSON, or a file.", code="empty_upload")
    return Upload(UNNAMED, ((UNNAMED, content),))


async def _upload_of(form: FormData) -> Upload:
    """Return the files of a form as one upload, under the name of the first."""
    files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
    parts = tuple([(_name(file.filename), await file.read()) for file in files])
    if not any(content for _, content in parts):
        raise FormatRefused("The form holds no file; send the work in a part named file.", code="empty_upload")
    return Upload(parts[0][0], parts)

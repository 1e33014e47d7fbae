"""Reading: one door for JSON: GeoJSON or Esri JSON by its members, anything else refused by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from spatial.errors import FormatRefused
from spatial.read import esri_json, geojson
from spatial.read.detect import ACCEPTED
from spatial.read.json_text import JsonObject, load
from spatial.read.raw import Raw, Wanted, check_only_layer


def read(path: Path, wanted: Wanted) -> Raw:
    """Return what a JSON file holds.

    Raises
    ------
    FormatRefused
        ``bad_json`` for JSON that is neither GeoJSON nor Esri JSON; ``unsupported_format`` for other known kinds.
    """
    check_only_layer(wanted)
    documents, notes = load(path, wanted.limits)
    raw = _reader(documents[0])(documents, wanted)
    return replace(raw, notes=notes + raw.notes)


def _reader(document: JsonObject) -> Callable[[Sequence[JsonObject], Wanted], Raw]:
    kind = document.get("type")
    if kind in geojson.TYPES:
        return geojson.read
    if esri_json.is_esri(document):
        return esri_json.read
    if kind == "Topology":
        raise FormatRefused(
            f"The file is TopoJSON, which is not read; export it as GeoJSON. Metes reads {ACCEPTED}."
        )
    if kind == "gdal_streamed_alg":
        raise FormatRefused(f"The file is a GDAL pipeline, a list of commands; send the site itself as {ACCEPTED}.")
    if isinstance(document.get("error"), dict):
        raise FormatRefused(
            "The file is a server's error message, not features; fetch the features again and send GeoJSON.",
            code="bad_json",
        )
    raise FormatRefused("The JSON is not GeoJSON and not Esri JSON; export the site as GeoJSON.", code="bad_json")

"""A file that a server cut short is no layer: its silence would be read as "nothing there"."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from layers.ingest.server_answer import refuse_part_of_an_answer
from layers.ingest.tables import read_rows, tables_in
from spatial.errors import FormatRefused
from spatial.read.limits import MIB

RING = [[-71.28, 42.24], [-71.279, 42.241], [-71.279, 42.24], [-71.28, 42.24]]
FEATURE = {
    "type": "Feature",
    "properties": {"PRIHAB_ID": "PH 1"},
    "geometry": {"type": "Polygon", "coordinates": [RING]},
}
ESRI = {
    "geometryType": "esriGeometryPolygon",
    "spatialReference": {"wkid": 4326},
    "fields": [{"name": "PRIHAB_ID", "type": "esriFieldTypeString"}],
    "features": [{"attributes": {"PRIHAB_ID": "PH 1"}, "geometry": {"rings": [RING]}}],
}


def collection(**members: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": [FEATURE], **members}


def read(tmp_path: Path, document: dict[str, Any]) -> int:
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(document))
    (table,) = tables_in(file, tmp_path / "room")
    return len(read_rows(table))


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (collection(exceededTransferLimit=True), "says exceededTransferLimit"),
        (collection(properties={"exceededTransferLimit": True}), "says exceededTransferLimit"),
        (ESRI | {"exceededTransferLimit": True}, "says exceededTransferLimit"),
        (collection(numberMatched=1_234, numberReturned=1), "holds 1 features and says that 1,234 match"),
        (collection(totalFeatures=2), "says that 2 match"),
        (collection(links=[{"rel": "self", "href": "a"}, {"rel": "next", "href": "b"}]), "names a next page"),
    ],
)
def test_a_page_of_more_is_refused(tmp_path: Path, document: dict[str, Any], said: str) -> None:
    with pytest.raises(FormatRefused, match=said) as refused:
        read(tmp_path, document)
    assert refused.value.code == "incomplete_source"


@pytest.mark.parametrize(
    "document",
    [
        collection(exceededTransferLimit=False, numberMatched=1, totalFeatures="unknown", links=[{"rel": "self"}]),
        ESRI | {"exceededTransferLimit": False},
        collection(name='said "rel": "next" and "exceededTransferLimit": true'),
        {"type": "FeatureCollection", "transform": {"note": "not ours"}, "features": [FEATURE]},
    ],
)
def test_what_says_it_is_whole_is_read(tmp_path: Path, document: dict[str, Any]) -> None:
    assert read(tmp_path, document) == 1


@pytest.mark.parametrize("at", [MIB - 25, MIB - 5, MIB, 2 * MIB - 12])
def test_a_saying_across_two_blocks_is_heard(tmp_path: Path, at: int) -> None:
    file = tmp_path / "answer.geojson"
    file.write_bytes(b" " * at + b'"exceededTransferLimit": true' + b" " * MIB)
    with pytest.raises(FormatRefused, match="exceededTransferLimit"):
        refuse_part_of_an_answer(file, "answer", "GeoJSON", 1)

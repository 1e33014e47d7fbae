"""Every case about reading in the shared collection, through the reader, with a listener that must hear nothing."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from listener import Listener

from app.reading import Reader, Understood, Upload
from spatial.errors import MetesError

SHARED = Path(os.environ.get("METES_SHARED") or Path(__file__).parents[2].parent / "shared")
CASES = SHARED / "cases"
KINDS = {
    "crs",
    "zip",
    "shapefile",
    "geometry",
    "json",
    "esrijson",
    "kml",
    "dxf",
    "gpkg",
    "gdb",
    "attributes",
    "security",
}
NOT_FILES = {"req-01"}

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(
        not (CASES / "cases.json").is_file(), reason="the shared cases are not beside this checkout"
    ),
]


def load(name: str) -> list[dict[str, Any]]:
    path = CASES / name
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


LISTED = [c for c in load("cases.json") if c["kind"] in KINDS and c["id"] not in NOT_FILES]
REAL = load("real/real.json")
agreed: list[str] = []


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with Listener() as listener:
        yield listener
        assert listener.heard == []


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as reader:
        yield reader


def upload_of(path: Path, listener: Listener) -> Upload:
    """The file, its made-up address replaced by one where somebody does listen."""
    upload = Upload.from_path(path)
    if len(upload.parts) > 1 or path.suffix in (".zip", ".kmz", ".gpkg"):
        return upload
    content = path.read_bytes().replace(b"127.0.0.1:9/", b"127.0.0.1:%d/" % listener.port)
    return Upload(path.name, ((path.name, content),))


def told(reader: Reader, upload: Upload, params: dict[str, Any]) -> Understood | MetesError:
    try:
        return reader.understand(upload, crs=params.get("crs"), layer=params.get("layer"))
    except MetesError as error:
        return error


def disagreements(expected: dict[str, Any], answer: Understood | MetesError) -> list[str]:
    if isinstance(answer, MetesError):
        return _refusal(expected, answer)
    return _reading(expected, answer)


def _refusal(expected: dict[str, Any], error: MetesError) -> list[str]:
    wrong = [] if expected["status"] == "error" else [f"refused: {error}"]
    codes = expected.get("codes") or [expected.get("code")]
    wrong += [] if error.code in codes else [f"code {error.code}, expected {codes}"]
    wrong += [f"{word!r} not said" for word in expected.get("message_contains", ()) if word not in error.detail]
    wrong += [f"{code} not proposed" for code in expected.get("suggest", ()) if code not in error.suggestions]
    return wrong


def _reading(expected: dict[str, Any], answer: Understood) -> list[str]:
    if expected["status"] != "ok":
        return ["was read"]
    seen, wrong = answer.inspection, []
    for name in ("crs", "n_features"):
        if name in expected and getattr(seen, name) != expected[name]:
            wrong.append(f"{name} {getattr(seen, name)}")
    if "area_sqft" in expected and abs(seen.area_sqft - expected["area_sqft"]) > expected.get("tol_sqft", 1.0):
        wrong.append(f"area {seen.area_sqft}")
    if "centroid_26986" in expected:
        off = max(
            abs(a - b) for a, b in zip(seen.centroid_26986 or (0, 0), expected["centroid_26986"], strict=True)
        )
        wrong += [f"centroid off by {off}"] if off > expected.get("centroid_tol_m", 0.05) else []
    notes = {note.code for note in seen.notes}
    wrong += [f"no note {code}" for code in expected.get("warnings", ()) if code not in notes]
    wrong += [f"no layer {name}" for name in expected.get("layers", ()) if name not in seen.layers]
    wrong += [f"no column {name}" for name in expected.get("columns", ()) if name not in seen.columns]
    return wrong + _features(expected, answer)


def _features(expected: dict[str, Any], answer: Understood) -> list[str]:
    features, wrong = answer.inspection.features, []
    for name in ("holes", "parts"):
        if name in expected and sum(getattr(f, name) for f in features) != expected[name]:
            wrong.append(f"{name} {[getattr(f, name) for f in features]}")
    if "column" in expected:
        values = [f.values[expected["column"]] for f in features]
        wrong += [] if values == expected["values"] else [f"values {values}"]
    if "ids" in expected:
        columns = [
            [None if v is None else str(v) for v in column]
            for column in zip(*(f.values.values() for f in features), strict=True)
        ]
        wrong += [] if expected["ids"] in columns else [f"ids {columns}"]
    if "has_z" in expected and any(f.has_z != expected["has_z"] for f in features):
        wrong.append("has_z")
    if "geometry_types" in expected and not set(answer.inspection.geometry_types) <= set(
        expected["geometry_types"]
    ):
        wrong.append(f"types {answer.inspection.geometry_types}")
    return wrong


def check(case: dict[str, Any], path: Path, reader: Reader, listener: Listener) -> None:
    expected = case["expected"]
    started = time.monotonic()
    answer = told(reader, upload_of(path, listener), case.get("params", {}))
    assert time.monotonic() - started < expected.get("max_seconds", 10)
    text = str(answer) if isinstance(answer, MetesError) else repr(answer.inspection)
    for secret in (*expected.get("must_not_contain", ()), "root:", "/tmp/", "Traceback", str(CASES)):
        assert secret not in text
    tried = [expected, *expected.get("alternatives", ())]
    wrong = [disagreements(one, answer) for one in tried]
    assert [] in wrong, f"{case['id']} {case.get('title', '')}: {wrong[0]}; answered {text[:400]}"
    assert listener.heard == []
    agreed.append(case["id"])


@pytest.mark.parametrize("case", LISTED, ids=lambda c: c["id"])
def test_case(case: dict[str, Any], reader: Reader, listener: Listener) -> None:
    check(case, CASES / (case["file"] or case["params"]["file"]), reader, listener)


@pytest.mark.parametrize("case", REAL, ids=lambda c: c["id"])
def test_real_file(case: dict[str, Any], reader: Reader, listener: Listener) -> None:
    check(case, CASES / case["file"], reader, listener)


def test_how_many_agree(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\nreading cases that agree: {len(agreed)} of {len(LISTED) + len(REAL)}")


@pytest.mark.parametrize(
    "probe", [p for p in load("files/req01_requests.json") if "filename" in p], ids=lambda p: p["id"]
)
def test_a_hostile_name_is_never_a_path(probe: dict[str, Any], reader: Reader, listener: Listener) -> None:
    content = (CASES / "files/crs10_geojson_26986.geojson").read_bytes()
    name = probe["filename"].replace("127.0.0.1:9", f"127.0.0.1:{listener.port}")
    seen = reader.understand(Upload(name, ((name, content),))).inspection
    assert seen.area_sqft == pytest.approx(60_000, abs=1)
    assert "/" not in seen.layer
    assert len(seen.layer) <= 80
    assert listener.heard == []


@pytest.mark.parametrize(
    "probe", [p for p in load("files/req01_requests.json") if {"crs", "layer"} & set(p)], ids=lambda p: p["id"]
)
def test_a_hostile_option_is_refused_by_name(probe: dict[str, Any], reader: Reader, listener: Listener) -> None:
    file = CASES / "files" / ("gpkg01_two_layers.gpkg" if "layer" in probe else "crs04_no_prj.zip")
    answer = told(reader, Upload.from_path(file), probe)
    assert isinstance(answer, MetesError)
    assert answer.code == ("layer_unknown" if "layer" in probe else "crs_unknown")
    assert listener.heard == []

"""Every shared case about reading, by HTTP and by command, with a listener that must hear nothing.

By command each case starts a service of its own, so by default only a few are asked that way;
``METES_ALL_CASES=1`` asks all.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lots
import pytest
from app_service import serving
from listener import Listener
from starlette.testclient import TestClient

from app.cli import run
from app.reading import Upload
from app.settings import Settings

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
PROBES = "req-01"

pytestmark = pytest.mark.shared


def load(name: str) -> list[dict[str, Any]]:
    path = CASES / name
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


LISTED = [c for c in load("cases.json") if c["kind"] in KINDS and c["id"] != PROBES]
REAL = load("real/real.json")
ALL = [*LISTED, *REAL]
FIRST = list({c["kind"]: c for c in reversed(ALL)}.values())[:4]
BY_COMMAND = ALL if os.environ.get("METES_ALL_CASES") else FIRST
agreed: dict[str, list[str]] = {"http": [], "command": []}


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with Listener() as listener:
        yield listener
        assert listener.heard == []


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("service")
    with serving(Settings(data=folder, public_rate="100000/minute")) as client:
        yield client


def file_of(case: dict[str, Any]) -> Path:
    return CASES / (case["file"] or case["params"]["file"])


def parts_of(path: Path, listener: Listener) -> list[tuple[str, bytes]]:
    """What would be sent: made-up addresses replaced by one where somebody does listen, a folder packed."""
    if path.is_dir():
        return [(f"{path.name}.zip", lots.folder_packed(path, f"{path.name}/"))]
    loose = [(name, c if isinstance(c, bytes) else c.read_bytes()) for name, c in Upload.from_path(path).parts]
    if len(loose) > 1 or path.suffix in (".zip", ".kmz", ".gpkg"):
        return loose
    return [(name, c.replace(b"127.0.0.1:9/", b"127.0.0.1:%d/" % listener.port)) for name, c in loose]


def disagreements(expected: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    if answer["status"] != "ok":
        return _refusal(expected, answer)
    return _reading(expected, answer) if expected["status"] == "ok" else ["was read"]


def _refusal(expected: dict[str, Any], problem: dict[str, Any]) -> list[str]:
    wrong = [] if expected["status"] == "error" else ["refused"]
    codes = expected.get("codes") or [expected.get("code")]
    wrong += [] if problem["code"] in codes else [f"code {problem['code']}, expected {codes}"]
    wrong += [
        f"{word!r} not said" for word in expected.get("message_contains", ()) if word not in problem["detail"]
    ]
    proposed = problem.get("suggestions") or ()
    return wrong + [f"{code} not proposed" for code in expected.get("suggest", ()) if code not in proposed]


def _reading(expected: dict[str, Any], seen: dict[str, Any]) -> list[str]:
    wrong = [f"{k} {seen[k]}" for k in ("crs", "n_features") if k in expected and seen[k] != expected[k]]
    if "area_sqft" in expected and abs(seen["area_sqft"] - expected["area_sqft"]) > expected.get("tol_sqft", 1.0):
        wrong.append(f"area {seen['area_sqft']}")
    if "centroid_26986" in expected:
        off = max(abs(a - b) for a, b in zip(seen["centroid_26986"], expected["centroid_26986"], strict=True))
        wrong += [f"centroid off by {off}"] if off > expected.get("centroid_tol_m", 0.05) else []
    notes = {note["code"] for note in seen["notes"]}
    wrong += [f"no note {code}" for code in expected.get("warnings", ()) if code not in notes]
    wrong += [f"no layer {name}" for name in expected.get("layers", ()) if name not in seen["layers"]]
    wrong += [f"no column {name}" for name in expected.get("columns", ()) if name not in seen["columns"]]
    return wrong + _features(expected, seen)


def _features(expected: dict[str, Any], seen: dict[str, Any]) -> list[str]:
    features = seen["features"]
    wrong = [
        f"{name} {[f[name] for f in features]}"
        for name in ("holes", "parts")
        if name in expected and sum(f[name] for f in features) != expected[name]
    ]
    if "column" in expected:
        values = [f["values"][expected["column"]] for f in features]
        wrong += [] if values == expected["values"] else [f"values {values}"]
    if "ids" in expected:
        columns = [list(column) for column in zip(*(f["values"].values() for f in features), strict=True)]
        texts = [[None if v is None else str(v) for v in column] for column in columns]
        wrong += [] if expected["ids"] in texts else [f"ids {texts}"]
    wrong += ["has_z"] if "has_z" in expected and any(f["has_z"] != expected["has_z"] for f in features) else []
    kinds = set(seen["geometry_types"]) - set(expected.get("geometry_types", seen["geometry_types"]))
    return wrong + [f"types {kinds}" for _ in kinds]


def check(case: dict[str, Any], answer: dict[str, Any], text: str, face: str) -> None:
    """The answer is one that the case accepts, and tells nothing of this machine."""
    expected = case["expected"]
    for secret in (*expected.get("must_not_contain", ()), "root:", "/tmp/", "Traceback", str(CASES)):
        assert secret not in text
    wrong = [disagreements(one, answer) for one in (expected, *expected.get("alternatives", ()))]
    assert [] in wrong, f"{case['id']} {case.get('title', '')}: {wrong[0]}; answered {text[:500]}"
    agreed[face].append(case["id"])


@pytest.mark.parametrize("case", ALL, ids=lambda c: c["id"])
def test_by_http(case: dict[str, Any], client: TestClient, listener: Listener) -> None:
    files = [("file", part) for part in parts_of(file_of(case), listener)]
    options = {k: v for k, v in case.get("params", {}).items() if k != "file"}
    began = time.monotonic()
    response = client.post("/v1/inspections", files=files, data=options)
    assert time.monotonic() - began < case["expected"].get("max_seconds", 10)
    assert response.status_code in (200, 413, 415, 422), response.text
    check(case, response.json(), response.text, "http")
    assert listener.heard == []


@pytest.mark.parametrize("case", BY_COMMAND, ids=lambda c: c["id"])
def test_by_command(
    case: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str], listener: Listener
) -> None:
    options = [f"--{k}={v}" for k, v in case.get("params", {}).items() if k != "file"]
    code = run(["--data", str(tmp_path), "inspect", str(file_of(case)), "--json", *options])
    out, _ = capfd.readouterr()
    answer = json.loads(out)
    assert code == (0 if answer["status"] == "ok" else 2)
    check(case, answer, out, "command")
    assert listener.heard == []


def test_how_many_agree(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(
            f"\nreading cases that agree: {len(agreed['http'])} of {len(ALL)} by HTTP, "
            f"{len(agreed['command'])} of {len(BY_COMMAND)} by command"
        )


PROBED = load("files/req01_requests.json")


@pytest.mark.parametrize("probe", [p for p in PROBED if "filename" in p], ids=lambda p: p["id"])
def test_a_hostile_name_is_never_a_path(probe: dict[str, Any], client: TestClient, listener: Listener) -> None:
    content = (CASES / "files/crs10_geojson_26986.geojson").read_bytes()
    name = probe["filename"].replace("127.0.0.1:9", f"127.0.0.1:{listener.port}")
    reader = client.app.state.service.reader  # type: ignore[attr-defined]  # the client would tame the name
    seen = reader.understand(Upload(name, ((name, content),))).inspection
    assert seen.area_sqft == pytest.approx(60_000, abs=1)
    assert "/" not in seen.layer
    assert len(seen.layer) <= 80
    assert listener.heard == []


@pytest.mark.parametrize("probe", [p for p in PROBED if {"crs", "layer"} & set(p)], ids=lambda p: p["id"])
def test_a_hostile_option_is_refused_by_name(probe: dict[str, Any], client: TestClient, listener: Listener) -> None:
    file = CASES / "files" / ("gpkg01_two_layers.gpkg" if "layer" in probe else "crs04_no_prj.zip")
    options = {k: v for k, v in probe.items() if k in ("crs", "layer")}
    response = client.post("/v1/inspections", files={"file": (file.name, file.read_bytes())}, data=options)
    assert response.status_code == 422
    assert response.json()["code"] == ("layer_unknown" if "layer" in probe else "crs_unknown")
    assert listener.heard == []

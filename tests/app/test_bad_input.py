"""Every kind of bad input, by HTTP and by the command line: a code, a sentence, and nothing kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from app_service import ON, Said, square, without
from starlette.testclient import TestClient

from layers.demo.make import Demo

NAMES = {"wrong file": "picture.png", "no crs": "site.zip", "empty": "empty.geojson"}


def contents(case: str, demo: Demo, mill: bytes) -> bytes:
    line = {"type": "LineString", "coordinates": [[-71.3, 42.2], [-71.2, 42.3]]}
    made = {
        "no crs": lambda: without((demo.data / "samples" / "mill-street.zip").read_bytes(), ".prj"),
        "wrong file": lambda: b"\x89PNG\r\n\x1a\n" + bytes(64),
        "no polygon": lambda: json.dumps({"type": "Feature", "properties": {}, "geometry": line}).encode(),
        "outside": lambda: json.dumps(square(-122.4, 37.8)).encode(),
        "not json": lambda: b'{"type": "Feature", ',
        "empty": lambda: b"",
    }
    return made.get(case, lambda: mill)()


CASES = [
    ("no crs", {}, "crs_missing", 422),
    ("fine", {"crs": "EPSG:999999"}, "crs_unknown", 422),
    ("fine", {"crs": "+proj=pipeline +step +proj=hgridshift +grids=/etc/passwd"}, "crs_unknown", 422),
    ("fine", {"crs": "http://127.0.0.1:9/epsg.wkt"}, "crs_unknown", 422),
    ("wrong file", {}, "unsupported_format", 415),
    ("no polygon", {}, "no_polygon", 422),
    ("outside", {}, "outside_area", 422),
    ("not json", {}, "bad_json", 422),
    ("empty", {}, "empty_upload", 422),
    ("fine", {"parcel": "F_1_2"}, "parcel_unknown", 422),
    ("fine", {"town": "atlantis"}, "town_unknown", 422),
    ("fine", {"town": "9999"}, "town_unknown", 422),
    ("fine", {"layer": '"; DROP TABLE parcels; --'}, "layer_unknown", 422),
    ("fine", {"on": "tomorrow"}, "bad_parameter", 422),
    ("fine", {"stored_fill_cuyd": "lots"}, "bad_parameter", 422),
    ("fine", {"stored_fill_cuyd": "NaN"}, "bad_parameter", 422),
    ("fine", {"stored_fill_cuyd": "-100"}, "bad_parameter", 422),
    ("fine", {"no_such_fact": "1"}, "bad_parameter", 422),
]
BY_COMMAND = (0, 1, 4, 5, 6, 8, 9, 10, 13, 14, 17)
"""One of each kind; the service under both is the same."""


@pytest.mark.parametrize(("case", "said", "code", "status"), CASES)
def test_by_http(
    case: str,
    said: dict[str, str],
    code: str,
    status: int,
    web: TestClient,
    demo: Demo,
    mill: bytes,
    kept: Callable[[], int],
) -> None:
    before = kept()
    files = {"file": (NAMES.get(case, "site.geojson"), contents(case, demo, mill))}
    refused = web.post("/v1/screenings", params=said, files=files)
    told = refused.json()
    assert (refused.status_code, told["code"], told["status"]) == (status, code, status), told
    assert refused.headers["content-type"] == "application/problem+json"
    assert len(told["detail"]) > 20
    assert "Traceback" not in refused.text
    assert str(demo.data) not in refused.text
    assert kept() == before


@pytest.mark.parametrize(("case", "said", "code", "status"), [CASES[n] for n in BY_COMMAND])
def test_by_command(
    case: str,
    said: dict[str, str],
    code: str,
    status: int,
    metes: Callable[..., Said],
    demo: Demo,
    mill: bytes,
    tmp_path: Path,
) -> None:
    path = tmp_path / NAMES.get(case, "site.geojson")
    path.write_bytes(contents(case, demo, mill))
    options = [
        word
        for name, value in said.items()
        for word in (
            [f"--{name}", value]
            if name in {"crs", "parcel", "town", "layer", "on"}
            else ["--fact", f"{name}={value}"]
        )
    ]
    result = metes("screen", str(path), *options, "--out", str(tmp_path / "out.json"))
    assert (result.code, result.out) == (2, ""), result
    assert result.err.startswith(f"{code}: ")
    assert result.err.count("\n") == 1
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("screen", "nowhere.geojson"), "bad_parameter"),
        (("screen",), "bad_parameter"),
        (("screen", "x.geojson", "--format", "xml"), "bad_parameter"),
        (("screen", "x.geojson", "--fact", "stored_fill_cuyd"), "bad_parameter"),
        (("scren",), "bad_parameter"),
        (("keys", "create", "--role", "king", "--name", "x"), "bad_parameter"),
        (("keys", "revoke", "abc"), "not_found"),
    ],
)
def test_wrong_words_are_refused(words: tuple[str, ...], code: str, metes: Callable[..., Said]) -> None:
    result = metes(*words)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"{code}: ")


def test_inspect_tells_a_refusal_as_a_problem_when_asked_for_json(
    metes: Callable[..., Said], tmp_path: Path
) -> None:
    path = tmp_path / "x.geojson"
    path.write_text(json.dumps(square(-122.4, 37.8)))
    result = metes("inspect", str(path), "--json")
    assert (result.code, result.json()["code"], result.json()["status"]) == (2, "outside_area", 422)
    plain = metes("inspect", str(path))
    assert (plain.code, plain.out) == (2, "")


def test_without_any_layer_the_answer_says_it_does_not_know(
    metes: Callable[..., Said], demo: Demo, tmp_path: Path
) -> None:
    sample = str(demo.sample(demo.sites[0]))
    result = metes("screen", sample, "--town", "dover", "--on", ON, "--format", "json", data=tmp_path / "empty")
    told = result.json()
    assert result.code == 0
    assert {finding["status"] for finding in told["findings"]} == {"not_checked"}
    results = {one["rule"]: one["result"] for one in told["determinations"]}
    assert results["dover-159.resource_area"] == "indeterminate"
    assert results["ma-310cmr10.buffer_zone"] == "indeterminate"

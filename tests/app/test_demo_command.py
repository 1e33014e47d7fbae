"""``metes demo``: offline, in a folder of its own, quick; its answers are those worked out by hand here."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from app_service import Said

from app.cli import run
from layers.demo.make import Demo

Metes = Callable[..., Said]
SECONDS = 20.0
"""Of one processor, all processes together: the clock on the wall would measure the other tests too."""


def _command(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("METES_")}
    return subprocess.run(
        [sys.executable, "-c", "from app.cli import main; main()", *words],
        cwd=cwd,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _seconds_worked() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture(scope="module")
def screened(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the screening of the house on Mill Street, as JSON."""
    data = shutil.copytree(demo.data, tmp_path_factory.mktemp("screened") / "data")
    out = data.parent / "out.json"
    words = ["screen", str(demo.sample(demo.sites[0])), "--fact", "stored_fill_cuyd=120", "--on", "2026-11-30"]
    assert run(["--data", str(data), *words, "--format", "json", "--out", str(out)]) == 0
    told: dict[str, Any] = json.loads(out.read_text())
    return told


def _finding(told: dict[str, Any], theme: str, layer: str) -> dict[str, Any]:
    (found,) = [f for f in told["findings"] if (f["theme"], f["layer"]["id"]) == (theme, layer)]
    return dict(found)


def _rule(told: dict[str, Any], rule: str) -> dict[str, Any]:
    (found,) = [d for d in told["determinations"] if d["rule"] == rule]
    return dict(found)


def test_work_is_measured_as_it_was_drawn(screened: dict[str, Any]) -> None:
    # house 60 x 50, drive 70 x 60, garden 60 x 40; house and drive overlap by 60 x 10
    assert screened["disturbance"]["area_sqft"] == pytest.approx(3_000 + 4_200 + 2_400 - 600, abs=0.1)
    # one outline 70 wide below and 60 wide above, 140 high
    assert screened["disturbance"]["perimeter_ft"] == pytest.approx(2 * (70 + 140), abs=0.02)
    (lot,) = screened["parcels"]
    assert (lot["site_address"], lot["town_id"]) == ("408 MILL ST", 901)
    assert lot["area_sqft"] == pytest.approx(160 * 250, abs=0.1)
    assert lot["disturbed_percent"] == pytest.approx(100 * 9_000 / 40_000, abs=0.01)
    assert screened["disturbance"]["outside_parcels_sqft"] == 0.0


def test_watersheds_split_the_work_at_the_divide(screened: dict[str, Any]) -> None:
    # the divide runs 35 ft east of the work's west side, over its whole height of 140 ft
    west = 100 * 35 * 140 / 9_000
    shares = {share["code"]: share["percent"] for share in screened["watersheds"]["huc12"]}
    assert shares == pytest.approx({"019900010101": west, "019900010102": 100 - west}, abs=0.01)
    assert [share["code"] for share in screened["watersheds"]["huc10"]] == ["0199000101"]


def test_buffer_zone_rings_are_the_strips_of_the_drawing(screened: dict[str, Any]) -> None:
    buffer = _finding(screened, "buffer_zone", "wetlands")
    assert (buffer["status"], buffer["certainty"], buffer["relation"]) == ("affected", "certain", "near")
    assert buffer["nearest_ft"] == pytest.approx(60.0, abs=0.01)
    # the swamp's edge runs straight, 60 ft north of the garden: strips of 40, 50 and 50 ft of the work
    rings = {(z["from_ft"], z["to_ft"]): z["disturbance_sqft"] for z in buffer["zones"] if z["disturbance_sqft"]}
    strips = {(50, 100): 60 * 40, (100, 150): 60 * 40 + 70 * 10, (150, 200): 70 * 50}
    assert rings == pytest.approx(strips, abs=0.5)
    assert [f["label"] for f in buffer["features"]] == ["SHRUB SWAMP"]


@pytest.mark.parametrize(
    ("theme", "layer", "status", "certainty", "nearest_ft"),
    [
        ("wetlands", "wetlands", "none_mapped", "certain", 60.0),
        ("riverfront", "streams", "none_mapped", "certain", 2_960 - 2_700),
        ("floodplain", "floodplain", "not_affected", "too_close_to_call", 2_725 - 2_700),
        # corner to corner: 1,100 ft east and 600 ft north; 1,300 and 700
        ("priority_habitat", "priority_habitat", "not_affected", "certain", (1_100**2 + 600**2) ** 0.5),
        ("estimated_habitat", "estimated_habitat", "not_affected", "certain", (1_300**2 + 700**2) ** 0.5),
        # from the drive's north-west corner (4,040, 2,700) to the pool (2,200, 3,700)
        ("vernal_pools", "certified_vernal_pools", "none_mapped", "certain", (1_840**2 + 1_000**2) ** 0.5),
    ],
)
def test_findings_by_hand(
    screened: dict[str, Any], theme: str, layer: str, status: str, certainty: str, nearest_ft: float
) -> None:
    found = _finding(screened, theme, layer)
    assert (found["status"], found["certainty"]) == (status, certainty)
    assert found["nearest_ft"] == pytest.approx(nearest_ft, abs=0.01)


def test_every_theme_answers_on_the_invented_towns(screened: dict[str, Any]) -> None:
    assert not [f for f in screened["findings"] if f["status"] in ("not_checked", "no_data")]


def test_cells_by_hand(screened: dict[str, Any]) -> None:
    """A barn floor of 30 x 20 ft; ground falls 6 in 100 to the flood's 142 ft at y 2,725; cells are 20 ft."""
    paved = _finding(screened, "impervious", "impervious")
    assert (paved["disturbance_sqft"], paved["percent_of_disturbance"]) == (600.0, 6.67)
    assert paved["certainty"] == "too_close_to_call"
    ground = _finding(screened, "slope", "elevation")["grid"]
    assert (ground["slope_mean_percent"], ground["slope_max_percent"]) == (6.0, 6.0)
    heights = 142 + 0.06 * (2_725 - 2_690), 142 + 0.06 * (2_725 - 2_570)
    assert (ground["elevation_min_ft"], ground["elevation_max_ft"]) == pytest.approx(heights, abs=0.01)


@pytest.mark.parametrize(
    ("rule", "result", "certainty", "measured", "threshold"),
    [
        # the lesser of 5,500 and a quarter of 40,000
        ("dover-159.grade_change", "triggered", "certain", 3_000 + 4_200 - 600, 5_500),
        ("dover-159.clearing", "not_triggered", "too_close_to_call", 3_000 + 2_400, 5_500),
        ("dover-159.fill_storage", "triggered", "certain", 120, 100),
        ("dover-159.resource_area", "triggered", "certain", 60, 150),
        ("dover-181.storm_line", "triggered", "certain", 25, 100),
        ("ma-310cmr10.buffer_zone", "triggered", "certain", 60, 100),
    ],
)
def test_rules_by_hand(
    screened: dict[str, Any], rule: str, result: str, certainty: str, measured: float, threshold: float
) -> None:
    found = _rule(screened, rule)
    assert (found["result"], found["certainty"]) == (result, certainty)
    assert found["measured"] == pytest.approx(measured, abs=0.01)
    assert found["threshold"] == pytest.approx(threshold)


def _areas(told: dict[str, Any]) -> dict[str, float]:
    work = told["disturbance"]
    return {"": work["area_sqft"], **{one["activity"]: one["area_sqft"] for one in work["by_activity"]}}


@pytest.mark.parametrize("name", ["mill-street.zip", "mill-street-2249.zip"])
def test_every_sample_format_gives_the_same_ground(
    demo: Demo, metes: Metes, screened: dict[str, Any], name: str
) -> None:
    told = metes("screen", str(demo.data / "samples" / name), "--format", "json").json()
    assert _areas(told) == pytest.approx(_areas(screened), abs=0.1)
    assert told["input"]["crs"] == ("EPSG:2249" if "2249" in name else "EPSG:26986")


def test_second_site_is_over_an_acre_and_near_habitat(demo: Demo, metes: Metes) -> None:
    told = metes("screen", str(demo.sample(demo.sites[1])), "--format", "json").json()
    acre = _rule(told, "lynnfield-320.land_disturbance")
    assert (acre["result"], acre["measured"]) == ("triggered", pytest.approx(240 * 200, abs=0.5))
    habitat = _rule(told, "lynnfield-320.habitat_500ft")
    assert (habitat["result"], habitat["measured"]) == ("triggered", pytest.approx(9_700 - 9_340, abs=0.01))
    assert told["town"]["name"] == "Lynnmere (invented)"


def test_geojson_draws_work_lot_and_swamp(demo: Demo, metes: Metes) -> None:
    told = metes("screen", str(demo.sample(demo.sites[0])), "--format", "geojson").json()
    drawn = {feature["id"]: feature["properties"] for feature in told["features"]}
    assert {properties["what"] for properties in drawn.values()} == {"disturbance", "parcel", "hit"}
    assert any(p["what"] == "hit" and p["label"] == "SHRUB SWAMP" for p in drawn.values())
    longitude, latitude = told["features"][0]["geometry"]["coordinates"][0][0]
    assert -72.4 < longitude < -72.2
    assert 42.3 < latitude < 42.5


def test_demo_in_a_clean_folder_is_quick_and_says_what_it_is(tmp_path: Path) -> None:
    before = _seconds_worked()
    done = _command("demo", "--no-serve", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _seconds_worked() - before < SECONDS
    assert (tmp_path / "demo-data" / "layers").is_dir()
    assert "6,600 sq ft, limit 5,500 sq ft: 1,100 sq ft over" in done.stdout
    assert "TOO CLOSE TO CALL" in done.stdout
    assert "WHAT TO DO NEXT" in done.stdout
    assert "invented" in done.stderr
    again = _command("demo", "--no-serve", cwd=tmp_path)
    assert again.stdout == done.stdout
    assert "loaded" not in again.stderr


def test_the_towns_own_folder_is_never_touched(tmp_path: Path, demo: Demo) -> None:
    town = tmp_path / "town"
    (town / "layers").mkdir(parents=True)
    shutil.copytree(demo.data, tmp_path / "demo-data")
    done = _command("demo", "--no-serve", cwd=tmp_path, METES_DATA=str(town))
    assert done.returncode == 0, done.stderr
    assert [path.name for path in town.rglob("*")] == ["layers"]


def test_a_named_folder_with_other_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "town" / "layers").mkdir(parents=True)
    done = _command("--data", "town", "demo", "--no-serve", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("conflict: The folder 'town' holds data that is not the demo's")


@pytest.fixture
def served(tmp_path: Path, demo: Demo) -> Iterator[str]:
    """Run ``metes demo`` with its service on a free port and return its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shutil.copytree(demo.data, tmp_path / "demo-data")
    words = [sys.executable, "-c", "from app.cli import main; main()", "demo", "--port", str(port)]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)


def test_demo_serves_what_it_screened(served: str) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            health = httpx2.get(f"{served}/healthz", timeout=5)
            break
        except httpx2.TransportError:
            time.sleep(0.2)
    else:
        pytest.fail("the demo did not answer within 30 seconds")
    assert health.json()["status"] == "ready"
    parcels = httpx2.get(f"{served}/v1/parcels", params={"q": "408 mill"}, timeout=10).json()["parcels"]
    assert parcels[0]["site_address"] == "408 MILL ST"

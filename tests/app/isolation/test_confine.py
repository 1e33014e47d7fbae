"""The confined process: what it holds, whom it reaches, what the kernel refuses it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyogrio
import pytest

from app.isolation import child, confine
from app.isolation.drivers import ALLOWED, KNOWN_OTHERS, left_over
from app.isolation.limits import ProcessLimits
from app.isolation.pool import environment


def test_importing_the_reader_loads_no_gdal() -> None:
    loaded = "[m for m in sys.modules if m.startswith(('pyogrio', 'rasterio', 'osgeo', 'fiona'))]"
    check = f"import sys, app.reading, app.schemas.inspection; print({loaded})"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_drivers_named_are_those_of_this_gdal() -> None:
    assert set(pyogrio.list_drivers()) - ALLOWED <= set(KNOWN_OTHERS.split(","))
    assert left_over(["GPKG", "WFS", "ESRI Shapefile", "CSV"]) == ("CSV", "WFS")


def started(tmp_path: Path, env: dict[str, str]) -> dict[str, Any]:
    """What the reading process says of itself at its start."""
    with subprocess.Popen(
        [sys.executable, "-I", "-B", child.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=env,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        process.kill()
    return said


def test_a_driver_nobody_knew_is_found_at_the_start_and_skipped(tmp_path: Path) -> None:
    assert started(tmp_path, environment() | {"GDAL_SKIP": "OGR_VRT"})["ready"] is True
    stuck = environment() | {"GDAL_SKIP": "OGR_VRT", "METES_DRIVERS_RETRIED": "1"}
    said = started(tmp_path, stuck)
    assert said["ready"] is False
    assert "WFS" in said["why"]


def test_the_environment_of_a_reading_holds_nothing_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METES_DATABASE_URL", "postgresql://secret")
    assert "secret" not in repr(environment())
    assert environment()["PROJ_NETWORK"] == "OFF"


def in_fork(act: Callable[[], object]) -> str:
    """What an action gives in a forked and confined process; an error by its name."""
    reading, writing = os.pipe()
    number = os.fork()
    if number == 0:
        try:
            result = repr(act())
        except BaseException as error:  # the report of a process about to end
            result = type(error).__name__
        os.write(writing, result.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(number, 0)
    return said


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_confined_process_reads_no_file_of_the_machine_and_reaches_nobody(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("secret")
    room = tmp_path / "room"
    room.mkdir()

    def confined(act: Callable[[], object]) -> Callable[[], object]:
        def run() -> object:
            if not confine.only_folders(child._readable(), room):
                return "not granted"
            return act()

        return run

    if in_fork(confined(lambda: "granted")) != "'granted'":
        return  # this kernel has no Landlock; a reading then stands behind the other layers
    assert in_fork(confined(outside.read_text)) == "PermissionError"
    assert in_fork(confined(lambda: Path("/etc/passwd").read_text())) == "PermissionError"
    assert in_fork(confined(lambda: (tmp_path / "new").write_text("x"))) == "PermissionError"
    assert in_fork(confined(lambda: (room / "new").write_text("x"))) == "1"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_confined_process_can_signal_nobody_else(tmp_path: Path) -> None:
    def call() -> object:
        if not confine.only_folders((), tmp_path):
            return "not granted"
        os.kill(os.getppid(), 0)
        return "reached"

    said = in_fork(call)
    if said in ("'not granted'", "'reached'"):
        return  # this kernel's Landlock does not watch signals
    assert said == "PermissionError"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_network_of_ones_own_leads_nowhere() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()

        def call() -> object:
            if not confine.without_network():
                return "not granted"
            socket.create_connection(address, timeout=2)
            return "reached"

        said = in_fork(call)
    if said == "'not granted'":
        return  # this kernel grants none to us; a reading then stands behind the other layers
    assert said == "OSError"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_the_kernels_limits_hold(tmp_path: Path) -> None:
    limits = ProcessLimits(memory_bytes=1_500 * 2**20, file_bytes=1_000, open_files=20)

    def limited(act: Callable[[], object]) -> Callable[[], object]:
        def run() -> object:
            confine.within_limits(limits)
            return act()

        return run

    assert in_fork(limited(lambda: len(bytearray(3 * 2**30)))) == "MemoryError"
    assert in_fork(limited(lambda: (tmp_path / "big").write_bytes(b"x" * 2_000))) in ("OSError", "")
    assert in_fork(limited(lambda: [os.open(os.devnull, os.O_RDONLY) for _ in range(30)])) == "OSError"

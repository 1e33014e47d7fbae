"""A sync killed at any moment: the library opens on a whole edition, the old one or the new one, never on neither.

``METES_KILLS=50`` kills fifty times; the usual run kills eight times.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from layers.library import Library
from layers.sources.ground import Ground
from layers.sources.sync import sync

sys.path.insert(0, str(Path(__file__).parent))
from brought import catalog, errand, source
from standin import Service, running, square

HERE = Path(__file__).parent
KILLS = int(os.environ.get("METES_KILLS", "8"))
GROUND = Ground("dover", (), (217_000.0, 888_000.0, 218_000.0, 889_000.0))


def version(number: int) -> dict[int, dict[str, object]]:
    """Return the layer as the agency has it for the time being: one feature more each time, all told which."""
    rows = {oid: square(oid) for oid in range(1, 40 + number)}
    for oid, row in rows.items():
        row["attributes"] = {"OBJECTID": oid, "PRIHAB_ID": f"PH {oid}", "VERSION": str(number)}
    return rows


def begin(data: Path, url: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(HERE / "one_sync.py"), str(data), url]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def shown(data: Path) -> int:
    """Open the library as a fresh process would and return which version it holds, whole."""
    library = Library(data)
    (frame,) = library.frame("priority_habitat")
    versions = set(frame.attributes["version"])
    assert len(versions) == 1, "a mixture of two versions is in force"
    number = int(versions.pop())
    assert len(frame) == 39 + number
    assert library.snapshot().status("priority_habitat").failed is None
    assert [c for c in library.verify("priority_habitat") if not c.ok] == []
    return number


@pytest.mark.slow
def test_a_sync_killed_at_any_moment_leaves_a_whole_edition_in_force(tmp_path: Path) -> None:
    """The first half of the kills come at random moments of a sync, the others near its end, where the swap is."""
    chance, data = random.Random(25), tmp_path / "data"
    server = Service(version(0), limit=10, columns=("PRIHAB_ID", "VERSION"), slow_s=0.01)
    with running(server) as url:
        with errand(data, catalog("priority_habitat", source(url))) as run:
            assert sync(run, ["priority_habitat"], GROUND)[0].outcome == "new"
        began = time.monotonic()
        assert begin(data, url).wait() == 0
        whole_s, held, killed, number = time.monotonic() - began, 0, 0, 0
        while number < KILLS or (killed < KILLS // 2 and number < 4 * KILLS):
            number += 1
            server.rows = version(number)
            process = begin(data, url)
            earliest = 0.0 if number % 2 else 0.7
            time.sleep(chance.uniform(earliest, 1.05) * whole_s)
            killed += process.poll() is None
            process.send_signal(signal.SIGKILL)
            process.wait()
            now = shown(data)
            assert now in (held, number), f"version {now} is in force after {held}, while {number} was fetched"
            held = now
        assert killed >= KILLS // 2, "too few were killed while they ran"
        server.rows = version(number + 1)
        assert begin(data, url).wait() == 0
    assert shown(data) == number + 1
    assert [p for p in (data / "layers" / ".aside").iterdir()] == []

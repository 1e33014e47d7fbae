"""The process that reads strangers' files. Started as a script; it forks once for every job.

It loads everything once, then waits for the name of a room on its standard input. For each it forks a process
that is confined, reads the one job in the room, writes the answer there and ends: nothing of one upload lives on
into the next, and a small file costs a fork, not a start of Python. It never reads a stranger's byte itself.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

if __name__ == "__main__":  # before anything heavy: a network namespace needs a process of one thread
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import json
import select
import signal
import site
import time
from typing import Any

from app.isolation.confine import die_with_parent, only_folders, within_limits, without_network, without_privileges
from app.isolation.drivers import left_over
from app.isolation.limits import ProcessLimits

ANSWER = "answer.json"
JOB = "job.json"
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
_RETRIED = "METES_DRIVERS_RETRIED"


def main() -> None:
    """Load, confine, say that one is ready, and serve until the input ends."""
    without_privileges()
    network = not without_network()
    reader = _load()
    _say({"ready": True, "network": network})
    for line in sys.stdin:
        request = json.loads(line)
        _serve(reader, Path(request["room"]), ProcessLimits(**request["limits"]))


def _load() -> Any:
    """Import GDAL and the readers, and make sure that only the drivers we allow are there."""
    import pyogrio  # noqa: PLC0415  (the environment must be set before GDAL is loaded)

    strangers = left_over(pyogrio.list_drivers())
    if strangers:
        _start_again(strangers)
    from app.isolation import job  # noqa: PLC0415  (the same)

    job.warm()
    return job


def _start_again(strangers: tuple[str, ...]) -> None:
    """Start this script once more with the drivers found now skipped too; give up when that did not help."""
    if os.environ.get(_RETRIED):
        _say({"ready": False, "why": f"drivers that must not be there: {', '.join(strangers)}"})
        sys.exit(1)
    skipped = ",".join(filter(None, (os.environ.get("GDAL_SKIP"), *strangers)))
    os.environ.update({"GDAL_SKIP": skipped, _RETRIED: "1"})
    os.execv(sys.executable, [sys.executable, "-I", "-B", str(Path(__file__).resolve())])  # noqa: S606


def _say(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _serve(reader: Any, room: Path, limits: ProcessLimits) -> None:
    """Fork for one job, wait for it within the wall clock, and say how it ended."""
    child = os.fork()
    if child == 0:
        _read_and_end(reader, room, limits)
    _say({"pid": child})
    in_time = _wait(child, limits.wall_seconds)
    if not in_time:
        _kill(child)
    _, status = os.waitpid(child, 0)
    _kill(child)  # whatever it left in its group
    _say({"in_time": in_time, "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0})


def _wait(child: int, seconds: float) -> bool:
    """Return whether a child ended in time, without taking its status."""
    handle = os.pidfd_open(child)
    try:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if select.select([handle], [], [], left)[0]:
                return True
        return False
    finally:
        os.close(handle)


def _kill(group: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def _read_and_end(reader: Any, room: Path, limits: ProcessLimits) -> None:
    """In the forked process: confine, read, write the answer, end. Never returns."""
    try:
        os.setsid()
        die_with_parent()
        _close_streams()
        os.chdir(room)
        within_limits(limits)
        only_folders(_readable(), room)
        (room / ANSWER).write_bytes(reader.answer(room / JOB, room))
    finally:
        os._exit(0)


def _close_streams() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def _readable() -> tuple[Path, ...]:
    """Return the folders that hold Python, its libraries and us; nothing of the machine's own."""
    ours = Path(__file__).resolve().parents[2]
    places = {sys.prefix, sys.base_prefix, *site.getsitepackages()}
    return (ours / "app", ours / "spatial", *map(Path, sorted(places)), *map(Path, _LIBRARIES))


if __name__ == "__main__":
    main()

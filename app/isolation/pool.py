"""A few warm reading processes, a short line before them, and what becomes of a job that ends badly."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.isolation import child
from app.isolation.drivers import KNOWN_OTHERS
from app.isolation.limits import ProcessLimits
from spatial.errors import FormatRefused, GeometryRefused, Internal, Unavailable

_GRACE_SECONDS = 3.0
_OUT_OF_TIME = (signal.SIGXCPU,)


class Pool:
    """Reading processes, started when first needed and one ahead.

    Parameters
    ----------
    workers
        How many readings run at the same time.
    limits
        What each may take, and how many may wait.
    """

    def __init__(self, workers: int, limits: ProcessLimits) -> None:
        self._limits = limits
        self._slots = threading.BoundedSemaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[_Worker] = [_Worker(limits)]
        self._waiting = 0
        self._closed = False

    def run(self, room: Path) -> bytes:
        """Return the answer to the job in a room.

        Raises
        ------
        Unavailable
            ``busy`` when too many wait already, or the wait was too long.
        FormatRefused, GeometryRefused
            ``corrupt_file`` when reading crashed, ``timeout`` when it took too long.
        """
        with self._slot():
            ending = self._run_in_one(room)
        return self._answer(room, ending)

    def _run_in_one(self, room: Path) -> dict[str, Any]:
        """Return how a job ended; a process found dead before it began is replaced once, without a word."""
        for _ in range(2):
            worker = self._take()
            try:
                ending = worker.run(room)
            except _Lost:
                worker.close()
                continue
            except BaseException:
                worker.close()
                raise
            self._give_back(worker)
            return ending
        raise interrupted()

    @contextmanager
    def _slot(self) -> Iterator[None]:
        if not self._slots.acquire(blocking=False):
            self._wait_in_line()
        try:
            yield
        finally:
            self._slots.release()

    def _wait_in_line(self) -> None:
        with self._lock:
            if self._waiting >= self._limits.waiting:
                raise busy()
            self._waiting += 1
        try:
            if not self._slots.acquire(timeout=self._limits.wait_seconds):
                raise busy()
        finally:
            with self._lock:
                self._waiting -= 1

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise Unavailable("The service is closing; send the file again in a minute.", code="busy")
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    return worker
                worker.close()
            return _Worker(self._limits)

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            if not self._closed and worker.alive:
                self._idle.append(worker)
                return
        worker.close()

    def _answer(self, room: Path, ending: dict[str, Any]) -> bytes:
        number = int(ending.get("signal", 0))
        if not ending.get("in_time") or number in _OUT_OF_TIME:
            raise GeometryRefused(
                f"Reading the file took longer than {self._limits.wall_seconds:.0f} seconds and was ended; "
                "send a simpler file that holds only the site.",
                code="timeout",
            )
        answer = room / child.ANSWER
        if number or not answer.is_file():
            raise FormatRefused(
                "Reading the file failed half-way, as with damaged files; export it again.", code="corrupt_file"
            )
        if answer.stat().st_size > self._limits.answer_bytes:
            raise GeometryRefused(
                "What the file holds is too much for one site; send only the site.", code="too_complex"
            )
        return answer.read_bytes()

    def close(self) -> None:
        """End the processes; those at work end with their job."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()


def busy() -> Unavailable:
    """Return the refusal of a service that has too much to do."""
    return Unavailable("Too many files are being read at the moment; send this one again in a minute.", code="busy")


def interrupted() -> Unavailable:
    """Return the refusal when reading processes were ended from outside, as by a machine short of memory."""
    return Unavailable("Reading the file was interrupted; send it again in a minute.", code="busy")


class _Lost(Exception):
    """A reading process ended before it took the job."""


class _Worker:
    """One reading process and the talk with it."""

    def __init__(self, limits: ProcessLimits) -> None:
        self._limits = limits
        self._ready = False
        self._rest = b""
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(Path(child.__file__).resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            cwd="/",
            start_new_session=True,
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def run(self, room: Path) -> dict[str, Any]:
        """Hand over a room and return how the reading in it ended."""
        self._await_ready()
        assert self._process.stdin is not None  # noqa: S101  (a pipe was asked for)
        request = {"room": str(room), "limits": asdict(self._limits)}
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise _Lost from error
        started = self._line(_GRACE_SECONDS)
        try:
            return self._line(self._limits.wall_seconds + _GRACE_SECONDS)
        except Internal:
            _kill_group(int(started.get("pid", 0)))
            return {"in_time": False}
        except _Lost:
            _kill_group(int(started.get("pid", 0)))
            raise interrupted() from None

    def _await_ready(self) -> None:
        if self._ready:
            return
        said = self._line(self._limits.start_seconds)
        if not said.get("ready"):
            raise Internal(f"The reading process did not start: {said.get('why', 'unknown')}")
        self._ready = True

    def _line(self, seconds: float) -> dict[str, Any]:
        """Return the next message of the process; ``internal`` when it says nothing in time or has ended."""
        assert self._process.stdout is not None  # noqa: S101  (a pipe was asked for)
        handle, deadline = self._process.stdout.fileno(), time.monotonic() + seconds
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not _readable(handle, left):
                raise Internal("The reading process gave no sign in time.")
            content = os.read(handle, 4096)
            if not content:
                raise _Lost
            self._rest += content
        line, _, self._rest = self._rest.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    def close(self) -> None:
        """End the process and wait for it."""
        _kill_group(self._process.pid)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


def _readable(handle: int, seconds: float) -> bool:
    """Wait for a pipe; ``poll`` takes any handle, where ``select`` fails beyond the first 1,024 open files."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(max(1.0, seconds * 1000.0)))


def _kill_group(group: int) -> None:
    if group > 1:
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return


def environment() -> dict[str, str]:
    """Return the whole environment of a reading process: nothing of ours, drivers skipped, network closed."""
    return {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "HOME": "/nonexistent",
        "GDAL_SKIP": KNOWN_OTHERS,
        "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".never",
        "CPL_VSIL_CURL_ALLOWED_FILENAME": "/vsicurl/none",
        "CPL_LOG": os.devnull,
        "GDAL_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OGR_ARC_STEPSIZE": "0.5",
        "OGR_SQLITE_LIST_VIRTUAL_OGR": "NO",
        "PROJ_NETWORK": "OFF",
        "SHAPE_RESTORE_SHX": "NO",
    }

"""What one reading may take of the machine."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Limits of the processes that read uploads.

    ``wall_seconds`` ends a reading whatever it does; ``cpu_seconds`` and ``memory_bytes`` are the kernel's own.
    ``file_bytes`` is the largest file a reading may write, ``spool_bytes`` what all uploads together may take of
    the disk. ``waiting`` uploads may stand in line, each for ``wait_seconds``; more are told to come back. Each
    holds a thread of the service, which has forty: a longer line would keep other requests out.
    """

    memory_bytes: int = 2048 * MIB
    cpu_seconds: int = 8
    wall_seconds: float = 10.0
    file_bytes: int = 256 * MIB
    open_files: int = 96
    answer_bytes: int = 64 * MIB
    spool_bytes: int = 2048 * MIB
    waiting: int = 30
    wait_seconds: float = 30.0
    start_seconds: float = 60.0

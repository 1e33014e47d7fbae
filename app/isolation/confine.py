"""Confinement of the current process, from inside: no network, few files, little memory, little time.

Each layer is used where the kernel grants it and reported, so that an operator sees what holds.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from collections.abc import Iterable
from pathlib import Path

from app.isolation.limits import ProcessLimits

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_READ_RIGHTS = 0b0000_0000_1101  # execute, read a file, list a folder
_ALL_RIGHTS = 0b1_1111_1111_1111  # everything the first version of Landlock knows
_PATH_BENEATH = 1
_VERSION_ASKED = 1
_TCP_BIND_AND_CONNECT = 0b11
_SIGNALS_AND_ABSTRACT_SOCKETS = 0b11


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def without_network() -> bool:
    """Move into a network of one's own without any way out; return whether the kernel granted it."""
    libc = _libc()
    return any(libc.unshare(flags) == 0 for flags in (_CLONE_NEWUSER | _CLONE_NEWNET, _CLONE_NEWNET))


def die_with_parent() -> None:
    """Ask the kernel to end this process when the thread that made it ends.

    For a child of a process of one thread only: of a service's threads any may end while its process lives on.
    """
    _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def without_privileges() -> None:
    """Give up for ever what a set-user-id program could grant, and the reading of this process's memory."""
    libc = _libc()
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def within_limits(limits: ProcessLimits) -> None:
    """Set the kernel's limits on memory, processor time, file size and open files of this process."""
    for what, most in (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 1))


def only_folders(readable: Iterable[Path], writable: Path) -> bool:
    """Shut this process out of every file but these folders, by Landlock; return whether the kernel granted it.

    Newer kernels shut it out of TCP and of signalling other processes by the same act.
    """
    libc = _libc()
    rules = _rules(libc.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _VERSION_ASKED))
    ruleset = libc.syscall(_LANDLOCK_CREATE, rules, ctypes.c_size_t(len(rules)), 0)
    if ruleset < 0:
        return False
    try:
        granted = all(_allow(libc, ruleset, folder, _READ_RIGHTS) for folder in readable if folder.exists())
        granted = granted and _allow(libc, ruleset, writable, _ALL_RIGHTS)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        return bool(granted) and libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _rules(version: int) -> bytes:
    """Return what the kernel's version of Landlock is asked to watch."""
    if version >= 6:
        return struct.pack("QQQ", _ALL_RIGHTS, _TCP_BIND_AND_CONNECT, _SIGNALS_AND_ABSTRACT_SOCKETS)
    if version >= 4:
        return struct.pack("QQ", _ALL_RIGHTS, _TCP_BIND_AND_CONNECT)
    return struct.pack("Q", _ALL_RIGHTS)


def _allow(libc: ctypes.CDLL, ruleset: int, folder: Path, rights: int) -> bool:
    handle = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", rights, handle)
        return bool(libc.syscall(_LANDLOCK_ADD, ruleset, _PATH_BENEATH, rule, 0) == 0)
    finally:
        os.close(handle)

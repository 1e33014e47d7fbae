"""Editions on disk: folders that never change, and one pointer that says which is current.

``layers/<id>/<part>/<edition>/`` holds ``manifest.json`` and GeoParquet files; ``layers/<id>/<part>/current`` is
a small file with the name of the edition in force, replaced in one step. A folder is filled aside, checked, moved
into place and only then pointed to: an import killed anywhere leaves the old edition in force. A part taken out of
force has its pointer renamed to ``withdrawn``; where both stand, ``current`` is the newer word.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from layers.manifest import Manifest, read_manifest
from spatial.errors import NotFound, ParameterRefused

CURRENT = "current"
WITHDRAWN = "withdrawn"
ASIDE = ".aside"
_SAFE = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")


@dataclass(frozen=True, slots=True)
class Pointer:
    """The edition in force for one part of a layer; ``stamp`` changes whenever the pointer does."""

    layer_id: str
    part: str
    stamp: tuple[int, int, int]
    path: Path

    @property
    def folder(self) -> Path:
        """The folder of the edition it names now; raises ``OSError`` or ``ValueError`` when it names none."""
        return self.path.parent / checked_name(self.path.read_text(encoding="ascii").strip(), "edition")


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A part that was taken out of force, and the edition that was in force; "" when its pointer named none."""

    part: str
    edition: str


def checked_name(name: str, what: str) -> str:
    """Return a name that is safe as one folder; raises ``ParameterRefused`` otherwise."""
    if not _SAFE.match(name):
        raise ParameterRefused(
            f"'{name[:80]}' cannot be the name of {what}; use letters, digits, '.', '_' and '-'."
        )
    return name


def pointers(root: Path) -> tuple[Pointer, ...]:
    """Return the pointers under ``DATA/layers``, sorted; none when the folder is missing. Reads no edition."""
    found = []
    for path in sorted(root.glob(f"*/*/{CURRENT}")):
        with suppress(FileNotFoundError):
            stat = path.stat()
            stamp = (stat.st_mtime_ns, stat.st_ino, stat.st_size)
            found.append(Pointer(path.parent.parent.name, path.parent.name, stamp, path))
    return tuple(found)


def withdrawn(root: Path) -> tuple[tuple[str, Withdrawn], ...]:
    """Return layer id and part of everything taken out of force under ``DATA/layers``, sorted."""
    found = []
    for path in sorted(root.glob(f"*/*/{WITHDRAWN}")):
        if not (path.parent / CURRENT).exists():
            found.append((path.parent.parent.name, Withdrawn(path.parent.name, _named(path))))
    return tuple(found)


def _named(pointer: Path) -> str:
    """Return the edition a pointer names; "" when it names none."""
    with suppress(OSError, ValueError, ParameterRefused):
        return checked_name(pointer.read_text(encoding="ascii").strip(), "edition")
    return ""


def edition_names(part: Path) -> tuple[str, ...]:
    """Return the editions kept for a part, by name."""
    return (
        tuple(sorted(p.name for p in part.iterdir() if p.is_dir() and _SAFE.match(p.name))) if part.is_dir() else ()
    )


@contextmanager
def aside(root: Path) -> Iterator[Path]:
    """Give a fresh folder on the same disk for an edition being made; what is left in it goes away afterwards."""
    holder = root / ASIDE
    holder.mkdir(parents=True, exist_ok=True)
    _sweep(holder)
    folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=holder))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(holder: Path) -> None:
    """Remove what imports that were killed left behind."""
    for left in holder.iterdir():
        pid, _, _ = left.name.partition("-")
        if pid.isdigit() and not _alive(int(pid)):
            shutil.rmtree(left, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def _one_at_a_time(root: Path) -> Iterator[None]:
    with (root / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(root: Path, made: Path, manifest: Manifest) -> Path:
    """Move a finished, checked edition into place and make it current; return its folder.

    The same bytes added again under the same name only become current again. Raises ``ParameterRefused`` (conflict)
    when another edition already has the name.
    """
    part = root / checked_name(manifest.layer_id, "layer") / checked_name(manifest.part, "part")
    home = part / checked_name(manifest.edition, "edition")
    with _one_at_a_time(root):
        part.mkdir(parents=True, exist_ok=True)
        if home.exists():
            _same_or_refused(home, manifest)
        else:
            for file in made.iterdir():
                _sync(file)
            made.rename(home)
            _sync(part)
        _point(part, manifest.edition)
    return home


def _same_or_refused(home: Path, manifest: Manifest) -> None:
    with suppress(OSError, ValueError):
        if read_manifest(home).files == manifest.files:
            return
    raise ParameterRefused(
        f"The layer '{manifest.layer_id}' already has another edition '{manifest.edition}'; name this otherwise.",
        code="conflict",
        layer=manifest.layer_id,
    )


def _point(part: Path, edition: str) -> None:
    """Replace the pointer in one step."""
    handle, name = tempfile.mkstemp(prefix=".current-", dir=part)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(edition + "\n")
        file.flush()
        os.fsync(file.fileno())
    Path(name).replace(part / CURRENT)
    (part / WITHDRAWN).unlink(missing_ok=True)
    _sync(part)


def _sync(path: Path) -> None:
    """Have a file or a folder's list of names on the disk before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def roll_back(root: Path, layer_id: str, edition: str, *, check: Callable[[Path], None]) -> Path:
    """Make a kept edition current again, once ``check`` (which raises) found it whole; return its folder.

    Parameters
    ----------
    edition
        Its name, or ``part/name`` where several parts have one of that name.

    Raises
    ------
    NotFound
        No part of the layer keeps it.
    ParameterRefused
        Several parts keep one of that name.
    """
    part_name, _, name = edition.rpartition("/")
    wanted = checked_name(name, "edition")
    layer = root / checked_name(layer_id, "layer")
    parts = [p for p in sorted(layer.glob(part_name or "*")) if wanted in edition_names(p)]
    if len(parts) > 1:
        choices = tuple(f"{p.name}/{wanted}" for p in parts)
        raise ParameterRefused(
            f"Several parts of '{layer_id}' have an edition '{wanted}'; name one: {', '.join(choices)}.",
            layer=layer_id,
            suggestions=choices,
        )
    if not parts:
        kept = sorted(f"{p.name}/{n}" for p in layer.glob("*") for n in edition_names(p))
        raise NotFound(
            f"The layer '{layer_id}' has no edition '{edition}'; it has {', '.join(kept) or 'none'}.",
            layer=layer_id,
            suggestions=kept,
        )
    check(parts[0] / wanted)
    with _one_at_a_time(root):
        _point(parts[0], wanted)
    return parts[0] / wanted


def withdraw(root: Path, layer_id: str, part: str) -> Withdrawn:
    """Take a part of a layer out of force in one step, damaged or not; return what was in force.

    Its editions and its pointer are kept, so that it can be rolled back to.

    Raises
    ------
    NotFound
        The layer has no such part in force; the sentence names those it has.
    """
    layer = root / checked_name(layer_id, "layer")
    with _one_at_a_time(root) if root.is_dir() else nullcontext():
        in_force = sorted(path.parent.name for path in layer.glob(f"*/{CURRENT}"))
        if part not in in_force:
            raise NotFound(
                f"The layer '{layer_id}' has no part '{part}' in force; it has {', '.join(in_force) or 'none'}.",
                layer=layer_id,
                suggestions=in_force,
            )
        (layer / part / CURRENT).replace(layer / part / WITHDRAWN)
        _sync(layer / part)
    return Withdrawn(part, _named(layer / part / WITHDRAWN))

"""Uploads: a file somebody sent becomes an inspection and a submission, in a process of its own."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Self

from shapely.geometry.base import BaseGeometry

from app.isolation.limits import ProcessLimits
from app.isolation.pool import Pool, busy
from app.isolation.wire import Job, opened, wkb_of
from spatial.errors import FormatRefused, ParameterRefused
from spatial.inspection import Inspection
from spatial.model import Submission
from spatial.read.archive import is_zip, safe_name
from spatial.read.limits import ReadLimits
from spatial.read.raw import Purpose

Content = bytes | Path
_SUFFIXES = frozenset(
    (
        ".zip",
        ".kmz",
        ".shz",
        ".kml",
        ".json",
        ".geojson",
        ".geojsonl",
        ".gpkg",
        ".dxf",
        ".shp",
        ".csv",
        ".tsv",
        ".txt",
    )
)
_SHAPEFILE_PARTS = frozenset((".shp", ".shx", ".dbf", ".prj", ".cpg"))
_MOST_PARTS = 2_000
_ROOM = "metes-reading-"
_FORGOTTEN_SECONDS = 3_600
MOST_TREES = 50_000
"""A town's street trees come in one file; points cost little, so more of them are taken than shapes of a site."""


@dataclass(frozen=True, slots=True, eq=False)
class Upload:
    """What somebody sent: one file, or files sent together. Names are theirs and used in words only."""

    name: str
    parts: tuple[tuple[str, Content], ...]

    @classmethod
    def from_path(cls, path: Path) -> Self:
        """Return a file of this machine as an upload: a ``.shp`` with its other parts, a folder with its files.

        Raises
        ------
        ParameterRefused
            ``bad_parameter`` when there is no such file.
        """
        if path.is_dir():
            files = sorted(file for file in path.iterdir() if file.is_file())
            return cls(path.name, tuple((file.name, file) for file in files))
        if not path.is_file():
            raise ParameterRefused(f"There is no file {path.name!r} here.")
        files = _with_its_parts(path) if path.suffix.lower() == ".shp" else [path]
        return cls(path.name, tuple((file.name, file) for file in files))

    @property
    def size(self) -> int:
        """Return the bytes of all parts."""
        return sum(len(c) if isinstance(c, bytes) else c.stat().st_size for _, c in self.parts)

    @property
    def sha256(self) -> str:
        """Return the hash of the bytes; of several parts that of their names and hashes, sorted."""
        hashes = sorted((name, _sha256(content)) for name, content in self.parts)
        if len(hashes) == 1:
            return hashes[0][1]
        return hashlib.sha256("".join(f"{name}\n{digest}\n" for name, digest in hashes).encode()).hexdigest()


def _with_its_parts(shp: Path) -> list[Path]:
    siblings = sorted(shp.parent.iterdir())
    return [f for f in siblings if f.stem.lower() == shp.stem.lower() and f.suffix.lower() in _SHAPEFILE_PARTS]


def _sha256(content: Content) -> str:
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    with content.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class Understood:
    """What an upload was understood to be."""

    inspection: Inspection
    submission: Submission


class Reader:
    """Reads uploads in confined processes. Safe to share between threads.

    Parameters
    ----------
    limits
        What an upload may hold.
    workers
        How many are read at the same time.
    process
        What a reading may take of the machine.
    spool
        A folder for uploads while they are read; the system's temporary folder when None.
    """

    def __init__(
        self,
        limits: ReadLimits | None = None,
        workers: int = 2,
        process: ProcessLimits | None = None,
        spool: Path | None = None,
    ) -> None:
        self._limits = limits or ReadLimits()
        self._process = process or ProcessLimits()
        self._spool = spool
        _sweep(spool or Path(tempfile.gettempdir()))
        self._pool = Pool(workers, self._process)
        self._lock = threading.Lock()
        self._taken = 0

    def understand(
        self,
        upload: Upload,
        *,
        crs: str | None = None,
        layer: str | None = None,
        area_hint: BaseGeometry | None = None,
        purpose: Purpose = "site",
    ) -> Understood:
        """Return what is understood of an upload.

        Parameters
        ----------
        upload
            The bytes.
        crs
            ``"EPSG:n"`` as declared by who sent it.
        layer
            Which layer is the site.
        area_hint
            A claimed parcel in EPSG:26986, to order the systems proposed when none is stated.
        purpose
            ``"site"`` for polygons of work, ``"trees"`` for points.

        Raises
        ------
        MetesError
            Any refusal of reading, ``too_large``, ``timeout``, ``busy``.
        """
        self._check(upload)
        with self._room(upload) as room:
            job = Job(
                path=_lay(upload, room),
                name=_stem(upload.name),
                crs=crs,
                layer=layer,
                purpose=purpose,
                limits=self._limits if purpose == "site" else replace(self._limits, features=MOST_TREES),
                area_hint=wkb_of(area_hint),
            )
            (room / "job.json").write_text(job.to_json(), encoding="utf-8")
            return Understood(*opened(self._pool.run(room)))

    def _check(self, upload: Upload) -> None:
        if not upload.parts:
            raise FormatRefused("Nothing was sent; send the file of the site.", code="empty_upload")
        if upload.size > self._limits.upload_bytes or len(upload.parts) > _MOST_PARTS:
            raise FormatRefused(
                f"The upload has {upload.size:,} bytes in {len(upload.parts):,} file(s); at most "
                f"{self._limits.upload_bytes:,} bytes are taken.",
                code="too_large",
            )

    @contextmanager
    def _room(self, upload: Upload) -> Iterator[Path]:
        """Lend a fresh folder, counted against what all uploads may take of the disk, and remove it after."""
        needed = upload.size + (self._limits.archive.total_bytes if _may_unpack(upload) else upload.size)
        with self._lock:
            if self._taken and self._taken + needed > self._process.spool_bytes:
                raise busy()
            self._taken += needed
        room = Path(tempfile.mkdtemp(prefix=_ROOM, dir=self._spool))
        try:
            yield room
        finally:
            shutil.rmtree(room, ignore_errors=True)
            with self._lock:
                self._taken -= needed

    def close(self) -> None:
        """End the reading processes."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _sweep(spool: Path) -> None:
    """Remove rooms that a service left behind when it was killed; those of running ones are younger."""
    oldest = time.time() - _FORGOTTEN_SECONDS
    for room in spool.glob(f"{_ROOM}*"):
        with contextlib.suppress(OSError):
            if room.stat().st_uid == os.getuid() and room.stat().st_mtime < oldest:
                shutil.rmtree(room, ignore_errors=True)


def _may_unpack(upload: Upload) -> bool:
    return any(is_zip(_head(content)) for _, content in upload.parts)


def _head(content: Content) -> bytes:
    if isinstance(content, bytes):
        return content[:8]
    with content.open("rb") as file:
        return file.read(8)


def _lay(upload: Upload, room: Path) -> str:
    """Write the parts into the room under names of ours; return the path to read, relative to the room."""
    if len(upload.parts) == 1:
        name, content = upload.parts[0]
        suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
        path = f"upload{suffix if suffix in _SUFFIXES else ''}"
        _write(content, room / path)
        return path
    for name, content in upload.parts:
        target = room / "parts" / safe_name(name.replace("\\", "/").rpartition("/")[2])
        target.parent.mkdir(exist_ok=True)
        if target.exists():
            raise FormatRefused(f"Two files named {target.name!r} were sent; send each once.", code="corrupt_file")
        _write(content, target)
    return "parts"


def _write(content: Content, target: Path) -> None:
    if isinstance(content, bytes):
        target.write_bytes(content)
    else:
        shutil.copyfile(content, target)


def _stem(name: str) -> str:
    """Return a harmless word for an upload without a layer name of its own."""
    last = safe_name(name.replace("\\", "/").rpartition("/")[2])
    return last.rpartition(".")[0] or last
